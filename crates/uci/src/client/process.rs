//! The engine as a process: how it is started, how its end is found out, and how it is ended.

use std::collections::VecDeque;
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::queue::Queue;
use super::reader::read_lines;
use super::transcript::{Direction, Transcript};
use super::writer::Writer;

/// How an engine is started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EngineCommand {
    /// The program. A path is taken from the client's own directory, a bare name is looked up in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// The directory to start it in; the client's own where there is none.
    pub dir: Option<PathBuf>,
}

impl EngineCommand {
    /// A program without arguments.
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self { program: program.into(), ..Self::default() }
    }

    fn to_command(&self) -> io::Result<Command> {
        let is_path = self.program.components().count() > 1;
        let program = if is_path { std::path::absolute(&self.program)? } else { self.program.clone() };
        let mut command = Command::new(program);
        command.args(&self.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        // A group of its own lets the engine's children be ended with it, and keeps an interrupt at the terminal
        // for the client, which then ends the engines in order.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Ok(command)
    }
}

/// How much of standard error is kept.
const STDERR_KEPT: usize = 8 << 10;

/// The end of what the engine wrote to standard error.
#[derive(Default)]
struct Tail {
    lines: VecDeque<String>,
    bytes: usize,
    ended: bool,
}

impl Tail {
    fn push(&mut self, line: String) {
        self.bytes += line.len() + 1;
        self.lines.push_back(line);
        while self.bytes > STDERR_KEPT && self.lines.len() > 1 {
            self.bytes -= self.lines.pop_front().map_or(0, |line| line.len() + 1);
        }
    }
}

/// A running engine and the threads that serve its pipes. The threads are not joined: each ends with its pipe, which
/// a grandchild that outlives the engine may hold open.
pub(super) struct Process {
    child: Child,
    pub(super) queue: Arc<Queue>,
    tail: Arc<(Mutex<Tail>, Condvar)>,
}

impl Process {
    /// Starts the engine and its threads; should one of these fail to start, the engine is ended again.
    pub(super) fn spawn(command: &EngineCommand, transcript: &Transcript) -> io::Result<(Self, Writer)> {
        let mut child = command.to_command()?.spawn()?;
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let process = Self { child, queue: Arc::default(), tail: Arc::default() };
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("a pipe is missing"));
        };
        let writer = Writer::new(stdin)?;

        let (queue, heard) = (Arc::clone(&process.queue), transcript.clone());
        thread::Builder::new().name("uci-reader".to_owned()).spawn(move || {
            read_lines(stdout, |lines| {
                lines.iter().for_each(|line| heard.record(Direction::FromEngine, line.at, &line.text));
                queue.push(lines);
            });
            queue.end();
        })?;

        let (tail, heard) = (Arc::clone(&process.tail), transcript.clone());
        thread::Builder::new().name("uci-stderr".to_owned()).spawn(move || {
            let lock = || tail.0.lock().unwrap_or_else(PoisonError::into_inner);
            read_lines(stderr, |lines| {
                lines.iter().for_each(|line| heard.record(Direction::Stderr, line.at, &line.text));
                let mut tail = lock();
                lines.into_iter().for_each(|line| tail.push(line.text));
            });
            lock().ended = true;
            tail.1.notify_all();
        })?;
        Ok((process, writer))
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// The last lines of standard error; waits at most so long for their end.
    pub(super) fn stderr_tail(&self, timeout: Duration) -> String {
        let (lock, changed) = &*self.tail;
        let tail = lock.lock().unwrap_or_else(PoisonError::into_inner);
        let tail = changed.wait_timeout_while(tail, timeout, |tail| !tail.ended);
        let (tail, _) = tail.unwrap_or_else(PoisonError::into_inner);
        tail.lines.iter().map(|line| format!("{line}\n")).collect()
    }

    /// How the process ended, if it does so within this time. The system offers no wait with a time-out, so this
    /// looks again and again; it is used only where an engine is at its end.
    pub(super) fn wait(&mut self, timeout: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        let mut pause = Duration::from_micros(200);
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            let left = timeout.saturating_sub(start.elapsed());
            if left.is_zero() {
                return None;
            }
            thread::sleep(pause.min(left));
            pause = (pause * 2).min(Duration::from_millis(10));
        }
    }

    /// Ends the engine at once, and its children where the system has process groups. An engine that has ended by
    /// itself may have left children, which show themselves by holding its output open.
    pub(super) fn kill(&mut self) {
        let ended = matches!(self.child.try_wait(), Ok(Some(_)));
        if ended && self.queue.has_ended() {
            return;
        }
        kill_group(self.child.id());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Kills all processes of a group. The standard library cannot, but every Unix shell can. The number is still that of
/// this group: it cannot be given to another process while a process of the group lives or waits to be waited for.
fn kill_group(id: u32) {
    if cfg!(unix) {
        let mut command = Command::new("sh");
        command.args(["-c", &format!("kill -s KILL -- -{id}")]);
        let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_of_standard_error_are_kept() {
        let mut tail = Tail::default();
        // With its end of line each has 1024 bytes.
        let line = |number: u8| format!("{number:<1023}");
        (0..8).for_each(|number| tail.push(line(number)));
        assert_eq!(tail.lines.len(), 8, "just what fits");
        (8..20).for_each(|number| tail.push(line(number)));
        assert_eq!(tail.lines, (12..20).map(line).collect::<Vec<_>>());
        (0..2 * STDERR_KEPT).for_each(|_| tail.push(String::new()));
        assert_eq!(tail.lines.len(), STDERR_KEPT, "empty lines have their ends");
        let long = "x".repeat(2 * STDERR_KEPT);
        tail.push(long.clone());
        assert_eq!(tail.lines, [long], "the last line is kept whatever its length");
    }
}
