//! A folder dropped into the catalog, and nothing else, puts a dataset into every typed codec.
//!
//! The workspace is copied, the folder added, everything built anew (into a target folder of its
//! own, unoptimised), and the new dataset run.

mod workspace;

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use workspace::{build, collect_plugins, copied};

const SCHEMA: &str = r#"//! Readings of a weather station.

pub type Root = Station;

pub struct Station {
    pub id: u32,
    pub place: String,
    pub readings: Vec<Reading>,
}

pub struct Reading {
    pub minute: i64,
    pub celsius: f64,
    pub raining: bool,
    pub remarks: Vec<String>,
}
"#;

const DATA: &str = r#"{
    "id": 17,
    "place": "Hohenpeißenberg",
    "readings": [
        {"minute": 0, "celsius": -3.25, "raining": false, "remarks": ["calm", "clear"]},
        {"minute": 10, "celsius": -3.5, "raining": true, "remarks": []}
    ]
}"#;

/// Codecs of every kind: text, binary with and without names, Rust and C++.
const TYPED: [&str; 7] = [
    "serde_json",
    "postcard",
    "bitcode",
    "nlohmann_json",
    "msgpack_cxx",
    "cereal",
    "memcpy",
];

#[test]
fn a_new_folder_is_run_by_every_codec() {
    let workspace = copied();
    let folder = workspace.join("datasets/catalog/weather");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("schema.rs"), SCHEMA).unwrap();
    fs::write(folder.join("data.json"), DATA).unwrap();

    build(&workspace, &["--workspace"], None);
    let plugins = collect_plugins(&workspace);
    let serbench = workspace.join("target/debug/serbench");
    let run = Command::new(&serbench)
        .args([
            "run",
            "--dataset",
            "weather",
            "--format",
            "csv",
            "--budget",
            "100ms",
        ])
        .arg("--plugins")
        .arg(&plugins)
        .arg("--save")
        .arg(workspace.join("target/results.json"))
        .output()
        .unwrap();
    let stdout = String::from_utf8(run.stdout).unwrap();
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{stdout}{stderr}");

    let mut reader = csv::Reader::from_reader(stdout.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let column = |name| headers.iter().position(|header| header == name).unwrap();
    let (codec, status, reason) = (column("codec"), column("status"), column("reason"));
    let mut shown = BTreeSet::new();
    let mut ran = BTreeSet::new();
    for row in reader.records().map(Result::unwrap) {
        shown.insert(row[codec].to_owned());
        match &row[status] {
            "ok" => _ = ran.insert(row[codec].to_owned()),
            // Not a matter of the dataset being new: the library cannot carry such data.
            "unsupported" => assert!(!row[reason].contains("rebuild"), "{stdout}"),
            _ => panic!("{} failed: {stdout}", &row[codec]),
        }
    }
    for codec in TYPED {
        assert!(ran.contains(codec), "{codec} did not run: {stdout}");
    }
    let listed = Command::new(&serbench)
        .args(["list", "codecs", "--format", "json", "--plugins"])
        .arg(&plugins)
        .output()
        .unwrap();
    let listed: Vec<serde_json::Value> = serde_json::from_slice(&listed.stdout).unwrap();
    let listed = listed
        .iter()
        .map(|codec| codec["id"].as_str().unwrap().to_owned())
        .collect::<BTreeSet<_>>();
    assert_eq!(shown, listed);
}
