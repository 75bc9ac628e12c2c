//! Proves mates of a given length: every move of the attacker and every answer, nothing left out by
//! judgement. The search finds most mates sooner, but what it prunes may be the key of a problem; a proof
//! finds those too, and it alone can tell that there is no mate.

mod proof_number;
mod results;
#[cfg(test)]
mod tests;

use chess::{KeyHistory, Move, Position};

use self::proof_number::{ProofNumberSearch, SolverContext};
use self::results::{Results, is_clock_independent};

/// Positions of the first turn of the search by lengths; every further turn has twice as many.
const FIRST_TURN: u64 = 4_000;
/// How many times as many the proof-number search has.
const NUMBERS_SHARE: u64 = 3;
/// The proof-number search looks for mates up to this length: what it finds among longer ones may be far from the
/// shortest.
const LONGEST_BY_NUMBERS: usize = 10;

/// Who is to move. Mates are looked for on both sides, so the same position is asked about twice: whether the
/// side to move mates, and whether it is mated. The two have nothing to do with each other.
#[derive(Clone, Copy)]
enum Turn {
    Attacker,
    Defender,
}

impl Turn {
    /// The key of what is known about a position.
    fn key(self, pos: &Position) -> u64 {
        match self {
            Self::Attacker => pos.key(),
            Self::Defender => !pos.key(),
        }
    }

    fn is_attacker(self) -> bool {
        matches!(self, Self::Attacker)
    }
}

/// Searches for mates, and remembers what it found from call to call.
///
/// ```
/// use chess::{KeyHistory, Position};
/// use engine::{MateProof, MateSolver};
/// let pos = Position::from_fen("7k/8/8/8/8/8/8/RR5K w - - 0 1").unwrap();
/// let mut solver = MateSolver::new(&pos, &pos.legal_moves(), &KeyHistory::new(), 5);
/// assert!(matches!(solver.run(&mut || true), MateProof::Mate(2, _)));
/// ```
pub struct MateSolver {
    root: Position,
    root_moves: Vec<Move>,
    /// Positions that stood twice before, so that the next time is a draw. A shortest mate never repeats a
    /// position of its own, since every move of the attacker brings it nearer.
    repeated: Vec<u64>,
    results: Results,
    /// How often a move refuted something, by its squares: the best guess for the next refutation.
    refutation_scores: Box<[u32]>,
    /// The shortest mate that may still be there, for and against.
    length: usize,
    longest: usize,
    /// Looks for a mate by the side to move in turn with the search by lengths, until it has an answer.
    by_numbers: Option<ProofNumberSearch>,
    /// Positions of the next turn.
    turn: u64,
}

/// What an attempt at a proof came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MateProof {
    /// The side to move mates in so many moves, with this line.
    Mate(usize, Vec<Move>),
    /// It is mated in so many moves, with this line.
    Mated(usize, Vec<Move>),
    /// Neither side mates within the longest length that was asked for.
    NoMate,
    /// Not known yet.
    Unknown,
}

/// The attempt was given up.
struct Interrupted;

/// Takes part of the effort that is left, or says that there is none.
type Continue<'a> = &'a mut dyn FnMut() -> bool;

impl MateSolver {
    /// Of the root only these moves count; mates are looked for up to the longest length.
    pub fn new(root: &Position, root_moves: &[Move], history: &KeyHistory, longest: usize) -> Self {
        let longest = longest.min(usize::from(u8::MAX));
        let by_numbers = longest.min(LONGEST_BY_NUMBERS);
        let useful = by_numbers > 0 && !root_moves.is_empty() && is_clock_independent(root, by_numbers);
        Self {
            root: *root,
            root_moves: root_moves.to_vec(),
            by_numbers: useful.then(|| ProofNumberSearch::new(root, root_moves, by_numbers)),
            turn: FIRST_TURN,
            repeated: repeated(root, history),
            results: Results::new(),
            refutation_scores: vec![0; 64 * 64].into_boxed_slice(),
            length: 1,
            longest,
        }
    }

    /// Continues the proof until `keep_going`, which is called once per position, returns false. A search by lengths,
    /// which finds the shortest mate, takes turns with one by proof numbers, which finds long ones sooner.
    pub fn run(&mut self, keep_going: Continue<'_>) -> MateProof {
        loop {
            let mut stopped = false;
            let mut left = if self.by_numbers.is_some() { self.turn } else { u64::MAX };
            let proof = self.run_by_lengths(&mut in_turn(&mut left, &mut stopped, keep_going));
            if stopped || proof != MateProof::Unknown {
                return proof;
            }
            left = NUMBERS_SHARE * self.turn;
            if let Some(proof) = self.run_by_numbers(&mut in_turn(&mut left, &mut stopped, keep_going)) {
                return proof;
            }
            if stopped {
                return MateProof::Unknown;
            }
            self.turn *= 2;
        }
    }

    fn run_by_numbers(&mut self, keep_going: Continue<'_>) -> Option<MateProof> {
        let mut search = self.by_numbers.take()?;
        let context = &mut SolverContext { results: &mut self.results, repeated: &self.repeated, keep_going };
        match search.run(context) {
            Ok(found) => found.map(|(length, line)| MateProof::Mate(length, line)),
            Err(Interrupted) => {
                self.by_numbers = Some(search);
                None
            }
        }
    }

    fn run_by_lengths(&mut self, keep_going: Continue<'_>) -> MateProof {
        while self.length <= self.longest {
            match self.prove_length(self.length, keep_going) {
                Err(Interrupted) => return MateProof::Unknown,
                Ok(MateProof::NoMate) => self.length += 1,
                Ok(proof) => return proof,
            }
        }
        MateProof::NoMate
    }

    /// Is there a mate of just this length, shorter ones being refuted?
    fn prove_length(&mut self, length: usize, keep_going: Continue<'_>) -> Result<MateProof, Interrupted> {
        let root = self.root;
        for mv in self.ordered_moves(&root, &self.root_moves.clone()) {
            let next = root.after(mv);
            if self.is_mated_within(&next, length - 1, keep_going)? {
                let mut line = vec![mv];
                self.extend_line(&next, length - 1, &mut line, keep_going)?;
                return Ok(MateProof::Mate(length, line));
            }
        }
        for mv in self.root_moves.clone() {
            if !self.mates_within(&root.after(mv), length, keep_going)? {
                return Ok(MateProof::NoMate);
            }
        }
        let mut line = Vec::new();
        self.extend_line(&root, length, &mut line, keep_going)?;
        Ok(MateProof::Mated(length, line))
    }

    /// Can the side to move mate in so many moves?
    fn mates_within(
        &mut self,
        pos: &Position,
        moves: usize,
        keep_going: Continue<'_>,
    ) -> Result<bool, Interrupted> {
        if !keep_going() {
            return Err(Interrupted);
        }
        if self.is_drawn(pos) {
            return Ok(false);
        }
        if mate_in_one(pos).is_some() {
            return Ok(true);
        }
        if moves == 1 {
            return Ok(false);
        }
        if let Some(verdict) = self.results.verdict(pos, Turn::Attacker, moves) {
            return Ok(verdict);
        }
        for mv in self.ordered_moves(pos, &pos.legal_moves()) {
            if self.is_mated_within(&pos.after(mv), moves - 1, keep_going)? {
                self.results.store(pos, Turn::Attacker, moves, true, Some(mv));
                return Ok(true);
            }
        }
        self.results.store(pos, Turn::Attacker, moves, false, None);
        Ok(false)
    }

    /// Is the side to move mated, or will it be in so many moves of the attacker, whatever it does?
    fn is_mated_within(
        &mut self,
        pos: &Position,
        moves: usize,
        keep_going: Continue<'_>,
    ) -> Result<bool, Interrupted> {
        if !keep_going() {
            return Err(Interrupted);
        }
        if !pos.has_legal_move() {
            return Ok(pos.in_check());
        }
        if moves == 0 || self.is_drawn(pos) {
            return Ok(false);
        }
        if let Some(verdict) = self.results.verdict(pos, Turn::Defender, moves) {
            return Ok(verdict);
        }
        let known = self.results.best_move(pos, Turn::Defender);
        let mut answers = pos.legal_moves().to_vec();
        answers.sort_unstable_by_key(|&mv| {
            (Some(mv) != known, std::cmp::Reverse(self.refutation_scores[squares(mv)]), mv.bits())
        });
        for mv in answers {
            if !self.mates_within(&pos.after(mv), moves, keep_going)? {
                let score = &mut self.refutation_scores[squares(mv)];
                *score = score.saturating_add((moves * moves) as u32);
                self.results.store(pos, Turn::Defender, moves, false, Some(mv));
                return Ok(false);
            }
        }
        self.results.store(pos, Turn::Defender, moves, true, None);
        Ok(true)
    }

    /// The moves of the attacker: checks and whatever leaves few answers come first.
    fn ordered_moves(&self, pos: &Position, moves: &[Move]) -> Vec<Move> {
        let known = self.results.best_move(pos, Turn::Attacker);
        let mut promising: Vec<(bool, usize, u16, Move)> = moves
            .iter()
            .map(|&mv| {
                let next = pos.after(mv);
                let answers = next.count_legal_moves() + if next.in_check() { 0 } else { 8 };
                (Some(mv) != known, answers, mv.bits(), mv)
            })
            .collect();
        promising.sort_unstable_by_key(|&(known, answers, bits, _)| (known, answers, bits));
        promising.into_iter().map(|(.., mv)| mv).collect()
    }

    /// Adds the longest resistance, and what breaks it, to a line that is proved.
    fn extend_line(
        &mut self,
        pos: &Position,
        moves: usize,
        line: &mut Vec<Move>,
        keep_going: Continue<'_>,
    ) -> Result<(), Interrupted> {
        let mut longest: Option<(usize, Move)> = None;
        let candidates = if *pos == self.root { self.root_moves.clone() } else { pos.legal_moves().to_vec() };
        for mv in candidates {
            let next = pos.after(mv);
            let mut length = 1;
            while length < moves && !self.mates_within(&next, length, keep_going)? {
                length += 1;
            }
            if longest.is_none_or(|(known, _)| length > known) {
                longest = Some((length, mv));
            }
        }
        let Some((length, answer)) = longest else { return Ok(()) };
        let next = pos.after(answer);
        line.push(answer);
        let mv = match mate_in_one(&next) {
            Some(mv) => mv,
            None => self.mating_move(&next, length, keep_going)?,
        };
        line.push(mv);
        self.extend_line(&next.after(mv), length - 1, line, keep_going)
    }

    /// The move that mates in so many moves from a position where that is known to be possible.
    fn mating_move(
        &mut self,
        pos: &Position,
        moves: usize,
        keep_going: Continue<'_>,
    ) -> Result<Move, Interrupted> {
        for mv in self.ordered_moves(pos, &pos.legal_moves()) {
            if self.is_mated_within(&pos.after(mv), moves - 1, keep_going)? {
                return Ok(mv);
            }
        }
        Err(Interrupted)
    }

    fn is_drawn(&self, pos: &Position) -> bool {
        is_drawn(pos, &self.repeated)
    }
}

/// A draw by rule, in a position where the game has not ended by mate.
fn is_drawn(pos: &Position, repeated: &[u64]) -> bool {
    pos.is_fifty_move_draw() || pos.is_dead() || repeated.contains(&pos.key())
}

/// Counts down what is left of a turn, and notes when it is not the turn but the whole effort that has ended.
fn in_turn<'a>(
    left: &'a mut u64,
    stopped: &'a mut bool,
    keep_going: &'a mut dyn FnMut() -> bool,
) -> impl FnMut() -> bool + 'a {
    move || {
        *stopped = *stopped || !keep_going();
        *left = left.saturating_sub(1);
        !*stopped && *left > 0
    }
}

/// The positions of a game that have stood twice.
fn repeated(root: &Position, history: &KeyHistory) -> Vec<u64> {
    let mut keys = history.keys().to_vec();
    keys.push(root.key());
    keys.sort_unstable();
    keys.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0]).collect()
}

fn squares(mv: Move) -> usize {
    mv.from().index() * 64 + mv.to().index()
}

/// A move that mates.
fn mate_in_one(pos: &Position) -> Option<Move> {
    pos.legal_moves().iter().copied().find(|&mv| {
        pos.gives_check(mv) && {
            let next = pos.after(mv);
            !next.has_legal_move()
        }
    })
}
