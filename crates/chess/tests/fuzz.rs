//! The parsers under mutated FENs, SANs and moves: nothing panics, and what is read is sound.
//!
//! `FUZZ_TEXTS=100000000 FUZZ_SEED=5 cargo test -p chess --test fuzz` throws more.

#[path = "support/mutants.rs"]
mod mutants;
#[path = "support/random.rs"]
mod random;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |text| text.parse().unwrap_or_else(|_| panic!("{name} is no number")))
}

#[test]
fn mutants_are_read_or_refused() {
    let mut random = random::Random(setting("FUZZ_SEED", 8));
    let tally = mutants::throw(setting("FUZZ_TEXTS", 500_000), &mut random);
    println!("{tally:?}");
    for met in [tally.fens_read, tally.fens_refused, tally.moves_read, tally.moves_refused] {
        assert!(met > 1_000, "{tally:?}");
    }
}
