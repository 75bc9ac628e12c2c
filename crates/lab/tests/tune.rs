//! Tuning with the real program. The engine is a shell script that plays a short game in which White mates, but answers
//! with nonsense where its only parameter is below 50: the side above wins both games of every pair.
#![cfg(unix)]

#[path = "support/folder.rs"]
mod folder;

use std::fs;
use std::process::Command;

use folder::Folder;

const ENGINE: &str = r#"
wisdom=50
while read -r line; do
    case $line in
    uci) echo "id name Script"; echo "option name Hash type spin default 16 min 1 max 64"
         echo "option name Wisdom type spin default 50 min 0 max 100"; echo uciok ;;
    "setoption name Wisdom value "*) wisdom=${line##* }; echo "$wisdom" >> "$0.values" ;;
    isready) echo readyok ;;
    position*) set -- ${line#*moves}
         case $line in *moves*) plies=$# ;; *) plies=0 ;; esac ;;
    go*) if [ "$wisdom" -lt 50 ]; then
             echo bestmove a1a1
         else
             set -- e2e4 e7e5 d1h5 b8c6 f1c4 g8f6 h5f7
             shift "$plies"
             echo "bestmove $1"
         fi ;;
    quit) exit 0 ;;
    esac
done
"#;

/// Where an engine waits to be tuned.
struct Bench(Folder);

impl Bench {
    fn new(name: &str) -> Self {
        let folder = Folder::new(name);
        fs::write(folder.file("engine.sh"), ENGINE).unwrap();
        Self(folder)
    }

    /// Tunes with these parameters, and returns what was printed or the complaint.
    fn tune(&self, parameters: &str, args: &[&str]) -> Result<String, String> {
        let file = |name: &str| self.0.file(name);
        fs::write(file("parameters"), parameters).unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_rufous-lab"));
        command.args(["tune", "sh", "--tc", "600", "--first-rate", "0.1"]).args(args);
        command.arg("--parameters").arg(file("parameters")).arg("--state").arg(file("state"));
        let output = command.arg("--").arg(file("engine.sh")).output().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() { Ok(text(&output.stdout)) } else { Err(text(&output.stderr)) }
    }

    fn state(&self) -> String {
        fs::read_to_string(self.0.file("state")).unwrap()
    }
}

#[test]
fn values_follow_the_winner_and_go_on_from_the_state() {
    let bench = Bench::new("run");
    // A pair is worth 0.1 * 10 * 2 to the right side, whichever signs were drawn.
    let printed = bench.tune("Wisdom 50 10 0 100", &["--pairs", "2", "--last-rate", "0.1"]).unwrap();
    assert!(printed.ends_with("after 2 pairs\nWisdom 50 -> 54.00\n"), "{printed}");
    assert!(printed.contains("makes an illegal move: bestmove a1a1"), "{printed}");
    // The second pair was played with what the first had taught. After an illegal move a new process gets its values again.
    let values = fs::read_to_string(bench.0.file("engine.sh.values")).unwrap();
    let mut values: Vec<u32> = values.lines().map(|value| value.parse().unwrap()).collect();
    values.sort_unstable();
    values.dedup();
    assert_eq!(values, [40, 42, 60, 62]);
    assert_eq!(bench.state(), "pairs 2\nWisdom 54 10 0 100\n");
    let more = ["--pairs", "5", "--last-rate", "0.1", "--concurrency", "2"];
    let printed = bench.tune("Wisdom 50 10 0 100", &more).unwrap();
    assert!(printed.contains("2 pairs are in the state already"), "{printed}");
    assert!(printed.ends_with("after 5 pairs\nWisdom 50 -> 60.00\n"), "{printed}");
    assert!(bench.state().starts_with("pairs 5\nWisdom "));
    let complaint = bench.tune("Wisdom 50 9 0 100", &["--pairs", "6"]).unwrap_err();
    assert!(complaint.contains("belongs to another run"), "{complaint}");
}

#[test]
fn mistakes_end_the_run_before_it_begins() {
    let bench = Bench::new("mistakes");
    let complaint = |parameters: &str, args: &[&str]| {
        let complaint = bench.tune(parameters, &[&["--pairs", "2"], args].concat()).unwrap_err();
        assert!(!bench.0.file("state").exists());
        complaint
    };
    assert!(complaint("# what\nWisdom 50 10 0\n", &[]).contains("parameters, line 2: the form is"));
    assert!(complaint("Folly 50 10 0 100", &[]).contains("the engine has no option 'Folly'"));
    assert!(complaint("Wisdom 50 10 0 101", &[]).contains("'Wisdom' allows only values from 0 to 100"));
    let said = complaint("Wisdom 50 10 0 100", &["--option", "wisdom=3"]);
    assert!(said.contains("'wisdom' is tuned"), "{said}");
    let said = complaint("Wisdom 50 10 0 100", &["--option", "Hash=65"]);
    assert!(said.contains("option 'Hash' cannot be set to '65'"), "{said}");
    assert!(complaint("Wisdom 50 10 0 100", &["--last-rate", "0.2"]).contains("the rates have to be"));
}
