//! `setoption`.

use std::path::PathBuf;
use std::{env, fs, process};

use chess::Position;

use crate::session::{Session, only_note};

fn scratch(name: &str) -> PathBuf {
    env::temp_dir().join(format!("rufous-test-{}-{name}", process::id()))
}

#[test]
fn names_and_values_are_read_leniently() {
    let mut session = Session::start();
    for line in [
        "setoption name hASH value 8",
        "setoption name Hash value \"8\"",
        "setoption name Ponder value True",
        "setoption name ponder value FALSE",
        "setoption name  clear   hash ",
        "setoption Threads value 2",
        "setoption name Threads value 1",
        "setoption name UCI_EngineAbout value whatever",
        "setoption name Debug Log File value <empty>",
        "setoption name EvalFile value <empty>",
        "setoption name EvalFile value \"\"",
        "setoption name SyzygyPath value < empty >",
    ] {
        assert_eq!(session.say(line), [""; 0], "{line}");
    }
    session.search("go depth 4").check(&Position::startpos());
    session.quit();
}

#[test]
fn bad_values_are_refused_with_the_range() {
    let mut session = Session::start();
    for (line, note) in [
        ("setoption name Hash value 0", "ERROR Hash must be from 1 to 33554432"),
        ("setoption name MultiPV value 257", "ERROR MultiPV must be from 1 to 256"),
        ("setoption name Threads value many", "ERROR Threads must be a number from 1 to 1024"),
        (
            "setoption name Threads value 99999999999999999999",
            "ERROR Threads must be a number from 1 to 1024",
        ),
        ("setoption name Threads", "ERROR Threads must be a number from 1 to 1024"),
        ("setoption name MultiPV value", "ERROR MultiPV must be a number from 1 to 256"),
        ("setoption name Ponder value", "ERROR Ponder must be true or false"),
        ("setoption name Ponder value perhaps", "ERROR Ponder must be true or false"),
        ("setoption name Wonder value 1", "unknown option 'Wonder' ignored"),
        ("setoption name UCI_Variant value chess", "unknown option 'UCI_Variant' ignored"),
        ("setoption", "ERROR 'setoption' needs the name of an option"),
    ] {
        assert_eq!(only_note(&session.say(line)), note);
    }
    session.search("go depth 4").check(&Position::startpos());
    session.quit();
}

#[test]
fn too_large_a_hash_leaves_the_old_one() {
    let mut session = Session::start();
    assert!(only_note(&session.say("setoption name Hash value 33554432")).starts_with("ERROR "));
    session.search("go depth 6").check(&Position::startpos());
    session.quit();
}

#[test]
fn the_same_value_again_keeps_the_hash() {
    let mut session = Session::start();
    session.send("setoption name Hash value 4\nposition startpos");
    session.search("go depth 12");
    session.send("setoption name Hash value 4");
    let warm = session.search("go depth 8").last().nodes;
    session.send("setoption name Clear Hash\nucinewgame");
    let cold = session.search("go depth 8").last().nodes;
    assert!(warm < cold, "{warm:?} {cold:?}");
    session.quit();
}

#[test]
fn a_new_game_forgets_the_last() {
    let mut session = Session::start();
    session.send("position startpos");
    let first = session.search("go depth 11").last().nodes;
    session.send("position startpos moves e2e4 e7e5");
    session.search("go depth 9");
    session.send("ucinewgame\nposition startpos");
    assert_eq!(session.search("go depth 11").last().nodes, first);
    session.quit();
}

/// Whatever replaces what was learned from, the next search is that of a new process.
#[test]
fn what_is_cleared_or_replaced_leaves_nothing_behind() {
    let search = |session: &mut Session| {
        session.send("position startpos moves d2d4 g8f6");
        session.search("go depth 9").last().nodes
    };
    let fresh = search(&mut Session::start());
    let network = scratch("another network.nnue");
    let mut other = nnue_of_the_program();
    // Another network with nearly the same numbers: a bias in the last layer differs.
    other.description.push('!');
    fs::write(&network, other.to_bytes().unwrap()).unwrap();
    let replaced = format!("setoption name EvalFile value {}", network.display());
    for forget in ["setoption name Clear Hash", &replaced, "setoption name EvalFile value <empty>"] {
        let mut session = Session::start();
        if forget.contains("<empty>") {
            session.send(&replaced);
        }
        for game in ["e2e4 e7e5", "d2d4 g8f6", "d2d4 g8f6 c2c4"] {
            session.send(&format!("position startpos moves {game}"));
            session.search("go depth 9");
        }
        assert_ne!(search(&mut session), fresh, "there is something to forget");
        session.send(forget);
        assert_eq!(search(&mut session), fresh, "{forget}");
        session.quit();
    }
    fs::remove_file(&network).unwrap();
}

fn nnue_of_the_program() -> nnue::format::Parameters {
    nnue::format::Parameters::from_bytes(engine::embedded_bytes()).unwrap()
}

#[test]
fn an_option_set_during_a_search_waits_for_its_end() {
    let mut session = Session::start();
    session.send("position startpos\ngo infinite");
    session.until("info depth 3 ");
    session.send("setoption name MultiPV value 2\nsetoption name Hash value 2");
    let lines = session.settle();
    assert!(
        !lines.iter().any(|line| line.starts_with("bestmove") || line.contains("multipv 2")),
        "{lines:?}"
    );
    session.send("stop");
    let found = session.found();
    assert!(found.infos.iter().all(|info| info.multipv == Some(1)));
    assert!(session.search("go depth 3").infos.iter().any(|info| info.multipv == Some(2)));
    session.quit();
}

#[test]
fn bad_networks_are_refused_and_the_present_one_stays() {
    let mut session = Session::start();
    let eval = session.say("eval");
    let file = scratch("bad network.nnue");
    for bytes in [&b""[..], b"not a network", &[0; 5000]] {
        fs::write(&file, bytes).unwrap();
        let lines = session.say(&format!("setoption name EvalFile value {}", file.display()));
        assert!(only_note(&lines).starts_with("ERROR "), "{lines:?}");
    }
    assert!(only_note(&session.say("setoption name EvalFile value no-such-file.nnue")).starts_with("ERROR "));

    // A network that is cut off is refused; the whole one is read, and written back byte for byte.
    let copy = scratch("copy.nnue");
    only_note(&session.say(&format!("export_net {}", copy.display())));
    let whole = fs::read(&copy).unwrap();
    fs::write(&file, &whole[..whole.len() / 2]).unwrap();
    assert!(
        only_note(&session.say(&format!("setoption name EvalFile value {}", file.display())))
            .starts_with("ERROR ")
    );
    assert_eq!(session.say("eval"), eval);
    assert_eq!(session.say(&format!("setoption name EvalFile value \"{}\"", copy.display())), [""; 0]);
    assert_eq!(session.say("eval"), eval, "it is the same network");
    assert!(only_note(&session.say("export_net")).starts_with("ERROR "), "a file name is needed now");
    let again = scratch("again.nnue");
    only_note(&session.say(&format!("export_net {}", again.display())));
    assert!(fs::read(&again).unwrap() == whole, "written as it was read");
    assert_eq!(session.say("setoption name EvalFile value <empty>"), [""; 0]);
    fs::remove_file(file).unwrap();
    fs::remove_file(copy).unwrap();
    fs::remove_file(again).unwrap();
    session.quit();
}

#[test]
fn a_second_network_is_answered_in_words() {
    let mut session = Session::start();
    let note = "EvalFileSmall ignored: there is one network for all positions, that of EvalFile";
    assert_eq!(only_note(&session.say("setoption name EvalFileSmall value x.nnue")), note);
    assert_eq!(only_note(&session.say("setoption name evalfilesmall value <empty>")), note);
    assert!(only_note(&session.say("export_net a.nnue b.nnue")).starts_with("ERROR "));
    session.search("go depth 4").check(&Position::startpos());
    session.quit();
}

#[test]
fn the_log_has_both_directions() {
    let mut session = Session::start();
    let file = scratch("session with blanks.log");
    session.say(&format!("setoption name Debug Log File value {}", file.display()));
    session.send("uci");
    session.until("uciok");
    session.say("setoption name Debug Log File value");
    session.say("d");
    session.quit();
    let log = fs::read_to_string(&file).unwrap();
    for part in [">> uci\n", "<< uciok\n", "<< readyok\n", "<< id name Rufous", "# Rufous"] {
        assert!(log.contains(part), "{part} is not in {log}");
    }
    assert!(!log.contains(">> d\n"), "the log was closed");
    for line in log.lines().filter(|line| !line.starts_with('#')) {
        let time = line.split_whitespace().next().unwrap();
        assert!(time.parse::<f64>().is_ok(), "{line}");
    }
    fs::remove_file(file).unwrap();
}

#[test]
fn a_log_that_cannot_be_written_is_an_error() {
    let mut session = Session::start();
    let lines = session.say("setoption name Debug Log File value /no/such/folder/x.log");
    assert!(only_note(&lines).starts_with("ERROR cannot write the log"), "{lines:?}");
    session.quit();
}

#[cfg(target_os = "linux")]
#[test]
fn threads_are_bound_as_the_numa_policy_says() {
    const THREADS: usize = 2;
    let mut session = Session::start();
    let listed = |session: &Session| -> Vec<String> {
        let tasks = fs::read_dir(format!("/proc/{}/task", session.pid())).unwrap();
        let read = |file: PathBuf| fs::read_to_string(file).unwrap_or_default();
        let searching = tasks.flatten().filter(|task| read(task.path().join("comm")).starts_with("search-"));
        let list = |text: String| {
            text.lines()
                .find_map(|line| line.strip_prefix("Cpus_allowed_list:"))
                .map(str::trim)
                .map(str::to_owned)
        };
        searching.filter_map(|task| list(read(task.path().join("status")))).collect()
    };
    // A thread that has ended may be listed for a moment longer.
    let processors = |session: &Session| -> Vec<String> {
        let mut waits = (0..1000).map(|_| std::thread::sleep(std::time::Duration::from_millis(10)));
        while listed(session).len() > THREADS && waits.next().is_some() {}
        listed(session)
    };
    session.say(&format!("setoption name Threads value {THREADS}"));
    let free = processors(&session);
    let first = free[0].split([',', '-']).next().unwrap().to_owned();
    assert_eq!(session.say(&format!("setoption name NumaPolicy value {first}")), [""; 0]);
    assert_eq!(processors(&session), [first.as_str(), first.as_str()]);
    session.search("go depth 5").check(&Position::startpos());
    assert_eq!(session.say("setoption name NumaPolicy value none"), [""; 0]);
    assert_eq!(processors(&session), free);
    assert!(
        only_note(&session.say("setoption name NumaPolicy value some"))
            .starts_with("ERROR NumaPolicy must be")
    );
    session.quit();
}
