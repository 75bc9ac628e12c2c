//! Tells the program how it was built, for `compiler` and `speedtest`.

use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let compiler = Command::new(variable("RUSTC")).arg("--version").output();
    let compiler = compiler.ok().and_then(|output| String::from_utf8(output.stdout).ok());
    println!("cargo::rustc-env=BUILD_COMPILER={}", compiler.as_deref().unwrap_or("rustc").trim());
    println!("cargo::rustc-env=BUILD_TARGET={}", variable("TARGET"));
    println!("cargo::rustc-env=BUILD_OPTIMISATION={}", variable("OPT_LEVEL"));
    println!("cargo::rustc-env=BUILD_FEATURES={}", variable("CARGO_CFG_TARGET_FEATURE").replace(',', " "));
}
