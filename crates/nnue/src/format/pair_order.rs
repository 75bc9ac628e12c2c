//! The order of the pairs that the pairwise head multiplies.

use super::{FormatError, Head, Parameters};

impl Parameters {
    /// The same network with its pairs of neurons in another order: pair `order[i]` comes to place `i`. It evaluates as
    /// before, but where products that are zero together are neighbours, more groups of them are skipped.
    ///
    /// # Errors
    /// When the network has no pairs, or the order does not name each of them once.
    pub fn with_pairs_in_order(mut self, order: &[usize]) -> Result<Self, FormatError> {
        let half = self.architecture.width / 2;
        let mut named = vec![false; half];
        for &pair in order {
            *named.get_mut(pair).ok_or(FormatError::Impossible("order of pairs"))? = true;
        }
        let Head::Pairwise(head) = &mut self.head else {
            return Err(FormatError::Impossible("order of pairs"));
        };
        if order.len() != half || named.contains(&false) {
            return Err(FormatError::Impossible("order of pairs"));
        }
        // Both halves of an accumulator, and the products of both sides, are as long as the order.
        permute(&mut self.transformer_biases, order);
        permute(&mut self.transformer_weights, order);
        permute(&mut self.threat_weights, order);
        permute(&mut head.first_weights, order);
        Ok(self)
    }
}

/// Puts each piece of the length of the order into that order.
fn permute<T: Copy>(values: &mut [T], order: &[usize]) {
    let mut before = Vec::with_capacity(order.len());
    for piece in values.chunks_exact_mut(order.len()) {
        before.clear();
        before.extend_from_slice(piece);
        for (value, &from) in piece.iter_mut().zip(order) {
            *value = before[from];
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::Position;

    use super::*;
    use crate::{Architecture, HeadKind, KingBuckets, Network, ThreatForm};

    fn random(head: HeadKind) -> Parameters {
        let architecture = Architecture {
            king_buckets: KingBuckets::SINGLE,
            threats: Some(ThreatForm::Small),
            width: 128,
            head,
            output_buckets: 8,
        };
        Parameters::random(architecture, 3).expect("a sound architecture")
    }

    #[test]
    fn another_order_evaluates_the_same() {
        let order: Vec<usize> = (0..64).map(|place| place * 5 % 64).collect();
        let before = random(HeadKind::Pairwise);
        let after = before.clone().with_pairs_in_order(&order).expect("an order of all pairs");
        assert_ne!(before, after);
        let (before, after) = (Network::new(before).expect("sound"), Network::new(after).expect("sound"));
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r2q1rk1/1b2bppp/p2ppn2/1p6/3QP3/1BN1B3/PPP2PPP/R4RK1 b - - 0 14",
        ] {
            let pos = Position::from_fen(fen).expect("a legal position");
            assert_eq!(before.evaluate(&pos), after.evaluate(&pos));
            let [old, new] = [&before, &after].map(|network| network.products(&pos, pos.side_to_move()));
            assert_eq!(order.iter().map(|&pair| old[pair]).collect::<Vec<u8>>(), new);
        }
    }

    #[test]
    fn what_is_no_order_is_refused() {
        let refused = |head, order: &[usize]| random(head).with_pairs_in_order(order).is_err();
        let all: Vec<usize> = (0..64).collect();
        assert!(!refused(HeadKind::Pairwise, &all));
        assert!(refused(HeadKind::Direct, &all));
        assert!(refused(HeadKind::Pairwise, &all[1..]));
        assert!(refused(HeadKind::Pairwise, &[0; 64]));
        assert!(refused(HeadKind::Pairwise, &(1..65).collect::<Vec<_>>()));
    }
}
