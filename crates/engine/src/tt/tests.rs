//! Tests of the transposition table.

use super::*;
use chess::{MoveKind, Square};

pub(super) fn entry(depth: i32, value: Value) -> Entry {
    let mv = Some(Move::new(Square::E2, Square::E4, MoveKind::DoublePush));
    Entry { mv, value, eval: -17, depth, bound: EntryBound::Exact, pv: true }
}

#[test]
fn gives_back_what_was_stored() {
    let table = TranspositionTable::new(1).unwrap();
    assert!(table.probe_key(42, 0, 0).is_none());
    table.store_key(42 << 20, 3, entry(7, value::mate_in(5)));
    let found = table.probe_key(42 << 20, 1, 0).unwrap();
    assert_eq!((found.depth, found.eval, found.pv, found.bound), (7, -17, true, EntryBound::Exact));
    assert_eq!(found.value, value::mate_in(3), "two plies nearer to the root, two plies nearer the mate");
    table.clear();
    assert!(table.probe_key(42 << 20, 0, 0).is_none());
}

#[test]
fn losses_count_from_the_position_as_mates_do() {
    let table = TranspositionTable::new(1).unwrap();
    table.store_key(42, 3, entry(7, -value::mate_in(5)));
    assert_eq!(table.probe_key(42, 1, 0).unwrap().value, -value::mate_in(3));
}

#[test]
fn bounds_come_back_and_say_on_which_side_the_value_is() {
    let table = TranspositionTable::new(1).unwrap();
    for (key, bound, is_upper, is_lower) in [
        (1, EntryBound::None, false, false),
        (2, EntryBound::Upper, true, false),
        (3, EntryBound::Lower, false, true),
        (4, EntryBound::Exact, true, true),
    ] {
        table.store_key(key, 0, Entry { bound, ..entry(9, 0) });
        assert_eq!(table.probe_key(key, 0, 0).unwrap().bound, bound);
        assert_eq!((bound.is_upper(), bound.is_lower()), (is_upper, is_lower), "{bound:?}");
    }
}

#[test]
fn wins_that_the_fifty_move_rule_forestalls_are_none() {
    let table = TranspositionTable::new(1).unwrap();
    for (value, plies) in [(value::mate_in(21), 21), (value::TABLEBASE_WIN - 21, 21)] {
        for sign in [1, -1] {
            table.clear();
            table.store_key(7, 0, entry(7, sign * value));
            let found = |ply, clock| table.probe_key(7, ply, clock).unwrap().value;
            assert_eq!(found(0, 100 - plies), sign * value, "just in time");
            assert_eq!(found(3, 100 - plies), sign * (value - 3));
            for clock in [101 - plies, 99, 100, 130] {
                assert_eq!(found(0, clock), sign * value::EVAL_LIMIT, "{value} after {clock} plies");
                assert!(!value::is_decisive(found(5, clock)));
            }
        }
    }
}

#[test]
fn positions_near_the_fifty_move_rule_are_kept_apart() {
    let key = |clock: u32| key_of(&format!("8/8/8/4k3/8/8/Q7/K7 w - - {clock} 90").parse().unwrap());
    assert!((0..14).all(|clock| key(clock) == key(0)));
    let steps: std::collections::HashSet<u64> = (0..100).map(key).collect();
    assert_eq!(steps.len(), 12);
    assert_eq!(key(14), key(21));
}

#[test]
fn half_products_are_whole() {
    for len in [1, 2, 32_768, 524_288, 3_000_001, 0x8000_0001, u32::MAX] {
        // The fourth gives a carry between the halves.
        for key in [0, 1, u64::from(u32::MAX), 0x1_ffff_ffff, 0x9e37_79b9_7f4a_7c15, u64::MAX] {
            assert_eq!(u128::from(high_half(key, len)), (u128::from(key) * u128::from(len)) >> 64);
        }
    }
}

#[test]
fn old_and_shallow_entries_give_way() {
    let table = TranspositionTable::new(1).unwrap();
    // All in one cluster: the high bits are the same, the low ones differ.
    (1..=3).for_each(|key| table.store_key(key, 0, entry(10 + key as i32, 0)));
    table.store_key(4, 0, entry(1, 0));
    assert!(table.probe_key(1, 0, 0).is_none() && table.probe_key(2, 0, 0).is_some());
    (0..4).for_each(|_| table.new_search());
    table.store_key(5, 0, Entry { mv: None, ..entry(2, 0) });
    table.store_key(6, 0, entry(2, 0));
    assert_eq!(table.probe_key(5, 0, 0).unwrap().mv, None, "the move of what gave way is no move here");
    assert!(table.probe_key(5, 0, 0).is_some() && table.probe_key(6, 0, 0).is_some());
}

#[test]
fn a_result_of_the_same_position_is_replaced_by_a_better_one_only() {
    let table = TranspositionTable::new(1).unwrap();
    let bound = |depth, value| Entry { bound: EntryBound::Lower, mv: None, pv: false, ..entry(depth, value) };
    let found = || table.probe_key(9, 0, 0).map(|found| (found.depth, found.value)).unwrap();
    table.store_key(9, 0, entry(12, 1));
    table.store_key(9, 0, bound(1, 2));
    assert_eq!(found(), (12, 1), "a shallow result is worth less");
    assert_eq!(table.probe_key(9, 0, 0).unwrap().mv, entry(12, 1).mv, "no move is no reason to forget one");
    table.store_key(9, 0, bound(11, 3));
    assert_eq!(found(), (11, 3), "one ply less is forgiven");
    assert_eq!(table.probe_key(9, 0, 0).unwrap().mv, entry(12, 1).mv);
    table.store_key(9, 0, entry(1, 4));
    assert_eq!(found(), (1, 4), "an exact value counts at any depth");
    table.store_key(9, 0, entry(12, 5));
    table.new_search();
    table.store_key(9, 0, bound(1, 6));
    assert_eq!(found(), (1, 6), "what an earlier search found gives way");
}

#[test]
fn all_sixteen_bits_of_the_key_are_compared() {
    let table = TranspositionTable::new(1).unwrap();
    table.store_key(0x1234, 0, entry(5, 0));
    assert!((0..16).all(|bit| table.probe_key(0x1234 ^ 1 << bit, 0, 0).is_none()));
}

#[test]
fn fullness_counts_what_this_search_has_written() {
    let table = TranspositionTable::new(1).unwrap();
    let (clusters, step) = (1000, u64::MAX / table.clusters.len() as u64 + 1);
    // More searches than there are ages.
    for _ in 0..2 * AGES {
        (0..clusters).for_each(|cluster| table.store_key(cluster * step, 0, entry(5, 0)));
        assert_eq!(table.hashfull(), 333, "one entry of three");
        table.new_search();
        assert_eq!(table.hashfull(), 0);
    }
    table.clear();
    assert_eq!(table.hashfull(), 0);
}

#[test]
fn the_parts_of_a_table_are_all_of_it() {
    let table = TranspositionTable::new(1).unwrap();
    let last = u64::MAX;
    table.store_key(last, 0, entry(5, 0));
    table.store_key(0, 0, entry(5, 0));
    table.new_search();
    (0..7).for_each(|part| table.clear_part(part, 7));
    assert!(table.probe_key(last, 0, 0).is_none() && table.probe_key(0, 0, 0).is_none());
    assert_eq!(table.age.load(Ordering::Relaxed), 0, "its searches are forgotten as well");
}

/// Many threads write and read the same few clusters; whatever is read belongs together.
#[test]
fn entries_are_never_torn() {
    let table = TranspositionTable::new(1).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4_u64 {
            let table = &table;
            scope.spawn(move || {
                for round in 0..200_000_u64 {
                    // Keys of two clusters; value, depth and move all follow from the key.
                    let key =
                        ((round.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ thread) % 64) | ((round & 1) << 63);
                    let low = key as i32 & 63;
                    let mv =
                        Move::new(Square::new(low as usize), Square::new(63 - low as usize), MoveKind::Quiet);
                    match table.probe_key(key, 0, 0) {
                        Some(found) => {
                            assert_eq!((found.value, found.depth, found.mv), (100 * low, low + 1, Some(mv)));
                        }
                        None => {
                            table.store_key(key, 0, Entry { mv: Some(mv), ..entry(low + 1, 100 * low) });
                        }
                    }
                }
            });
        }
    });
}

#[test]
fn a_size_beyond_all_memory_is_an_error() {
    assert_eq!(TranspositionTable::new(1 << 40).err(), Some(OutOfMemory { mib: 1 << 40 }));
}
