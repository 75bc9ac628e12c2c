//! Every interleaving of those who command and the one who searches, by the model checker `loom`:
//!
//! `RUSTFLAGS="--cfg loom" cargo test --release -p rufous-engine --test loom_signal`
//!
//! A lost wake-up or a lost stop shows as a deadlock, which the checker reports.
#![cfg(loom)]

use engine::Signal;
use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use loom::thread;

/// A search that has nothing to do but wait for its release, and counts its answers.
fn search(signal: &Arc<Signal>, answers: &Arc<AtomicUsize>) -> thread::JoinHandle<()> {
    let (signal, answers) = (Arc::clone(signal), Arc::clone(answers));
    thread::spawn(move || {
        signal.wait_for_release();
        answers.fetch_add(1, Ordering::Relaxed);
        signal.finish();
    })
}

#[test]
fn a_stop_behind_the_start_of_an_infinite_search_ends_it() {
    loom::model(|| {
        let (signal, answers) = (Arc::new(Signal::default()), Arc::new(AtomicUsize::new(0)));
        signal.begin(false, true);
        let searcher = search(&signal, &answers);
        signal.stop();
        signal.wait_until_idle();
        assert!(!signal.searching());
        searcher.join().unwrap();
        assert_eq!(answers.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn a_searching_thread_sees_the_stop() {
    loom::model(|| {
        let signal = Arc::new(Signal::default());
        signal.begin(false, true);
        let searcher = {
            let signal = Arc::clone(&signal);
            thread::spawn(move || {
                while !signal.stopped() {
                    thread::yield_now();
                }
                signal.wait_for_release();
                signal.finish();
            })
        };
        signal.stop();
        signal.wait_until_idle();
        searcher.join().unwrap();
    });
}

#[test]
fn no_answer_comes_before_the_ponder_hit() {
    loom::model(|| {
        let signal = Arc::new(Signal::default());
        let hit = Arc::new(AtomicBool::new(false));
        signal.begin(true, false);
        let searcher = {
            let (signal, hit) = (Arc::clone(&signal), Arc::clone(&hit));
            thread::spawn(move || {
                // The search has met its limit.
                signal.end_threads();
                signal.wait_for_release();
                assert!(hit.load(Ordering::SeqCst), "an answer before the hit");
                assert!(!signal.pondering());
                signal.finish();
            })
        };
        hit.store(true, Ordering::SeqCst);
        signal.ponder_hit();
        signal.wait_until_idle();
        searcher.join().unwrap();
    });
}

#[test]
fn a_hit_racing_a_stop_gives_one_answer() {
    loom::model(|| {
        let (signal, answers) = (Arc::new(Signal::default()), Arc::new(AtomicUsize::new(0)));
        signal.begin(true, true);
        let searcher = search(&signal, &answers);
        let other = {
            let signal = Arc::clone(&signal);
            thread::spawn(move || signal.ponder_hit())
        };
        signal.stop();
        signal.wait_until_idle();
        other.join().unwrap();
        searcher.join().unwrap();
        assert_eq!(answers.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn a_late_stop_does_not_reach_the_next_search() {
    loom::model(|| {
        let (signal, answers) = (Arc::new(Signal::default()), Arc::new(AtomicUsize::new(0)));
        signal.begin(false, false);
        let first = search(&signal, &answers);
        // It may have ended by itself when the stop comes.
        signal.stop();
        signal.wait_until_idle();
        signal.begin(false, true);
        assert!(!signal.stopped());
        let second = search(&signal, &answers);
        signal.stop();
        signal.wait_until_idle();
        first.join().unwrap();
        second.join().unwrap();
        assert_eq!(answers.load(Ordering::Relaxed), 2);
    });
}

/// Whether the hit or the end of the iteration comes first: the search ends.
#[test]
fn what_is_enough_before_the_hit_or_after_it_ends_the_search() {
    loom::model(|| {
        let signal = Arc::new(Signal::default());
        signal.begin(true, false);
        let searcher = {
            let signal = Arc::clone(&signal);
            thread::spawn(move || {
                if !signal.may_end() {
                    while !signal.stopped() {
                        thread::yield_now();
                    }
                }
                signal.wait_for_release();
                signal.finish();
            })
        };
        signal.ponder_hit();
        signal.wait_until_idle();
        searcher.join().unwrap();
    });
}
