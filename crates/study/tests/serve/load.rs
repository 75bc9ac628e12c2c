//! Many pages: all are served, and none leaves anything behind.

use std::time::Instant;

use crate::server::{PATIENCE, Server, eventually};

/// What the server reserves for a page of one thread and the hash table that it begins with.
const STATED_MIB: u64 = 36;

#[test]
fn twenty_pages_all_get_lines_within_the_memory_that_is_stated() {
    let server = Server::start(&[]);
    let empty = server.memory();
    let mut pages: Vec<_> = (0..20).map(|_| server.page()).collect();
    for page in &mut pages {
        page.send("setoption name MultiPV value 3");
        page.send("position startpos moves d2d4 d7d5 c2c4");
        page.send("go infinite");
    }
    let begun = Instant::now();
    let mut depths = vec![0; pages.len()];
    while depths.iter().any(|&depth| depth < 8) {
        assert!(begun.elapsed() < PATIENCE, "some page starves: {depths:?}");
        for (page, depth) in pages.iter_mut().zip(&mut depths) {
            let line = page.until("info depth");
            *depth = line.split(' ').nth(2).and_then(|word| word.parse().ok()).unwrap_or(*depth);
        }
    }
    if let (Some(empty), Some(full)) = (empty, server.memory()) {
        println!("20 pages: {} MB, {} MB each", full - empty, (full - empty) / 20);
        assert!(full - empty <= 20 * STATED_MIB, "{empty} MB with no page, {full} MB with 20");
    }
    for page in &mut pages {
        page.send("stop");
        page.until("bestmove");
    }
}

#[test]
fn a_thousand_connections_leave_nothing_behind() {
    let server = Server::start(&[]);
    let open_and_drop = |count: usize| {
        for number in 0..count {
            match number % 4 {
                0 => drop(server.connect()),
                1 => _ = server.get("/", ""),
                2 => drop(server.page()),
                _ => {
                    // Dropped in the middle of a search.
                    let mut page = server.page();
                    if page.line().is_some_and(|line| line.contains("hello")) {
                        page.send("go infinite");
                        page.until("info depth 1");
                    }
                }
            }
        }
    };
    let quiet = || server.threads().is_none_or(|threads| threads <= 3);
    open_and_drop(100);
    eventually("no thread is left of a hundred connections", quiet);
    let before = server.memory();
    open_and_drop(1000);
    eventually("no thread is left of a thousand connections", quiet);
    if let (Some(before), Some(after)) = (before, server.memory()) {
        println!("memory before {before} MB, after {after} MB");
        assert!(after <= before + 32, "{before} MB before, {after} MB after");
    }
    let mut pages: Vec<_> = (0..20).map(|_| server.page()).collect();
    pages.iter_mut().for_each(super::server::Page::works);
}
