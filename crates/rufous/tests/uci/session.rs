//! A conversation with the program. Whatever takes too long or comes out wrong fails the test with
//! the whole transcript.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use chess::{KeyHistory, Move, Position};
use uci::{Info, Message};

/// So long may anything take; machines are busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// A running program.
pub(crate) struct Session {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    transcript: Vec<String>,
    /// What was said since the last best move.
    since_move: Vec<String>,
}

impl Session {
    /// The program without arguments.
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// The program with arguments.
    pub(crate) fn start_with(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rufous"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("stdout is a pipe"));
        let (sender, lines) = channel();
        thread::spawn(move || {
            // Split at LF alone: a CR or a byte that is no text would show up in the line.
            for line in output.split(b'\n') {
                let line = line.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
                if line.map_or(true, |line| sender.send(line).is_err()) {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Self { child, input, lines, transcript: Vec::new(), since_move: Vec::new() }
    }

    /// Fails the test.
    pub(crate) fn fail(&self, reason: &str) -> ! {
        let from = self.transcript.len().saturating_sub(300);
        panic!("{reason}\n--- transcript ---\n{}", self.transcript[from..].join("\n"));
    }

    /// Sends bytes as they are.
    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let shown: String = String::from_utf8_lossy(bytes).chars().take(300).collect();
        self.transcript.push(format!(">> {}", shown.trim_end()));
        let input = self.input.as_mut().expect("the input is open");
        if input.write_all(bytes).and_then(|()| input.flush()).is_err() {
            self.fail("the program reads no more");
        }
    }

    /// Sends lines.
    pub(crate) fn send(&mut self, lines: &str) {
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    /// The next line, or `None` at the end of the output.
    pub(crate) fn next_line(&mut self) -> Option<String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => {
                self.transcript.push(format!("<< {line}"));
                self.since_move.push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Disconnected) => None,
            Err(RecvTimeoutError::Timeout) => self.fail("nothing comes any more"),
        }
    }

    /// The lines up to the first that begins with this, and that one.
    pub(crate) fn until(&mut self, beginning: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let Some(line) = self.next_line() else {
                self.fail(&format!("the output ends before '{beginning}'"))
            };
            let found = line.starts_with(beginning);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// What is said until everything so far has been done.
    pub(crate) fn settle(&mut self) -> Vec<String> {
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends lines and hears what is said to them.
    pub(crate) fn say(&mut self, lines: &str) -> Vec<String> {
        self.send(lines);
        self.settle()
    }

    /// Sends a `go` and hears the search to its end.
    pub(crate) fn search(&mut self, go: &str) -> Found {
        self.send(go);
        self.found()
    }

    /// Hears a search to its end.
    pub(crate) fn found(&mut self) -> Found {
        let lines = self.until("bestmove");
        Found::read(lines, &std::mem::take(&mut self.since_move))
    }

    /// Everything still to come up to the end of the output, and the exit code.
    pub(crate) fn end(mut self) -> (Vec<String>, Option<i32>) {
        let mut lines = Vec::new();
        while let Some(line) = self.next_line() {
            lines.push(line);
        }
        let code = self.exit_code();
        (lines, code)
    }

    /// Closes the input.
    pub(crate) fn close_input(&mut self) {
        self.transcript.push(">> (end of input)".to_owned());
        self.input = None;
    }

    /// Leaves with `quit`.
    pub(crate) fn quit(mut self) {
        self.send("quit");
        let (_, code) = self.end();
        assert_eq!(code, Some(0));
    }

    /// The exit code, waited for.
    pub(crate) fn exit_code(&mut self) -> Option<i32> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return status.code(),
                _ if Instant::now() > deadline => self.fail("the program does not end"),
                _ => thread::sleep(Duration::from_millis(2)),
            }
        }
    }

    /// The number of the process.
    #[cfg(target_os = "linux")]
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a search said.
pub(crate) struct Found {
    /// Its lines, the best move's the last.
    pub(crate) lines: Vec<String>,
    /// The reports with a score, those included that were heard before somebody waited for the move.
    pub(crate) infos: Vec<Info>,
    /// The best move, or `(none)`.
    pub(crate) best: String,
    /// The move to ponder on.
    pub(crate) ponder: Option<String>,
}

impl Found {
    fn read(lines: Vec<String>, since_move: &[String]) -> Self {
        let scored = |line: &String| match Message::parse(line) {
            Some(Message::Info(info)) if info.score.is_some() => Some(*info),
            _ => None,
        };
        let infos = since_move.iter().filter_map(scored).collect();
        let words: Vec<String> = lines[lines.len() - 1].split(' ').map(str::to_owned).collect();
        Self { infos, best: words[1].clone(), ponder: words.get(3).cloned(), lines }
    }

    /// The last report.
    pub(crate) fn last(&self) -> &Info {
        self.infos.last().unwrap_or_else(|| panic!("no scored line in {:?}", self.lines))
    }

    /// The text of the `info string` lines.
    pub(crate) fn notes(&self) -> Vec<&str> {
        self.lines.iter().filter_map(|line| line.strip_prefix("info string ")).collect()
    }

    /// The laws of every search, see [`Found::check_after`], where nothing was played before it.
    pub(crate) fn check(&self, root: &Position) -> &Self {
        self.check_after(&KeyHistory::new(), root)
    }

    /// The laws of every search: each line of play is legal and ends where the game does, no line is sent twice,
    /// nothing comes between the last report and the best move, and that report begins with the best move
    /// and goes on with the ponder move.
    pub(crate) fn check_after(&self, game: &KeyHistory, root: &Position) -> &Self {
        for info in &self.infos {
            let mut keys = game.clone();
            let mut position = *root;
            for (ply, mv) in info.pv.iter().enumerate() {
                let over = position.halfmove_clock() >= 100
                    || position.is_dead()
                    || keys.occurrences(&position) >= 2;
                assert!(ply == 0 || !over, "{mv} is played in {position}: {:?}", self.lines);
                keys.push(&position);
                let mv = parse(&position, mv.as_str());
                position.play(mv);
            }
        }
        assert_eq!(self.best.len().clamp(4, 5), self.best.len(), "{:?}", self.lines);
        let best = parse(root, &self.best);
        if let Some(ponder) = &self.ponder {
            parse(&root.after(best), ponder);
        }
        if let Some(report) = self.lines.len().checked_sub(2).map(|index| &self.lines[index])
            && self.lines.iter().any(|line| line.contains(" score "))
        {
            assert_eq!(report, &self.last().to_string(), "directly before the move: {:?}", self.lines);
        }
        for pair in self.infos.windows(2) {
            assert_ne!(pair[0], pair[1], "a line was sent twice: {:?}", self.lines);
        }
        let lines: Vec<&Info> = self.infos.iter().rev().take_while(|info| info.multipv != Some(1)).collect();
        let first = &self.infos[self.infos.len() - 1 - lines.len()];
        assert_eq!(first.pv[0].as_str(), self.best, "{:?}", self.lines);
        if let Some(second) = first.pv.get(1) {
            assert_eq!(Some(second.to_string()), self.ponder, "{:?}", self.lines);
        }
        self
    }
}

fn parse(position: &Position, text: &str) -> Move {
    position.parse_uci_move(text).unwrap_or_else(|error| panic!("{text} in {position}: {error}"))
}

/// The position after these moves.
pub(crate) fn after(moves: &str) -> Position {
    game(Position::startpos(), moves).1
}

/// The position after these moves, with what came before it.
pub(crate) fn game(start: Position, moves: &str) -> (KeyHistory, Position) {
    let (mut keys, mut position) = (KeyHistory::new(), start);
    for text in moves.split_whitespace() {
        keys.push(&position);
        let mv = parse(&position, text);
        position.play(mv);
    }
    (keys, position)
}

/// The FEN that `d` shows.
pub(crate) fn shown_fen(session: &mut Session) -> String {
    let lines = session.say("d");
    let fen = lines.iter().find_map(|line| line.strip_prefix("Fen: "));
    fen.unwrap_or_else(|| panic!("no FEN in {lines:?}")).to_owned()
}

/// The only note among these lines, which are to hold nothing else.
pub(crate) fn only_note(lines: &[String]) -> &str {
    match lines {
        [line] => line.strip_prefix("info string ").unwrap_or_else(|| panic!("{line} is no note")),
        _ => panic!("one note was expected: {lines:?}"),
    }
}
