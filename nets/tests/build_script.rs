//! What the build script embeds: `EVALFILE` as seen from the Makefile, and only whole networks.

#[allow(dead_code, reason = "its main function is the build's")]
#[path = "../build.rs"]
mod script;

use std::path::Path;
use std::{env, fs, process};

#[test]
fn a_relative_path_is_seen_from_the_makefile() {
    assert!(script::beside_makefile(Path::new("Makefile")).is_file());
    assert!(script::beside_makefile(Path::new("nets/README.md")).is_file());
    let absolute = env::temp_dir().join("network.nnue");
    assert_eq!(script::beside_makefile(&absolute), absolute);
}

#[test]
fn only_a_whole_network_is_embedded() {
    let file = env::temp_dir().join(format!("rufous-build-{}.nnue", process::id()));
    let verdict = |bytes: &[u8]| {
        fs::write(&file, bytes).unwrap();
        script::check(&file)
    };
    let whole = network::bytes();
    assert_eq!(verdict(whole), Ok(()));
    for length in [0, 7, 8, 19, 20, 100, whole.len() / 2, whole.len() - 1] {
        assert!(verdict(&whole[..length]).is_err(), "{length} bytes");
    }
    let mut damaged = whole.to_vec();
    damaged[whole.len() / 3] ^= 1;
    assert!(verdict(&damaged).is_err());
    fs::remove_file(&file).unwrap();
    assert!(script::check(&file).is_err());
}
