//! The example for Apache Spark, in local mode with two cores; where PySpark and Java are.

mod support;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use support::{Folder, answers};

/// The folder of PySpark, which has `spark-submit` in it.
fn spark_home() -> Option<PathBuf> {
    let find = "import os, pyspark; print(os.path.dirname(pyspark.__file__))";
    let found = Command::new("python3").args(["-c", find]).stderr(Stdio::null()).output().ok()?;
    let java = Command::new("java").arg("-version").stderr(Stdio::null()).status();
    let home = String::from_utf8(found.stdout).ok().filter(|_| found.status.success())?;
    java.ok().filter(std::process::ExitStatus::success)?;
    Some(home.trim().into())
}

fn submit(home: &Path, words: &[&str]) -> Output {
    Command::new(home.join("bin/spark-submit"))
        .args(words)
        .env("SPARK_HOME", home)
        .env("SPARK_LOCAL_IP", "127.0.0.1")
        .env("PYSPARK_PYTHON", "python3")
        .output()
        .unwrap()
}

/// Every form of a line, good and bad, some of them twice.
fn input() -> String {
    let mut text = String::new();
    for number in 0..40 {
        for line in [
            format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {number} 1"),
            format!("4k3/8/8/8/8/8/8/4K2R w K - bm O-O; id \"epd {number}\";"),
            format!(r#"{{"id": {number}, "moves": ["e2e4", "e7e5"]}}"#),
            format!(r#"{{"id": "bad {number}", "moves": ["e2e5"]}}"#),
            r#"{"fen": 3, "id": [1]}"#.to_owned(),
            "no position".to_owned(),
            String::new(),
        ] {
            writeln!(text, "{line}").unwrap();
        }
    }
    text + "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n"
}

#[test]
fn every_row_comes_out_exactly_once() {
    let Some(home) = spark_home() else {
        println!("skipped: python3 has no pyspark, or there is no java");
        return;
    };
    let folder = Folder::new("spark");
    let (file, rows) = (folder.path("positions.txt"), folder.path("analyses.parquet"));
    let input = input();
    std::fs::write(&file, &input).unwrap();
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    let example = tests.join("../../examples/spark/analyse.py");
    let program = env!("CARGO_BIN_EXE_rufous-study");
    let mut words = vec!["--master", "local[2]", "--conf", "spark.ui.enabled=false", "--files", program];
    words.extend([example.to_str().unwrap(), "--nodes", "50", "--multipv", "2", &file, &rows]);
    let output = submit(&home, &words);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));

    let reader = tests.join("tests/python/read_parquet.py");
    let json = folder.path("rows.jsonl");
    let output = submit(&home, &[reader.to_str().unwrap(), &rows, &json]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let rows = answers(&std::fs::read(&json).unwrap());
    let lines: Vec<&str> = input.lines().collect();
    assert_eq!(rows.len(), lines.len());
    let by_number: HashMap<u64, _> = rows.iter().map(|row| (row["number"].as_u64().unwrap(), row)).collect();
    for (number, &line) in lines.iter().enumerate() {
        let row = by_number[&(number as u64)];
        assert_eq!(row["input"], line);
        let is_bad =
            line.is_empty() || line.contains("bad") || line.contains("no ") || line.contains("\"fen\": 3");
        assert_eq!(row["error"].is_string(), is_bad, "{row}");
        assert_eq!(row["lines"].as_array().unwrap().is_empty(), is_bad, "{row}");
    }
    assert_eq!(by_number[&1]["id"], "epd 0");
    assert_eq!(by_number[&2]["lines"].as_array().unwrap().len(), 2);
    assert_eq!(by_number[&(lines.len() as u64 - 1)]["lines"][0]["cp"], 0);
}
