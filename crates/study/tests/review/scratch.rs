//! Running the program in a directory of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A directory that is removed at the end.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("rufous-study-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// The program with this directory as its current one, and its store there too.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rufous-study"));
        command.args(words).current_dir(&self.0);
        for name in ["XDG_DATA_HOME", "HOME", "LOCALAPPDATA"] {
            command.env(name, self.0.join("data"));
        }
        command
    }

    /// Runs the program, which must succeed.
    pub(crate) fn run(&self, words: &[&str]) -> Output {
        let output = self.command(words).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        output
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A file of the tests.
pub(crate) fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

/// Is this program here, and does it do what is asked of it?
pub(crate) fn has(program: &str, words: &[&str]) -> bool {
    Command::new(program).args(words).output().is_ok_and(|output| output.status.success())
}
