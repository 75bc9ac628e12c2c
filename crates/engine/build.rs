//! Tells a WebAssembly build without shared memory that it has one thread.

use std::env;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(single_threaded)");
    let target = |name: &str| env::var(name).unwrap_or_default();
    let has_threads = target("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "atomics");
    if target("CARGO_CFG_TARGET_FAMILY") == "wasm" && !has_threads {
        println!("cargo::rustc-cfg=single_threaded");
    }
}
