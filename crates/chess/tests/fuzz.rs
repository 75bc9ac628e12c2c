//! The parsers under mutated FENs, SANs and moves: nothing panics, and what is read is sound. The example
//! `fuzz_positions` throws more.

#[path = "support/mutants.rs"]
mod mutants;
#[path = "support/random.rs"]
mod random;

#[test]
fn mutants_are_read_or_refused() {
    let mut random = random::Random::new(8);
    let mut tally = mutants::Tally::default();
    for _ in 0..10 {
        tally += mutants::throw(50_000, &mut random);
    }
    for met in [tally.fens_read, tally.fens_refused, tally.moves_read, tally.moves_refused] {
        assert!(met > 1_000, "{tally:?}");
    }
}
