//! Conversions between the types of the engine and those of UCI, for every program that answers UCI.

use std::time::Duration;

use chess::{CastlingNotation, Move, Position};
use engine::{Limits, OptionKind, OptionSpec, OptionValue, SearchInfo};
use uci::{Go, Info, Message, OptionDeclaration, UciMove};

/// A line of play from this position.
pub fn moves(root: &Position, castling: CastlingNotation, line: &[Move]) -> Vec<UciMove> {
    let text = root.uci_line(line, castling);
    text.iter().map(|mv| mv.parse().expect("chess writes moves as UCI does")).collect()
}

/// The answer to `go`.
pub fn best_move(
    root: &Position,
    castling: CastlingNotation,
    best: Option<Move>,
    ponder: Option<Move>,
) -> Message {
    let line: Vec<Move> = [best, ponder].into_iter().map_while(|mv| mv).collect();
    let mut moves = moves(root, castling, &line).into_iter();
    Message::BestMove { best: moves.next(), ponder: moves.next() }
}

/// Nodes per second. Times below a millisecond count as one, and the result fits 32 bits, as some clients expect.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1000);
    (u128::from(nodes) * 1_000_000 / micros).min(u128::from(u32::MAX)) as u64
}

/// The `info` of a principal variation.
pub fn info(root: &Position, castling: CastlingNotation, line: &SearchInfo) -> Info {
    let score = uci::Score {
        value: match line.score {
            engine::Score::Centipawns(cp) => uci::ScoreValue::Cp(cp.into()),
            engine::Score::Mate(moves) => uci::ScoreValue::Mate(moves.into()),
        },
        bound: line.bound.map(|bound| match bound {
            engine::Bound::Lower => uci::Bound::Lower,
            engine::Bound::Upper => uci::Bound::Upper,
        }),
        wdl: line.wdl.map(|engine::Wdl { win, draw, loss }| uci::Wdl {
            win: win.into(),
            draw: draw.into(),
            loss: loss.into(),
        }),
    };
    if line.depth == 0 {
        // The game is over: nothing was searched, so there is only the score.
        return Info { depth: Some(0), score: Some(score), ..Info::default() };
    }
    Info {
        depth: Some(line.depth as u64),
        seldepth: Some(line.selective_depth as u64),
        multipv: Some(line.multipv as u64),
        score: Some(score),
        nodes: Some(line.nodes),
        nps: Some(nodes_per_second(line.nodes, line.time)),
        hashfull: Some(line.hashfull as u64),
        tbhits: Some(line.tablebase_hits),
        time: Some(line.time.as_millis().max(1) as u64),
        pv: moves(root, castling, &line.pv),
        ..Info::default()
    }
}

/// The limits of a `go`. Illegal moves and repetitions in `searchmoves` are left out.
pub fn limits(go: &Go, root: &Position) -> Limits {
    let mut search_moves: Vec<Move> = Vec::new();
    for mv in go.searchmoves.iter().filter_map(|mv| root.parse_uci_move(mv.as_str()).ok()) {
        if !search_moves.contains(&mv) {
            search_moves.push(mv);
        }
    }
    Limits {
        time: [go.wtime, go.btime],
        increment: [go.winc, go.binc],
        moves_to_go: go.movestogo,
        depth: go.depth,
        nodes: go.nodes,
        mate: go.mate,
        move_time: go.movetime,
        // Where the game is over there is nothing to wait for; a ponder search still waits, since no client expects
        // a move before the ponder hit.
        infinite: go.infinite && root.has_legal_move(),
        ponder: go.ponder,
        asked_at: None,
        search_moves,
    }
}

/// The declaration of an option.
pub fn declaration(spec: &OptionSpec) -> OptionDeclaration {
    let kind = match (spec.kind, spec.default()) {
        (OptionKind::Check { default }, _) => uci::OptionKind::Check { default },
        (OptionKind::Spin { default, min, max }, _) => uci::OptionKind::Spin { default, min, max },
        (OptionKind::Text { .. } | OptionKind::Network, OptionValue::Text(default)) => {
            uci::OptionKind::String { default }
        }
        _ => uci::OptionKind::Button,
    };
    OptionDeclaration { name: spec.name.to_owned(), kind }
}
