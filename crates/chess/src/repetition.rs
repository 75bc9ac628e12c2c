//! Repetition: positions that came before, and those that one reversible move would bring back.

use crate::attacks::between;
use crate::{Piece, PieceType, Position, Square, zobrist};

/// The keys of the positions before the present one, oldest first.
///
/// ```
/// use chess::{KeyHistory, Position};
/// let mut pos = Position::startpos();
/// let mut history = KeyHistory::new();
/// for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
///     history.push(&pos);
///     pos.play(pos.parse_uci_move(text)?);
/// }
/// assert_eq!(history.occurrences(&pos), 1, "the start position stood here before");
/// # Ok::<(), chess::ParseMoveError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct KeyHistory {
    keys: Vec<u64>,
}

impl KeyHistory {
    /// An empty history.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a position, before a move is played from it.
    #[inline]
    pub fn push(&mut self, pos: &Position) {
        self.keys.push(pos.key());
    }

    /// Removes the last position.
    #[inline]
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Is it empty?
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The keys, oldest first.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Drops all positions that cannot be repeated from `pos` any more.
    pub fn forget_unreachable(&mut self, pos: &Position) {
        let kept = pos.repetition_window().min(self.keys.len());
        self.keys.drain(..self.keys.len() - kept);
    }

    #[inline]
    fn key_before(&self, plies: usize) -> u64 {
        self.keys[self.keys.len() - plies]
    }

    #[inline]
    fn window(&self, pos: &Position) -> usize {
        pos.repetition_window().min(self.keys.len())
    }

    /// How often `pos` stood on the board before, as far as the rules can count it.
    pub fn occurrences(&self, pos: &Position) -> usize {
        let key = pos.key();
        (4..=self.window(pos)).step_by(2).filter(|&plies| self.key_before(plies) == key).count()
    }

    /// Is `pos`, `ply` plies below the root of a search, to be scored as repeated? Once is enough
    /// within the search, since what was repeated once can be repeated again; positions of the game
    /// itself must have come twice.
    #[inline]
    pub fn is_repetition(&self, pos: &Position, ply: usize) -> bool {
        let key = pos.key();
        let mut seen = 0;
        let mut plies = 4;
        while plies <= self.window(pos) {
            if self.key_before(plies) == key {
                seen += 1;
                if plies < ply || seen == 2 {
                    return true;
                }
            }
            plies += 2;
        }
        false
    }

    /// Is a repetition one reversible move away? Then the side to move has at least a draw, before any
    /// move was searched. True where it can bring back an earlier position of the search, or one of
    /// the game that came twice; and where the opponent could have come here from an earlier position
    /// of the search with a single move, so that the plies between made no progress.
    #[inline]
    pub fn can_repeat(&self, pos: &Position, ply: usize) -> bool {
        let window = self.window(pos);
        if window < 3 {
            return false;
        }
        let key = pos.key();
        // What the moves of each side since then changed together. One move makes the difference only if the other
        // side's moves took each other back, which is quicker to see than a look into the table.
        let change = |plies: usize| {
            let after = if plies == 1 { key } else { self.key_before(plies - 1) };
            after ^ self.key_before(plies) ^ zobrist::BLACK_TO_MOVE
        };
        let (mut ours, mut theirs) = (0, change(1));
        let mut plies = 3;
        while plies <= window {
            ours ^= change(plies - 1);
            theirs ^= change(plies);
            if (ours == 0 || theirs == 0)
                && let Some((a, b)) = reversible_move(key ^ self.key_before(plies))
                && !between(a, b).meets(pos.occupied())
            {
                if plies < ply {
                    return true;
                }
                // In the game before the root, the piece must be the mover's own, and the position
                // must have come more than once for the next time to be a draw.
                let on = if pos.piece_on(a).is_some() { a } else { b };
                let own = pos.piece_on(on).is_some_and(|piece| piece.color() == pos.side_to_move());
                if own && self.came_before(plies, pos) {
                    return true;
                }
            }
            plies += 2;
        }
        false
    }

    /// Was the position so many plies ago itself a repetition?
    fn came_before(&self, plies: usize, pos: &Position) -> bool {
        let key = self.key_before(plies);
        (plies + 4..=self.window(pos)).step_by(2).any(|earlier| self.key_before(earlier) == key)
    }
}

/// Slots of the table; a power of two with room to spare for 3,668 moves.
const SLOTS: usize = 8192;

/// Key differences of all reversible moves, in a cuckoo hash table: each is in one of two slots.
struct Cuckoo {
    keys: [u64; SLOTS],
    squares: [(Square, Square); SLOTS],
}

const fn first_slot(key: u64) -> usize {
    key as usize & (SLOTS - 1)
}

const fn second_slot(key: u64) -> usize {
    (key >> 16) as usize & (SLOTS - 1)
}

/// Does a piece of this kind reach `b` from `a` on an empty board?
const fn reaches(kind: PieceType, a: Square, b: Square) -> bool {
    let files = a.file().index().abs_diff(b.file().index());
    let ranks = a.rank().index().abs_diff(b.rank().index());
    let straight = files == 0 || ranks == 0;
    let diagonal = files == ranks;
    match kind {
        PieceType::Pawn => false,
        PieceType::Knight => files * ranks == 2,
        PieceType::Bishop => diagonal,
        PieceType::Rook => straight,
        PieceType::Queen => diagonal || straight,
        PieceType::King => files <= 1 && ranks <= 1,
    }
}

#[allow(long_running_const_eval, reason = "some thousand insertions, once")]
const fn build_cuckoo() -> Cuckoo {
    let mut cuckoo = Cuckoo { keys: [0; SLOTS], squares: [(Square::A1, Square::A1); SLOTS] };
    let mut p = 0;
    while p < 12 {
        let piece = Piece::ALL[p];
        let mut a = 0;
        while a < 64 {
            let mut b = a + 1;
            while b < 64 {
                let mut squares = (Square::ALL[a], Square::ALL[b]);
                if reaches(piece.kind(), squares.0, squares.1) {
                    let mut key = zobrist::const_piece(piece, squares.0)
                        ^ zobrist::const_piece(piece, squares.1)
                        ^ zobrist::BLACK_TO_MOVE;
                    let mut slot = first_slot(key);
                    // Who is displaced moves to its other slot, until a free one is met.
                    loop {
                        let displaced = (cuckoo.keys[slot], cuckoo.squares[slot]);
                        cuckoo.keys[slot] = key;
                        cuckoo.squares[slot] = squares;
                        (key, squares) = displaced;
                        if key == 0 {
                            break;
                        }
                        slot = if slot == first_slot(key) { second_slot(key) } else { first_slot(key) };
                    }
                }
                b += 1;
            }
            a += 1;
        }
        p += 1;
    }
    cuckoo
}

static CUCKOO: Cuckoo = build_cuckoo();

/// The squares of the reversible move that makes this difference between two keys.
#[inline]
fn reversible_move(difference: u64) -> Option<(Square, Square)> {
    [first_slot(difference), second_slot(difference)]
        .into_iter()
        .find(|&slot| CUCKOO.keys[slot] == difference)
        .map(|slot| CUCKOO.squares[slot])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Color;

    #[test]
    fn every_reversible_move_is_in_the_table() {
        assert_eq!(CUCKOO.keys.iter().filter(|&&key| key != 0).count(), 3668);
        let knight = Piece::new(Color::White, PieceType::Knight);
        let key =
            zobrist::piece(knight, Square::G1) ^ zobrist::piece(knight, Square::F3) ^ zobrist::BLACK_TO_MOVE;
        assert_eq!(reversible_move(key), Some((Square::G1, Square::F3)));
        assert_eq!(reversible_move(key ^ 1), None);
    }

    fn play(moves: &str) -> (Position, KeyHistory) {
        let mut pos = Position::startpos();
        let mut history = KeyHistory::new();
        for text in moves.split_whitespace() {
            let mv = pos.parse_uci_move(text).unwrap();
            history.push(&pos);
            pos.play(mv);
        }
        (pos, history)
    }

    #[test]
    fn counts_how_often_a_position_came() {
        let shuffle = "g1f3 g8f6 f3g1 f6g8 ";
        let (pos, history) = play(shuffle);
        assert_eq!(history.occurrences(&pos), 1);
        assert!(!history.is_repetition(&pos, 1), "twice in the game is no draw yet");
        assert!(history.is_repetition(&pos, 8), "twice in the search is as good as one");
        let (pos, history) = play(&shuffle.repeat(2));
        assert_eq!(history.occurrences(&pos), 2);
        assert!(history.is_repetition(&pos, 1));
    }

    #[test]
    fn sees_the_repetition_before_it_comes() {
        let (pos, history) = play("g1f3 g8f6 f3g1");
        assert!(history.can_repeat(&pos, 8));
        assert!(!history.can_repeat(&pos, 1), "the start position came only once");
        let (pos, history) = play("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1");
        assert!(history.can_repeat(&pos, 1));
        let (pos, history) = play("g1f3 g8f6 f3g1 d7d5");
        assert!(!history.can_repeat(&pos, 8));
    }

    #[test]
    fn forgets_what_cannot_come_back() {
        let (pos, mut history) = play("e2e4 e7e5 g1f3 g8f6");
        history.forget_unreachable(&pos);
        assert_eq!(history.len(), 2);
    }
}
