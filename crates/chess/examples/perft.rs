//! `cargo run --release -p chess --example perft -- DEPTH [FEN]`
fn main() {
    let mut args = std::env::args().skip(1);
    let depth: u32 = args.next().and_then(|d| d.parse().ok()).unwrap_or(5);
    let fen = args.next().unwrap_or_else(|| chess::Position::START_FEN.to_owned());
    let pos = chess::Position::from_fen(&fen).expect("a FEN");
    let start = std::time::Instant::now();
    let nodes = chess::perft(&pos, depth);
    let time = start.elapsed().as_secs_f64();
    println!("{nodes} in {time:.3} s: {:.0} Mnps", nodes as f64 / time / 1e6);
}
