//! Games in memory, as chains: the pieces at the start, then what changes from each position to the next.
//!
//! A position costs 12 bytes and each of its changes two more, a chain 80. Nothing here asks whether the changes are
//! those of a move, or which side is to move: a chain may as well go from one move of a position to the next.

use super::loss::{logit, sigmoid};
use crate::packed::NO_SCORE;

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

/// What was recorded of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// From the side to move, in the units of the data; [`NO_SCORE`] where there is none.
    pub(super) score: i16,
    /// 1, 0 or -1 from the side to move, where it is known.
    pub(super) result: Option<i8>,
    pub(super) black_to_move: bool,
    /// Does the loss of the position count? Never without a score.
    pub(super) counts: bool,
}

const BLACK_TO_MOVE: u8 = 1;
const COUNTS: u8 = 2;
const RESULT_SHIFT: u8 = 2;
const UNKNOWN_RESULT: u8 = 3;

/// One position of a game: where its differences from the one before are kept, and what was recorded of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step {
    /// Where its changes begin: first those that leave, then those that enter.
    first: u32,
    /// From the side to move, in the units of the data.
    pub(super) score: i16,
    /// Side to move, whether the loss counts, and the result.
    flags: u8,
    leaving: u8,
    entering: u8,
}

const _: () = assert!(size_of::<Step>() == 12);

impl Step {
    fn new(first: usize, label: Label) -> Self {
        let result = label.result.map_or(UNKNOWN_RESULT, |result| (result + 1) as u8);
        let flags = if label.black_to_move { BLACK_TO_MOVE } else { 0 }
            | if label.counts && label.score != NO_SCORE { COUNTS } else { 0 }
            | result << RESULT_SHIFT;
        Self { first: first as u32, score: label.score, flags, leaving: 0, entering: 0 }
    }

    /// A position without changes, for tests of what does not look at them.
    #[cfg(test)]
    pub(super) fn of(label: Label) -> Self {
        Self::new(0, label)
    }

    /// 0 when White is to move, 1 when Black is.
    pub(super) fn side(&self) -> usize {
        usize::from(self.flags & BLACK_TO_MOVE)
    }

    /// Does the loss of this position count?
    pub(super) fn counts(&self) -> bool {
        self.flags & COUNTS != 0
    }

    /// 1, 0.5 or 0: what the side to move made of the game, where it is known.
    pub(super) fn result(&self) -> Option<f32> {
        let result = self.flags >> RESULT_SHIFT & 3;
        (result != UNKNOWN_RESULT).then(|| f32::from(result) / 2.0)
    }
}

/// The pieces of a position, one set of squares for each of the twelve.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct PieceSets(pub(super) [u64; 12]);

impl PieceSets {
    /// Takes pieces away, then sets others down.
    #[inline]
    pub(super) fn apply(&mut self, (leaving, entering): (&[Placed], &[Placed])) {
        for gone in leaving {
            self.0[gone.piece()] &= !(1 << gone.square());
        }
        for come in entering {
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

    /// How many pieces leave and enter on the way to `next`.
    pub(super) fn distance(&self, next: &Self) -> usize {
        self.0.iter().zip(next.0).map(|(before, after)| (before ^ after).count_ones() as usize).sum()
    }

    /// The pieces that stand here but not there.
    pub(super) fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|piece| self.0[piece] & !other.0[piece]))
    }
}

/// One game: where its steps are, and the pieces of its first position.
#[derive(Clone, Debug)]
struct Game {
    first: usize,
    plies: u32,
    rule: u8,
    pieces: u8,
    start: [Placed; 32],
}

/// Games, one after another.
#[derive(Clone, Debug, Default)]
pub(super) struct Games {
    games: Vec<Game>,
    steps: Vec<Step>,
    changes: Vec<Placed>,
}

impl Games {
    /// Begins a game with its first position; `rule` is the number of the rule that its data are learned by.
    pub(super) fn begin(&mut self, board: &PieceSets, label: Label, rule: u8) {
        let mut start = [Placed::default(); 32];
        let mut pieces = 0;
        for (slot, placed) in start.iter_mut().zip(board.placed()) {
            *slot = placed;
            pieces += 1;
        }
        self.games.push(Game { first: self.steps.len(), plies: 1, rule, pieces, start });
        self.steps.push(Step::new(self.changes.len(), label));
    }

    /// Adds the next position to the game begun last, whose last position `before` is.
    pub(super) fn advance(&mut self, before: &PieceSets, board: &PieceSets, label: Label) {
        let Some(game) = self.games.last_mut() else { return };
        game.plies += 1;
        let first = self.changes.len();
        self.changes.extend(before.without(board).placed());
        let leaving = self.changes.len() - first;
        self.changes.extend(board.without(before).placed());
        let entering = self.changes.len() - first - leaving;
        let step = Step::new(first, label);
        self.steps.push(Step { leaving: leaving as u8, entering: entering as u8, ..step });
    }

    /// Adds all games of `other` behind these.
    pub(super) fn append(&mut self, mut other: Self) {
        let shift = self.steps.len();
        self.games.extend(other.games.into_iter().map(|game| Game { first: game.first + shift, ..game }));
        let changes = self.changes.len() as u32;
        self.steps.extend(other.steps.into_iter().map(|step| Step { first: step.first + changes, ..step }));
        self.changes.append(&mut other.changes);
    }

    /// How many games there are.
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    /// How many positions the game has.
    pub(super) fn plies(&self, game: usize) -> usize {
        self.games[game].plies as usize
    }

    /// The rule that a game's positions are learned by.
    pub(super) fn rule(&self, game: usize) -> usize {
        self.games[game].rule.into()
    }

    /// What leaves and what enters on the way to a position.
    #[inline]
    pub(super) fn changes(&self, step: &Step) -> (&[Placed], &[Placed]) {
        let all = &self.changes[step.first as usize..][..usize::from(step.leaving + step.entering)];
        all.split_at(step.leaving.into())
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
    pub(super) fn board_at(&self, game: usize, ply: usize) -> PieceSets {
        let Game { start, pieces, .. } = &self.games[game];
        let mut board = PieceSets::default();
        for placed in &start[..usize::from(*pieces)] {
            board.0[placed.piece()] |= 1 << placed.square();
        }
        for step in self.steps_of(game).iter().take(ply + 1).skip(1) {
            board.apply(self.changes(step));
        }
        board
    }

    /// Mixes later scores of the game into each position's score: a share of its successor's expected result, which is
    /// mixed likewise. The errors of the searches along a game are largely independent, so this reduces the noise of a
    /// single short search. A position without a score breaks the recursion.
    pub(super) fn look_ahead(&mut self, share: f32, scale: f32) {
        if share == 0.0 {
            return;
        }
        for Game { first, plies, .. } in &self.games {
            // With the side that expects it.
            let mut expected: Option<(f32, usize)> = None;
            for step in self.steps[*first..][..*plies as usize].iter_mut().rev() {
                if step.score == NO_SCORE {
                    expected = None;
                    continue;
                }
                let own = sigmoid(f32::from(step.score) / scale);
                let mixed = expected.map_or(own, |(later, side)| {
                    let later = if side == step.side() { later } else { 1.0 - later };
                    (1.0 - share) * own + share * later
                });
                expected = Some((mixed, step.side()));
                step.score = (scale * logit(mixed)).round() as i16;
            }
        }
    }

    /// Moves the games that `keep` refuses (by their number) into a second set.
    pub(super) fn split(self, mut keep: impl FnMut(usize) -> bool) -> (Self, Self) {
        let (mut kept, mut refused) = (Self::default(), Self::default());
        for number in 0..self.games.len() {
            let set = if keep(number) { &mut kept } else { &mut refused };
            set.games.push(Game { first: set.steps.len(), ..self.games[number].clone() });
            for step in self.steps_of(number) {
                let (leaving, entering) = self.changes(step);
                set.steps.push(Step { first: set.changes.len() as u32, ..*step });
                set.changes.extend(leaving.iter().chain(entering));
            }
        }
        (kept, refused)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(score: i16) -> Label {
        Label { score, result: Some(0), black_to_move: false, counts: true }
    }

    #[test]
    fn a_step_gives_back_what_it_was_made_of() {
        let step = Step::of(Label { score: -321, result: Some(-1), black_to_move: true, counts: false });
        assert_eq!((step.score, step.result(), step.side(), step.counts()), (-321, Some(0.0), 1, false));
        let step = Step::of(label(5));
        assert_eq!((step.result(), step.side(), step.counts()), (Some(0.5), 0, true));
        assert_eq!(Step::of(Label { result: None, ..label(5) }).result(), None);
        assert!(!Step::of(label(NO_SCORE)).counts());
    }

    fn played(labels: &[Label]) -> Games {
        let mut games = Games::default();
        let board = PieceSets::default();
        games.begin(&board, labels[0], 0);
        labels[1..].iter().for_each(|&label| games.advance(&board, &board, label));
        games
    }

    #[test]
    fn foresight_mixes_the_later_scores_in() {
        let black = |label| Label { black_to_move: true, ..label };
        let scores = |games: &Games| games.steps().iter().map(|step| step.score).collect::<Vec<_>>();
        let mut games = played(&[label(0), black(label(0)), label(400)]);
        games.look_ahead(0.0, 400.0);
        assert_eq!(scores(&games), [0, 0, 400]);
        games.look_ahead(0.5, 400.0);
        // The last position's 0.731 is 0.269 to the other side, half of which moves 0.5 to 0.384, and so on.
        assert_eq!(scores(&games), [93, -188, 400]);
        let mut same_side = played(&[label(0), label(400)]);
        same_side.look_ahead(0.5, 400.0);
        assert_eq!(scores(&same_side), [188, 400]);
        let mut interrupted = played(&[label(100), black(label(NO_SCORE)), label(400)]);
        interrupted.look_ahead(0.5, 400.0);
        assert_eq!(scores(&interrupted), [100, NO_SCORE, 400]);
        assert!(!interrupted.steps()[1].counts());
    }

    /// Boards that have little in common, and sets of games with them as chains.
    #[test]
    fn changes_lead_from_board_to_board() {
        let mut rng = super::super::rng::Rng::new(1, 1);
        let boards: [PieceSets; 6] = std::array::from_fn(|_| {
            let mut board = PieceSets::default();
            (0..20).for_each(|_| board.0[rng.below(12)] |= 1 << rng.below(64));
            board
        });
        let mut games = Games::default();
        for boards in boards.chunks(3) {
            games.begin(&boards[0], label(1), 7);
            boards.windows(2).for_each(|pair| games.advance(&pair[0], &pair[1], label(2)));
        }
        let check = |games: &Games, boards: &[PieceSets]| {
            for (number, board) in boards.iter().enumerate() {
                assert_eq!(games.board_at(number / 3, number % 3), *board);
            }
            assert_eq!((games.len() * 3, games.rule(0)), (boards.len(), 7));
        };
        check(&games, &boards);
        let mut twice = games.clone();
        twice.append(games.clone());
        check(&twice, &[boards, boards].concat());
        let (first, second) = games.split(|number| number == 0);
        check(&first, &boards[..3]);
        check(&second, &boards[3..]);
        assert_eq!(boards[0].distance(&boards[0]), 0);
        assert_eq!(boards[0].distance(&PieceSets::default()), boards[0].count());
    }
}
