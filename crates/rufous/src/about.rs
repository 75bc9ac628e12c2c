//! Name, version, build and licence of the program.

/// Name and version.
pub(crate) const NAME_AND_VERSION: &str = concat!("Rufous ", env!("CARGO_PKG_VERSION"));

/// The commit that the program was built from; empty where the build could not know.
const COMMIT: &str = env!("BUILD_COMMIT");

/// Name, version, commit and network: all that `bench` depends on.
pub(crate) fn version() -> String {
    let network = engine::EMBEDDED_NAME.trim_end_matches(".nnue");
    match COMMIT {
        "" => format!("{NAME_AND_VERSION} (network {network})"),
        commit => format!("{NAME_AND_VERSION} (commit {commit}, network {network})"),
    }
}

/// The authors.
pub(crate) const AUTHORS: &str = "the Rufous developers";

/// The banner for a user at a terminal.
pub(crate) fn banner() -> String {
    format!("{NAME_AND_VERSION}, a chess engine by {AUTHORS}. Type help for the commands, quit to leave.")
}

/// Compiler, target and kind of the build in a line.
pub(crate) fn build() -> String {
    let kind = if cfg!(debug_assertions) { ", with debug assertions" } else { "" };
    format!("{} for {}{kind}", env!("BUILD_COMPILER"), env!("BUILD_TARGET"))
}

/// How it was built.
pub(crate) fn compiler() -> String {
    format!(
        "\n{}\nCompiled by {} for {}\nOptimisation level {}, processor features: {}\nDebug assertions: {}\n",
        version(),
        env!("BUILD_COMPILER"),
        env!("BUILD_TARGET"),
        env!("BUILD_OPTIMISATION"),
        features(),
        if cfg!(debug_assertions) { "yes" } else { "no" },
    )
}

/// The instructions that matter to the speed and that this build of the search uses unasked. The network has its own.
fn features() -> String {
    let all = [
        ("popcnt", cfg!(target_feature = "popcnt")),
        ("bmi2", cfg!(target_feature = "bmi2")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("avx512f", cfg!(target_feature = "avx512f")),
        ("neon", cfg!(target_feature = "neon")),
        ("simd128", cfg!(target_feature = "simd128")),
    ];
    let used: Vec<&str> = all.iter().filter(|(_, used)| *used).map(|(name, _)| *name).collect();
    if used.is_empty() { "those of every processor of this kind".to_owned() } else { used.join(" ") }
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
