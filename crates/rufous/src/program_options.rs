//! The options of the program itself, beside those of the engine.

use engine::{Effect, OptionKind, OptionSpec};

/// The file of the session log.
pub(crate) const LOG_FILE: &str = "Debug Log File";
/// Who the opponent is.
pub(crate) const OPPONENT: &str = "UCI_Opponent";
/// Who the engine is; the client may read it and need not set it.
const ABOUT: &str = "UCI_EngineAbout";

static LOG: OptionSpec = OptionSpec {
    name: LOG_FILE,
    kind: OptionKind::Text { default: "" },
    about: "Write all communication to and from the engine into this file, with timestamps.",
    effect: Effect::Program,
};

static PEOPLE: [OptionSpec; 2] = [
    OptionSpec {
        name: OPPONENT,
        kind: OptionKind::Text { default: "" },
        about: "The opponent: title, rating, human or computer, and name. Acknowledged; the play does not change.",
        effect: Effect::Program,
    },
    OptionSpec {
        name: ABOUT,
        kind: OptionKind::Text {
            default: "Rufous, a free chess engine under the GNU General Public License, version 3 or later",
        },
        about: "Information about the engine; setting it has no effect.",
        effect: Effect::Program,
    },
];

/// Every option of the program and the engine, in the order in which they are declared to a client.
pub(crate) fn all_options() -> Vec<&'static OptionSpec> {
    [&LOG].into_iter().chain(engine::all_options()).chain(&PEOPLE).collect()
}
