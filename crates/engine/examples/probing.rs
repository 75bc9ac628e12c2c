//! What probing tablebases costs: the same positions with the same nodes, with and without the tables in
//! turn. `cargo run --release -p rufous-engine --example probing -- [NODES] [FILE]`; without a file, endgames from
//! which any capture leads into the tables beside the project.

use std::fs;
use std::process::ExitCode;
use std::time::Duration;

use chess::Position;
use engine::{Engine, Limits};

#[path = "../tests/support/endgames.rs"]
#[allow(dead_code, reason = "the other examples and tests use the rest")]
mod endgames;

use endgames::{engine, search, shared};

/// Five and six men, each with a capture at hand or near: hardly ever is more probed than here.
const NEAR_THE_TABLES: &str = "\
8/8/1k6/8/2P1r3/3K4/3R4/8 w - - 0 1
8/5k2/8/3pP3/3P4/4K3/8/8 w - - 0 1
8/8/4kn2/8/3KP3/4B3/8/8 w - - 0 1
8/3k4/2b5/8/1P2K3/5B2/8/8 w - - 0 1
8/8/2q1k3/8/4P3/4K3/3Q4/8 w - - 0 1
8/4k3/3rp3/8/3Q4/8/5K2/8 w - - 0 1
8/2k5/3n4/8/3KP3/8/4R3/8 w - - 0 1
8/4bk2/8/5P2/4K3/8/3R4/8 b - - 0 1
8/3k4/1p6/1P2p3/2P5/3K4/8/8 w - - 0 1
8/1p3k2/1P6/8/4p3/2N1K3/8/8 b - - 0 1
8/2k2p2/8/2P5/3K1P2/8/8/8 w - - 0 1
8/8/3k1n2/5N2/4P3/4K3/8/8 b - - 0 1
";

/// What searches came to.
#[derive(Default)]
struct Sum {
    nodes: u64,
    hits: u64,
    time: Duration,
}

impl Sum {
    fn add(&mut self, engine: &mut Engine, pos: &Position, nodes: u64) {
        engine.new_game();
        engine.set_position(*pos, &[]);
        let (line, ..) = search(engine, Limits::nodes(nodes));
        self.nodes += line.nodes;
        self.hits += line.tablebase_hits;
        self.time += line.time;
    }

    fn nodes_per_second(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64()
    }
}

fn positions(text: &str) -> Vec<Position> {
    let lines = chess::fen_lines(text).map(|(_, line)| line);
    lines.map(|line| line.parse().expect("a position")).collect()
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let nodes = arguments.next().map_or(500_000, |text| text.parse().expect("a number of nodes"));
    let Some(tables) = shared("syzygy") else { return ExitCode::FAILURE };
    let positions = match arguments.next() {
        Some(file) => positions(&fs::read_to_string(file).expect("the file of positions can be read")),
        None => positions(NEAR_THE_TABLES),
    };
    let mut engine = engine(&tables);
    let most = engine.settings().tablebase_men;
    let (mut with, mut without) = (Sum::default(), Sum::default());
    for pos in &positions {
        for (men, sum) in [(0, &mut without), (most, &mut with)] {
            engine.settings_mut().tablebase_men = men;
            sum.add(&mut engine, pos, nodes);
        }
    }
    println!("{} positions, up to {nodes} nodes each", positions.len());
    println!("without tables {:9.0} nodes/s", without.nodes_per_second());
    println!("with tables    {:9.0} nodes/s", with.nodes_per_second());
    println!("ratio          {:9.3}", with.nodes_per_second() / without.nodes_per_second());
    println!("probes         {:9.0} a second", with.hits as f64 / with.time.as_secs_f64());
    println!("               {:9.3} a node", with.hits as f64 / with.nodes as f64);
    ExitCode::SUCCESS
}
