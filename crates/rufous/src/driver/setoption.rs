//! `setoption`: the option table checks the value, the engine or the program applies it.

use std::path::Path;

use engine::{Effect, OptionChange, OptionError};
use uci::{Command, Opponent, option_text};

use super::Driver;
use crate::job::JobResult;
use crate::log::Log;
use crate::program_options;
use crate::writer::Audience;

impl Driver {
    pub(super) fn set_option(&mut self, name: String, value: Option<String>) {
        let checked = self.options.check(&name, value.as_deref().map(option_text));
        let change = match checked {
            Ok(Some(change)) => change,
            Ok(None) => return,
            Err(error) => return self.tell_option_error(&error),
        };
        match change.spec().effect {
            Effect::Program => self.set_program_option(change),
            Effect::Notation => {
                self.chess960_noted = false;
                self.options.record(change);
            }
            Effect::Engine(_) | Effect::Files(_) | Effect::Tunable(_) => {
                if !self.has_engine(|| Command::SetOption { name, value }) {
                    return;
                }
                let out = self.out.clone();
                self.prepare(Box::new(move |engine, _| {
                    let Some(engine) = engine else { return JobResult::Done };
                    match change.apply(engine) {
                        Ok(notes) => {
                            notes.iter().for_each(|note| out.note(note));
                            JobResult::OptionSet(change)
                        }
                        Err(error) => {
                            out.error(error);
                            JobResult::Done
                        }
                    }
                }));
            }
        }
    }

    fn tell_option_error(&self, error: &OptionError) {
        // A client may send options of other engines; on the command line it is a typing error.
        if error.is_error() || self.out.audience() == Audience::Shell {
            self.out.error(error);
        } else {
            self.out.note(error);
        }
    }

    fn set_program_option(&mut self, change: OptionChange) {
        match change.spec().name {
            program_options::LOG_FILE => match change.value().text() {
                "" => self.out.set_log(None),
                path => match Log::open(Path::new(path)) {
                    Ok(log) => self.out.set_log(Some(log)),
                    Err(error) => {
                        let reason = engine::io_error_text(&error);
                        return self.out.error(format!("cannot write the log '{path}': {reason}"));
                    }
                },
            },
            program_options::OPPONENT => match change.value().text() {
                "" => {}
                text => match text.parse() {
                    Ok(opponent) => self.out.note(greeting(&opponent)),
                    Err(error) => return self.out.error(format!("UCI_Opponent ignored: {error}")),
                },
            },
            _ => {}
        }
        self.options.record(change);
    }
}

/// A note that acknowledges `UCI_Opponent`; the play does not change.
fn greeting(Opponent { title, elo, is_computer, name }: &Opponent) -> String {
    let kind = if *is_computer { "computer" } else { "human" };
    let title = title.as_ref().map(|title| format!("{title} ")).unwrap_or_default();
    let name = if name.is_empty() { "somebody" } else { name };
    let rating = elo.map(|elo| format!(", rated {elo}")).unwrap_or_default();
    format!("playing against {title}{name} ({kind}{rating})")
}
