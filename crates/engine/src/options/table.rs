//! The options that there are.

use super::{Effect, OptionError, OptionKind, OptionSpec, OptionValue, ProgramOption, hash_file, network};
use crate::engine::{DEFAULT_HASH_MIB, Engine};
use crate::level;
use crate::numa::NumaPolicyError;
use crate::settings::Settings;

/// An option that changes one of the plain settings of a search.
macro_rules! setting {
    ($field:ident, $read:expr) => {
        Effect::Engine(|engine: &mut Engine, value: &OptionValue| {
            let settings: &mut Settings = engine.settings_mut();
            settings.$field = $read(value);
            Ok(())
        })
    };
}

const OFF: OptionKind = OptionKind::Check { default: false };
const ON: OptionKind = OptionKind::Check { default: true };

const fn spin(default: i64, min: i64, max: i64) -> OptionKind {
    OptionKind::Spin { default, min, max }
}

const fn text(default: &'static str) -> OptionKind {
    OptionKind::Text { default }
}

/// Every option, in the order in which a client is told of them.
#[cfg(not(feature = "tune"))]
pub fn all_options() -> &'static [OptionSpec] {
    STANDARD
}

/// Every option, the search's tunables included.
#[cfg(feature = "tune")]
pub fn all_options() -> &'static [OptionSpec] {
    static ALL: std::sync::LazyLock<Vec<OptionSpec>> =
        std::sync::LazyLock::new(|| [STANDARD, crate::params::OPTIONS].concat());
    &ALL
}

const STANDARD: &[OptionSpec] = &[
    OptionSpec {
        name: "Debug Log File",
        kind: text(""),
        about: "Records both directions of the conversation in this file, with times.",
        effect: Effect::Program(ProgramOption::LogFile),
    },
    OptionSpec {
        name: "Threads",
        kind: spin(1, 1, 1024),
        about: "Threads that search; best set to the number of processor cores.",
        effect: Effect::Engine(|engine, value| {
            engine.set_threads(value.number() as usize).map_err(OptionError::refused)
        }),
    },
    OptionSpec {
        name: "Hash",
        kind: spin(DEFAULT_HASH_MIB as i64, 1, 33_554_432),
        about: "Megabytes of memory for the hash table; best set after Threads.",
        effect: Effect::Engine(|engine, value| {
            let mib = value.number() as usize;
            engine.set_hash(mib).map_err(OptionError::refused)
        }),
    },
    OptionSpec {
        name: "Clear Hash",
        kind: OptionKind::Button,
        about: "Empties the hash table.",
        effect: Effect::Engine(|engine, _| {
            engine.clear_hash();
            Ok(())
        }),
    },
    OptionSpec {
        name: "Hash File",
        kind: text(""),
        about: "The file that `Save Hash` writes and `Load Hash` reads.",
        effect: Effect::Engine(|engine, value| {
            engine.set_hash_file(value.text());
            Ok(())
        }),
    },
    OptionSpec {
        name: "Save Hash",
        kind: OptionKind::Button,
        about: "Writes the hash table to `Hash File`, so that an analysis can go on another day.",
        effect: Effect::Files(|engine, _| hash_file::save(engine)),
    },
    OptionSpec {
        name: "Load Hash",
        kind: OptionKind::Button,
        about: "Fills the hash table from `Hash File`, which may come from a table of another size.",
        effect: Effect::Files(|engine, _| hash_file::load(engine)),
    },
    OptionSpec {
        name: "NumaPolicy",
        kind: text("auto"),
        about: "Binds threads to processors: none, system, auto, hardware, or a list such as 0-3:4-7.",
        effect: Effect::Engine(|engine, value| {
            let policy =
                value.text().parse().map_err(|error: NumaPolicyError| OptionError::refused(error))?;
            engine.set_numa_policy(&policy).map_err(OptionError::refused)
        }),
    },
    OptionSpec {
        name: "Ponder",
        kind: OFF,
        about: "Tells that pondering is possible, so that time may be spent more freely.",
        effect: setting!(ponder, OptionValue::is_true),
    },
    OptionSpec {
        name: "MultiPV",
        kind: spin(1, 1, 256),
        about: "How many of the best lines are shown; 1 plays best.",
        effect: setting!(multipv, |value: &OptionValue| value.number() as usize),
    },
    OptionSpec {
        name: "Move Overhead",
        kind: spin(10, 0, 5000),
        about: "Milliseconds lost on every move between the engine and the clock.",
        effect: setting!(move_overhead, OptionValue::number),
    },
    OptionSpec {
        name: "nodestime",
        kind: spin(0, 0, 10_000),
        about: "Nodes that stand for a millisecond of the clock, for tests; 0 goes by the time.",
        effect: setting!(nodes_time, OptionValue::number),
    },
    OptionSpec {
        name: "UCI_Chess960",
        kind: OFF,
        about: "Writes castling as king takes rook, as Chess960 needs it.",
        effect: Effect::Program(ProgramOption::Chess960),
    },
    OptionSpec {
        name: "UCI_ShowWDL",
        kind: OFF,
        about: "Shows the chances to win, draw and lose with every score.",
        effect: setting!(show_wdl, OptionValue::is_true),
    },
    OptionSpec {
        name: "UCI_ShowCurrLine",
        kind: OFF,
        about: "Shows the line that each thread is looking at.",
        effect: setting!(show_current_line, OptionValue::is_true),
    },
    OptionSpec {
        name: "UCI_ShowRefutations",
        kind: OFF,
        about: "Shows what refutes each move.",
        effect: setting!(show_refutations, OptionValue::is_true),
    },
    OptionSpec {
        name: "OwnBook",
        kind: OFF,
        about: "Plays the moves of `Book File` without a search; never in analysis.",
        effect: setting!(own_book, OptionValue::is_true),
    },
    OptionSpec {
        name: "Book File",
        kind: text(""),
        about: "An opening book in the Polyglot format.",
        effect: Effect::Files(|engine, value| {
            let file = value.text();
            let refused = |error| OptionError::Refused(format!("cannot use the book '{file}': {error}"));
            engine.set_book(file).map_err(refused)
        }),
    },
    OptionSpec {
        name: "Book Depth",
        kind: spin(100, 1, 1000),
        about: "The move of the game up to which the book is used.",
        effect: setting!(book_depth, OptionValue::number),
    },
    OptionSpec {
        name: "Book Variety",
        kind: spin(100, 0, 100),
        about: "100 chooses book moves by their weights, less prefers the heavier ones, 0 plays only the heaviest.",
        effect: setting!(book_variety, OptionValue::number),
    },
    OptionSpec {
        name: "SyzygyPath",
        kind: text(""),
        about: "Directories with Syzygy tablebases, subfolders included; separated by `:`, on Windows by `;`.",
        effect: Effect::Files(|engine, value| Ok(engine.set_tablebases(value.text()))),
    },
    OptionSpec {
        name: "SyzygyProbeDepth",
        kind: spin(1, 1, 100),
        about: "Depth from which tables of as many men as SyzygyProbeLimit are probed; smaller ones always are.",
        effect: setting!(tablebase_depth, |value: &OptionValue| value.number() as i32),
    },
    OptionSpec {
        name: "Syzygy50MoveRule",
        kind: ON,
        about: "A win that needs more than fifty moves without progress counts as a draw.",
        effect: setting!(fifty_move_rule, OptionValue::is_true),
    },
    OptionSpec {
        name: "SyzygyProbeLimit",
        kind: spin(7, 0, 7),
        about: "Men of the largest tables that are probed; 0 probes none.",
        effect: setting!(tablebase_men, |value: &OptionValue| value.number() as usize),
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        kind: OFF,
        about: "Plays as weakly as `UCI_Elo` says; comes before `Skill Level`.",
        effect: setting!(limit_strength, OptionValue::is_true),
    },
    OptionSpec {
        name: "UCI_Elo",
        kind: spin(level::STRONGEST as i64, level::WEAKEST as i64, level::STRONGEST as i64),
        about: "The strength aimed at where `UCI_LimitStrength` is set; see docs/levels.md.",
        effect: setting!(elo, OptionValue::number),
    },
    OptionSpec {
        name: "Skill Level",
        kind: spin(level::FULL_SKILL as i64, 0, level::FULL_SKILL as i64),
        about: "The strength in steps of about 94 Elo, from 1320 at 0; 20 is all of it.",
        effect: setting!(skill_level, OptionValue::number),
    },
    OptionSpec {
        name: "UCI_AnalyseMode",
        kind: OFF,
        about: "Analyses rather than plays: the book and the limit of strength do not count.",
        effect: setting!(analyse_mode, OptionValue::is_true),
    },
    OptionSpec {
        name: "UCI_SetPositionValue",
        kind: text(""),
        about: "Lets the search take `CENTIPAWNS FEN` for the truth, from White's view; `clear FEN`, `clearall`.",
        effect: Effect::Engine(|engine, value| {
            let refused = |error| OptionError::Refused(format!("UCI_SetPositionValue ignored: {error}"));
            engine.assign(&value.text().parse().map_err(refused)?);
            Ok(())
        }),
    },
    OptionSpec {
        name: "UCI_Opponent",
        kind: text(""),
        about: "Who plays against Rufous: title, rating, human or computer, and a name; answered in words.",
        effect: Effect::Program(ProgramOption::Opponent),
    },
    OptionSpec {
        name: "UCI_EngineAbout",
        kind: text("Rufous, a free chess engine under the GNU General Public License, version 3 or later"),
        about: "Who Rufous is; for the client to show, not to change.",
        effect: Effect::Program(ProgramOption::About),
    },
    OptionSpec {
        name: "EvalFile",
        kind: OptionKind::Network,
        about: "The network that evaluates: a file, by its path or beside the program.",
        effect: Effect::Engine(|engine, value| network::load(engine, value.text())),
    },
];
