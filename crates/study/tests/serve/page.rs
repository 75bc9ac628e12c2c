//! What a page of this server can do.

use crate::server::Server;

#[test]
fn a_page_analyses() {
    let server = Server::start(&[]);
    let mut page = server.page();
    let hello = page.line().unwrap();
    assert!(hello.starts_with(r#"{"hello":{"place":"#), "{hello}");
    assert!(hello.contains("The size of the hash table in MiB"), "{hello}");
    page.send("uci");
    page.until("id name Rufous");
    page.until("option name Hash type spin default 16 min 1 max ");
    page.until("uciok");
    page.send("setoption name MultiPV value 3");
    page.send("setoption name UCI_ShowWDL value true");
    page.send("isready");
    page.until("readyok");
    page.send("position fen r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3 moves f1b5");
    page.send("go infinite");
    let line = page.until("info depth 6 ");
    assert!(line.contains(" wdl ") && line.contains(" pv "), "{line}");
    // Another search replaces the one that runs; each has its move.
    page.send("position startpos\ngo depth 3");
    page.until("bestmove");
    page.until("bestmove");
    page.send("go infinite");
    page.send("stop");
    page.until("bestmove");
}

#[test]
fn levels_and_chess960_work() {
    let server = Server::start(&[]);
    let mut page = server.page();
    page.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 600");
    page.send("position startpos\ngo movetime 1000");
    page.until("bestmove");
    page.send("setoption name UCI_LimitStrength value false\nsetoption name UCI_Chess960 value true");
    page.send("position fen 4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1\ngo searchmoves e1g1 depth 2");
    page.until("bestmove e1g1");
}

#[test]
fn bad_lines_are_told_in_words_and_the_session_goes_on() {
    let server = Server::start(&["--memory", "256"]);
    let mut page = server.page();
    for (line, answer) in [
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "bad FEN"),
        ("position startpos moves e2e5", "move 1 'e2e5' is not a legal move"),
        ("setoption name Hash value 100000", "Hash must be at most"),
        ("setoption name Hash value much", "Hash must be a number"),
        ("setoption name Threads value 1024", "Threads must be at most"),
        ("setoption name SyzygyPath value /", "--trusted"),
        ("setoption name EvalFile value /etc/passwd", "--trusted"),
        ("setoption name Debug Log File value /tmp/log", "unknown option 'Debug Log File'"),
        ("setoption name Nonsense value 1", "unknown option 'Nonsense'"),
        ("bench", "'bench' is not supported here"),
        ("export_net /tmp/net", "'export_net' is not supported here"),
        ("go perft 6", "'go perft' is not supported here"),
    ] {
        page.send(line);
        let told = page.until("info string ERROR");
        assert!(told.contains(answer), "{line}: {told}");
    }
    page.works();
}

#[test]
fn trusted_pages_may_name_files() {
    let server = Server::start(&["--trusted"]);
    let mut page = server.page();
    page.send("uci");
    page.until("option name SyzygyPath");
    page.send("setoption name EvalFile value /no/such/file.nnue");
    let told = page.until("info string ERROR");
    assert!(told.contains("/no/such/file.nnue"), "{told}");
    page.works();
}

#[test]
fn seats_and_memory_are_bounded_and_come_back() {
    let server = Server::start(&["--sessions", "2", "--memory", "128"]);
    let (mut first, mut second) = (server.page(), server.page());
    first.works();
    second.send("setoption name Hash value 80");
    let told = second.until("info string ERROR");
    assert!(told.contains("of the 128 MB for all pages are free"), "{told}");
    let mut third = server.page();
    let told = third.line().unwrap();
    assert!(told.contains("All 2 boards of this server are in use"), "{told}");
    assert_eq!(third.line(), None);
    drop(first);
    crate::server::eventually("a closed page leaves its seat", || {
        server.page().line().unwrap().contains("hello")
    });
    second.send("setoption name Hash value 80");
    second.works();
}

#[test]
fn the_page_itself_is_there_with_its_headers() {
    let server = Server::start(&[]);
    let answer = server.get("/", "");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    assert!(answer.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{answer}");
    assert!(answer.contains("<title>Rufous</title>"), "{answer}");
    for path in [
        "/nothing",
        "/../Cargo.toml",
        "/assets/../../Cargo.toml",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
    ] {
        assert!(server.get(path, "").starts_with("HTTP/1.1 404"), "{path}");
    }
}

#[test]
fn a_server_on_all_addresses_answers_by_each_of_them() {
    if std::net::TcpListener::bind("[::]:0").is_err() {
        println!("skipped: no IPv6 here");
        return;
    }
    let mut server = Server::start(&["--address", "::"]);
    server.page().works();
    server.address.set_ip("127.0.0.1".parse().unwrap());
    if std::net::TcpStream::connect(server.address).is_ok() {
        server.page().works();
    }
}

#[test]
fn what_was_analysed_before_is_there_at_once() {
    let folder = std::env::temp_dir().join(format!("rufous-board-{}", std::process::id()));
    let file = folder.join("store.sqlite");
    let ask = r#"{"stored":{"id":7,"fen":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1","moves":["e2e4"],"lines":2,"nodes":30000}}"#;
    for visit in 0..2 {
        let server = Server::start(&["--store", file.to_str().unwrap()]);
        let mut page = server.page();
        assert!(page.line().unwrap().contains(r#""store":true"#));
        page.send(ask);
        let answer = page.until(r#"{"stored""#);
        if visit == 0 {
            assert_eq!(answer, r#"{"stored":{"id":7,"analysis":null}}"#);
            page.send("setoption name MultiPV value 2\nsetoption name UCI_AnalyseMode value true");
            page.send("position fen 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 moves e2e4\ngo nodes 50000");
            page.until("bestmove");
            // Writing takes a moment, on a thread of its own.
            crate::server::eventually("the analysis is kept", || {
                page.send(ask);
                !page.until(r#"{"stored""#).contains("null")
            });
        } else {
            assert!(answer.contains("info depth ") && answer.contains("multipv 2"), "{answer}");
        }
        page.send("{ nonsense");
        assert!(page.until("info string ERROR").contains("invalid JSON message"));
    }
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn a_search_that_was_stopped_is_kept_for_what_it_was() {
    let folder = std::env::temp_dir().join(format!("rufous-board-stopped-{}", std::process::id()));
    let file = folder.join("store.sqlite");
    let server = Server::start(&["--store", file.to_str().unwrap()]);
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    // The page stops the search, replaces it, or is closed.
    for (first_move, ending) in [("e2e4", "stop"), ("d2d4", "go depth 1"), ("c2c4", "quit")] {
        let mut page = server.page();
        page.send(&format!("position startpos moves {first_move}\ngo nodes 1000000000"));
        let nodes = |line: &str| line.split(" nodes ").nth(1)?.split(' ').next()?.parse::<u64>().ok();
        while nodes(&page.until("info depth ")).is_none_or(|nodes| nodes < 30_000) {}
        page.send(ending);
        drop(page);
        let mut page = server.page();
        let mut ask = |nodes: u64| {
            page.send(&format!(
                r#"{{"stored":{{"id":1,"fen":"{start}","moves":["{first_move}"],"lines":1,"nodes":{nodes}}}}}"#
            ));
            page.until(r#"{"stored""#)
        };
        crate::server::eventually("the analysis is kept", || !ask(30_000).contains("null"));
        assert!(ask(1_000_000_000).contains("null"), "{ending}");
    }
    let _ = std::fs::remove_dir_all(folder);
}
