//! From an untrusted description of a position to a valid one: what can be mended is mended and
//! noted, what makes no sense is refused with the reason.

use std::fmt;

use crate::{Bitboard, Color, File, Piece, PieceType, Position, Rank, Square};

/// A claimed right to castle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimedRook {
    /// The outermost rook on the king's side (`K`, `k`).
    OutermostEast,
    /// The outermost rook on the queen's side (`Q`, `q`).
    OutermostWest,
    /// The rook on this file (`A` to `H`).
    OnFile(File),
}

/// A description of a position that has not been checked yet.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// What stands where.
    pub board: [Option<Piece>; 64],
    /// Whose turn it is.
    pub side_to_move: Color,
    /// The claimed rights to castle.
    pub castling: Vec<(Color, ClaimedRook)>,
    /// The square behind a pawn that just made a double step.
    pub en_passant: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: i64,
    /// The number of the move, from 1.
    pub fullmove_number: i64,
}

/// Something of a setup that was wrong but could be put right without doubt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mend {
    /// The right has no king or no rook where it needs them.
    CastlingDropped(Color),
    /// No pawn can just have made a double step over this square.
    EnPassantDropped(Square),
    /// The clock was out of range.
    HalfmoveClock(i64),
    /// The number was out of range.
    FullmoveNumber(i64),
    /// The clock was no number.
    HalfmoveClockUnread,
    /// The number of the move was none.
    FullmoveNumberUnread,
}

impl fmt::Display for Mend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CastlingDropped(color) => {
                write!(f, "{color} has no king or rook in place for a claimed right to castle; dropped")
            }
            Self::EnPassantDropped(sq) => write!(f, "no pawn can be taken en passant on {sq}; dropped"),
            Self::HalfmoveClock(n) => write!(f, "half-move clock {n} is out of range; mended"),
            Self::FullmoveNumber(n) => write!(f, "move number {n} is out of range; mended"),
            Self::HalfmoveClockUnread => f.write_str("the half-move clock is no number; 0 is assumed"),
            Self::FullmoveNumberUnread => f.write_str("the move number is no number; 1 is assumed"),
        }
    }
}

/// Why a setup is not a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// This many kings of the colour, which is not one.
    Kings(Color, usize),
    /// A pawn stands on the first or last rank.
    PawnOn(Square),
    /// The side that just moved left its king in check.
    OpponentInCheck(Color),
    /// More than 32 pieces.
    TooManyMen(usize),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Kings(color, 0) => write!(f, "{color} has no king"),
            Self::Kings(color, n) => write!(f, "{color} has {n} kings"),
            Self::PawnOn(sq) => write!(f, "a pawn cannot stand on {sq}"),
            Self::OpponentInCheck(color) => write!(f, "{color} is in check but not to move"),
            Self::TooManyMen(n) => write!(f, "{n} pieces are more than 32"),
        }
    }
}

impl std::error::Error for SetupError {}

/// The largest clock and move number that a setup keeps; beyond them counting has no meaning.
const MAX_COUNTER: i64 = 9_999;

impl Setup {
    /// The position that this describes, and what had to be mended.
    ///
    /// ```
    /// use chess::{Position, Setup};
    /// let mut setup = Setup::from(&Position::startpos());
    /// setup.fullmove_number = 0;
    /// let (pos, mends) = setup.position().unwrap();
    /// assert_eq!((pos.fullmove_number(), mends.len()), (1, 1));
    /// ```
    pub fn position(&self) -> Result<(Position, Vec<Mend>), SetupError> {
        let men = self.men();
        check_men(&men)?;
        let mut mends = Vec::new();
        let mut counter = |value: i64, min: i64, mend: fn(i64) -> Mend| {
            if !(min..=MAX_COUNTER).contains(&value) {
                mends.push(mend(value));
            }
            value.clamp(min, MAX_COUNTER) as u16
        };
        let clock = counter(self.halfmove_clock, 0, Mend::HalfmoveClock);
        let number = counter(self.fullmove_number, 1, Mend::FullmoveNumber);

        let mut pos = Position::unset(self.side_to_move, clock, number);
        for (piece, squares) in Piece::ALL.into_iter().zip(men) {
            squares.into_iter().for_each(|sq| pos.put(piece, sq));
        }
        let them = !self.side_to_move;
        if pos.is_attacked(pos.king(them), self.side_to_move, pos.occupied()) {
            return Err(SetupError::OpponentInCheck(them));
        }
        for &(color, claim) in &self.castling {
            match claimed_rook(&pos, color, claim) {
                Some(rook) => pos.grant_castling(color, rook),
                None => mends.push(Mend::CastlingDropped(color)),
            }
        }
        pos.refresh_checks();
        if let Some(sq) = self.en_passant {
            if !double_step_possible(&pos, sq) {
                mends.push(Mend::EnPassantDropped(sq));
            } else {
                // Many programs write the square after every double step, so one without a legal capture is
                // dropped silently.
                pos.offer_en_passant(sq);
            }
        }
        Ok((pos, mends))
    }

    /// Where each piece stands.
    fn men(&self) -> [Bitboard; 12] {
        // Empty squares are a thirteenth piece: readers of training data set up a position for every game, and which squares
        // are empty is nothing that a processor can guess.
        let mut squares = [Bitboard::EMPTY; 13];
        for (sq, piece) in Square::ALL.into_iter().zip(self.board) {
            squares[piece.map_or(12, Piece::index)] |= sq;
        }
        let [men @ .., _] = squares;
        men
    }
}

fn check_men(men: &[Bitboard; 12]) -> Result<(), SetupError> {
    let count = men.iter().map(|squares| squares.count()).sum();
    if count > 32 {
        return Err(SetupError::TooManyMen(count));
    }
    let of = |color, kind| men[Piece::new(color, kind).index()];
    for color in Color::ALL {
        match of(color, PieceType::King).count() {
            1 => {}
            n => return Err(SetupError::Kings(color, n)),
        }
    }
    let pawns = of(Color::White, PieceType::Pawn) | of(Color::Black, PieceType::Pawn);
    let last_ranks = Bitboard::rank(Rank::First) | Bitboard::rank(Rank::Eighth);
    match (pawns & last_ranks).first() {
        Some(sq) => Err(SetupError::PawnOn(sq)),
        None => Ok(()),
    }
}

/// The rook that a claim means, if king and rook stand where the right needs them and the right
/// is not there already.
fn claimed_rook(pos: &Position, color: Color, claim: ClaimedRook) -> Option<Square> {
    let home = Bitboard::rank(color.rank(Rank::First));
    let king = pos.king(color);
    if !home.has(king) {
        return None;
    }
    let rooks = pos.pieces(color, PieceType::Rook) & home;
    let rook = match claim {
        ClaimedRook::OutermostEast => rooks.last().filter(|&rook| rook > king),
        ClaimedRook::OutermostWest => rooks.first().filter(|&rook| rook < king),
        ClaimedRook::OnFile(file) => (rooks & Bitboard::file(file)).first(),
    }?;
    pos.castling().rook(color, crate::Wing::of(king, rook)).is_none().then_some(rook)
}

/// Could the side that is not to move just have pushed a pawn two squares over `sq`?
fn double_step_possible(pos: &Position, sq: Square) -> bool {
    let them = !pos.side_to_move();
    let pawn_on = sq.ahead(them);
    sq.rank() == them.rank(Rank::Third)
        && pos.piece_on(pawn_on) == Some(Piece::new(them, PieceType::Pawn))
        && pos.piece_on(sq).is_none()
        && pos.piece_on(sq.behind(them)).is_none()
}

impl From<&Position> for Setup {
    fn from(pos: &Position) -> Self {
        let mut castling = Vec::new();
        for color in Color::ALL {
            for wing in crate::Wing::ALL {
                if let Some(rook) = pos.castling().rook(color, wing) {
                    castling.push((color, ClaimedRook::OnFile(rook.file())));
                }
            }
        }
        Self {
            board: Square::ALL.map(|sq| pos.piece_on(sq)),
            side_to_move: pos.side_to_move(),
            castling,
            en_passant: pos.en_passant(),
            halfmove_clock: i64::from(pos.halfmove_clock()),
            fullmove_number: i64::from(pos.fullmove_number()),
        }
    }
}
