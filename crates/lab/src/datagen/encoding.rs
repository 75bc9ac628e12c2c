//! Games as the bytes of Stockfish's binpack format.

use chess::{Color, FenStyle, Move, MoveKind, Position};
use engine::value::Value;
use sfbinpack::chess::coords::Square;
use sfbinpack::chess::piece::Piece;
use sfbinpack::chess::piecetype::PieceType;
use sfbinpack::{CompressedTrainingDataEntryWriter, CompressedWriterError, TrainingDataEntry};

use super::game::Game;

type Entry = TrainingDataEntry;
type PackedPosition = sfbinpack::chess::position::Position;
type PackedMove = sfbinpack::chess::r#move::Move;

/// Bytes before those of the games in a chunk: a magic word and the length of the rest.
pub(super) const HEADER_BYTES: usize = 8;

/// The highest number of a first ply: with the longest game it must fit into fourteen bits.
const LAST_FIRST_PLY: usize = 10_000;

/// A game as it stands in a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Encoded {
    pub(super) bytes: Vec<u8>,
    pub(super) positions: u64,
}

/// Encodes the part of a game that the format can tell: from the first position without rights to castle that
/// standard chess does not know. `None` where there is no such part.
pub(super) fn encode(game: &Game) -> Result<Option<Encoded>, CompressedWriterError> {
    let mut position = game.start;
    let mut steps = game.moves.iter().copied().zip(game.values.iter().copied()).peekable();
    while position.needs_chess960() {
        let Some((mv, _)) = steps.next() else { return Ok(None) };
        position.play(mv);
    }
    if steps.peek().is_none() {
        return Ok(None);
    }
    let positions = steps.len() as u64;
    let mut writer = CompressedTrainingDataEntryWriter::new_in_memory()?;
    for entry in entries(&position, game.winner, steps)? {
        writer.write_entry(&entry)?;
    }
    let mut bytes = writer.into_bytes()?;
    bytes.drain(..HEADER_BYTES);
    Ok(Some(Encoded { bytes, positions }))
}

fn entries(
    start: &Position,
    winner: Option<Color>,
    steps: impl Iterator<Item = (Move, Value)>,
) -> Result<Vec<Entry>, CompressedWriterError> {
    let mut packed = PackedPosition::from_fen(&start.fen(FenStyle::Standard))
        .map_err(|_| CompressedWriterError::InvalidFormat(start.to_string()))?;
    packed.set_ply(start.game_ply().min(LAST_FIRST_PLY) as u16);
    let mut side = start.side_to_move();
    let mut entries = Vec::new();
    for (mv, value) in steps {
        let mv = pack_move(mv, side);
        // Values seen by White become those of the side to move, and so does the result.
        let score = if side == Color::White { value } else { -value } as i16;
        let result = winner.map_or(0, |winner| if winner == side { 1 } else { -1 });
        entries.push(Entry { pos: packed, mv, score, ply: packed.ply(), result });
        packed.do_move(mv);
        side = !side;
    }
    Ok(entries)
}

fn pack_move(mv: Move, side: Color) -> PackedMove {
    let square = |square: chess::Square| Square::new(square.index() as u32);
    let (from, to) = (square(mv.from()), square(mv.to()));
    let promotion = |piece| PackedMove::promotion(from, to, Piece::new(piece, pack_color(side)));
    match mv.kind() {
        MoveKind::Quiet | MoveKind::DoublePush | MoveKind::Capture => PackedMove::normal(from, to),
        // Both sides of the border name castling by the squares of king and rook.
        MoveKind::Castling => PackedMove::castle(from, to),
        MoveKind::EnPassant => PackedMove::en_passant(from, to),
        MoveKind::PromoteKnight | MoveKind::CapturePromoteKnight => promotion(PieceType::Knight),
        MoveKind::PromoteBishop | MoveKind::CapturePromoteBishop => promotion(PieceType::Bishop),
        MoveKind::PromoteRook | MoveKind::CapturePromoteRook => promotion(PieceType::Rook),
        MoveKind::PromoteQueen | MoveKind::CapturePromoteQueen => promotion(PieceType::Queen),
    }
}

fn pack_color(color: Color) -> sfbinpack::chess::color::Color {
    match color {
        Color::White => sfbinpack::chess::color::Color::White,
        Color::Black => sfbinpack::chess::color::Color::Black,
    }
}
