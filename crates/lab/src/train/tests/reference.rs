//! A reference implementation of the network and its gradient, position by position in double precision.

use chess::{Bitboard, Color, Piece, Square};
use nnue::features::{Threat, Threats, feature_index, output_bucket};
use nnue::quantisation::{FIRST, SECOND};
use nnue::{Architecture, HeadKind, ThreatForm};

use super::super::games::{Games, PieceSets, Step};
use super::super::head::{OUTPUT_BUCKETS, PRODUCT_STEPS};
use super::super::layout::Layout;
use super::super::loss::Loss;

fn clip(x: f64) -> f64 {
    x.clamp(0.0, 1.0)
}

fn inside(x: f64) -> f64 {
    f64::from(u8::from(x > 0.0 && x < 1.0))
}

fn threats(form: ThreatForm, board: &PieceSets) -> Vec<Threat> {
    Threats::of_pieces(form, board.0.map(Bitboard)).iter().collect()
}

/// Where the numbers of a head's matrix or vector begin in the flat vector, part after part.
struct Places(usize);

impl Places {
    fn next(&mut self, len: usize, bucket: usize) -> usize {
        let first = self.0;
        self.0 += len * OUTPUT_BUCKETS;
        first + bucket * len
    }
}

/// A network to compute with.
pub(super) struct Reference<'a> {
    pub(super) architecture: Architecture,
    pub(super) weights: &'a [f32],
    pub(super) loss: Loss,
}

impl Reference<'_> {
    /// The gradient of the summed loss over all positions that count.
    pub(super) fn gradient(&self, games: &Games) -> Vec<f64> {
        let mut gradient = vec![0.0; self.weights.len()];
        for game in 0..games.len() {
            for (ply, step) in games.steps_of(game).iter().enumerate().filter(|(_, step)| step.counts()) {
                self.position(&games.board_at(game, ply), step, &mut gradient);
            }
        }
        gradient
    }

    fn position(&self, board: &PieceSets, step: &Step, gradient: &mut [f64]) {
        let width = self.architecture.width;
        let us = Color::ALL[step.side()];
        let rows = [us, !us].map(|perspective| self.active(board, perspective));
        let bias = self.architecture.inputs() * width;
        let accumulators = rows.each_ref().map(|rows| {
            let sum = |lane| rows.iter().map(|row| f64::from(self.weights[row * width + lane])).sum::<f64>();
            (0..width).map(|lane| f64::from(self.weights[bias + lane]) + sum(lane)).collect::<Vec<f64>>()
        });
        let bucket = output_bucket(OUTPUT_BUCKETS, board.count());
        let places = Places(bias + width);
        let by_accumulators = match self.architecture.head {
            HeadKind::Direct => self.direct(places, &accumulators, bucket, step, gradient),
            HeadKind::Pairwise => self.pairwise(places, &accumulators, bucket, step, gradient),
        };
        for (rows, by) in rows.iter().zip(by_accumulators) {
            for lane in 0..width {
                gradient[bias + lane] += by[lane];
                rows.iter().for_each(|row| gradient[row * width + lane] += by[lane]);
            }
        }
    }

    fn active(&self, board: &PieceSets, perspective: Color) -> Vec<usize> {
        let king = Square::new(board.king(perspective.index()));
        let index =
            |piece, square| feature_index(&self.architecture.king_buckets, perspective, king, piece, square);
        let pieces = board.placed().map(|it| index(Piece::ALL[it.piece()], Square::new(it.square())));
        let view = self.architecture.king_buckets.view(perspective, king);
        let first = self.architecture.piece_inputs();
        let threats = self.architecture.threats.into_iter().flat_map(|form| {
            threats(form, board).into_iter().map(move |threat| first + form.table().input(view, threat))
        });
        pieces.chain(threats).collect()
    }

    fn weight(&self, place: usize) -> f64 {
        self.weights[place].into()
    }

    fn direct(
        &self,
        mut places: Places,
        accumulators: &[Vec<f64>; 2],
        bucket: usize,
        step: &Step,
        gradient: &mut [f64],
    ) -> [Vec<f64>; 2] {
        let width = self.architecture.width;
        let weights = places.next(2 * width, bucket);
        let bias = places.next(1, bucket);
        let values = accumulators.concat();
        let output: f64 =
            (0..2 * width).map(|lane| clip(values[lane]).powi(2) * self.weight(weights + lane)).sum();
        let slope = f64::from(self.loss.of((output + self.weight(bias)) as f32, step).1);
        gradient[bias] += slope;
        let mut by = vec![0.0; 2 * width];
        for lane in 0..2 * width {
            gradient[weights + lane] += slope * clip(values[lane]).powi(2);
            by[lane] = slope * self.weight(weights + lane) * 2.0 * values[lane] * inside(values[lane]);
        }
        let them = by.split_off(width);
        [by, them]
    }

    fn pairwise(
        &self,
        mut places: Places,
        accumulators: &[Vec<f64>; 2],
        bucket: usize,
        step: &Step,
        gradient: &mut [f64],
    ) -> [Vec<f64>; 2] {
        let width = self.architecture.width;
        let half = width / 2;
        let w1 = places.next(width * FIRST, bucket);
        let b1 = places.next(FIRST, bucket);
        let w2 = places.next(2 * FIRST * SECOND, bucket);
        let b2 = places.next(SECOND, bucket);
        let w3 = places.next(SECOND, bucket);
        let b3 = places.next(1, bucket);
        let factors = |i: usize| {
            let accumulator = &accumulators[i / half];
            (accumulator[i % half], accumulator[i % half + half])
        };
        // In single precision, since a product near a step must fall on the same side of it.
        let floor = |product: f32| f64::from((product * PRODUCT_STEPS).floor()) / f64::from(PRODUCT_STEPS);
        let x: Vec<f64> =
            (0..width).map(|i| floor(clip(factors(i).0) as f32 * clip(factors(i).1) as f32)).collect();
        let layer = |inputs: &[f64], weights: usize, bias: usize, outputs: usize, o: usize| -> f64 {
            let products = inputs.iter().enumerate().map(|(i, x)| x * self.weight(weights + i * outputs + o));
            self.weight(bias + o) + products.sum::<f64>()
        };
        let s1: Vec<f64> = (0..FIRST).map(|o| layer(&x, w1, b1, FIRST, o)).collect();
        let y: Vec<f64> = s1.iter().map(|&s| clip(s)).chain(s1.iter().map(|&s| (s * s).min(1.0))).collect();
        let s2: Vec<f64> = (0..SECOND).map(|o| layer(&y, w2, b2, SECOND, o)).collect();
        let z: Vec<f64> = s2.iter().map(|&s| clip(s)).collect();
        let slope = f64::from(self.loss.of(layer(&z, w3, b3, 1, 0) as f32, step).1);

        let mut back = |inputs: &[f64], weights: usize, bias: usize, by: &[f64]| -> Vec<f64> {
            by.iter().enumerate().for_each(|(o, by)| gradient[bias + o] += by);
            let by_count = by.len();
            let through = |(i, input): (usize, &f64)| {
                let mut sum = 0.0;
                for (o, by) in by.iter().enumerate() {
                    let place = weights + i * by_count + o;
                    gradient[place] += input * by;
                    sum += self.weight(place) * by;
                }
                sum
            };
            inputs.iter().enumerate().map(through).collect()
        };
        let by_z = back(&z, w3, b3, &[slope]);
        let by_s2: Vec<f64> = (0..SECOND).map(|o| by_z[o] * inside(s2[o])).collect();
        let by_y = back(&y, w2, b2, &by_s2);
        let by_square = |o: usize| if s1[o].abs() < 1.0 { 2.0 * s1[o] * by_y[FIRST + o] } else { 0.0 };
        let by_s1: Vec<f64> = (0..FIRST).map(|o| by_y[o] * inside(s1[o]) + by_square(o)).collect();
        let by_x = back(&x, w1, b1, &by_s1);
        let mut by = [vec![0.0; width], vec![0.0; width]];
        for i in 0..width {
            let (a, b) = factors(i);
            by[i / half][i % half] = by_x[i] * clip(b) * inside(a);
            by[i / half][i % half + half] = by_x[i] * clip(a) * inside(b);
        }
        by
    }
}
