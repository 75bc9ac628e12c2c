//! The engine's option table and findings in the words of UCI.

use chess::{CastlingNotation, Move, Position};
use engine::{OptionKind, OptionSpec, OptionValue, SearchInfo};
use uci::{Info, OptionDeclaration, UciMove};

/// May any page set this option? Numbers and switches can do no harm within their limits; a text may name a file, and
/// a button may write one.
pub(super) fn is_harmless(spec: &OptionSpec) -> bool {
    match spec.kind {
        OptionKind::Check { .. } | OptionKind::Spin { .. } => true,
        OptionKind::Button => spec.name == "Clear Hash",
        OptionKind::Text { .. } | OptionKind::Network => false,
    }
}

/// The declaration of an option, with the largest number that the server allows.
pub(super) fn declaration(spec: &OptionSpec, largest: Option<i64>) -> OptionDeclaration {
    let kind = match (spec.kind, spec.default()) {
        (OptionKind::Check { default }, _) => uci::OptionKind::Check { default },
        (OptionKind::Spin { default, min, max }, _) => {
            uci::OptionKind::Spin { default, min, max: largest.map_or(max, |largest| max.min(largest)) }
        }
        (_, OptionValue::Text(default)) => uci::OptionKind::String { default },
        _ => uci::OptionKind::Button,
    };
    OptionDeclaration { name: spec.name.to_owned(), kind }
}

/// How moves are written in answers about this position.
pub(super) fn notation(chess960: bool, root: &Position) -> CastlingNotation {
    if chess960 || root.needs_chess960() {
        CastlingNotation::KingTakesRook
    } else {
        CastlingNotation::KingMove
    }
}

/// A line of play from this position.
pub(super) fn moves(root: &Position, notation: CastlingNotation, line: &[Move]) -> Vec<UciMove> {
    let mut position = *root;
    line.iter()
        .map_while(|&mv| {
            let text = position.uci_move(mv, notation).parse().ok();
            position.play(mv);
            text
        })
        .collect()
}

/// A line of findings.
pub(super) fn info(root: &Position, notation: CastlingNotation, line: &SearchInfo) -> Info {
    let score = uci::Score {
        value: match line.score {
            engine::Score::Centipawns(cp) => uci::ScoreValue::Cp(cp.into()),
            engine::Score::Mate(moves) => uci::ScoreValue::Mate(moves.into()),
        },
        bound: line.bound.map(|bound| match bound {
            engine::Bound::Lower => uci::Bound::Lower,
            engine::Bound::Upper => uci::Bound::Upper,
        }),
        wdl: line.wdl.map(|wdl| uci::Wdl {
            win: wdl.win.into(),
            draw: wdl.draw.into(),
            loss: wdl.loss.into(),
        }),
    };
    if line.depth == 0 {
        return Info { depth: Some(0), score: Some(score), ..Info::default() };
    }
    let micros = line.time.as_micros().max(1000);
    Info {
        depth: Some(line.depth as u64),
        seldepth: Some(line.selective_depth as u64),
        multipv: Some(line.multipv as u64),
        score: Some(score),
        nodes: Some(line.nodes),
        nps: Some((u128::from(line.nodes) * 1_000_000 / micros) as u64),
        hashfull: Some(line.hashfull as u64),
        tbhits: Some(line.tablebase_hits),
        time: Some(line.time.as_millis().max(1) as u64),
        pv: moves(root, notation, &line.pv),
        ..Info::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_name_files_are_not_harmless() {
        let harmful = ["Book File", "SyzygyPath", "EvalFile", "UCI_SetPositionValue"];
        for spec in engine::all_options() {
            let texts = matches!(spec.kind, OptionKind::Text { .. } | OptionKind::Network);
            assert!(!(texts && is_harmless(spec)), "{}", spec.name);
            assert!(!(harmful.contains(&spec.name) && is_harmless(spec)), "{}", spec.name);
        }
    }
}
