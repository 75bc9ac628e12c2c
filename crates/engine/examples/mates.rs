//! Asks the mate solver about every mate of the small endgames and of the problem suites beside the project:
//! `cargo run --release -p rufous-engine --example mates -- [LONGEST] [POSITIONS]`, mates in up to so many moves
//! (6), and at the most so many positions (2,000) of each endgame and distance.

use std::process::ExitCode;
use std::time::Instant;

#[path = "../tests/support/proofs.rs"]
mod proofs;
#[path = "../tests/support/retrograde.rs"]
mod retrograde;

use chess::Position;
use proofs::{check, problems, sample, with_castling, without_castling};
use retrograde::Endgames;

struct Count {
    begun: Instant,
    asked: usize,
    wrong: usize,
}

impl Count {
    fn ask(&mut self, pos: &Position, plies: Option<u8>, longest: usize) {
        self.asked += 1;
        if let Err(error) = check(pos, plies, longest) {
            self.wrong += 1;
            println!("wrong: {error}");
        }
    }

    fn tell(&self, about: &str) {
        let Self { asked, wrong, .. } = self;
        println!(
            "{about}: {asked} positions asked about, {wrong} wrong, {} s",
            self.begun.elapsed().as_secs()
        );
    }
}

fn main() -> ExitCode {
    let number = |index: usize, default: usize| {
        std::env::args().nth(index).map_or(default, |text| text.parse().expect("a number"))
    };
    let (longest, positions) = (number(1, 6), number(2, 2_000));
    let mut count = Count { begun: Instant::now(), asked: 0, wrong: 0 };

    let endgames = Endgames::new(&["KQK", "KRK", "KPK", "KBNK", "KQKR"], 100);
    let lengths: Vec<_> = endgames.all.iter().map(|endgame| (endgame.name, endgame.longest())).collect();
    println!("longest distances in plies: {lengths:?}");
    for endgame in &endgames.all {
        for plies in 1..=2 * longest as u8 {
            let all = endgame.with_distance(Some(plies));
            sample(&all, positions).for_each(|pos| count.ask(&pos, Some(plies), longest));
        }
        // Drawn, or won later than is looked for.
        let others = sample(&endgame.with_distance(None), positions).collect::<Vec<_>>();
        others.iter().for_each(|pos| count.ask(pos, None, longest.min(3)));
        count.tell(endgame.name);
    }
    for with_queen in [false, true] {
        let all = with_castling(with_queen).into_iter();
        let matters = all.filter(|pos| endgames.distance(pos) != endgames.distance(&without_castling(pos)));
        let matters: Vec<_> = matters.collect();
        sample(&matters, positions).for_each(|pos| count.ask(&pos, endgames.distance(&pos), longest.min(4)));
        count.tell("with castling, Chess960 included");
    }
    for moves in 1..=longest {
        let problems = problems(moves);
        let step = problems.len().div_ceil(positions).max(1);
        for problem in problems.iter().step_by(step) {
            count.ask(&problem.pos, Some(2 * moves as u8 - 1), moves);
        }
        count.tell(&format!("problems, mates in {moves}"));
    }
    ExitCode::from(u8::from(count.wrong > 0))
}
