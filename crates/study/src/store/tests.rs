//! The store as its users know it; what happens to it from outside is tested with the real program.

use std::sync::Arc;
use std::time::Duration;

use chess::Position;

use super::*;
use crate::analyst::{Analysis, Identity, Limits, Line, Request, Score, read_line};

fn identity(engine: &str) -> Arc<Identity> {
    Arc::new(Identity { engine: engine.to_owned(), network: "net".to_owned(), options: String::new() })
}

fn request(nodes: u64, multipv: usize) -> Request {
    Request { multipv, ..Request::new(Position::startpos(), Limits::nodes(nodes)) }.reduced()
}

fn analysis(by: &Arc<Identity>, nodes: u64, depth: u64, lines: &[&str]) -> Analysis {
    let line = |text: &&str| Line {
        score: Score::Centipawns(12),
        bound: None,
        wdl: Some([300, 500, 200].into()),
        depth,
        seldepth: depth + 3,
        pv: read_line(&Position::startpos(), text.split(' ')),
    };
    let lines = lines.iter().map(line).collect();
    Analysis { by: Arc::clone(by), lines, nodes, time: Duration::from_millis(7), from_store: false }
}

#[test]
fn what_was_searched_less_far_is_not_an_answer() {
    let store = Store::open(&crate::test_folder("store-reach").join("new/folder/s.sqlite")).unwrap();
    let (by, other) = (identity("a"), identity("b"));
    let kept = analysis(&by, 990, 10, &["e2e4 e7e5", "d2d4"]);
    assert!(store.find(&by, &request(1, 1)).unwrap().is_none());
    store.keep(&request(1000, 2), &kept).unwrap();

    let found = store.find(&by, &request(1000, 2)).unwrap().unwrap();
    assert!(found.from_store && found.lines == kept.lines && found.nodes == 990);
    assert_eq!(found.time, kept.time);
    assert_eq!(store.find(&by, &request(500, 1)).unwrap().unwrap().lines, kept.lines[..1]);
    assert!(store.find(&by, &request(1001, 2)).unwrap().is_none());
    assert!(store.find(&by, &request(1000, 3)).unwrap().is_none());
    assert!(store.find(&other, &request(1000, 1)).unwrap().is_none());
    let by_depth = |depth| {
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        store.find(&by, &Request { limits, ..request(1, 2) }).unwrap().is_some()
    };
    assert!(by_depth(10) && !by_depth(11));

    // Less does not take the place of more.
    store.keep(&request(100, 2), &analysis(&by, 100, 5, &["a2a3", "a2a4"])).unwrap();
    assert_eq!(store.find(&by, &request(50, 2)).unwrap().unwrap().lines, kept.lines);
    let more = analysis(&by, 2000, 12, &["d2d4", "e2e4"]);
    store.keep(&request(2000, 2), &more).unwrap();
    assert_eq!(store.find(&by, &request(1000, 2)).unwrap().unwrap().lines, more.lines);
}

#[test]
fn other_files_are_refused_in_words() {
    let folder = crate::test_folder("store-foreign");
    let error = |name: &str| Store::open(&folder.join(name)).err().unwrap().to_string();
    std::fs::write(folder.join("text"), "not a database, but long enough to be looked at".repeat(100))
        .unwrap();
    assert!(error("text").ends_with("it is damaged, or no database of analyses"));
    rusqlite::Connection::open(folder.join("other")).unwrap().execute_batch("CREATE TABLE t (a)").unwrap();
    assert!(error("other").ends_with("it is a database of another program"));
    drop(Store::open(&folder.join("newer")).unwrap());
    let newer = rusqlite::Connection::open(folder.join("newer")).unwrap();
    newer.pragma_update(None, "user_version", 99).unwrap();
    assert!(error("newer").ends_with("it has version 99, but this program supports 1"));
    assert!(error("text/below").contains("text"));
}

#[test]
fn a_damaged_row_is_no_answer() {
    let store = Store::open(&crate::test_folder("store-row").join("s.sqlite")).unwrap();
    let by = identity("a");
    store.keep(&request(10, 1), &analysis(&by, 10, 1, &["e2e4"])).unwrap();
    for lines in ["[]", "rubbish", r#"[{"score":{"cp":1},"depth":1,"seldepth":1,"pv":"e2e5"}]"#] {
        store.run(|connection| connection.execute("UPDATE analysis SET lines = ?1", [lines])).unwrap();
        assert!(store.find(&by, &request(10, 1)).unwrap().is_none(), "{lines}");
    }
}

#[test]
fn a_full_disk_stops_no_work_and_loses_nothing() {
    struct Busy(Arc<Identity>);
    impl crate::analyst::Analyst for Busy {
        fn identity(&self) -> &Arc<Identity> {
            &self.0
        }
        fn search(&mut self, request: &Request) -> Result<Analysis, crate::analyst::Error> {
            Ok(analysis(&self.0, request.limits.nodes.unwrap_or(0), 1, &["e2e4"]))
        }
    }
    let store = Arc::new(Store::open(&crate::test_folder("store-full").join("s.sqlite")).unwrap());
    let by = identity("a");
    store.keep(&request(10, 1), &analysis(&by, 10, 1, &["e2e4"])).unwrap();
    let pages: i64 =
        store.run(|connection| connection.pragma_query_value(None, "page_count", |row| row.get(0))).unwrap();
    // The database may not grow any more, which is what it sees of a full disk.
    store.run(|connection| connection.pragma_update(None, "max_page_count", pages)).unwrap();
    let long = "e2e4 e7e5 ".repeat(40);
    let mut errors = Vec::new();
    for multipv in 2..200 {
        let mut kept = analysis(&by, 10, 1, &[&long]);
        kept.lines = vec![kept.lines[0].clone(); multipv];
        errors.extend(store.keep(&request(10, multipv), &kept).err().map(|error| error.to_string()));
    }
    assert!(errors.last().unwrap().ends_with("the disk is full"), "{errors:?}");
    assert!(store.find(&by, &request(10, 1)).unwrap().is_some());

    let mut analysts = Cached::all(vec![Box::new(Busy(by))], &store);
    let analysis = analysts[0].search(&request(77, 1)).unwrap();
    assert!(!analysis.from_store && analysis.nodes == 77);
}
