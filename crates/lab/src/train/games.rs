//! Games in memory, as chains: the pieces at the start, then what each ply changed.
//!
//! A position costs 12 bytes and a game 72 more, so a billion positions fit into about 13 GB and thirty million
//! into 400 MB. Everything is decoded once and stays; an epoch then streams at the speed of memory.

use super::loss::{logit, sigmoid};

/// A piece that enters or leaves a square: square in bits 0-5, piece (as [`chess::Piece::index`]) in bits 6-9.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Placed(u16);

impl Placed {
    pub(super) fn new(piece: usize, square: usize) -> Self {
        Self((piece << 6 | square) as u16)
    }

    pub(super) fn piece(self) -> usize {
        usize::from(self.0 >> 6)
    }

    pub(super) fn square(self) -> usize {
        usize::from(self.0 & 63)
    }
}

/// The most squares' worth of change that one move makes: castling takes two pieces up and sets two down.
pub(super) const MAX_CHANGES: usize = 4;

const BLACK_TO_MOVE: u8 = 1;
const QUIET: u8 = 2;
const RESULT_SHIFT: u8 = 2;

/// One position of a game: how it differs from the one before, and what was recorded of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// First those that leave, then those that enter.
    changes: [Placed; MAX_CHANGES],
    /// From the side to move, in the units of the data.
    pub(super) score: i16,
    /// Side to move, whether the loss counts, and the result.
    flags: u8,
    /// How many leave (low four bits) and how many enter (high four bits).
    counts: u8,
}

const _: () = assert!(size_of::<Step>() == 12);

impl Step {
    /// `result` is 1, 0 or -1 from the side to move; `quiet` says that the position's loss counts.
    pub(super) fn new(
        (leaving, entering): (&[Placed], &[Placed]),
        score: i16,
        result: i8,
        black_to_move: bool,
        quiet: bool,
    ) -> Self {
        let mut changes = [Placed::default(); MAX_CHANGES];
        changes[..leaving.len()].copy_from_slice(leaving);
        changes[leaving.len()..leaving.len() + entering.len()].copy_from_slice(entering);
        let flags = if black_to_move { BLACK_TO_MOVE } else { 0 }
            | if quiet { QUIET } else { 0 }
            | ((result + 1) as u8) << RESULT_SHIFT;
        Self { changes, score, flags, counts: (leaving.len() | entering.len() << 4) as u8 }
    }

    /// The pieces that leave their squares on the way to this position.
    pub(super) fn leaving(&self) -> &[Placed] {
        &self.changes[..usize::from(self.counts & 15)]
    }

    /// The pieces that appear on squares on the way to this position.
    pub(super) fn entering(&self) -> &[Placed] {
        let first = usize::from(self.counts & 15);
        &self.changes[first..first + usize::from(self.counts >> 4)]
    }

    /// 0 when White is to move, 1 when Black is.
    pub(super) fn side(&self) -> usize {
        usize::from(self.flags & BLACK_TO_MOVE)
    }

    /// Does the loss of this position count?
    pub(super) fn is_quiet(&self) -> bool {
        self.flags & QUIET != 0
    }

    /// 1, 0.5 or 0: what the side to move made of the game.
    pub(super) fn result(&self) -> f32 {
        f32::from(self.flags >> RESULT_SHIFT & 3) / 2.0
    }
}

/// The pieces of a position, one set of squares for each of the twelve.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Board(pub(super) [u64; 12]);

impl Board {
    /// Makes a step's changes.
    #[inline]
    pub(super) fn apply(&mut self, step: &Step) {
        for gone in step.leaving() {
            self.0[gone.piece()] &= !(1 << gone.square());
        }
        for come in step.entering() {
            self.0[come.piece()] |= 1 << come.square();
        }
    }

    /// Every piece with its square.
    pub(super) fn placed(&self) -> impl Iterator<Item = Placed> {
        (0..12).flat_map(|piece| {
            let mut squares = self.0[piece];
            std::iter::from_fn(move || {
                (squares != 0).then(|| {
                    let square = squares.trailing_zeros() as usize;
                    squares &= squares - 1;
                    Placed::new(piece, square)
                })
            })
        })
    }

    /// Where the king of this side stands; a board of the data has one king a side.
    pub(super) fn king(&self, side: usize) -> usize {
        self.0[10 + side].trailing_zeros() as usize & 63
    }

    /// How many pieces stand on it.
    pub(super) fn count(&self) -> usize {
        self.0.iter().map(|squares| squares.count_ones() as usize).sum()
    }

    /// Has each side exactly one king, and the board at most 32 pieces on squares of their own?
    pub(super) fn is_sound(&self) -> bool {
        let union = self.0.iter().fold(0, |all, squares| all | squares);
        self.0[10].count_ones() == 1
            && self.0[11].count_ones() == 1
            && self.count() <= 32
            && union.count_ones() as usize == self.count()
    }

    /// What leaves and what enters on the way from `self` to `next`, unless it is more than one move could change.
    pub(super) fn changes_to(&self, next: &Self) -> Option<(Vec<Placed>, Vec<Placed>)> {
        let changed: u32 = (0..12).map(|piece| (self.0[piece] ^ next.0[piece]).count_ones()).sum();
        (changed as usize <= MAX_CHANGES).then(|| {
            let only = |a: &Self, b: &Self| {
                Self(std::array::from_fn(|piece| a.0[piece] & !b.0[piece])).placed().collect()
            };
            (only(self, next), only(next, self))
        })
    }
}

/// One game: where its steps are, and the pieces of its first position.
#[derive(Clone, Debug)]
struct Game {
    first: usize,
    plies: u32,
    start: [Placed; 32],
    pieces: u8,
}

/// Games, one after another.
#[derive(Clone, Debug, Default)]
pub(super) struct Games {
    games: Vec<Game>,
    steps: Vec<Step>,
}

impl Games {
    /// Begins a game; the steps pushed from now on belong to it. The first step's changes are never looked at.
    pub(super) fn begin(&mut self, board: &Board) {
        let mut start = [Placed::default(); 32];
        let mut pieces = 0;
        for (slot, placed) in start.iter_mut().zip(board.placed()) {
            *slot = placed;
            pieces += 1;
        }
        self.games.push(Game { first: self.steps.len(), plies: 0, start, pieces });
    }

    /// Adds a position to the game begun last.
    pub(super) fn push(&mut self, step: Step) {
        if let Some(game) = self.games.last_mut() {
            game.plies += 1;
            self.steps.push(step);
        }
    }

    /// Adds all games of `other` behind these.
    pub(super) fn append(&mut self, mut other: Self) {
        let shift = self.steps.len();
        self.games.extend(other.games.into_iter().map(|game| Game { first: game.first + shift, ..game }));
        self.steps.append(&mut other.steps);
    }

    /// How many games there are.
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    /// How many positions the game has.
    pub(super) fn plies(&self, game: usize) -> usize {
        self.games[game].plies as usize
    }

    /// All positions of all games.
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The steps of a game.
    pub(super) fn steps_of(&self, game: usize) -> &[Step] {
        let game = &self.games[game];
        &self.steps[game.first..game.first + game.plies as usize]
    }

    /// The board at a ply of a game, replayed from its start: replaying costs a few nanoseconds a ply.
    pub(super) fn board_at(&self, game: usize, ply: usize) -> Board {
        let Game { start, pieces, .. } = &self.games[game];
        let mut board = Board::default();
        for placed in &start[..usize::from(*pieces)] {
            board.0[placed.piece()] |= 1 << placed.square();
        }
        for step in self.steps_of(game).iter().take(ply + 1).skip(1) {
            board.apply(step);
        }
        board
    }

    /// Mixes into each position's score what the rest of its game says of it: a share of its successor's expected
    /// result, mixed likewise. One short search errs; the searches along the game err apart from each other.
    pub(super) fn look_ahead(&mut self, share: f32, scale: f32) {
        if share == 0.0 {
            return;
        }
        for Game { first, plies, .. } in &self.games {
            let mut expected: Option<f32> = None;
            for step in self.steps[*first..][..*plies as usize].iter_mut().rev() {
                let own = sigmoid(f32::from(step.score) / scale);
                // The successor's view is the other side's.
                let mixed = expected.map_or(own, |later| (1.0 - share) * own + share * (1.0 - later));
                expected = Some(mixed);
                step.score = (scale * logit(mixed)).round() as i16;
            }
        }
    }

    /// Moves the games that `keep` refuses (by their number) into a second set.
    pub(super) fn split(self, mut keep: impl FnMut(usize) -> bool) -> (Self, Self) {
        let (mut kept, mut refused) = (Self::default(), Self::default());
        for number in 0..self.games.len() {
            let set = if keep(number) { &mut kept } else { &mut refused };
            let first = set.steps.len();
            set.steps.extend_from_slice(self.steps_of(number));
            set.games.push(Game { first, ..self.games[number].clone() });
        }
        (kept, refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_gives_back_what_it_was_made_of() {
        let (leaving, entering) =
            ([Placed::new(10, 4), Placed::new(6, 7)], [Placed::new(10, 6), Placed::new(6, 5)]);
        let step = Step::new((&leaving, &entering), -321, -1, true, false);
        assert_eq!((step.leaving(), step.entering()), (&leaving[..], &entering[..]));
        assert_eq!((step.score, step.result(), step.side(), step.is_quiet()), (-321, 0.0, 1, false));
        let step = Step::new((&[], &[]), 5, 0, false, true);
        assert_eq!((step.result(), step.side(), step.is_quiet()), (0.5, 0, true));
    }

    #[test]
    fn foresight_mixes_the_later_scores_in() {
        let mut games = Games::default();
        games.begin(&Board::default());
        for score in [0, 0, 400] {
            games.push(Step::new((&[], &[]), score, 0, false, true));
        }
        let scores = |games: &Games| games.steps().iter().map(|step| step.score).collect::<Vec<_>>();
        let mut same = games.clone();
        same.look_ahead(0.0, 400.0);
        assert_eq!(scores(&same), [0, 0, 400]);
        games.look_ahead(0.5, 400.0);
        // The last position's 0.731 is 0.269 to the other side, half of which moves 0.5 to 0.384, and so on.
        assert_eq!(scores(&games), [93, -188, 400]);
    }

    #[test]
    fn changes_lead_from_board_to_board() {
        let mut before = Board::default();
        for (piece, square) in [(10, 4), (11, 60), (0, 36), (1, 35)] {
            before.0[piece] |= 1 << square;
        }
        let mut after = before;
        after.0[0] = 1 << 43;
        after.0[1] = 0;
        let (leaving, entering) = before.changes_to(&after).expect("en passant changes three squares");
        assert_eq!((leaving.len(), entering.len()), (2, 1));
        let mut games = Games::default();
        games.begin(&before);
        games.push(Step::new((&[], &[]), 0, 0, false, true));
        games.push(Step::new((&leaving, &entering), 0, 0, true, true));
        assert_eq!((games.board_at(0, 0), games.board_at(0, 1)), (before, after));
        assert_eq!(before.changes_to(&Board::default()).map(|(gone, _)| gone.len()), Some(4));
    }
}
