//! Accuracy of moves and players, by the formula that Lichess publishes.
//!
//! A move's accuracy is a function of the winning chances that it gave away. A player's is the mean of two means of his
//! moves: one weighted by how sharp the game was around the move (the standard deviation of the winning chances in a
//! window), and the harmonic one, in which bad moves count more.

use chess::Color;

/// Accuracy of a move in per cent, by the winning chances before and behind it.
pub(crate) fn of_move(before: f64, after: f64) -> f64 {
    if after >= before {
        return 100.0;
    }
    let raw =
        103.166_810_071_164_9 * (-0.043_544_153_867_539_51 * (before - after)).exp() - 3.166_924_740_191_411;
    // One per cent more, since analysis is not perfect either.
    (raw + 1.0).clamp(0.0, 100.0)
}

/// A move of a game with what its player's accuracy needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Weighed {
    pub(crate) color: Color,
    pub(crate) accuracy: f64,
    pub(crate) weight: f64,
}

/// The moves of a game by White's winning chances, of which the first are those before the first move.
pub(crate) fn weigh(first: Color, chances: &[f64]) -> Vec<Weighed> {
    let plies = chances.len().saturating_sub(1);
    let window = (plies / 10).clamp(2, 8);
    let mut color = first;
    (0..plies)
        .map(|ply| {
            // The first windows are all the same one, so that there is one for each move.
            let from = (ply + 2).saturating_sub(window);
            let weight =
                standard_deviation(&chances[from..(from + window).min(chances.len())]).clamp(0.5, 12.0);
            let (before, after) = match color {
                Color::White => (chances[ply], chances[ply + 1]),
                Color::Black => (100.0 - chances[ply], 100.0 - chances[ply + 1]),
            };
            let weighed = Weighed { color, accuracy: of_move(before, after), weight };
            color = !color;
            weighed
        })
        .collect()
}

/// A player's accuracy by his moves; `None` without a move.
pub(crate) fn of_moves(moves: &[Weighed]) -> Option<f64> {
    if moves.is_empty() {
        return None;
    }
    let weights: f64 = moves.iter().map(|mv| mv.weight).sum();
    let weighted = moves.iter().map(|mv| mv.accuracy * mv.weight).sum::<f64>() / weights;
    let harmonic = moves.len() as f64 / moves.iter().map(|mv| 1.0 / mv.accuracy.max(1.0)).sum::<f64>();
    Some((weighted + harmonic) / 2.0)
}

fn standard_deviation(values: &[f64]) -> f64 {
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: f64, other: f64) -> bool {
        (one - other).abs() < 0.01
    }

    #[test]
    fn moves_as_worked_by_hand() {
        // 103.16681 exp(-0.04354415 loss) - 2.16692, with exp(-0.2177208) = 0.80435, exp(-0.4354415) = 0.64698,
        // exp(-0.8708831) = 0.41858.
        assert!(close(of_move(60.0, 55.0), 80.81), "{}", of_move(60.0, 55.0));
        assert!(close(of_move(60.0, 50.0), 64.58), "{}", of_move(60.0, 50.0));
        assert!(close(of_move(60.0, 40.0), 41.02), "{}", of_move(60.0, 40.0));
        assert_eq!(of_move(50.0, 70.0), 100.0);
        assert_eq!(of_move(100.0, 0.0), 0.0);
    }

    #[test]
    fn a_game_as_worked_by_hand() {
        // Two moves of each side, windows of two positions: deviations 0 (so 0.5), 5, 5 and 20 (so 12).
        let moves = weigh(Color::White, &[50.0, 50.0, 60.0, 50.0, 90.0]);
        let weights: Vec<f64> = moves.iter().map(|mv| mv.weight).collect();
        assert_eq!(weights, [0.5, 5.0, 5.0, 12.0]);
        let of = |color| {
            let moves: Vec<Weighed> = moves.iter().filter(|mv| mv.color == color).copied().collect();
            of_moves(&moves).unwrap()
        };
        // White: 100 and 64.58; weighted (50 + 322.90) / 5.5 = 67.80, harmonic 2 / (1/100 + 1/64.58) = 78.48.
        assert!(close(of(Color::White), 73.14), "{}", of(Color::White));
        // Black: 64.58 and 15.91; weighted (322.90 + 190.92) / 17 = 30.22, harmonic 25.53.
        assert!(close(of(Color::Black), 27.88), "{}", of(Color::Black));
        assert_eq!(of_moves(&[]), None);
    }

    #[test]
    fn there_is_a_window_for_each_move() {
        for plies in 0..100 {
            let chances: Vec<f64> = (0..=plies).map(|ply| 50.0 + f64::from(ply % 7)).collect();
            assert_eq!(weigh(Color::Black, &chances).len(), plies as usize);
        }
        assert!(weigh(Color::White, &[]).is_empty());
    }
}
