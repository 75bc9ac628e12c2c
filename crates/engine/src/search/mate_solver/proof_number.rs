//! Depth-first proof-number search (df-pn) for a mate within a given number of moves.
//!
//! Each position has two numbers: how many more positions must be solved at least to prove the mate, and how many to
//! disprove it. The search always expands the position that both numbers point to, so lines in which the defender has
//! few answers are followed to the end before broader ones are begun. It finds long forced mates in a fraction of the
//! positions that trying one length after another needs, but its mate need not be the shortest.
//!
//! The number of moves left is part of a position's identity. It falls along every line, so there are no cycles, and a
//! result does not depend on the way to the position.

use std::collections::HashMap;

use chess::{Move, Position};

use super::results::Results;
use super::{Continue, Interrupted, Turn, is_drawn, mate_in_one};

/// Entries of the table, at 16 bytes each.
const ENTRIES: usize = 1 << 20;
/// Neighbouring entries among which an entry may be stored.
const CLUSTER: usize = 4;
/// The number of a result that can no longer be reached.
const INFINITE: u32 = 1 << 30;
/// A quiet move of the attacker leaves the defender more choice than its number of answers tells.
const QUIET_MOVE: u32 = 2;

/// How far a node is from what its side to move wants: for the attacker the mate, for the defender its disproof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Numbers {
    /// Positions that must still be solved for the side to move to reach its goal.
    goal: u32,
    /// The same for its opponent.
    opposite: u32,
}

impl Numbers {
    const REACHED: Self = Self { goal: 0, opposite: INFINITE };
    const MISSED: Self = Self { goal: INFINITE, opposite: 0 };
    const NO_LIMIT: Self = Self { goal: INFINITE, opposite: INFINITE };

    /// The numbers of a node whose mate is proved or refuted.
    fn solved(turn: Turn, proved: bool) -> Self {
        if proved == turn.is_attacker() { Self::REACHED } else { Self::MISSED }
    }

    fn is_solved(self) -> bool {
        self.goal == 0 || self.opposite == 0
    }
}

#[derive(Clone, Copy, Default)]
struct Entry {
    key: u64,
    numbers: Numbers,
}

/// The numbers of the positions that were expanded.
struct Table(Box<[Entry]>);

impl Table {
    fn new() -> Self {
        Self(vec![Entry::default(); ENTRIES].into_boxed_slice())
    }

    fn cluster(key: u64) -> std::ops::Range<usize> {
        let first = key as usize & (ENTRIES - 1) & !(CLUSTER - 1);
        first..first + CLUSTER
    }

    fn get(&self, key: u64) -> Option<Numbers> {
        self.0[Self::cluster(key)].iter().find(|entry| entry.key == key).map(|entry| entry.numbers)
    }

    /// Stores the numbers in place of the same position's, else of an unsolved one's.
    fn set(&mut self, key: u64, numbers: Numbers) {
        let cluster = &mut self.0[Self::cluster(key)];
        let place = (0..CLUSTER)
            .find(|&place| cluster[place].key == key)
            .or_else(|| (0..CLUSTER).find(|&place| !cluster[place].numbers.is_solved()))
            .unwrap_or((key >> 60) as usize % CLUSTER);
        cluster[place] = Entry { key, numbers };
    }
}

/// A node: a position, whose turn it is, and how many moves the attacker has left.
#[derive(Clone, Copy)]
struct Node {
    pos: Position,
    turn: Turn,
    moves: usize,
}

impl Node {
    fn key(&self) -> u64 {
        self.turn.key(&self.pos) ^ (self.moves as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn after(&self, mv: Move) -> Self {
        let pos = self.pos.after(mv);
        match self.turn {
            Turn::Attacker => Self { pos, turn: Turn::Defender, moves: self.moves - 1 },
            Turn::Defender => Self { pos, turn: Turn::Attacker, moves: self.moves },
        }
    }
}

/// A move of a node that is being expanded.
struct Child {
    mv: Move,
    key: u64,
    /// Its numbers as long as it is not in the table.
    initial: Numbers,
}

/// The attacker's moves to mate from a node, and the move that leads on, the attacker's own or the longest defence, with the
/// moves that are left after it.
type Solution = (usize, Option<(Move, usize)>);

/// What the search shares with the one by lengths.
pub(super) struct SolverContext<'a> {
    pub(super) results: &'a mut Results,
    /// Positions that are draws by repetition when they stand on the board again.
    pub(super) repeated: &'a [u64],
    pub(super) keep_going: Continue<'a>,
}

impl SolverContext<'_> {
    /// The numbers of a node that was not expanded yet: solved by the rules or by an earlier result, or else estimated by
    /// the defender's choice.
    fn initial_numbers(&self, node: &Node) -> Numbers {
        let Node { ref pos, turn, moves } = *node;
        let drawn = is_drawn(pos, self.repeated);
        let (proved, estimate) = match turn {
            Turn::Defender => {
                let answers = pos.count_legal_moves() as u32;
                let quiet = if pos.in_check() { 0 } else { QUIET_MOVE };
                let proved = if answers == 0 {
                    Some(pos.in_check())
                } else if moves == 0 || drawn {
                    Some(false)
                } else {
                    self.results.verdict(pos, turn, moves)
                };
                (proved, Numbers { goal: 1, opposite: answers + quiet })
            }
            Turn::Attacker => {
                let proved = if drawn {
                    Some(false)
                } else if mate_in_one(pos).is_some() {
                    Some(true)
                } else if moves == 1 {
                    Some(false)
                } else {
                    self.results.verdict(pos, turn, moves)
                };
                (proved, Numbers { goal: 1, opposite: 1 })
            }
        };
        proved.map_or(estimate, |proved| Numbers::solved(turn, proved))
    }

    /// Keeps the result of a solved node for other lengths and for the search by lengths.
    fn store(&mut self, node: &Node, numbers: Numbers, best: Move) {
        let reached = numbers.goal == 0;
        let proved = reached == node.turn.is_attacker();
        self.results.store(&node.pos, node.turn, node.moves, proved, reached.then_some(best));
    }
}

/// The search for one mate; it continues where it was interrupted.
pub(super) struct ProofNumberSearch {
    root: Node,
    root_moves: Vec<Move>,
    table: Table,
}

impl ProofNumberSearch {
    /// Looks for a mate by one of the root moves within so many moves. The fifty-move rule must be out of their reach.
    pub(super) fn new(root: &Position, root_moves: &[Move], moves: usize) -> Self {
        Self {
            root: Node { pos: *root, turn: Turn::Attacker, moves },
            root_moves: root_moves.to_vec(),
            table: Table::new(),
        }
    }

    /// Runs until the mate is proved or disproved: the number of moves and the line, or none.
    pub(super) fn run(
        &mut self,
        context: &mut SolverContext<'_>,
    ) -> Result<Option<(usize, Vec<Move>)>, Interrupted> {
        let root = self.root;
        if self.expand(&root, Numbers::NO_LIMIT, context)?.goal > 0 {
            return Ok(None);
        }
        let mut solutions = HashMap::new();
        let length = self.solution(&root, context, &mut solutions)?;
        let (mut line, mut node) = (Vec::new(), root);
        while let Some(&(_, Some((mv, moves)))) = solutions.get(&node.key()) {
            line.push(mv);
            node = Node { moves, ..node.after(mv) };
        }
        Ok(Some((length, line)))
    }

    /// Expands a node until its goal or its opposite has reached a limit.
    fn expand(
        &mut self,
        node: &Node,
        limits: Numbers,
        context: &mut SolverContext<'_>,
    ) -> Result<Numbers, Interrupted> {
        if !(context.keep_going)() {
            return Err(Interrupted);
        }
        let children: Vec<Child> = self
            .moves(node)
            .into_iter()
            .map(|mv| {
                let next = node.after(mv);
                Child { mv, key: next.key(), initial: context.initial_numbers(&next) }
            })
            .collect();
        loop {
            // The goal is reached by the best child alone, the opposite only by all of them. Their numbers are not added up:
            // siblings lead to the same positions, which a sum would count many times over.
            let mut numbers = Numbers { goal: INFINITE, opposite: 0 };
            let (mut second, mut best, mut unsolved) = (INFINITE, None, 0u32);
            for child in &children {
                let known = self.numbers(child);
                numbers.opposite = numbers.opposite.max(known.goal);
                unsolved += u32::from(known.goal > 0);
                if known.opposite < numbers.goal || best.is_none() {
                    second = numbers.goal;
                    numbers.goal = known.opposite;
                    best = Some((child, known));
                } else {
                    second = second.min(known.opposite);
                }
            }
            let Some((child, known)) = best else { return Ok(Numbers::MISSED) };
            if numbers.opposite < INFINITE {
                numbers.opposite += unsolved.saturating_sub(1);
            }
            if numbers.goal >= limits.goal || numbers.opposite >= limits.opposite {
                self.table.set(node.key(), numbers);
                if numbers.is_solved() && node.key() != self.root.key() {
                    context.store(node, numbers, child.mv);
                }
                return Ok(numbers);
            }
            // The child is left as soon as the second best one promises more.
            let child_limits = Numbers {
                goal: (limits.opposite - numbers.opposite).saturating_add(known.goal),
                opposite: limits.goal.min(second.saturating_add(1)),
            };
            self.expand(&node.after(child.mv), child_limits, context)?;
        }
    }

    fn numbers(&self, child: &Child) -> Numbers {
        if child.initial.is_solved() {
            child.initial
        } else {
            self.table.get(child.key).unwrap_or(child.initial)
        }
    }

    fn moves(&self, node: &Node) -> Vec<Move> {
        if node.key() == self.root.key() { self.root_moves.clone() } else { node.pos.legal_moves().to_vec() }
    }

    /// How many moves the proved mate takes against the longest defence; finds again what the table has lost.
    fn solution(
        &mut self,
        node: &Node,
        context: &mut SolverContext<'_>,
        solutions: &mut HashMap<u64, Solution>,
    ) -> Result<usize, Interrupted> {
        let key = node.key();
        if let Some(&(length, _)) = solutions.get(&key) {
            return Ok(length);
        }
        let solution = match node.turn {
            Turn::Defender => {
                let mut longest = (0, None);
                for mv in self.moves(node) {
                    let next = node.after(mv);
                    let length = self.solution(&next, context, solutions)?;
                    if length > longest.0 {
                        longest = (length, Some((mv, next.moves)));
                    }
                }
                longest
            }
            Turn::Attacker => {
                // With moves to spare the attacker might come back to a position, and the line would end in a draw. Where the
                // root's moves are restricted, what is known of its position is no result of the root.
                let restricted =
                    key == self.root.key() && self.root_moves.len() < node.pos.count_legal_moves();
                let known = context.results.shortest_mate(&node.pos, node.turn).filter(|_| !restricted);
                let node = Node { moves: known.map_or(node.moves, |moves| moves.min(node.moves)), ..*node };
                let mv = self.mating_move(&node, context)?;
                let next = node.after(mv);
                (1 + self.solution(&next, context, solutions)?, Some((mv, next.moves)))
            }
        };
        solutions.insert(key, solution);
        Ok(solution.0)
    }

    /// A move of the attacker after which the mate is proved; that there is one is known.
    fn mating_move(&mut self, node: &Node, context: &mut SolverContext<'_>) -> Result<Move, Interrupted> {
        if let Some(mv) = mate_in_one(&node.pos).filter(|mv| self.moves(node).contains(mv)) {
            return Ok(mv);
        }
        loop {
            for mv in self.moves(node) {
                let next = node.after(mv);
                let child = Child { mv, key: next.key(), initial: context.initial_numbers(&next) };
                if self.numbers(&child).opposite == 0 {
                    return Ok(mv);
                }
            }
            self.expand(node, Numbers::NO_LIMIT, context)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mate_within(fen: &str, moves: usize) -> Option<(usize, Vec<Move>)> {
        mate_within_after(fen, moves, &[])
    }

    /// After a game in which these positions stood twice.
    fn mate_within_after(fen: &str, moves: usize, repeated: &[u64]) -> Option<(usize, Vec<Move>)> {
        let pos = Position::from_fen(fen).unwrap();
        let mut search = ProofNumberSearch::new(&pos, &pos.legal_moves(), moves);
        let context = &mut SolverContext { results: &mut Results::new(), repeated, keep_going: &mut || true };
        search.run(context).ok().flatten()
    }

    #[test]
    fn a_proved_line_is_legal_and_ends_in_mate_in_as_many_moves_as_it_says() {
        for (fen, moves, shortest) in [
            ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2, 2),
            ("7k/8/8/8/8/8/8/RR5K w - - 0 1", 5, 2),
            ("8/8/8/4k3/8/2K5/6Q1/8 w - - 0 1", 8, 6),
            ("2B5/8/1NR5/4k1pp/1pp5/4K3/bP6/2n5 w - - 0 1", 10, 8),
            ("3K4/k7/8/8/2R5/8/8/8 w - - 0 1", 3, 3),
        ] {
            let (length, line) = mate_within(fen, moves).unwrap_or_else(|| panic!("{fen} has a mate"));
            assert!((shortest..=moves).contains(&length), "{fen}: {length}");
            assert_eq!(line.len(), 2 * length - 1, "{fen}");
            let mut pos = Position::from_fen(fen).unwrap();
            let mut seen = vec![pos.key()];
            for mv in line {
                assert!(pos.is_legal(mv), "{mv:?} in {pos}");
                pos.play(mv);
                assert!(!seen.contains(&pos.key()), "{fen} comes back to {pos}");
                seen.push(pos.key());
            }
            assert!(pos.in_check() && !pos.has_legal_move(), "{fen} ends in {pos}");
        }
    }

    #[test]
    fn a_mate_begins_with_one_of_the_moves_that_were_allowed() {
        let pos = Position::from_fen("7k/8/8/8/8/8/8/RR5K w - - 0 1").unwrap();
        let allowed = [pos.parse_uci_move("h1g1").unwrap()];
        // In the tree, where all moves are allowed, the position of the root has a shorter mate.
        let mut results = Results::new();
        results.store(&pos, Turn::Attacker, 2, true, None);
        let mut search = ProofNumberSearch::new(&pos, &allowed, 5);
        let context = &mut SolverContext { results: &mut results, repeated: &[], keep_going: &mut || true };
        let (length, line) = search.run(context).ok().flatten().unwrap();
        assert_eq!((line[0], line.len()), (allowed[0], 2 * length - 1));
    }

    #[test]
    fn there_is_no_mate_where_there_is_none_so_short() {
        assert_eq!(mate_within("7k/8/8/8/8/8/8/RR5K w - - 0 1", 1), None);
        assert_eq!(mate_within("8/8/8/4k3/8/2K5/6Q1/8 w - - 0 1", 3), None);
        assert_eq!(mate_within("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 3), None);
    }

    #[test]
    fn a_third_repetition_is_no_way_to_a_mate() {
        let fen = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
        let root = Position::from_fen(fen).unwrap();
        let key = root.after(root.parse_uci_move("a1a6").unwrap());
        let answer = key.after(key.parse_uci_move("b7a6").unwrap());
        assert!(mate_within_after(fen, 2, &[root.after(root.legal_moves()[0]).key()]).is_some());
        for drawn in [key, answer] {
            assert_eq!(mate_within_after(fen, 2, &[drawn.key()]), None, "{drawn}");
        }
    }

    #[test]
    fn an_interrupted_search_goes_on() {
        let pos = Position::from_fen("3K4/k7/8/8/2R5/8/8/8 w - - 0 1").unwrap();
        let mut search = ProofNumberSearch::new(&pos, &pos.legal_moves(), 3);
        for attempt in 0.. {
            let mut left = 5;
            let keep_going = &mut || {
                left -= 1;
                left > 0
            };
            // Without the results of the attempt before, so that only the numbers can carry on.
            let context = &mut SolverContext { results: &mut Results::new(), repeated: &[], keep_going };
            let result = search.run(context);
            if let Ok(found) = result {
                assert!(attempt > 0, "there was too much effort to show anything");
                assert_eq!(found.map(|(length, _)| length), Some(3));
                return;
            }
        }
    }
}
