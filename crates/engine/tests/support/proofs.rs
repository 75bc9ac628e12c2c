//! What the solver says about a position, looked at closely; and the positions to ask it about.

#![allow(dead_code, reason = "the tests and the example need a part each")]

use std::fs;
use std::path::Path;

use chess::{ClaimedRook, Color, File, KeyHistory, Move, Piece, PieceType, Position, Rank, Setup, Square};
use engine::{MateProof, MateSolver};

/// The distance to mate in plies as the solver sees it up to so many moves. An error says what is wrong with
/// its line, which must be legal, as long as that and end in mate.
pub(crate) fn proved(pos: &Position, longest: usize) -> Result<Option<u8>, String> {
    let mut solver = MateSolver::new(pos, &pos.legal_moves(), &KeyHistory::new(), longest);
    let (plies, line) = match solver.run(&mut || true) {
        MateProof::Mate(moves, line) => (2 * moves - 1, line),
        MateProof::Mated(moves, line) => (2 * moves, line),
        MateProof::NoMate => return Ok(None),
        MateProof::Unknown => return Err("gave up".to_owned()),
    };
    let mut end = *pos;
    for &mv in &line {
        if !end.is_legal(mv) {
            return Err(format!("{mv:?} of {line:?} in {pos} is not legal"));
        }
        end.play(mv);
    }
    if end.in_check() && !end.has_legal_move() && line.len() == plies {
        Ok(Some(plies as u8))
    } else {
        Err(format!("{line:?} in {pos} is no mate in {plies} plies"))
    }
}

/// Does the solver find this distance, and no other, when it looks as far as so many moves?
pub(crate) fn check(pos: &Position, plies: Option<u8>, longest: usize) -> Result<(), String> {
    let expected = plies.filter(|&plies| usize::from(plies) <= 2 * longest);
    match proved(pos, longest)? {
        found if found == expected => Ok(()),
        found => Err(format!("mate after {found:?} plies, not after {expected:?}, in {pos}")),
    }
}

/// The same position with the colours exchanged.
fn exchanged(pos: &Position) -> Position {
    let setup = Setup::from(pos);
    let swapped = |piece: Piece| Piece::new(!piece.color(), piece.kind());
    let board = Square::ALL.map(|sq| setup.board[sq.flip().index()].map(swapped));
    let swapped = Setup { board, side_to_move: !setup.side_to_move, ..setup };
    swapped.position().expect("chess is the same for both colours").0
}

/// So many of them at the most, spread over all, every other one with the colours exchanged.
pub(crate) fn sample(positions: &[Position], count: usize) -> impl Iterator<Item = Position> {
    let step = positions.len().div_ceil(count.max(1)).max(1);
    let chosen = positions.iter().step_by(step).enumerate();
    chosen.map(|(index, pos)| if index % 2 == 0 { *pos } else { exchanged(pos) })
}

/// Positions of king and rook that may castle, on all files of Chess960, against a king and perhaps a queen.
pub(crate) fn with_castling(with_queen: bool) -> Vec<Position> {
    let mut found = Vec::new();
    let files = File::ALL.into_iter().flat_map(|king| File::ALL.into_iter().map(move |rook| (king, rook)));
    let others = Square::ALL.into_iter().flat_map(|king| {
        let queens = if with_queen { &Square::ALL[..] } else { &[Square::A1] };
        queens.iter().map(move |&queen| (king, queen))
    });
    for (king, rook) in files {
        for (index, (other, queen)) in others.clone().enumerate() {
            let mut setup = Setup {
                board: [None; 64],
                side_to_move: Color::ALL[index % 2],
                castling: vec![(Color::White, ClaimedRook::OnFile(rook))],
                en_passant: None,
                halfmove_clock: 0,
                fullmove_number: 1,
            };
            let home = |file| Square::from_parts(file, Rank::First).index();
            let mut men = 3;
            if with_queen {
                setup.board[queen.index()] = Some(Piece::new(Color::Black, PieceType::Queen));
                men += 1;
            }
            setup.board[other.index()] = Some(Piece::new(Color::Black, PieceType::King));
            setup.board[home(king)] = Some(Piece::new(Color::White, PieceType::King));
            setup.board[home(rook)] = Some(Piece::new(Color::White, PieceType::Rook));
            if let Ok((pos, mends)) = setup.position()
                && mends.is_empty()
                && pos.occupied().count() == men
            {
                found.push(pos);
            }
        }
    }
    found
}

/// The position without rights to castle.
pub(crate) fn without_castling(pos: &Position) -> Position {
    let setup = Setup { castling: Vec::new(), ..Setup::from(pos) };
    setup.position().expect("rights are never needed").0
}

/// A problem of the suites.
pub(crate) struct Problem {
    pub(crate) pos: Position,
    /// The move that solves it, where it could be read.
    pub(crate) key: Option<Move>,
}

/// The problems of the suites beside the project with mates in so many moves.
pub(crate) fn problems(moves: usize) -> Vec<Problem> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/suites/mate");
    let Ok(text) = fs::read_to_string(folder.join(format!("mate_in_{moves}.epd"))) else {
        println!("skipped: there is no ../shared/suites/mate/mate_in_{moves}.epd");
        return Vec::new();
    };
    let problem = |line: &str| {
        let (fen, operations) = line.split_once(" bm ")?;
        let pos = Position::from_fen(fen).ok()?;
        let word = operations.split(';').next()?.trim_start_matches(['K', 'Q', 'R', 'B', 'N']);
        let word: String = word.chars().filter(char::is_ascii_alphanumeric).filter(|&c| c != 'x').collect();
        Some(Problem { pos, key: pos.parse_uci_move(&word.to_lowercase()).ok() })
    };
    text.lines().filter_map(problem).collect()
}
