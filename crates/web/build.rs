//! Arguments for the linker. They are here and not in RUSTFLAGS, which would have the standard library built anew.

use std::env;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let target = |name: &str| env::var(name).unwrap_or_default();
    if target("CARGO_CFG_TARGET_FAMILY") != "wasm" {
        return;
    }
    // Searches recurse on this stack, up to the largest ply. Below the data, an overflow ends the module.
    let mut arguments = vec!["-zstack-size=8388608", "--stack-first"];
    if target("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "atomics") {
        arguments.extend([
            "--shared-memory",
            "--import-memory",
            "--initial-memory=33554432",
            "--max-memory=2147483648",
            "--export=__wasm_init_tls",
            "--export=__tls_size",
            "--export=__tls_align",
            "--export=__stack_pointer",
        ]);
    }
    for argument in arguments {
        println!("cargo::rustc-link-arg-cdylib={argument}");
    }
}
