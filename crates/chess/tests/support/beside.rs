//! Random games played beside the `shakmaty` crate, which must agree about everything.

use std::collections::BTreeMap;

use chess::{CastlingNotation, Position};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use crate::random::{Random, RandomPlay};

/// The longest game; most end before.
const MAX_PLIES: usize = 300;

/// Plays games until so many positions were compared; the first disagreement is the error.
pub(crate) fn play(positions: u64, random: &mut Random) -> Result<(), String> {
    let mut compared = 0;
    while compared < positions {
        let mut pos = random.start();
        let mut other = other(&pos)?;
        for _ in 0..MAX_PLIES {
            compare(&pos, &other).map_err(|what| format!("{pos}: {what}"))?;
            compared += 1;
            let Some(mv) = random.legal_move(&pos) else { break };
            if compared >= positions || pos.is_dead() {
                break;
            }
            let name = pos.uci_move(mv, CastlingNotation::KingTakesRook);
            let twin = other
                .legal_moves()
                .into_iter()
                .find(|twin| twin.to_uci(CastlingMode::Chess960).to_string() == name);
            other.play_unchecked(twin.ok_or("the move is gone")?);
            pos.play(mv);
        }
    }
    Ok(())
}

fn other(pos: &Position) -> Result<Chess, String> {
    let fen: Fen = pos.to_string().parse().map_err(|error| format!("{pos}: {error}"))?;
    fen.into_position(CastlingMode::Chess960).map_err(|error| format!("{pos}: {error}"))
}

fn compare(pos: &Position, other: &Chess) -> Result<(), String> {
    let same = |what: &str, ours: String, theirs: String| {
        if ours == theirs { Ok(()) } else { Err(format!("{what}: {ours} here, {theirs} there")) }
    };
    let mated = pos.in_check() && !pos.has_legal_move();
    let stalemated = !pos.in_check() && !pos.has_legal_move();
    same(
        "check, mate, stalemate, dead",
        format!("{:?}", (pos.in_check(), mated, stalemated, pos.is_dead())),
        format!(
            "{:?}",
            (other.is_check(), other.is_checkmate(), other.is_stalemate(), other.is_insufficient_material())
        ),
    )?;
    same("fen", pos.to_string(), Fen::from_position(other, EnPassantMode::Legal).to_string())?;

    let ours: BTreeMap<String, String> = pos
        .legal_moves()
        .iter()
        .map(|&mv| (pos.uci_move(mv, CastlingNotation::KingTakesRook), pos.san(mv)))
        .collect();
    let theirs: BTreeMap<String, String> = other
        .legal_moves()
        .into_iter()
        .map(|mv| {
            let san = SanPlus::from_move(other.clone(), mv);
            (mv.to_uci(CastlingMode::Chess960).to_string(), san.to_string())
        })
        .collect();
    if ours != theirs {
        return Err(format!("moves: {ours:?} here, {theirs:?} there"));
    }
    for (name, san) in &ours {
        let (long, short) = (pos.parse_uci_move(name), pos.parse_san(san));
        if long.is_err() || long != short {
            return Err(format!("{name} reads as {long:?}, {san} as {short:?}"));
        }
    }
    Ok(())
}
