//! `eval`: the evaluation of the position, explained.

use std::fmt::Write;

use chess::{Color, File, Piece, PieceType, Position, Rank, Square};
use engine::wdl::centipawns;
use nnue::{Network, Placement};

const RULE: &str = "+-------+-------+-------+-------+-------+-------+-------+-------+\n";
const BUCKET_RULE: &str = "+------------+------------+\n";

/// The value of each piece, the value by each output bucket of the network, and the result.
pub(crate) fn explain(network: &Network, position: &Position) -> String {
    let explanation = Explanation { network, position };
    let mut text = String::from("\n");
    explanation.piece_values(&mut text);
    explanation.buckets(&mut text);
    explanation.conclusion(&mut text);
    text
}

struct Explanation<'a> {
    network: &'a Network,
    position: &'a Position,
}

/// A board as the network sees it.
fn placement(position: &Position) -> Placement {
    let mut placement = Placement::EMPTY;
    position.men().for_each(|(piece, sq)| placement.put(piece, sq));
    placement.side_to_move = position.side_to_move();
    placement
}

impl Explanation<'_> {
    /// A value for the side to move, in pawns and from White's view.
    fn pawns(&self, value: i32) -> f64 {
        let pawns = f64::from(centipawns(value, self.position)) / 100.0;
        match self.position.side_to_move() {
            Color::White => pawns,
            Color::Black => -pawns,
        }
    }

    /// What a piece is worth: by how much the evaluation changes when it is taken off the board.
    fn piece_value(&self, piece: Piece, square: Square) -> f64 {
        let with = placement(self.position);
        let mut without = with;
        without.take(piece, square);
        // Both with the part of the network for this number of pieces, so that only the piece counts.
        let bucket = self.network.bucket(&with);
        self.pawns(
            self.network.evaluate_in_bucket(&with, bucket)
                - self.network.evaluate_in_bucket(&without, bucket),
        )
    }

    fn piece_values(&self, text: &mut String) {
        text.push_str(" What each piece is worth to White in pawns, by the network\n");
        text.push_str(RULE);
        for rank in Rank::ALL.into_iter().rev() {
            let (mut letters, mut values) = (String::from("|"), String::from("|"));
            for file in File::ALL {
                let square = Square::from_parts(file, rank);
                let piece = self.position.piece_on(square);
                let _ = write!(letters, "   {}   |", piece.map_or(' ', Piece::letter));
                match piece.filter(|piece| piece.kind() != PieceType::King) {
                    Some(piece) => {
                        let _ = write!(values, "{:^+7.2}|", self.piece_value(piece, square));
                    }
                    None => values.push_str("       |"),
                }
            }
            let _ = write!(text, "{letters}\n{values}\n{RULE}");
        }
    }

    fn buckets(&self, text: &mut String) {
        let board = placement(self.position);
        let used = self.network.bucket(&board);
        let _ = write!(text, "\n The network's parts for different numbers of pieces\n{BUCKET_RULE}");
        let _ = write!(text, "|    Part    | Evaluation |\n{BUCKET_RULE}");
        for bucket in 0..self.network.architecture().output_buckets {
            let value = self.pawns(self.network.evaluate_in_bucket(&board, bucket));
            let mark = if bucket == used { " <-- this one is used" } else { "" };
            let _ = writeln!(text, "| {bucket:^10} | {value:^+10.2} |{mark}");
        }
        text.push_str(BUCKET_RULE);
    }

    fn conclusion(&self, text: &mut String) {
        if self.position.in_check() {
            text.push_str("\nFinal evaluation: none (in check)\n");
            return;
        }
        let value = self.network.evaluate(&placement(self.position));
        let wdl = engine::wdl::wdl(value, self.position);
        let _ = write!(
            text,
            "\nFinal evaluation       {:+.2} pawns (White's view)\n\
             Chances of {}: win {}, draw {}, loss {} of 1000\n",
            self.pawns(value),
            self.position.side_to_move(),
            wdl.win,
            wdl.draw,
            wdl.loss,
        );
    }
}
