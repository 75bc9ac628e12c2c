//! Finds the network to embed: the file that `EVALFILE` names, else the one in `nets/`.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    println!("cargo::rustc-check-cfg=cfg(single_threaded)");
    let target = |name: &str| env::var(name).unwrap_or_default();
    let has_threads = target("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "atomics");
    if target("CARGO_CFG_TARGET_FAMILY") == "wasm" && !has_threads {
        println!("cargo::rustc-cfg=single_threaded");
    }
    println!("cargo:rerun-if-env-changed=EVALFILE");
    let network = match env::var_os("EVALFILE").filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => committed_network(),
    };
    let network = network.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", network.display()));
    let name = network.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    println!("cargo:rerun-if-changed={}", network.display());
    println!("cargo:rustc-env=RUFOUS_NETWORK={}", network.display());
    println!("cargo:rustc-env=RUFOUS_NETWORK_NAME={name}");
}

/// The only `.nnue` file in the folder; with two of them nobody could say which one plays.
fn committed_network() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets");
    println!("cargo:rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let networks: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|e| e == "nnue"))
        .collect();
    match networks.as_slice() {
        [only] => only.clone(),
        all => panic!("{} networks in {}, not one", all.len(), folder.display()),
    }
}
