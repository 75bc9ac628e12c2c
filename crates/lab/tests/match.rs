//! Whole matches with the real program. The engines are shell scripts of a few lines that play one short game in which
//! White mates; each bad habit shows itself once, in the first game that the engine has White, and must cost it that
//! game and nothing else.
#![cfg(unix)]

#[path = "support/folder.rs"]
mod folder;

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use folder::Folder;
use serde_json::Value;

/// An engine that answers with the next move of a game of seven plies. `$1` is a file that exists once the bad habit
/// has been shown, and `habit` is what it does instead of its third move.
const ENGINE: &str = r#"
marker=$1
plies=0
while read -r line; do
    case $line in
    uci) echo "id name Script"; echo "id author Nobody"
         echo "option name Hash type spin default 16 min 1 max 64"; echo uciok ;;
    isready) echo readyok ;;
    position*) set -- ${line#*moves}
         case $line in *moves*) plies=$# ;; *) plies=0 ;; esac ;;
    go*) if [ "$plies" = 2 ] && [ -n "$marker" ] && [ ! -e "$marker" ]; then
             : > "$marker"
             habit
         else
             set -- e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7
             shift "$plies"
             echo "info depth 1 score cp 30 pv $1"
             echo "bestmove $1"
         fi ;;
    quit) exit 0 ;;
    esac
done
"#;

impl Folder {
    /// Writes an engine with this habit, and returns the words that describe it.
    fn engine(&self, name: &str, habit: &str) -> Vec<String> {
        let script = self.file(&format!("{name}.sh"));
        fs::write(&script, format!("habit() {{ {habit}; }}\n{ENGINE}")).unwrap();
        let marker = self.file(&format!("{name}.shown"));
        let marker = if habit == ":" { String::new() } else { format!(" {}", marker.display()) };
        let words = ["--engine".to_owned(), format!("name={name}"), "cmd=sh".to_owned()];
        words.into_iter().chain([format!("args={}{marker}", script.display())]).collect()
    }
}

fn lab(args: &[&str], engines: &[Vec<String>]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rufous-lab"));
    command.arg("match").args(engines.iter().flatten()).args(args).output().unwrap()
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// Plays four games of an engine with a habit against a good one, and returns the JSON and what was printed.
fn match_with(name: &str, habit: &str, limits: &[&str]) -> (Value, String, String) {
    let folder = Folder::new(name);
    let engines = [folder.engine("odd", habit), folder.engine("good", ":")];
    let (result, pgn) = (folder.file("result.json"), folder.file("games.pgn"));
    let outputs = ["--json", result.to_str().unwrap(), "--pgn", pgn.to_str().unwrap()];
    let mut args = vec!["--games", "4"];
    args.extend(outputs);
    args.extend(limits);
    let output = lab(&args, &engines);
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{printed}{}", String::from_utf8_lossy(&output.stderr));
    (json(&result), printed, fs::read_to_string(pgn).unwrap())
}

/// The fault cost one game, and the other three ended in mate: one of them was won by the odd engine.
fn assert_one_fault(name: &str, habit: &str, limits: &[&str], kind: &str, said: &str, termination: &str) {
    let (result, printed, pgn) = match_with(name, habit, limits);
    assert_eq!(result["games"], 4, "{printed}");
    assert_eq!(result["engines"][0]["faults"], serde_json::json!({ kind: 1 }), "{printed}");
    assert_eq!(result["engines"][1]["faults"], serde_json::json!({}), "{printed}");
    let total = &result["engines"][0]["total"];
    assert_eq!((&total["wins"], &total["losses"]), (&1.into(), &3.into()), "{printed}");
    assert!(printed.contains(said), "{printed}");
    assert_eq!(pgn.matches(&format!("[Termination \"{termination}\"]")).count(), 1, "{pgn}");
    assert_eq!(pgn.matches("[Termination \"normal\"]").count(), 3, "{pgn}");
}

/// An engine for the same game that ponders, and notes how each of its pondering searches ended. After its first move it
/// expects another answer than the one that comes.
const PONDERER: &str = r#"
answer() {
    set -- e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7
    shift "$plies"
    if [ "$plies" = 0 ]; then set -- e2e4 d7d5; fi
    pondering=
    echo "bestmove ${1:-0000} ${2:+ponder $2}"
}
log=$1
while read -r line; do
    case $line in
    uci) echo "option name Ponder type check default false"; echo uciok ;;
    isready) echo readyok ;;
    setoption*Ponder*true*) echo told >> "$log" ;;
    position*) set -- ${line#*moves}
         case $line in *moves*) plies=$# ;; *) plies=0 ;; esac ;;
    "go ponder"*) pondering=yes ;;
    go*) answer ;;
    ponderhit|stop) if [ -n "$pondering" ]; then echo "$line" >> "$log"; answer; fi ;;
    quit) exit 0 ;;
    esac
done
"#;

#[test]
fn engines_ponder_on_what_they_expect() {
    let folder = Folder::new("ponder");
    let script = folder.file("ponderer.sh");
    fs::write(&script, PONDERER).unwrap();
    let log = |name: &str| folder.file(&format!("{name}.log"));
    let engine = |name: &str| {
        let args = format!("args={} {}", script.display(), log(name).display());
        vec!["--engine".to_owned(), format!("name={name}"), "cmd=sh".to_owned(), args]
    };
    let result = folder.file("result.json");
    let args = ["--ponder", "--games", "2", "--tc", "600", "--json", result.to_str().unwrap()];
    let output = lab(&args, &[engine("a"), engine("b")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let result = json(&result);
    for engine in 0..2 {
        assert_eq!(result["engines"][engine]["faults"], serde_json::json!({}));
        assert_eq!(result["engines"][engine]["total"]["wins"], 1);
    }
    // With White: the first expectation is wrong, the other two are right. With Black: two are right, and the game ends
    // over the third.
    let (white, black) = ("stop\nponderhit\nponderhit\n", "ponderhit\nponderhit\nstop\n");
    for (name, searches) in [("a", [white, black]), ("b", [black, white])] {
        // Each process is told to ponder: that which introduces the engine, and that which plays.
        assert_eq!(fs::read_to_string(log(name)).unwrap(), format!("told\ntold\n{}", searches.concat()));
    }
}

/// Time that no busy machine uses up.
const LONG: [&str; 2] = ["--tc", "600"];

#[test]
fn good_engines_share_the_points() {
    let (result, _, pgn) = match_with("good", ":", &LONG);
    assert_eq!(result["encounters"][0]["result"]["pentanomial"], serde_json::json!([0, 0, 2, 0, 0]));
    assert_eq!(result["finished"], true);
    assert_eq!(pgn.matches("Qxf7#").count(), 4);
}

#[test]
fn a_hang_costs_one_game() {
    // The engine reads on and says nothing; it is killed and started again.
    let limits = ["--tc", "2", "--timeout", "1"];
    assert_one_fault("hang", "true", &limits, "hang", "odd hangs", "abandoned");
}

#[test]
fn a_death_costs_one_game() {
    assert_one_fault("death", "kill -9 $$", &LONG, "crash", "odd crashes", "abandoned");
}

#[test]
fn garbage_costs_one_game() {
    let habit = "echo blah; echo bestmove castles";
    assert_one_fault("garbage", habit, &LONG, "garbage", "odd breaks the protocol", "rules infraction");
}

#[test]
fn an_illegal_move_costs_one_game() {
    let habit = "echo bestmove e2e4";
    assert_one_fault(
        "illegal",
        habit,
        &LONG,
        "illegal-move",
        "odd makes an illegal move: bestmove e2e4",
        "rules infraction",
    );
}

#[test]
fn an_overstep_costs_one_game() {
    // The clock of 5 s runs only while the engine is asked for a move; it sleeps for 6.
    let habit = "sleep 6; echo bestmove d1h5";
    let limits = ["--tc", "5", "--timeout", "60"];
    assert_one_fault("overstep", habit, &limits, "time-loss", "odd loses on time", "time forfeit");
}

#[test]
fn a_match_goes_on_from_its_journal() {
    let folder = Folder::new("journal");
    let engines = [folder.engine("a", ":"), folder.engine("b", ":")];
    let (journal, pgn) = (folder.file("journal"), folder.file("pgn"));
    let run = |games: &str| {
        let outputs = ["--journal", journal.to_str().unwrap(), "--pgn", pgn.to_str().unwrap()];
        let mut args = vec!["--tc", "600", "--games", games];
        args.extend(outputs);
        let output = lab(&args, &engines);
        assert!(output.status.success());
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    run("2");
    assert!(run("6").contains("2 games are in the journal already"));
    assert_eq!(fs::read_to_string(&pgn).unwrap().matches("[Event ").count(), 6);
    assert_eq!(fs::read_to_string(&journal).unwrap().lines().count(), 7);
    // The same journal does not serve another match.
    let args = ["--tc", "601", "--journal", journal.to_str().unwrap()];
    let output = lab(&args, &engines);
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("belongs to another match"));
}

#[test]
fn an_sprt_ends_the_match() {
    let folder = Folder::new("sprt");
    // The first engine answers every search with nonsense and loses every game, the second game of each pair too.
    let nonsense = folder.file("nonsense.sh");
    let loop_of_nonsense = "while read -r line; do case $line in uci) echo uciok ;; isready) echo readyok ;; \
                            go*) echo bestmove a1a1 ;; quit) exit ;; esac; done";
    fs::write(&nonsense, loop_of_nonsense).unwrap();
    let bad = ["--engine", "name=bad", "cmd=sh"].map(str::to_owned).into_iter();
    let bad = bad.chain([format!("args={}", nonsense.display())]).collect();
    let result = folder.file("result.json");
    let args = ["--tc", "600", "--games", "100000", "--json", result.to_str().unwrap(), "--sprt", "elo1=50"];
    let output = lab(&args, &[bad, folder.engine("good", ":")]);
    assert_eq!(output.status.code(), Some(1), "it failed in every game");
    let result = json(&result);
    assert_eq!(result["sprt"]["verdict"], "H0");
    assert!(result["games"].as_u64().unwrap() < 100_000);
}

#[test]
fn a_wrong_option_ends_the_match_before_it_begins() {
    let folder = Folder::new("option");
    let mut odd = folder.engine("a", ":");
    odd.push("option.Hash=1000".to_owned());
    let output = lab(&LONG, &[odd, folder.engine("b", ":")]);
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("a: option 'Hash' cannot be set to '1000'"), "{said}");
}

#[test]
fn an_engine_that_fails_in_every_game_fails_the_match() {
    let folder = Folder::new("always");
    let script = folder.file("bad.sh");
    fs::write(
        &script,
        "while read -r line; do case $line in uci) echo uciok ;; isready) echo readyok ;; \
         go*) echo 'bestmove a1a1' ;; quit) exit 0 ;; esac; done",
    )
    .unwrap();
    let bad = ["--engine", "name=bad", "cmd=sh", &format!("args={}", script.display())].map(str::to_owned);
    let engines = [bad.to_vec(), folder.engine("good", ":")];
    let output = lab(&["--games", "4", "--each", "depth=1"], &engines);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("bad failed in every game"), "{told}");
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let folder = Folder::new("unwritable");
    let engines = [folder.engine("one", ":"), folder.engine("two", ":")];
    for option in ["--pgn", "--json", "--journal"] {
        let output = lab(&["--games", "2", "--each", "depth=1", option, "/no/such/folder/file"], &engines);
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("/no/such/folder/file"), "{told}");
    }
}
