//! What the program says about itself.

/// Name and version.
pub(crate) const NAME_AND_VERSION: &str = concat!("Rufous ", env!("CARGO_PKG_VERSION"));

/// Who made it.
pub(crate) const AUTHORS: &str = "the Rufous developers";

/// The greeting for somebody at a terminal.
pub(crate) fn banner() -> String {
    format!("{NAME_AND_VERSION}, a chess engine by {AUTHORS}. Type help for the commands, quit to leave.")
}

/// How it was built.
pub(crate) fn compiler() -> String {
    format!(
        "\nCompiled by {} for {}\nOptimisation level {}, processor features: {}\nDebug assertions: {}\n",
        env!("BUILD_COMPILER"),
        env!("BUILD_TARGET"),
        env!("BUILD_OPTIMISATION"),
        env!("BUILD_FEATURES"),
        if cfg!(debug_assertions) { "yes" } else { "no" },
    )
}

/// Under which terms it may be used.
pub(crate) fn license() -> String {
    format!(
        "\n{NAME_AND_VERSION}, a chess engine. Copyright (C) {AUTHORS}.\n\n\
         This program is free software: you may use, study, share and change it under the terms of\n\
         the GNU General Public License, version 3 or (at your option) any later version.\n\
         It comes with no warranty, to the extent that the law permits. The full text of the\n\
         licence is in the file LICENSE that comes with the program, and at\n\
         https://www.gnu.org/licenses/gpl-3.0.html\n"
    )
}
