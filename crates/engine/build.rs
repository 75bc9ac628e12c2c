//! Finds the networks to embed: the files that `EVALFILE` and `EVALFILE_SMALL` name, else those in `nets/`.

use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    embed("EVALFILE", "", "RUFOUS_NETWORK");
    embed("EVALFILE_SMALL", "small", "RUFOUS_SMALL_NETWORK");
}

/// Tells the compiler path and name of the network that `wish` names, or else of the one in a folder of `nets/`.
fn embed(wish: &str, folder: &str, variable: &str) {
    println!("cargo:rerun-if-env-changed={wish}");
    let network = match env::var_os(wish).filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => committed_network(folder),
    };
    let network = network.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", network.display()));
    let name = network.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    println!("cargo:rerun-if-changed={}", network.display());
    println!("cargo:rustc-env={variable}={}", network.display());
    println!("cargo:rustc-env={variable}_NAME={name}");
}

/// The only `.nnue` file in the folder; with two of them nobody could say which one plays.
fn committed_network(folder: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets").join(folder);
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
