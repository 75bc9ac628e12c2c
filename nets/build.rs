//! Finds the network to embed: the file that `EVALFILE` names, else the one in this folder.

use std::path::{Path, PathBuf};
use std::{env, fs};

use nnue::Parameters;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=EVALFILE");
    let network = match env::var_os("EVALFILE").filter(|path| !path.is_empty()) {
        Some(path) => beside_makefile(Path::new(&path)),
        None => committed_network(),
    };
    let network = network
        .canonicalize()
        .unwrap_or_else(|error| panic!("the network {} (EVALFILE): {error}", network.display()));
    if let Err(reason) = check(&network) {
        panic!("the network {}: {reason}", network.display());
    }
    let name = network.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    println!("cargo::rerun-if-changed={}", network.display());
    println!("cargo::rustc-env=RUFOUS_NETWORK={}", network.display());
    println!("cargo::rustc-env=RUFOUS_NETWORK_NAME={name}");
}

/// The only `.nnue` file in the folder; with two of them nobody could say which one plays.
fn committed_network() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    println!("cargo::rerun-if-changed={}", folder.display());
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
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

/// A relative path is seen from the folder with the Makefile; this script runs in another one.
pub(crate) fn beside_makefile(path: &Path) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

/// A network that was cut short or damaged on its way is not built into a program.
pub(crate) fn check(network: &Path) -> Result<(), String> {
    let bytes = fs::read(network).map_err(|error| error.to_string())?;
    Parameters::from_bytes(&bytes).map(drop).map_err(|error| error.to_string())
}
