//! The table of all UCI options.

use super::{Effect, OptionError, OptionKind, OptionSpec, OptionValue, hash_file, network};
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

/// Every option, in the order in which they are declared to a client.
#[cfg(not(feature = "tune"))]
pub fn all_options() -> &'static [OptionSpec] {
    STANDARD
}

/// Every option, the search's tunables included.
#[cfg(feature = "tune")]
pub fn all_options() -> &'static [OptionSpec] {
    use crate::params::{TUNABLES, Tunable};
    static ALL: std::sync::LazyLock<Vec<OptionSpec>> = std::sync::LazyLock::new(|| {
        let option = |&Tunable { name, default, values, set }: &Tunable| {
            let bound = |bound: Option<&i32>| bound.copied().unwrap_or(default).into();
            OptionSpec {
                name,
                kind: spin(default.into(), bound(values.iter().min()), bound(values.iter().max())),
                about: "A tunable of the search.",
                effect: Effect::Tunable(set),
            }
        };
        STANDARD.iter().copied().chain(TUNABLES.iter().map(option)).collect()
    });
    &ALL
}

const STANDARD: &[OptionSpec] = &[
    OptionSpec {
        name: "Threads",
        kind: spin(1, 1, 1024),
        about: "The number of search threads; for best performance the number of CPU cores.",
        effect: Effect::Engine(|engine, value| {
            engine.set_threads(value.number() as usize).map_err(OptionError::refused)
        }),
    },
    OptionSpec {
        name: "Hash",
        kind: spin(DEFAULT_HASH_MIB as i64, 1, 33_554_432),
        about: "The size of the hash table in MiB. Set it after Threads.",
        effect: Effect::Engine(|engine, value| {
            let mib = value.number() as usize;
            engine.set_hash(mib).map_err(OptionError::refused)
        }),
    },
    OptionSpec {
        name: "Clear Hash",
        kind: OptionKind::Button,
        about: "Clear the hash table.",
        effect: Effect::Engine(|engine, _| {
            engine.clear_hash();
            Ok(())
        }),
    },
    OptionSpec {
        name: "Hash File",
        kind: text(""),
        about: "The file for `Save Hash` and `Load Hash`.",
        effect: Effect::Engine(|engine, value| {
            engine.set_hash_file(value.text());
            Ok(())
        }),
    },
    OptionSpec {
        name: "Save Hash",
        kind: OptionKind::Button,
        about: "Save the hash table to `Hash File`, to continue an analysis later.",
        effect: Effect::Files(|engine, _| hash_file::save(engine)),
    },
    OptionSpec {
        name: "Load Hash",
        kind: OptionKind::Button,
        about: "Load the hash table from `Hash File`, whatever size it was saved with.",
        effect: Effect::Files(|engine, _| hash_file::load(engine)),
    },
    OptionSpec {
        name: "NumaPolicy",
        kind: text("auto"),
        about: "Bind threads to processors: none, system, auto, hardware, or a list of NUMA nodes such as 0-3:4-7.",
        effect: Effect::Engine(|engine, value| {
            let policy =
                value.text().parse().map_err(|error: NumaPolicyError| OptionError::refused(error))?;
            engine.set_numa_policy(&policy).map_err(OptionError::refused)
        }),
    },
    OptionSpec {
        name: "Ponder",
        kind: OFF,
        about: "Report that pondering is supported, so that time management can use it.",
        effect: setting!(ponder, OptionValue::is_true),
    },
    OptionSpec {
        name: "MultiPV",
        kind: spin(1, 1, 256),
        about: "Output the N best lines. Leave at 1 for best performance.",
        effect: setting!(multipv, |value: &OptionValue| value.number() as usize),
    },
    OptionSpec {
        name: "Move Overhead",
        kind: spin(10, 0, 5000),
        about: "Assume a delay of this many ms for each move, due to network and GUI overhead.",
        effect: setting!(move_overhead, OptionValue::number),
    },
    OptionSpec {
        name: "nodestime",
        kind: spin(0, 0, 10_000),
        about: "Play with nodes instead of time, this many for each ms of the clock. For testing; 0 uses the clock.",
        effect: setting!(nodes_time, OptionValue::number),
    },
    OptionSpec {
        name: "UCI_Chess960",
        kind: OFF,
        about: "Play Chess960: castling moves are written as king takes rook.",
        effect: Effect::Notation,
    },
    OptionSpec {
        name: "UCI_ShowWDL",
        kind: OFF,
        about: "Show win, draw and loss probabilities (per mille) with each score.",
        effect: setting!(show_wdl, OptionValue::is_true),
    },
    OptionSpec {
        name: "UCI_ShowCurrLine",
        kind: OFF,
        about: "Show the line that each thread is searching (`info currline`).",
        effect: setting!(show_current_line, OptionValue::is_true),
    },
    OptionSpec {
        name: "UCI_ShowRefutations",
        kind: OFF,
        about: "Show the reply that refutes each root move (`info refutation`).",
        effect: setting!(show_refutations, OptionValue::is_true),
    },
    OptionSpec {
        name: "OwnBook",
        kind: OFF,
        about: "Play moves from `Book File` without searching; never when analysing.",
        effect: setting!(own_book, OptionValue::is_true),
    },
    OptionSpec {
        name: "Book File",
        kind: text(""),
        about: "The opening book, in Polyglot format.",
        effect: Effect::Files(|engine, value| {
            let file = value.text();
            let refused = |error| OptionError::Refused(format!("cannot use the book '{file}': {error}"));
            engine.set_book(file).map_err(refused)
        }),
    },
    OptionSpec {
        name: "Book Depth",
        kind: spin(100, 1, 1000),
        about: "Use the book up to this move number.",
        effect: setting!(book_depth, OptionValue::number),
    },
    OptionSpec {
        name: "Book Variety",
        kind: spin(100, 0, 100),
        about: "100 chooses book moves by their weights; lower values prefer the heavier ones, 0 always plays the heaviest.",
        effect: setting!(book_variety, OptionValue::number),
    },
    OptionSpec {
        name: "SyzygyPath",
        kind: text(""),
        about: "Directories with Syzygy tablebases, searched with their subdirectories. Separated by `:`, on Windows by `;`.",
        effect: Effect::Files(|engine, value| Ok(engine.set_tablebases(value.text()))),
    },
    OptionSpec {
        name: "SyzygyProbeDepth",
        kind: spin(1, 1, 100),
        about: "Minimum remaining depth for probing positions with as many pieces as SyzygyProbeLimit; smaller ones are always probed.",
        effect: setting!(tablebase_depth, |value: &OptionValue| value.number() as i32),
    },
    OptionSpec {
        name: "Syzygy50MoveRule",
        kind: ON,
        about: "Count tablebase wins and losses that the fifty-move rule turns into draws as draws.",
        effect: setting!(fifty_move_rule, OptionValue::is_true),
    },
    OptionSpec {
        name: "SyzygyProbeLimit",
        kind: spin(7, 0, 7),
        about: "Probe positions with at most this many pieces; 0 disables probing.",
        effect: setting!(tablebase_men, |value: &OptionValue| value.number() as usize),
    },
    OptionSpec {
        name: "UCI_LimitStrength",
        kind: OFF,
        about: "Limit the strength to `UCI_Elo`; overrides `Skill Level`.",
        effect: setting!(limit_strength, OptionValue::is_true),
    },
    OptionSpec {
        name: "UCI_Elo",
        kind: spin(level::STRONGEST as i64, level::WEAKEST as i64, level::STRONGEST as i64),
        about: "The strength in Elo if `UCI_LimitStrength` is set; see docs/levels.md for its calibration.",
        effect: setting!(elo, OptionValue::number),
    },
    OptionSpec {
        name: "Skill Level",
        kind: spin(level::FULL_SKILL as i64, 0, level::FULL_SKILL as i64),
        about: "Limit the strength in steps of about 94 Elo, from 1320 at 0; 20 is full strength.",
        effect: setting!(skill_level, OptionValue::number),
    },
    OptionSpec {
        name: "UCI_AnalyseMode",
        kind: OFF,
        about: "Analysis mode: no book moves and no limit of strength.",
        effect: setting!(analyse_mode, OptionValue::is_true),
    },
    OptionSpec {
        name: "UCI_SetPositionValue",
        kind: text(""),
        about: "Assign a value to a position: `CENTIPAWNS FEN`, from White's view. `clear FEN` and `clearall` remove it.",
        effect: Effect::Engine(|engine, value| {
            let refused = |error| OptionError::Refused(format!("UCI_SetPositionValue ignored: {error}"));
            engine.assign(&value.text().parse().map_err(refused)?);
            Ok(())
        }),
    },
    OptionSpec {
        name: "EvalFile",
        kind: OptionKind::Network,
        about: "The network file: a path, or a name next to the program.",
        effect: Effect::Engine(|engine, value| network::load(engine, value.text())),
    },
];
