//! A folder dropped into the catalog, and nothing else, puts a dataset into every typed codec.
//!
//! The workspace is copied, the folder added, everything built anew (into a target folder of its
//! own, unoptimised), and the new dataset run.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

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

/// What the copy leaves out: what is built, and what is not source.
const NOT_COPIED: [&str; 3] = ["target", "plugins", ".git"];

/// The only datasets of the catalog that are copied, one with data and one with a generator: with
/// all of them, every codec would be compiled for each, which takes minutes and shows nothing more.
const KEPT_DATASETS: [&str; 2] = ["basic", "medium_tensor"];

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

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let is_kept = |name: &&str| entry.file_name() == *name;
        if from.ends_with("datasets/catalog") && !KEPT_DATASETS.iter().any(|name| is_kept(name)) {
            continue;
        }
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            copy_if_changed(&entry.path(), &target);
        }
    }
}

/// Leaves the times of unchanged files alone, so that a second run builds only what changed.
fn copy_if_changed(from: &Path, to: &Path) {
    let wanted = fs::read(from).unwrap();
    if fs::read(to).is_ok_and(|present| present == wanted) {
        return;
    }
    fs::write(to, wanted).unwrap();
}

fn copy_workspace(from: &Path, to: &Path) {
    // What was removed from the workspace must not live on in the copy; its build products may.
    for entry in fs::read_dir(to).into_iter().flatten().map(Result::unwrap) {
        let name = entry.file_name();
        if name != "target" && entry.file_type().unwrap().is_dir() && !from.join(&name).exists() {
            fs::remove_dir_all(entry.path()).unwrap();
        }
    }
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let name = entry.file_name();
        if NOT_COPIED.iter().any(|skipped| name == *skipped) {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            copy_tree(&entry.path(), &to.join(name));
        } else {
            copy_if_changed(&entry.path(), &to.join(name));
        }
    }
}

fn build(workspace: &Path) {
    let status = Command::new(env!("CARGO"))
        .args(["build", "--workspace", "--locked", "--quiet"])
        .current_dir(workspace)
        .env("CARGO_TARGET_DIR", workspace.join("target"))
        .env_remove("SERBENCH_DATASETS")
        .status()
        .unwrap();
    assert!(
        status.success(),
        "the workspace with the new folder does not build"
    );
}

/// Puts the plugins in a folder of their own, as the Makefile does.
fn collect_plugins(workspace: &Path) -> PathBuf {
    let built = workspace.join("target/debug");
    let plugins = workspace.join("target/plugins");
    let _ = fs::remove_dir_all(&plugins);
    fs::create_dir_all(&plugins).unwrap();
    for folder in [built.clone(), built.join("plugins-cpp")] {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "so") {
                fs::copy(&path, plugins.join(entry.file_name())).unwrap();
            }
        }
    }
    plugins
}

#[test]
fn a_new_folder_is_run_by_every_codec() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let workspace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("added-dataset");
    copy_workspace(source, &workspace);
    let folder = workspace.join("datasets/catalog/weather");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("schema.rs"), SCHEMA).unwrap();
    fs::write(folder.join("data.json"), DATA).unwrap();

    build(&workspace);
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
