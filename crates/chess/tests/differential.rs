//! Random games beside an independent implementation: the same moves, states, FENs and SANs.
//!
//! Ten million positions: `cargo run --release -p rufous-chess --example differential -- 10000000 SEED`.

#[path = "support/beside.rs"]
mod beside;
#[path = "support/random.rs"]
mod random;

#[test]
fn twenty_thousand_positions_agree() {
    if let Err(disagreement) = beside::play(20_000, &mut random::Random::new(1)) {
        panic!("{disagreement}");
    }
}
