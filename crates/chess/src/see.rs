//! Static exchange evaluation: who wins the exchanges on one square?

use crate::attacks::{bishop_attacks, rook_attacks};
use crate::{Bitboard, Move, PieceType, Position};

/// The values of pieces in an exchange, by [`PieceType::index`]. The king is never exchanged.
pub const EXCHANGE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

#[inline]
fn value(kind: PieceType) -> i32 {
    EXCHANGE_VALUES[kind.index()]
}

impl Position {
    /// Does the move win at least `threshold`, when both sides then take back on its square as
    /// long as it pays, the least valuable piece first? Pins are not looked at.
    ///
    /// ```
    /// use chess::Position;
    /// let pos = Position::from_fen("4k3/8/3p4/4n3/8/8/4R3/4K3 w - - 0 1").unwrap();
    /// let takes = pos.parse_uci_move("e2e5").unwrap();
    /// assert!(pos.see_at_least(takes, -180) && !pos.see_at_least(takes, -179));
    /// ```
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        let (from, to) = (mv.from(), mv.to());
        let us = self.side_to_move();
        if mv.is_castling() {
            return threshold <= 0;
        }
        let Some(mover) = self.piece_on(from) else { return false };
        let mut occupied = (self.occupied() ^ from) | to;
        let mut balance = -threshold;
        if mv.is_en_passant() {
            occupied ^= to.behind(us);
            balance += value(PieceType::Pawn);
        } else if let Some(victim) = self.piece_on(to) {
            balance += value(victim.kind());
        }
        let mut at_risk = mover.kind();
        if let Some(promoted) = mv.promotion() {
            balance += value(promoted) - value(PieceType::Pawn);
            at_risk = promoted;
        }
        if balance < 0 {
            return false;
        }
        // Even if the piece is lost for nothing, is it enough?
        balance -= value(at_risk);
        if balance >= 0 {
            return true;
        }

        let diagonal = self.of_kind(PieceType::Bishop) | self.of_kind(PieceType::Queen);
        let straight = self.of_kind(PieceType::Rook) | self.of_kind(PieceType::Queen);
        let mut attackers = self.attackers_to(to, occupied);
        let mut side = !us;
        // `balance` is from the view of `side`'s opponent, supposing that `side` takes now.
        loop {
            attackers &= occupied;
            let own = attackers & self.of_color(side);
            let Some(kind) = PieceType::ALL.into_iter().find(|&kind| own.meets(self.of_kind(kind))) else {
                break;
            };
            side = !side;
            balance = -balance - 1 - value(kind);
            if balance >= 0 {
                // The king cannot take what is still protected.
                if kind == PieceType::King && attackers.meets(self.of_color(side)) {
                    side = !side;
                }
                break;
            }
            let taker = own & self.of_kind(kind);
            occupied ^= Bitboard(taker.0 & taker.0.wrapping_neg());
            // What stood behind the taker on its line now attacks too.
            if matches!(kind, PieceType::Pawn | PieceType::Bishop | PieceType::Queen) {
                attackers |= bishop_attacks(to, occupied) & diagonal;
            }
            if matches!(kind, PieceType::Rook | PieceType::Queen) {
                attackers |= rook_attacks(to, occupied) & straight;
            }
        }
        side != us
    }
}
