//! The client against engines that behave and engines that do not. These are shell scripts of a few lines: a shell
//! can do to its pipes what a safe program cannot, and each bad habit is seen at a glance. Time-outs that must not
//! happen are long, so that a busy machine breaks nothing; those that must happen are short.
#![cfg(unix)]

use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use uci::client::{Client, ClientError, Direction, EngineCommand};
use uci::{Go, OptionKind, Start, UciMove};

const LONG: Duration = Duration::from_secs(60);
const SHORT: Duration = Duration::from_millis(50);

/// An engine as a client wants it; `$go` and `$ponderhit` say what those commands do, `$stop` what stop does.
const GOOD: &str = r#"
while read -r word rest; do
    case $word in
    uci)
        echo "id name Good 1.0"
        echo "id author A B"
        echo "option name Hash type spin default 16 min 1 max 64"
        echo "option name Clear Hash type button"
        echo "option name Book type check default false"
        echo "option name Style type combo default Solid var Solid var Risky"
        echo "uciok" ;;
    isready) echo readyok ;;
    go) eval "$go" ;;
    ponderhit) eval "$ponderhit" ;;
    stop) eval "$stop" ;;
    register) echo "info string register $rest" ;;
    quit) exit 0 ;;
    esac
done
"#;

fn shell(script: &str) -> EngineCommand {
    EngineCommand { args: vec!["-c".to_owned(), script.to_owned()], ..EngineCommand::new("sh") }
}

fn start(script: &str) -> Client {
    Client::spawn(&shell(script)).expect("there is a shell")
}

fn good(variables: &str) -> Client {
    start(&format!("{variables}\n{GOOD}"))
}

/// An engine with a transcript, which is closed when the client and all its threads have gone.
fn observed(script: &str) -> (Client, Receiver<(Direction, String)>) {
    let (sender, receiver) = channel();
    let observer = move |traffic: uci::client::Traffic<'_>| {
        let _ = sender.send((traffic.direction, traffic.line.to_owned()));
    };
    let client = Client::spawn_observed(&shell(script), Box::new(observer)).expect("there is a shell");
    (client, receiver)
}

/// Waits until every thread of the client has ended, which they do when no process holds the pipes any more.
fn assert_all_gone(transcript: &Receiver<(Direction, String)>) {
    let deadline = Instant::now() + LONG;
    while Instant::now() < deadline {
        if transcript.recv_timeout(SHORT) == Err(RecvTimeoutError::Disconnected) {
            return;
        }
    }
    panic!("somebody still holds the engine's pipes");
}

fn mv(text: &str) -> UciMove {
    text.parse().expect("a move")
}

#[test]
fn a_game_is_played() {
    let script = format!(
        "go='echo info depth 1 score cp 5 pv e7e5; echo info depth 2; echo bestmove e7e5 ponder g1f3'\n{GOOD}"
    );
    let (mut client, transcript) = observed(&script);
    let identity = client.negotiate(LONG).unwrap();
    assert_eq!((identity.name.as_str(), identity.author.as_str()), ("Good 1.0", "A B"));
    assert_eq!(identity.option("hash").unwrap().kind, OptionKind::Spin { default: 16, min: 1, max: 64 });
    assert_eq!(client.identity().name, "Good 1.0");

    client.set_option("HASH", Some("32")).unwrap();
    client.set_option("Clear Hash", None).unwrap();
    client.force_option("Secret", Some("7")).unwrap();
    client.new_game(LONG).unwrap();
    client.position(Start::Startpos, &[mv("e2e4")]).unwrap();
    let before = Instant::now();
    client.go(Go { depth: Some(2), ..Go::default() }).unwrap();
    let mut depths = Vec::new();
    let answer = client.wait(LONG, |info, at| depths.push((info.depth, at))).unwrap();
    assert_eq!((answer.best, answer.ponder), (Some(mv("e7e5")), Some(mv("g1f3"))));
    assert!(before <= answer.started && answer.started <= answer.arrived && answer.arrived <= Instant::now());
    assert_eq!(answer.started + answer.elapsed(), answer.arrived);
    assert!(!answer.elapsed().is_zero(), "the clock starts with the go, not with the answer");
    assert_eq!(depths.iter().map(|(depth, _)| *depth).collect::<Vec<_>>(), [Some(1), Some(2)]);
    assert!(depths.iter().all(|(_, at)| answer.started <= *at && *at <= answer.arrived));
    assert!(!client.is_searching());
    assert!(client.quit(LONG).unwrap().success());

    let sent: Vec<_> = transcript.iter().filter(|(way, _)| *way == Direction::ToEngine).collect();
    let lines: Vec<_> = sent.iter().map(|(_, line)| line.as_str()).collect();
    let expected = [
        "uci",
        "setoption name Hash value 32",
        "setoption name Clear Hash",
        "setoption name Secret value 7",
        "ucinewgame",
        "isready",
        "position startpos moves e2e4",
        "go depth 2",
        "quit",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn the_transcript_is_in_order() {
    let (mut client, transcript) = observed("read line; echo oops >&2; echo uciok; read line");
    client.negotiate(LONG).unwrap();
    while client.stderr_tail() != "oops\n" {
        std::thread::sleep(Duration::from_millis(1));
    }
    client.quit(LONG).unwrap();
    let lines: Vec<_> = transcript.iter().collect();
    let at = |way, text: &str| lines.iter().position(|line| *line == (way, text.to_owned())).unwrap();
    let answer = at(Direction::FromEngine, "uciok");
    assert!(at(Direction::ToEngine, "uci") < answer && answer < at(Direction::ToEngine, "quit"));
    at(Direction::Stderr, "oops");
}

#[test]
fn options_are_checked_against_their_declaration() {
    let mut client = good("");
    client.negotiate(LONG).unwrap();
    assert!(
        matches!(client.set_option("Cache", Some("1")), Err(ClientError::UnknownOption(name)) if name == "Cache")
    );
    for (name, value) in [
        ("Hash", Some("65")),
        ("Hash", Some("x")),
        ("Hash", None),
        ("Book", Some("yes")),
        ("Style", Some("Wild")),
        ("Clear Hash", Some("1")),
    ] {
        let result = client.set_option(name, value);
        assert!(matches!(result, Err(ClientError::BadOptionValue { .. })), "{name} {value:?}");
    }
    client.set_option("Style", Some("risky")).unwrap();
    client.set_option("Book", Some("true")).unwrap();
}

#[test]
fn the_process_id_is_the_engines() {
    let mut client = start("echo $$; read line");
    assert_eq!(client.next_line(LONG).unwrap().text, client.process_id().to_string());
}

#[test]
fn a_copy_protected_engine_is_refused() {
    let mut client = start("read line; echo copyprotection error; read line");
    let error = client.is_ready(LONG).unwrap_err();
    assert!(error.to_string().starts_with("the engine is copy protected"), "{error}");
}

#[test]
fn a_client_can_move_between_threads() {
    fn assert_send<T: Send>() {}
    assert_send::<Client>();
}

#[test]
fn an_engine_that_cannot_be_started() {
    let result = Client::spawn(&EngineCommand::new("./no/such/engine"));
    assert!(matches!(result, Err(ClientError::Spawn { .. })));
}

#[test]
fn a_directory_to_start_in() {
    let dir = std::env::temp_dir().canonicalize().unwrap();
    let command = EngineCommand { dir: Some(dir.clone()), ..shell("echo id name \"$(pwd -P)\"; echo uciok") };
    let mut client = Client::spawn(&command).unwrap();
    assert_eq!(client.negotiate(LONG).unwrap().name, dir.to_str().unwrap());
}

#[test]
fn an_engine_that_hangs() {
    let (mut client, transcript) = observed("exec sleep 1000");
    let error = client.negotiate(SHORT).unwrap_err();
    assert_eq!(error.to_string(), "no uciok after 50 ms");
    drop(client);
    assert_all_gone(&transcript);
}

#[test]
fn an_engine_that_dies() {
    let mut client = start("read line; echo 'out of luck' >&2; exit 3");
    match client.negotiate(LONG) {
        Err(ClientError::Died { status: Some(status), stderr }) => {
            assert_eq!((status.code(), stderr.as_str()), (Some(3), "out of luck\n"));
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_engine_that_dies_while_its_child_holds_the_output() {
    let (mut client, transcript) = observed("sleep 1000 & read line; exit 7");
    let deadline = Instant::now() + LONG;
    let status = loop {
        match client.negotiate(SHORT) {
            Err(ClientError::Died { status, .. }) => break status,
            Err(ClientError::Timeout { .. }) if Instant::now() < deadline => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(status.unwrap().code(), Some(7));
    drop(client);
    assert_all_gone(&transcript);
}

#[test]
fn an_engine_that_closes_its_output() {
    let mut client = start("exec 1>&-; exec sleep 1000");
    let error = client.negotiate(LONG).unwrap_err();
    assert!(matches!(error, ClientError::Died { status: None, .. }), "{error}");
}

#[test]
fn an_engine_that_floods_with_reports() {
    let mut client = start("exec yes 'info depth 1 score cp 1 pv e2e4'");
    client.go(Go::default()).unwrap();
    let mut reports = 0;
    let error = client.wait(4 * SHORT, |_, _| reports += 1).unwrap_err();
    assert!(matches!(error, ClientError::Timeout { .. }), "{error}");
    assert!(reports > 0);
}

#[test]
fn an_engine_that_floods_with_answers() {
    let mut client = start("exec yes readyok");
    let deadline = Instant::now() + LONG;
    loop {
        match client.is_ready(LONG) {
            Ok(()) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(10)),
            Err(ClientError::Flooded) => break,
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_engine_that_never_ends_its_line() {
    let mut client = start("exec tr '\\0' x </dev/zero");
    assert!(matches!(client.negotiate(4 * SHORT), Err(ClientError::Timeout { .. })));
}

#[test]
fn an_engine_that_never_reads() {
    let (mut client, transcript) = observed("exec sleep 1000");
    let text = "x".repeat(1000);
    let refused = (0..100_000).find_map(|_| client.force_option("Text", Some(&text)).err());
    assert!(matches!(refused, Some(ClientError::NotReading)), "{refused:?}");
    drop(client);
    assert_all_gone(&transcript);
}

#[test]
fn an_engine_that_ignores_quit() {
    let (client, transcript) = observed("while :; do sleep 1; done");
    assert!(matches!(client.quit(SHORT), Err(ClientError::Timeout { .. })));
    assert_all_gone(&transcript);
}

#[test]
fn the_children_of_an_engine_go_with_it() {
    let (mut client, transcript) = observed("sleep 1000 & echo uciok; wait");
    client.negotiate(LONG).unwrap();
    drop(client);
    assert_all_gone(&transcript);
}

#[test]
fn stop_ends_a_search_that_was_waited_for_in_vain() {
    let mut client = good("go='echo info depth 1'; stop='echo bestmove e2e4'");
    client.go(Go { infinite: true, ..Go::default() }).unwrap();
    assert!(matches!(client.go(Go::default()), Err(ClientError::Searching)));
    assert!(matches!(client.wait(SHORT, |_, _| ()), Err(ClientError::Timeout { what: "bestmove", .. })));
    assert!(client.is_searching());
    client.stop().unwrap();
    assert_eq!(client.wait(LONG, |_, _| ()).unwrap().best, Some(mv("e2e4")));
    assert!(matches!(client.wait(LONG, |_, _| ()), Err(ClientError::NotSearching)));
}

#[test]
fn readiness_is_asked_during_a_search_and_nothing_is_lost() {
    let mut client = good("go='echo info depth 1; echo bestmove e2e4'");
    client.go(Go::default()).unwrap();
    client.is_ready(LONG).unwrap();
    let mut reports = 0;
    assert_eq!(client.wait(LONG, |_, _| reports += 1).unwrap().best, Some(mv("e2e4")));
    assert_eq!(reports, 1);
}

#[test]
fn own_time_begins_with_the_ponderhit() {
    let mut client = good("go=:; ponderhit='echo bestmove \"(none)\"'");
    client.go(Go { ponder: true, ..Go::default() }).unwrap();
    assert!(client.wait(SHORT, |_, _| ()).is_err());
    let hit = Instant::now();
    client.ponder_hit().unwrap();
    let answer = client.wait(LONG, |_, _| ()).unwrap();
    assert_eq!(answer.best, None);
    assert!(answer.started >= hit);
}

#[test]
fn a_late_readyok_is_not_taken_for_the_next_one() {
    let script =
        "read a; read b; echo readyok; echo readyok; read c; echo info string third; echo readyok; read d";
    let (mut client, transcript) = observed(script);
    assert!(matches!(client.is_ready(SHORT), Err(ClientError::Timeout { .. })));
    client.is_ready(LONG).unwrap();
    client.is_ready(LONG).unwrap();
    assert!(transcript.try_iter().any(|(_, line)| line == "info string third"));
}

#[test]
fn a_late_readyok_counts_before_and_during_a_search() {
    for (begin, during) in [("sleep 0.2; echo readyok; read go", ""), ("read go", "echo readyok")] {
        let (mut client, transcript) = observed(&format!(
            "read a; {begin}; {during}\n echo bestmove e2e4; read b; echo readyok; read c"
        ));
        assert!(matches!(client.is_ready(SHORT), Err(ClientError::Timeout { .. })));
        if during.is_empty() {
            while transcript.recv_timeout(LONG).unwrap().1 != "readyok" {}
            std::thread::sleep(SHORT);
        }
        client.go(Go::default()).unwrap();
        client.wait(LONG, |_, _| ()).unwrap();
        client.is_ready(LONG).unwrap();
    }
}

#[test]
fn a_bestmove_that_is_no_answer() {
    let mut client = good("go='echo; echo hello; echo bestmove e2e4'");
    client.go(Go::default()).unwrap();
    assert_eq!(client.wait(LONG, |_, _| ()).unwrap().best, Some(mv("e2e4")), "other lines are no answer");

    let mut client = good("go='echo bestmove banana'");
    client.go(Go::default()).unwrap();
    let error = client.wait(LONG, |_, _| ()).unwrap_err();
    assert_eq!(error.to_string(), "a bestmove that is no move: 'bestmove banana'");

    let mut client = good("go='echo bestmove e2e4; echo bestmove e2e4'");
    client.go(Go::default()).unwrap();
    client.wait(LONG, |_, _| ()).unwrap();
    client.is_ready(LONG).unwrap();
    let error = client.go(Go::default()).unwrap_err();
    assert_eq!(error.to_string(), "a bestmove without a search: 'bestmove e2e4'");
}

#[test]
fn an_unregistered_engine_is_told_later() {
    for greets in [true, false] {
        let (mut client, transcript) = observed(&format!("echo registration error\n{GOOD}"));
        if greets {
            client.negotiate(LONG).unwrap();
        }
        client.is_ready(LONG).unwrap();
        client.quit(LONG).unwrap();
        let later =
            transcript.iter().filter(|line| *line == (Direction::ToEngine, "register later".to_owned()));
        assert_eq!(later.count(), 1);
    }
}

#[test]
fn raw_lines_go_both_ways() {
    let mut client = start("exec cat");
    client.send_raw("  joho\t1 ").unwrap();
    assert_eq!(client.next_line(LONG).unwrap().text, "  joho\t1 ");
    assert!(matches!(client.next_line(SHORT), Err(ClientError::Timeout { .. })));
}
