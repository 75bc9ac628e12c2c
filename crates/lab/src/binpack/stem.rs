//! The 32 bytes at the beginning of a chain: a whole position with its labels.

use chess::{Bitboard, File, Wing};
use chess::{
    ClaimedRook, Color, Move, MoveKind, Piece, PieceType, Position, Rank, Setup, SetupError, Square,
};

use super::encoder::Unwritable;
use super::entry::Entry;
use super::fault::Fault;
use super::moves::{PROMOTED, promoted_number};
use super::rights::{Rights, corner, king_home};
use super::{unzigzag, zigzag};

/// Bytes of a stem.
pub(super) const STEM: usize = 32;

/// Plies that fit beside the result.
const PLY_BITS: u16 = 14;
const PLY_MASK: u16 = (1 << PLY_BITS) - 1;

/// Codes of men beyond their [`Piece`].
const EN_PASSANT_PAWN: u8 = 12;
const CASTLING_ROOKS: [u8; 2] = [13, 14];
const BLACK_KING_TO_MOVE: u8 = 15;

/// Types of moves.
const NORMAL: u16 = 0;
const PROMOTION: u16 = 1;
const CASTLING: u16 = 2;
const EN_PASSANT: u16 = 3;

/// Reads a stem, and the rights to castle that it tells.
pub(super) fn read(bytes: &[u8; STEM]) -> Result<(Entry, Rights), Fault> {
    let number = |first: usize| u16::from_be_bytes([bytes[first], bytes[first + 1]]);
    let ply = number(28) & PLY_MASK;
    let result = unzigzag(number(28) >> PLY_BITS) as i8;
    if !(-1..=1).contains(&result) {
        return Err(Fault::Result);
    }
    let (position, rights) = read_position(bytes, ply, number(30))?;
    let mv = read_move(&position, number(24))?;
    Ok((Entry { position, mv, score: unzigzag(number(26)), ply, result }, rights))
}

fn read_position(bytes: &[u8; STEM], ply: u16, clock: u16) -> Result<(Position, Rights), Fault> {
    let occupied = Bitboard(bytes.first_chunk().map_or(0, |first| u64::from_be_bytes(*first)));
    if occupied.count() > 32 {
        return Err(Fault::Men(SetupError::TooManyMen(occupied.count())));
    }
    let mut setup = Setup {
        board: [None; 64],
        side_to_move: Color::White,
        castling: Vec::new(),
        en_passant: None,
        halfmove_clock: clock.into(),
        fullmove_number: i64::from(ply / 2 + 1),
    };
    let mut rights = Rights::default();
    let mut passed_pawn = None;
    for (place, sq) in occupied.into_iter().enumerate() {
        let code = bytes[8 + place / 2] >> (place % 2 * 4) & 15;
        setup.board[sq.index()] = Some(match code {
            EN_PASSANT_PAWN => {
                let color = if sq.rank() == Rank::Fourth { Color::White } else { Color::Black };
                if sq.rank() != color.rank(Rank::Fourth) || passed_pawn.replace(sq).is_some() {
                    return Err(Fault::EnPassantPawn(sq));
                }
                setup.en_passant = Some(sq.behind(color));
                Piece::new(color, PieceType::Pawn)
            }
            BLACK_KING_TO_MOVE => {
                setup.side_to_move = Color::Black;
                Piece::BlackKing
            }
            _ => match Color::ALL.into_iter().find(|color| CASTLING_ROOKS[color.index()] == code) {
                Some(color) => {
                    if !Wing::ALL.iter().any(|&wing| corner(color, wing) == sq) {
                        return Err(Fault::CastlingRook(sq));
                    }
                    rights.grant(sq);
                    Piece::new(color, PieceType::Rook)
                }
                None => Piece::ALL[usize::from(code)],
            },
        });
    }
    // Rights of Chess960 are not the position's; see `Rights`.
    for color in Color::ALL {
        if setup.board[king_home(color).index()] == Some(Piece::new(color, PieceType::King)) {
            for (wing, file) in [(Wing::King, File::H), (Wing::Queen, File::A)] {
                if rights.has(color, wing) {
                    setup.castling.push((color, ClaimedRook::OnFile(file)));
                }
            }
        }
    }
    let (position, mends) = setup.position().map_err(Fault::Men)?;
    match (mends.is_empty(), passed_pawn) {
        (true, _) => Ok((position, rights)),
        (false, Some(sq)) if position.halfmove_clock() == clock => Err(Fault::EnPassantPawn(sq)),
        (false, _) => Err(Fault::Clock(clock)),
    }
}

/// The legal move of a code, or none.
fn read_move(position: &Position, code: u16) -> Result<Option<Move>, Fault> {
    if code == 0 {
        return Ok(None);
    }
    let square = |shift: u16| Square::new(usize::from(code >> shift & 63));
    let (from, to) = (square(8), square(2));
    let captures = position.of_color(!position.side_to_move()).has(to);
    let pawn = position.of_kind(PieceType::Pawn).has(from);
    let kind = match (code >> 14, code & 3) {
        (PROMOTION, piece) => MoveKind::promotion(PROMOTED[usize::from(piece)], captures),
        (CASTLING, 0) => Some(MoveKind::Castling),
        (EN_PASSANT, 0) => Some(MoveKind::EnPassant),
        (NORMAL, 0) if captures => Some(MoveKind::Capture),
        (NORMAL, 0) if pawn && from.index().abs_diff(to.index()) == 16 => Some(MoveKind::DoublePush),
        (NORMAL, 0) => Some(MoveKind::Quiet),
        _ => None,
    };
    let mv = kind.map(|kind| Move::new(from, to, kind)).filter(|&mv| from != to && position.is_legal(mv));
    mv.map(Some).ok_or(Fault::Move(code))
}

/// The stem of an entry.
pub(super) fn write(entry: &Entry) -> Result<[u8; STEM], Unwritable> {
    let Entry { position, mv, score, ply, result } = entry;
    if position.needs_chess960() {
        return Err(Unwritable::Castling);
    }
    if *ply > PLY_MASK {
        return Err(Unwritable::Ply(*ply));
    }
    let mut bytes = [0; STEM];
    bytes[..8].copy_from_slice(&position.occupied().0.to_be_bytes());
    let rights = Rights::of(position);
    for (place, (piece, sq)) in position.men().enumerate() {
        bytes[8 + place / 2] |= man_code(position, rights, piece, sq) << (place % 2 * 4);
    }
    let ply_and_result = ply | zigzag((*result).into()) << PLY_BITS;
    let numbers = [mv.map_or(0, move_code), zigzag(*score), ply_and_result, position.halfmove_clock()];
    for (number, place) in numbers.into_iter().zip(bytes[24..].as_chunks_mut().0) {
        *place = number.to_be_bytes();
    }
    Ok(bytes)
}

fn man_code(position: &Position, rights: Rights, piece: Piece, sq: Square) -> u8 {
    let color = piece.color();
    let passed = || position.en_passant().is_some_and(|passed| passed.ahead(color) == sq);
    match piece.kind() {
        PieceType::Pawn if color != position.side_to_move() && passed() => EN_PASSANT_PAWN,
        PieceType::Rook
            if Wing::ALL.iter().any(|&wing| rights.has(color, wing) && corner(color, wing) == sq) =>
        {
            CASTLING_ROOKS[color.index()]
        }
        PieceType::King if color == Color::Black && position.side_to_move() == Color::Black => {
            BLACK_KING_TO_MOVE
        }
        _ => piece.index() as u8,
    }
}

fn move_code(mv: Move) -> u16 {
    let (kind, piece) = match mv.promotion() {
        Some(piece) => (PROMOTION, promoted_number(piece)),
        None if mv.is_castling() => (CASTLING, 0),
        None if mv.is_en_passant() => (EN_PASSANT, 0),
        None => (NORMAL, 0),
    };
    kind << 14 | (mv.from().index() << 8 | mv.to().index() << 2 | piece) as u16
}
