//! Runs an engine on a fixed input of bytes that ends, and collects its output. `uci::client` cannot do this: it keeps
//! the engine's input open and sends text only.

use std::io::{Read, Write};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use uci::client::EngineCommand;

use super::rule::{Finding, fail};

/// What came out of an engine.
pub(super) struct Piped {
    pub(super) output: String,
    /// `None` if it had to be killed.
    pub(super) status: Option<ExitStatus>,
}

/// Feeds an engine these bytes, closes its input, and waits for its end.
pub(super) fn pipe(command: &EngineCommand, input: &[u8], timeout: Duration) -> Result<Piped, Finding> {
    let start = || -> std::io::Result<Piped> {
        let mut process = Command::new(&command.program);
        process.args(&command.args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        if let Some(dir) = &command.dir {
            process.current_dir(dir);
        }
        let mut child = process.spawn()?;
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
        let input = input.to_vec();
        // Reading and writing on threads of their own: the engine may do neither.
        thread::spawn(move || stdin.map(|mut stdin| stdin.write_all(&input)));
        let reader = thread::spawn(move || {
            let mut bytes = Vec::new();
            // After an error, keep what was read so far.
            let _ = stdout.map(|mut stdout| stdout.read_to_end(&mut bytes));
            bytes
        });
        let deadline = Instant::now() + timeout;
        let status = loop {
            match child.try_wait()? {
                Some(status) => break Some(status),
                None if Instant::now() >= deadline => break None,
                None => thread::sleep(Duration::from_millis(5)),
            }
        };
        if status.is_none() {
            child.kill()?;
            child.wait()?;
        }
        let output = reader.join().unwrap_or_default();
        Ok(Piped { output: String::from_utf8_lossy(&output).into_owned(), status })
    };
    start().or_else(|error| fail(format!("the engine cannot be run: {error}")))
}
