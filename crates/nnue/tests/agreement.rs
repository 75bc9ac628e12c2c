//! Every instruction set computes exactly what the documentation of the arithmetic says.

use chess::{Color, Piece, PieceType, Square};
use nnue::{
    Arch, Architecture, Board, Head, HeadKind, KingBuckets, Network, Parameters, Placement, ThreatForm,
    Threats, feature_index, output_bucket,
};
use rng::Random;

fn architecture(head: HeadKind, width: usize) -> Architecture {
    let king_buckets = KingBuckets::new(std::array::from_fn(|square| (square % 3) as u8)).expect("0 to 2");
    Architecture { king_buckets, threats: None, width, head, output_buckets: 8 }
}

fn with_threats(head: HeadKind, width: usize) -> [Architecture; 2] {
    ThreatForm::ALL.map(|form| Architecture { threats: Some(form), ..architecture(head, width) })
}

/// Parameters at the ends of their ranges, so that every clip and every shift is at its limit.
fn extreme(architecture: Architecture, seed: u64) -> Parameters {
    let mut parameters = Parameters::zero(architecture).expect("the architecture is possible");
    let mut random = Random::new(seed);
    let mut end = |limit: i32| [limit, -limit, 0, 1][random.below(4)];
    parameters.transformer_biases.fill_with(|| end(32767) as i16);
    parameters.transformer_weights.fill_with(|| end(20_000) as i16);
    parameters.threat_weights.fill_with(|| end(127) as i8);
    match &mut parameters.head {
        Head::Direct(head) => {
            head.biases.fill_with(|| end(i32::MAX));
            head.weights.fill_with(|| end(127) as i16);
        }
        Head::Pairwise(head) => {
            head.first_biases.fill_with(|| end(1 << 24));
            head.first_weights.fill_with(|| end(127) as i8);
            head.second_biases.fill_with(|| end(1 << 29));
            head.second_weights.fill_with(|| end(4095) as i16);
            head.output_biases.fill_with(|| end(1 << 29));
            head.output_weights.fill_with(|| end(4095) as i16);
        }
    }
    parameters
}

fn random(architecture: Architecture, seed: u64) -> Parameters {
    Parameters::random(architecture, seed).expect("the architecture is possible")
}

/// The score as the documentation of `quantisation` defines it, in the plainest way.
fn reference(parameters: &Parameters, board: &Placement) -> i32 {
    let Architecture { king_buckets, width, output_buckets, .. } = parameters.architecture;
    let accumulator = |perspective: Color| {
        let mut values = parameters.transformer_biases.clone();
        let king = board.king(perspective);
        let threats = parameters.architecture.threats;
        let active = threats.map_or(Vec::new(), |form| Threats::of(form, board).iter().collect());
        for (threat, form) in active.into_iter().zip(threats.iter().cycle()) {
            let index = form.table().input(king_buckets.view(perspective, king), threat);
            for (place, value) in values.iter_mut().enumerate() {
                *value = value.wrapping_add(parameters.threat_weights[index * width + place].into());
            }
        }
        for piece in Piece::ALL {
            for square in board.pieces(piece) {
                let index = feature_index(&king_buckets, perspective, king, piece, square);
                for (place, value) in values.iter_mut().enumerate() {
                    *value = value.wrapping_add(parameters.transformer_weights[index * width + place]);
                }
            }
        }
        values.into_iter().map(|value| i64::from(value.clamp(0, 255))).collect::<Vec<_>>()
    };
    let sides = [accumulator(board.side_to_move()), accumulator(!board.side_to_move())];
    let bucket = output_bucket(output_buckets, board.occupied().count());
    let (sum, bias, one) = match &parameters.head {
        Head::Direct(head) => {
            let sum: i64 = (0..2 * width)
                .map(|i| sides[i / width][i % width].pow(2) * i64::from(head.weights[bucket * 2 * width + i]))
                .sum();
            (i64::from(sum as i32), head.biases[bucket], 255 * 255 * 64)
        }
        Head::Pairwise(head) => {
            let half = width / 2;
            let x: Vec<i64> = (0..width)
                .map(|i| (sides[i / half][i % half] * sides[i / half][half + i % half]) >> 9)
                .collect();
            let dot = |row: &[i64], weight: &dyn Fn(usize) -> i64| -> i64 {
                row.iter().enumerate().map(|(i, value)| value * weight(i)).sum()
            };
            let mut y = [0; 32];
            for o in 0..16 {
                let row = bucket * 16 + o;
                let sum = i64::from(head.first_biases[row])
                    + dot(&x, &|i| i64::from(head.first_weights[row * width + i]));
                let t = sum.clamp(-8192, 8192);
                y[o] = t.max(0);
                y[16 + o] = (t * t) >> 13;
            }
            let z: [i64; 32] = std::array::from_fn(|o| {
                let row = bucket * 32 + o;
                let sum = i64::from(head.second_biases[row])
                    + dot(&y, &|i| i64::from(head.second_weights[row * 32 + i]));
                (sum >> 10).clamp(0, 8192)
            });
            let sum = dot(&z, &|i| i64::from(head.output_weights[bucket * 32 + i]));
            (sum, head.output_biases[bucket], 1 << 23)
        }
    };
    i32::try_from((sum + i64::from(bias)) * i64::from(parameters.scale) / one).expect("scores fit an i32")
}

/// Compares all instruction sets with each other, and now and then with the definition.
fn compare(parameters: &Parameters, boards: usize, seed: u64) {
    let networks: Vec<Network> = Arch::available()
        .map(|arch| Network::with_arch(parameters.clone(), arch).expect("the parameters are in range"))
        .collect();
    assert_eq!(networks[0].arch(), Arch::Scalar);
    let mut random = Random::new(seed);
    for count in 0..boards {
        let board = Placement::random(&mut random);
        let score = networks[0].evaluate(&board);
        for network in &networks[1..] {
            assert_eq!(network.evaluate(&board), score, "{} at board {count}: {board:?}", network.arch());
        }
        if count % 50 == 0 {
            assert_eq!(score, reference(parameters, &board), "scalar at board {count}: {board:?}");
        }
    }
}

#[test]
fn direct_head_agrees_on_100_000_boards() {
    compare(&random(architecture(HeadKind::Direct, 512), 1), 100_000, 2);
}

#[test]
fn pairwise_head_agrees_on_100_000_boards() {
    compare(&random(architecture(HeadKind::Pairwise, 512), 3), 100_000, 4);
}

#[test]
fn networks_with_threats_agree_on_50_000_boards() {
    for architecture in with_threats(HeadKind::Pairwise, 512) {
        compare(&random(architecture, 10), 50_000, 11);
    }
}

#[test]
fn boards_with_more_men_than_a_game_has_agree() {
    for architecture in with_threats(HeadKind::Pairwise, 256) {
        let parameters = random(architecture, 14);
        let networks: Vec<Network> = Arch::available()
            .map(|arch| Network::with_arch(parameters.clone(), arch).expect("the parameters are in range"))
            .collect();
        let mut random = Random::new(15);
        for _ in 0..200 {
            let mut board = Placement::EMPTY;
            for square in Square::ALL {
                let color = Color::ALL[random.below(2)];
                let kinds = [PieceType::Pawn, PieceType::Knight, PieceType::Rook, PieceType::Queen];
                let piece = match square {
                    Square::A1 => Piece::new(Color::White, PieceType::King),
                    Square::H8 => Piece::new(Color::Black, PieceType::King),
                    _ => Piece::new(color, kinds[random.below(kinds.len())]),
                };
                board.put(piece, square);
            }
            let score = reference(&parameters, &board);
            for network in &networks {
                assert_eq!(network.evaluate(&board), score, "{}: {board:?}", network.arch());
            }
        }
    }
}

#[test]
fn threats_without_weights_change_nothing() {
    for (head, form) in [(HeadKind::Direct, ThreatForm::Small), (HeadKind::Pairwise, ThreatForm::Large)] {
        let parameters = random(architecture(head, 256), 12);
        let begun = parameters.clone().with_threats(form);
        assert_eq!(begun.architecture.threats, Some(form));
        assert!(begun.threat_weights.iter().all(|&weight| weight == 0));
        assert_eq!(begun.clone().with_threats(form), begun);
        for arch in Arch::available() {
            let network = |parameters: &Parameters| {
                Network::with_arch(parameters.clone(), arch).expect("the parameters are in range")
            };
            let (before, after) = (network(&parameters), network(&begun));
            let mut random = Random::new(13);
            for _ in 0..2000 {
                let board = Placement::random(&mut random);
                assert_eq!(before.evaluate(&board), after.evaluate(&board), "{arch}");
            }
        }
    }
}

#[test]
fn all_widths_agree() {
    for head in [HeadKind::Direct, HeadKind::Pairwise] {
        for width in [128, 256, 384, 640, 768, 1024, 1536, 4096] {
            compare(&random(architecture(head, width), width as u64), 500, 5);
            for architecture in with_threats(head, width) {
                compare(&random(architecture, width as u64), 200, 6);
            }
        }
    }
}

#[test]
fn parameters_at_their_limits_agree() {
    for head in [HeadKind::Direct, HeadKind::Pairwise] {
        for seed in 0..5 {
            compare(&extreme(architecture(head, 256), seed), 5_000, seed);
            for architecture in with_threats(head, 256) {
                compare(&extreme(architecture, seed), 5_000, seed);
            }
        }
    }
}

#[test]
fn random_networks_are_not_trivial() {
    for head in [HeadKind::Direct, HeadKind::Pairwise] {
        let network = Network::new(random(architecture(head, 512), 6)).expect("in range");
        let mut random = Random::new(7);
        let scores: std::collections::BTreeSet<i32> =
            (0..1000).map(|_| network.evaluate(&Placement::random(&mut random))).collect();
        assert!(scores.len() > 300, "{} different scores", scores.len());
    }
}

#[test]
fn each_output_bucket_has_its_own_parameters() {
    for head in [HeadKind::Direct, HeadKind::Pairwise] {
        let network = Network::new(random(architecture(head, 512), 8)).expect("in range");
        let board = Placement::random(&mut Random::new(9));
        let scores: Vec<i32> = (0..8).map(|bucket| network.evaluate_in_bucket(&board, bucket)).collect();
        assert!(scores.windows(2).all(|pair| pair[0] != pair[1]), "{scores:?}");
        assert_eq!(scores[network.bucket(&board)], network.evaluate(&board));
    }
}
