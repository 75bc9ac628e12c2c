//! The entries of the driver's queue.

use uci::Command;

use super::Arrival;
use crate::program_options::all_options;

/// An entry of the queue.
pub(super) struct Task {
    pub(super) action: Action,
    pub(super) context: LineContext,
}

pub(super) enum Action {
    Command(Command),
    /// An error message for a line, printed in order with the answers to other lines.
    Error(String),
    /// The end of the program.
    End,
}

/// The context of a line.
#[derive(Clone, Copy)]
pub(super) struct LineContext {
    pub(super) arrival: Arrival,
    pub(super) stop: StopRequest,
}

/// Whether a search or a count that has not begun yet is to be ended as soon as it begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum StopRequest {
    Never,
    /// If it would not end by itself, which depends on who is to move by then.
    IfUnlimited,
    Always,
}

impl Action {
    /// Can it be carried out while a search is running?
    pub(super) fn allowed_during_search(&self) -> bool {
        match self {
            Self::End => false,
            Self::Error(_) => true,
            Self::Command(command) => match command {
                Command::Uci
                | Command::IsReady
                | Command::Register(_)
                | Command::Position { .. }
                | Command::Board
                | Command::Flip
                | Command::Help
                | Command::License
                | Command::Compiler => true,
                Command::SetOption { name, .. } => {
                    all_options().iter().any(|spec| spec.is_named(name) && spec.at_once())
                }
                _ => false,
            },
        }
    }

    /// Is it a search that answers with a move?
    pub(super) fn is_search(&self) -> bool {
        matches!(self, Self::Command(Command::Go(go)) if go.perft.is_none())
    }
}

/// Does the command start new work, so that an infinite search is to be ended?
pub(super) fn starts_new_work(command: &Command) -> bool {
    matches!(
        command,
        Command::Go(_)
            | Command::UciNewGame
            | Command::Bench(_)
            | Command::SpeedTest(_)
            | Command::Eval
            | Command::Doctor
            | Command::GenFens(_)
    )
}
