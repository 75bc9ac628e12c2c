//! Distances to mate of small endgames, by retrograde analysis: from the mates backwards, ply by ply. The moves
//! are its own, made of nothing but attacks, so that it errs in another way than what it is compared with.

#![allow(dead_code, reason = "the tests and the example need a part each")]

use chess::attacks::{king_attacks, pawn_attacks, piece_attacks};
use chess::{Bitboard, Color, Move, Piece, PieceType, Position, Rank, Setup, Square};

/// Kings, and up to two men beside them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Board {
    turn: Color,
    kings: [Square; 2],
    men: [Square; 2],
}

/// What a move leads to.
enum Next {
    /// A position of the same men.
    Same(Board),
    /// One of other men, with its distance to mate where somebody wins.
    Other(Option<u8>),
}

/// One endgame. A distance counts plies: odd ones win for the side to move, even ones lose.
pub(crate) struct Endgame {
    pub(crate) name: &'static str,
    men: Vec<Piece>,
    /// Zero, or one more than the distance.
    plies: Vec<u8>,
}

/// The endgames that are known, those first that others lead to.
pub(crate) struct Endgames {
    pub(crate) all: Vec<Endgame>,
}

/// Names and men, White's first.
const NAMES: [(&str, &str); 5] = [("KQK", "Q"), ("KRK", "R"), ("KPK", "P"), ("KBNK", "BN"), ("KQKR", "Qr")];

impl Endgames {
    /// Those of these names and all before them, with the distances up to so many plies.
    pub(crate) fn new(names: &[&str], longest: u8) -> Self {
        let mut endgames = Self { all: Vec::new() };
        for (name, men) in NAMES {
            // Captures and promotions lead into the first two.
            if names.contains(&name) || endgames.all.len() < 2 {
                let men = men.chars().filter_map(Piece::from_letter).collect();
                let new = Endgame { name, men, plies: Vec::new() };
                let new = endgames.solved(new, longest);
                endgames.all.push(new);
            }
        }
        endgames
    }

    /// The distance to mate in plies, where there is one that is known. Rights to castle are looked through.
    pub(crate) fn distance(&self, pos: &Position) -> Option<u8> {
        if !pos.castling().any() {
            let men = pos.occupied() ^ Bitboard::of(pos.king(Color::White)) ^ pos.king(Color::Black);
            let men: Vec<_> =
                men.into_iter().filter_map(|sq| pos.piece_on(sq).map(|piece| (piece, sq))).collect();
            return self.look_up(pos.side_to_move(), Color::ALL.map(|color| pos.king(color)), &men);
        }
        let moves = pos.legal_moves();
        if moves.is_empty() {
            return pos.in_check().then_some(0);
        }
        best(moves.iter().map(|&mv| self.distance(&pos.after(mv))))
    }

    /// The moves after which the win stays as near as it is.
    pub(crate) fn keys(&self, pos: &Position) -> Vec<Move> {
        let Some(plies) = self.distance(pos).filter(|plies| plies % 2 == 1) else { return Vec::new() };
        let moves = pos.legal_moves();
        moves.iter().copied().filter(|&mv| self.distance(&pos.after(mv)) == Some(plies - 1)).collect()
    }

    fn look_up(&self, turn: Color, kings: [Square; 2], men: &[(Piece, Square)]) -> Option<u8> {
        // The other way round the same endgame has its colours exchanged.
        for swapped in [false, true] {
            let side = |color: Color| if swapped { !color } else { color };
            let place = |sq: Square| if swapped { sq.flip() } else { sq };
            for endgame in &self.all {
                let mut places = [Square::A1; 2];
                let found = endgame.men.iter().enumerate().all(|(slot, &wanted)| {
                    let man =
                        men.iter().find(|(piece, _)| Piece::new(side(piece.color()), piece.kind()) == wanted);
                    man.is_some_and(|&(_, sq)| {
                        places[slot] = place(sq);
                        true
                    })
                });
                if found && endgame.men.len() == men.len() {
                    let kings =
                        [place(kings[side(Color::White).index()]), place(kings[side(Color::Black).index()])];
                    return endgame.distance(&Board { turn: side(turn), kings, men: places });
                }
            }
        }
        None
    }

    fn solved(&self, mut endgame: Endgame, longest: u8) -> Endgame {
        endgame.plies = vec![0; 2 * 64_usize.pow(2 + endgame.men.len() as u32)];
        // What may have this distance, by the distance.
        let mut due: Vec<Vec<Board>> = vec![Vec::new(); usize::from(longest) + 2];
        endgame.each_board(|board| {
            let in_check = endgame.in_check(board, board.turn);
            if !in_check && !endgame.may_change_men(board) {
                return;
            }
            let mut can_move = false;
            self.each_move(&endgame, board, |next| {
                can_move = true;
                if let Next::Other(Some(plies)) = next
                    && plies < longest
                {
                    due[usize::from(plies) + 1].push(*board);
                }
            });
            if !can_move && in_check {
                due[0].push(*board);
            }
        });
        for plies in 0..=longest {
            for board in std::mem::take(&mut due[usize::from(plies)]) {
                if endgame.distance(&board).is_none() && (plies % 2 == 1 || self.is_lost(&endgame, &board)) {
                    let index = endgame.index(&board);
                    endgame.plies[index] = plies + 1;
                    endgame.each_move_before(&board, |before| due[usize::from(plies) + 1].push(before));
                }
            }
        }
        endgame
    }

    /// Does every move lead to a known win of the other side?
    fn is_lost(&self, endgame: &Endgame, board: &Board) -> bool {
        let mut lost = true;
        self.each_move(endgame, board, |next| {
            let plies = match next {
                Next::Same(next) => endgame.distance(&next),
                Next::Other(plies) => plies,
            };
            lost &= plies.is_some_and(|plies| plies % 2 == 1);
        });
        lost
    }

    fn each_move(&self, endgame: &Endgame, board: &Board, mut visit: impl FnMut(Next)) {
        let us = board.turn;
        let occupied = endgame.occupied(board);
        let own = endgame.of(board, us);
        for to in king_attacks(board.kings[us.index()]) & !own {
            let mut next = *board;
            next.kings[us.index()] = to;
            self.arrive(endgame, next, to, None, &mut visit);
        }
        for (slot, &man) in endgame.men.iter().enumerate() {
            let from = board.men[slot];
            if man.color() != us {
                continue;
            }
            let targets = if man.kind() == PieceType::Pawn {
                let step = Bitboard::of(from.ahead(us)) & !occupied;
                let double = from.rank() == us.rank(Rank::Second) && step.any();
                let far =
                    if double { Bitboard::of(from.ahead(us).ahead(us)) & !occupied } else { Bitboard::EMPTY };
                step | far
            } else {
                piece_attacks(man.kind(), from, occupied) & !own
            };
            for to in targets {
                let mut next = *board;
                next.men[slot] = to;
                self.arrive(endgame, next, to, Some(slot), &mut visit);
            }
        }
    }

    /// A man has come to a square: what stood there is gone, and a pawn on the last rank is something else.
    fn arrive(
        &self,
        endgame: &Endgame,
        next: Board,
        to: Square,
        slot: Option<usize>,
        visit: &mut impl FnMut(Next),
    ) {
        let us = next.turn;
        let taken = (0..endgame.men.len()).find(|&other| Some(other) != slot && next.men[other] == to);
        let promotes = slot.is_some_and(|slot| endgame.men[slot].kind() == PieceType::Pawn)
            && to.rank() == us.rank(Rank::Eighth);
        let left = || {
            let others = (0..endgame.men.len()).filter(|&other| Some(other) != taken);
            others.map(|other| (endgame.men[other], next.men[other]))
        };
        let (king, occupied) = (next.kings[us.index()], endgame.occupied(&next));
        if king_attacks(next.kings[(!us).index()]).has(king)
            || left().any(|(man, sq)| man.color() != us && attacks(man, sq, occupied).has(king))
        {
            return;
        }
        let turn = !us;
        if promotes {
            for kind in [PieceType::Queen, PieceType::Rook, PieceType::Bishop, PieceType::Knight] {
                visit(Next::Other(self.look_up(turn, next.kings, &[(Piece::new(us, kind), to)])));
            }
        } else if taken.is_some() {
            visit(Next::Other(self.look_up(turn, next.kings, &left().collect::<Vec<_>>())));
        } else {
            visit(Next::Same(Board { turn, ..next }));
        }
    }
}

/// The distance of a position from those that its moves lead to.
fn best(nexts: impl Iterator<Item = Option<u8>>) -> Option<u8> {
    let (mut win, mut loss) = (None::<u8>, Some(0));
    for next in nexts {
        match next {
            Some(plies) if plies % 2 == 0 => win = Some(win.map_or(plies + 1, |best| best.min(plies + 1))),
            Some(plies) => loss = loss.map(|longest: u8| longest.max(plies + 1)),
            None => loss = None,
        }
    }
    win.or(loss)
}

fn pairs_of_kings() -> impl Iterator<Item = (Color, Square, Square)> {
    Color::ALL.into_iter().flat_map(|turn| {
        Square::ALL
            .into_iter()
            .flat_map(move |white| Square::ALL.into_iter().map(move |black| (turn, white, black)))
    })
}

fn attacks(man: Piece, sq: Square, occupied: Bitboard) -> Bitboard {
    match man.kind() {
        PieceType::Pawn => pawn_attacks(man.color(), sq),
        kind => piece_attacks(kind, sq, occupied),
    }
}

impl Endgame {
    fn distance(&self, board: &Board) -> Option<u8> {
        self.plies[self.index(board)].checked_sub(1)
    }

    /// All positions with this distance, up to symmetry.
    pub(crate) fn with_distance(&self, plies: Option<u8>) -> Vec<Position> {
        let mut found = Vec::new();
        self.each_board(|board| {
            if self.distance(board) == plies {
                found.push(self.position(board));
            }
        });
        found
    }

    /// The largest distance.
    pub(crate) fn longest(&self) -> u8 {
        self.plies.iter().copied().max().unwrap_or(0) - 1
    }

    fn position(&self, board: &Board) -> Position {
        let mut setup = Setup {
            board: [None; 64],
            side_to_move: board.turn,
            castling: Vec::new(),
            en_passant: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        };
        for color in Color::ALL {
            setup.board[board.kings[color.index()].index()] = Some(Piece::new(color, PieceType::King));
        }
        for (slot, &man) in self.men.iter().enumerate() {
            setup.board[board.men[slot].index()] = Some(man);
        }
        setup.position().expect("only legal positions are looked at").0
    }

    fn has_pawns(&self) -> bool {
        self.men.iter().any(|man| man.kind() == PieceType::Pawn)
    }

    fn of(&self, board: &Board, color: Color) -> Bitboard {
        let own = self.men.iter().zip(board.men).filter(|(man, _)| man.color() == color);
        own.fold(Bitboard::of(board.kings[color.index()]), |all, (_, sq)| all | sq)
    }

    fn occupied(&self, board: &Board) -> Bitboard {
        self.of(board, Color::White) | self.of(board, Color::Black)
    }

    fn in_check(&self, board: &Board, color: Color) -> bool {
        let (king, occupied) = (board.kings[color.index()], self.occupied(board));
        king_attacks(board.kings[(!color).index()]).has(king)
            || self
                .men
                .iter()
                .zip(board.men)
                .any(|(&man, sq)| man.color() != color && attacks(man, sq, occupied).has(king))
    }

    /// Is there perhaps a capture or a promotion?
    fn may_change_men(&self, board: &Board) -> bool {
        let (occupied, targets) = (self.occupied(board), self.of(board, !board.turn));
        king_attacks(board.kings[board.turn.index()]).meets(targets)
            || self.men.iter().zip(board.men).any(|(&man, sq)| {
                man.color() == board.turn
                    && (man.kind() == PieceType::Pawn || attacks(man, sq, occupied).meets(targets))
            })
    }

    fn is_legal(&self, board: &Board) -> bool {
        let pawns_stand = self.men.iter().zip(board.men).all(|(man, sq)| {
            man.kind() != PieceType::Pawn || !matches!(sq.rank(), Rank::First | Rank::Eighth)
        });
        pawns_stand
            && self.occupied(board).count() == 2 + self.men.len()
            && !self.in_check(board, !board.turn)
    }

    /// Every legal position, once of those that are the same but for a reflection.
    fn each_board(&self, mut visit: impl FnMut(&Board)) {
        let seconds = if self.men.len() > 1 { &Square::ALL[..] } else { &[Square::A1] };
        for (turn, white, black) in pairs_of_kings() {
            let mut board = Board { turn, kings: [white, black], men: [Square::A1; 2] };
            if !self.has_pawns() && (white.file().index() > 3 || white.rank().index() > white.file().index())
            {
                continue;
            }
            for first in Square::ALL {
                for &second in seconds {
                    board.men = [first, second];
                    if self.is_legal(&board) && self.canonical(&board) == board {
                        visit(&board);
                    }
                }
            }
        }
    }

    /// The reflection of the board that is kept: White's king in the triangle a1, d1, d4.
    fn canonical(&self, board: &Board) -> Board {
        let mut board = *board;
        if self.has_pawns() {
            return board;
        }
        let men = self.men.len();
        let reflect = |board: &mut Board, reflection: fn(Square) -> Square| {
            board.kings = board.kings.map(reflection);
            board.men[..men].iter_mut().for_each(|sq| *sq = reflection(*sq));
        };
        if board.kings[0].file().index() > 3 {
            reflect(&mut board, Square::mirror);
        }
        if board.kings[0].rank().index() > 3 {
            reflect(&mut board, Square::flip);
        }
        let side = |sq: Square| sq.rank().index() as i32 - sq.file().index() as i32;
        let places = [board.kings[0], board.kings[1]].into_iter().chain(board.men);
        if places.map(side).find(|&side| side != 0).is_some_and(|side| side > 0) {
            reflect(&mut board, |sq| Square::new(sq.file().index() * 8 + sq.rank().index()));
        }
        board
    }

    fn index(&self, board: &Board) -> usize {
        let board = self.canonical(board);
        let index = (board.turn.index() * 64 + board.kings[0].index()) * 64 + board.kings[1].index();
        board.men[..self.men.len()].iter().fold(index, |index, sq| index * 64 + sq.index())
    }

    /// The positions that a move without a capture or promotion leads here from.
    fn each_move_before(&self, board: &Board, mut visit: impl FnMut(Board)) {
        let us = !board.turn;
        let occupied = self.occupied(board);
        let mut from = |before: Board| {
            let before = Board { turn: us, ..before };
            if self.is_legal(&before) {
                visit(self.canonical(&before));
            }
        };
        for sq in king_attacks(board.kings[us.index()]) & !occupied {
            let mut before = *board;
            before.kings[us.index()] = sq;
            from(before);
        }
        for (slot, &man) in self.men.iter().enumerate().filter(|(_, man)| man.color() == us) {
            let to = board.men[slot];
            let origins = if man.kind() == PieceType::Pawn {
                let step = Bitboard::of(to.behind(us)) & !occupied;
                let double = to.rank() == us.rank(Rank::Fourth) && step.any();
                let far =
                    if double { Bitboard::of(to.behind(us).behind(us)) & !occupied } else { Bitboard::EMPTY };
                step | far
            } else {
                piece_attacks(man.kind(), to, occupied) & !occupied
            };
            for sq in origins {
                let mut before = *board;
                before.men[slot] = sq;
                from(before);
            }
        }
    }
}
