//! Every endgame of the lists beside the project: does it get its value, and is it won against the longest
//! resistance within fifty moves? `cargo run --release -p rufous-engine --example endgames -- [NODES]`

use std::process::ExitCode;
use std::time::Instant;

use engine::Limits;
use shakmaty_syzygy::Tablebase;

#[path = "../tests/support/endgames.rs"]
mod endgames;

use endgames::{converts, endgames, engine, search, set, shared, wins};

fn main() -> ExitCode {
    let nodes = std::env::args().nth(1).map_or(1500, |text| text.parse().expect("a number of nodes"));
    let (Some(tables), Some(endgames)) = (shared("syzygy"), endgames()) else { return ExitCode::FAILURE };
    let begun = Instant::now();
    let mut engine = engine(&tables);
    let mut defender = Tablebase::new();
    defender.add_directory(&tables).expect("the tables can be read");
    let mut right = 0;
    for (fen, attacks) in &endgames {
        engine.new_game();
        set(&mut engine, fen);
        let (line, ..) = search(&mut engine, Limits::depth(1));
        if wins(line.score) == Some(*attacks) {
            right += 1;
        } else {
            println!("wrong: {:?} in {fen}", line.score);
        }
    }
    println!("{} endgames: {right} with the right value", endgames.len());
    let mut won = 0;
    for (index, (fen, attacks)) in endgames.iter().enumerate() {
        engine.new_game();
        if converts(&mut engine, &defender, fen, *attacks, nodes) {
            won += 1;
        } else {
            println!("not won: {fen}");
        }
        if (index + 1) % 100 == 0 {
            println!("{won} of {} won", index + 1);
        }
    }
    println!(
        "{} endgames: {won} won at {nodes} nodes a move, {} s",
        endgames.len(),
        begun.elapsed().as_secs()
    );
    ExitCode::from(u8::from(right != endgames.len() || won != endgames.len()))
}
