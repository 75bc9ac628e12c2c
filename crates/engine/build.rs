//! Finds the network to embed: the file that `EVALFILE` names, else the one in `nets/`.

use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "../nnue/src/whole.rs"]
mod whole;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(single_threaded)");
    let target = |name: &str| env::var(name).unwrap_or_default();
    let has_threads = target("CARGO_CFG_TARGET_FEATURE").split(',').any(|feature| feature == "atomics");
    if target("CARGO_CFG_TARGET_FAMILY") == "wasm" && !has_threads {
        println!("cargo::rustc-cfg=single_threaded");
    }
    println!("cargo:rerun-if-env-changed=EVALFILE");
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

/// A relative path is seen from the folder with the Makefile; this script runs in another one.
pub(crate) fn beside_makefile(path: &Path) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

/// A network that was cut short or damaged on its way is not built into a program.
pub(crate) fn check(network: &Path) -> Result<(), String> {
    let bytes = fs::read(network).map_err(|error| error.to_string())?;
    if !bytes.starts_with(&whole::MAGIC) {
        return Err("it does not begin as a network does".to_owned());
    }
    let checksum = bytes.get(whole::CHECKSUM..whole::BODY).and_then(|bytes| bytes.try_into().ok());
    match checksum.map(u64::from_le_bytes) {
        Some(sum) if sum == whole::checksum(&bytes[whole::BODY..]) => Ok(()),
        _ => Err("it is truncated or damaged".to_owned()),
    }
}
