//! Requests that mean no good change nothing for the other pages.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::time::Duration;

use tungstenite::Message;

use crate::server::{Server, eventually};

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        (0..self.roll(most)).map(|_| self.roll(256) as u8).collect()
    }
}

#[test]
fn strangers_are_turned_away() {
    let server = Server::start(&[]);
    let upgrade = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
    let own = server.address;
    for (headers, status) in [
        (format!("{upgrade}Origin: http://evil.example\r\n"), "403"),
        (format!("{upgrade}Origin: null\r\n"), "403"),
        (upgrade.to_owned(), "403"),
        (format!("{upgrade}Host: evil.example\r\nOrigin: http://evil.example\r\n"), "421"),
        (format!("{upgrade}Host: evil.example\r\nOrigin: http://{own}\r\n"), "421"),
        ("Host: rebound.example:80\r\n".to_owned(), "421"),
        ("Origin: http://evil.example\r\n".to_owned(), "403"),
        ("Content-Length: 1000000000\r\n".to_owned(), "413"),
        ("Transfer-Encoding: chunked\r\n".to_owned(), "413"),
        (format!("X-Long: {}\r\n", "x".repeat(64 << 10)), "431"),
        ("X: y\r\n".repeat(1000), "431"),
    ] {
        let answer = server.get("/engine", &headers);
        let shown: String = answer.chars().take(300).collect();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{status}: {shown}");
    }
    let posted =
        server.raw(format!("POST / HTTP/1.1\r\nHost: {own}\r\nContent-Length: 0\r\n\r\n").as_bytes());
    assert!(posted.starts_with("HTTP/1.1 405"), "{posted}");
    server.page().works();
}

#[test]
fn slow_and_silent_connections_are_closed() {
    let server = Server::start(&[]);
    let mut page = server.page();
    // More than there are places: later ones wait until these are thrown out.
    let mut slow: Vec<_> = (0..140)
        .map(|number| {
            let mut stream = server.connect();
            if number % 2 == 0 {
                let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: ");
            }
            stream
        })
        .collect();
    // A page that was there before does not notice.
    page.works();
    for stream in &mut slow {
        let _ = stream.write_all(b"l");
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    }
    server.page().works();
}

#[test]
fn pages_that_never_read_cost_nothing_but_their_seat() {
    let mut server = Server::start(&["--sessions", "8"]);
    let mut page = server.page();
    page.works();
    let mut deaf: Vec<_> = (0..6).map(|_| server.page()).collect();
    for other in &mut deaf {
        other.send("setoption name MultiPV value 5");
        other.send("go infinite");
        // Half open: nothing more is sent, and nothing is read.
        let _ = other.socket.get_ref().shutdown(Shutdown::Write);
    }
    page.works();
    let mut flood = server.page();
    flood.socket.get_ref().set_write_timeout(Some(Duration::from_millis(500))).unwrap();
    for _ in 0..5000 {
        if flood.socket.send(Message::text("go depth 1")).is_err() {
            break;
        }
    }
    page.works();
    drop(flood);
    eventually("half-open pages are freed", || {
        server.page().line().is_some_and(|line| line.contains("hello"))
    });
    assert!(server.is_running());
    page.works();
}

#[test]
fn fuzzed_frames_change_nothing() {
    let mut server = Server::start(&["--sessions", "64"]);
    let mut page = server.page();
    let mut dice = Dice(18);
    let words = [
        "go",
        "position",
        "fen",
        "startpos",
        "moves",
        "setoption",
        "name",
        "value",
        "Hash",
        "Threads",
        "infinite",
        "depth",
        "stop",
        "uci",
        "isready",
        "e2e4",
        "99999999999999999999",
        "-1",
        "\u{0}",
        "\u{202e}",
        "ponderhit",
        "ucinewgame",
        "nodes",
        "movetime",
        "searchmoves",
        "MultiPV",
        "{\"stored\":",
        "\"",
        "quit",
        "8/8/8/8/8/8/8/8",
        "w",
        "KQkq",
    ];
    for _ in 0..40 {
        let mut other = server.page();
        for _ in 0..30 {
            let sent = match dice.roll(4) {
                0 => other.socket.send(Message::binary(dice.bytes(500))),
                1 => other.socket.send(Message::text("x".repeat(dice.roll(100_000)))),
                _ => {
                    let line: Vec<_> = (0..dice.roll(12)).map(|_| words[dice.roll(words.len())]).collect();
                    other.socket.send(Message::text(line.join(" ")))
                }
            };
            if sent.is_err() {
                break;
            }
        }
        // Bytes that are no frame at all.
        let _ = other.socket.get_mut().write_all(&dice.bytes(300));
    }
    for _ in 0..40 {
        let mut stream = server.connect();
        stream.set_read_timeout(Some(Duration::from_millis(50))).unwrap();
        let _ = stream.write_all(&dice.bytes(2000));
    }
    page.works();
    assert!(server.is_running());
}
