//! Questions about a single move: may it be played here, and does it give check?

use crate::attacks::{
    between, bishop_attacks, knight_attacks, line, pawn_attacks, piece_attacks, rook_attacks,
};
use crate::{Bitboard, Color, Move, MoveKind, PieceType, Position, Rank, Square, Wing};

impl Position {
    /// Does the move fit the pieces and the rules of their movement here, its kind included,
    /// whatever happens to the own king? The move may come from anywhere, a hash table say.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = self.piece_on(from).filter(|piece| piece.color() == us) else { return false };
        if mv.is_castling() {
            return piece.kind() == PieceType::King
                && self.castling().rook(us, Wing::of(from, to)) == Some(to)
                && !self.in_check()
                && self.can_castle(us, Wing::of(from, to), to);
        }
        if self.of_color(us).has(to) {
            return false;
        }
        if piece.kind() == PieceType::Pawn {
            return self.pawn_move_fits(mv);
        }
        let fitting = if self.of_color(!us).has(to) { MoveKind::Capture } else { MoveKind::Quiet };
        mv.kind() == fitting && piece_attacks(piece.kind(), from, self.occupied()).has(to)
    }

    fn pawn_move_fits(&self, mv: Move) -> bool {
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        if mv.is_en_passant() {
            return self.en_passant() == Some(to) && pawn_attacks(us, from).has(to);
        }
        if mv.is_promotion() != (to.rank() == us.rank(Rank::Eighth)) {
            return false;
        }
        if mv.is_capture() {
            return pawn_attacks(us, from).has(to) && self.of_color(!us).has(to);
        }
        let empty = !self.occupied();
        let once = Bitboard::of(from).ahead(us) & empty;
        if mv.kind() == MoveKind::DoublePush {
            return from.rank() == us.rank(Rank::Second) && (once.ahead(us) & empty).has(to);
        }
        once.has(to)
    }

    /// May the move be played here? It may come from anywhere.
    ///
    /// ```
    /// use chess::{Move, Position};
    /// let pos = Position::startpos();
    /// let legal = (0..=u16::MAX).filter_map(Move::from_bits).filter(|&mv| pos.is_legal(mv));
    /// assert_eq!(legal.count(), 20);
    /// ```
    pub fn is_legal(&self, mv: Move) -> bool {
        if !self.is_pseudo_legal(mv) {
            return false;
        }
        let us = self.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        if mv.is_castling() {
            return true;
        }
        if mv.is_en_passant() {
            return self.en_passant_is_safe(from, to);
        }
        let king = self.king(us);
        if from == king {
            return !self.is_attacked(to, !us, self.occupied() ^ king);
        }
        let answers = match self.checkers().first() {
            None => Bitboard::FULL,
            Some(_) if self.checkers().many() => Bitboard::EMPTY,
            Some(checker) => between(king, checker) | checker,
        };
        answers.has(to) && (!self.pinned().has(from) || line(king, from).has(to))
    }

    /// Does this legal move give check? For many moves of one position, ask one [`CheckInfo`].
    pub fn gives_check(&self, mv: Move) -> bool {
        CheckInfo::new(self).gives_check(self, mv)
    }
}

/// From where the side to move gives check: computed once a position, asked for each move.
///
/// ```
/// use chess::{CheckInfo, Position};
/// let pos = Position::from_fen("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1").unwrap();
/// let info = CheckInfo::new(&pos);
/// let checks = pos.legal_moves().iter().filter(|&&mv| info.gives_check(&pos, mv)).count();
/// assert_eq!(checks, 1, "only Ra8");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CheckInfo {
    king: Square,
    /// The squares from which a piece of each kind attacks the enemy king.
    squares: [Bitboard; 6],
    /// The own men that shade the enemy king from an own slider.
    discoverers: Bitboard,
}

impl CheckInfo {
    /// Looks at a position from the side to move.
    pub fn new(pos: &Position) -> Self {
        let us = pos.side_to_move();
        let king = pos.king(!us);
        let occupied = pos.occupied();
        let diagonal = bishop_attacks(king, occupied);
        let straight = rook_attacks(king, occupied);
        let squares = [
            pawn_attacks(!us, king),
            knight_attacks(king),
            diagonal,
            straight,
            diagonal | straight,
            Bitboard::EMPTY,
        ];
        Self { king, squares, discoverers: discoverers(pos, us, king) }
    }

    /// Squares from which a piece of this kind gives check.
    #[inline]
    pub fn squares(&self, kind: PieceType) -> Bitboard {
        self.squares[kind.index()]
    }

    /// Does this legal move of that position give check?
    #[inline]
    pub fn gives_check(&self, pos: &Position, mv: Move) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let Some(piece) = pos.piece_on(from) else { return false };
        if self.discoverers.has(from) && !line(from, self.king).has(to) && !mv.is_castling() {
            return true;
        }
        if mv.is_promotion() {
            let kind = mv.promotion().unwrap_or(PieceType::Queen);
            // The pawn no longer stands in its own way.
            piece_attacks(kind, to, pos.occupied() ^ from).has(self.king)
        } else if mv.is_castling() {
            let wing = Wing::of(from, to);
            let (king_to, rook_to) = (wing.king_to(piece.color()), wing.rook_to(piece.color()));
            let occupied = (pos.occupied() ^ from ^ to) | king_to | rook_to;
            // The king leaving its rank or file may uncover another slider than the rook.
            rook_attacks(rook_to, occupied).has(self.king) || self.slider_sees_king(pos, occupied, to)
        } else {
            self.squares(piece.kind()).has(to)
                || (mv.is_en_passant() && self.opens_line(pos, mv, to.behind(piece.color())))
        }
    }

    fn opens_line(&self, pos: &Position, mv: Move, victim: Square) -> bool {
        let occupied = (pos.occupied() ^ mv.from() ^ victim) | mv.to();
        self.slider_sees_king(pos, occupied, victim)
    }

    /// Does an own slider, but for a piece on `without`, attack the enemy king?
    fn slider_sees_king(&self, pos: &Position, occupied: Bitboard, without: Square) -> bool {
        let own = pos.of_color(pos.side_to_move()) & !Bitboard::of(without);
        let queens = pos.of_kind(PieceType::Queen);
        (bishop_attacks(self.king, occupied) & own & (pos.of_kind(PieceType::Bishop) | queens)).any()
            || (rook_attacks(self.king, occupied) & own & (pos.of_kind(PieceType::Rook) | queens)).any()
    }
}

/// The men of `us` that stand alone between an own slider and the king on `king`.
fn discoverers(pos: &Position, us: Color, king: Square) -> Bitboard {
    let own = pos.of_color(us);
    let queens = pos.of_kind(PieceType::Queen);
    let diagonal = (pos.of_kind(PieceType::Bishop) | queens) & own;
    let straight = (pos.of_kind(PieceType::Rook) | queens) & own;
    let snipers =
        bishop_attacks(king, Bitboard::EMPTY) & diagonal | rook_attacks(king, Bitboard::EMPTY) & straight;
    snipers
        .into_iter()
        .map(|sniper| between(king, sniper) & pos.occupied())
        .filter(|shield| !shield.many())
        .fold(Bitboard::EMPTY, |all, shield| all | (shield & own))
}
