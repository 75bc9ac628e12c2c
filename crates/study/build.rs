//! Embeds the page of `rufous-study serve`: the files that Vite left in `web/dist`, or, where nobody has built them, a
//! page that says how to.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

const NOT_BUILT: &str = r#"<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Rufous</title>
<h1>The board has not been built</h1>
<p>This program was compiled without its page. With Node.js installed, run <code>make study</code>
in the folder of the sources, and start it again.</p>
</html>
"#;

fn main() {
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("web/dist");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", dist.display());
    let mut files = Vec::new();
    collect(&dist, &mut files);
    files.sort();
    let mut code = String::from("static ASSETS: &[Asset] = &[\n");
    let mut add = |path: &str, bytes: String| {
        writeln!(code, "    Asset {{ path: {path:?}, bytes: {bytes} }},").expect("a string takes everything");
    };
    for file in &files {
        let below =
            file.strip_prefix(&dist).expect("it was found there").to_string_lossy().replace('\\', "/");
        add(&format!("/{below}"), format!("include_bytes!({:?})", file.display().to_string()));
    }
    if !dist.join("index.html").exists() {
        add("/index.html", format!("{NOT_BUILT:?}.as_bytes()"));
    }
    code.push_str("];\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("assets.rs"), code).expect("the folder for generated code can be written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        let hidden = path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
        if path.is_dir() {
            collect(&path, files);
        } else if !hidden {
            files.push(path);
        }
    }
}
