//! `serbench run` from the outside, on the bundled plugins.

mod support;

use std::fs;
use std::process::Stdio;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};
use support::{Sandbox, bundled, bundled_plugin, of, records, stderr, stdout};

/// The codecs that the first release brings along, and one of its baselines.
const CODECS: [&str; 7] = [
    "serde_json",
    "postcard",
    "bitcode",
    "nlohmann_json",
    "msgpack_cxx",
    "cereal",
    "memcpy",
];

/// What other programs read; columns are only ever added behind these.
const HEAD: &str = "dataset,codec,language,format,status,reason,values,size_bytes,zstd3_bytes,\
    zstd22_bytes,serialize_p50_ns,serialize_p99_ns,deserialize_p50_ns,deserialize_p99_ns,\
    read_p50_ns,deserialize_read_p50_ns";

#[test]
fn every_bundled_codec_on_one_dataset() {
    let sandbox = Sandbox::new();
    let run = sandbox
        .measure(&["--dataset", "game_level", "--format", "csv"])
        .code(0);
    let csv = stdout(&run);
    assert!(csv.starts_with(HEAD), "{csv}");
    let records = records(&csv);
    for codec in CODECS {
        let row = of(&records, codec);
        assert_eq!(row["status"], "ok", "{row:?}");
        assert_eq!(row["dataset"], "game_level");
        for column in HEAD
            .split(',')
            .skip(6)
            .filter(|column| !column.contains("p99"))
        {
            let number = row[column].parse::<f64>().expect(column);
            assert!(number > 0.0, "{codec}: {column} is {number}");
        }
    }
    // One value: its size is the mean, and compressed alone it is as large as in a sequence.
    let json = of(&records, "serde_json");
    assert_eq!(json["values"], "1");
    assert_eq!(json["zstd3_bytes"], json["zstd3_sequence_bytes"]);
    assert!(sandbox.path("results.json").is_file());
}

#[test]
fn what_a_codec_cannot_carry_is_no_failure() {
    let run = Sandbox::new()
        .measure(&["--dataset", "game_level_dynamic", "--format", "csv"])
        .code(0);
    let records = records(&stdout(&run));
    for codec in ["postcard", "bitcode", "cereal", "msgpack_cxx"] {
        let row = of(&records, codec);
        assert_eq!(row["status"], "unsupported");
        assert!(row["reason"].contains("self-describing"), "{row:?}");
        assert_eq!(row["size_bytes"], "");
    }
    assert_eq!(of(&records, "serde_json")["status"], "ok");
}

#[test]
fn baselines_are_never_the_reference() {
    let run = Sandbox::new()
        .measure(&["--dataset", "game_level", "--format", "csv"])
        .success();
    let records = records(&stdout(&run));
    let reference = &records[0]["reference"];
    assert!(!["null", "memcpy", "handwritten/rust"].contains(&reference.as_str()));
    assert_eq!(of(&records, reference)["serialize_ratio"], "1");
}

#[test]
fn codecs_reference_and_ops_can_be_chosen() {
    let run = Sandbox::new()
        .measure(&[
            "--dataset",
            "game_level",
            "--codec",
            "serde_*",
            "--reference",
            "postcard",
            "--ops",
            "serialize,read",
            "--zstd",
            "1",
            "--format",
            "csv",
        ])
        .success();
    let records = records(&stdout(&run));
    assert!(records.iter().all(|row| row["reference"] == "postcard"));
    let json = of(&records, "serde_json");
    assert_ne!(json["read_p50_ns"], "");
    assert_eq!(json["deserialize_p50_ns"], "");
    assert_ne!(json["zstd1_bytes"], "");
    assert_eq!(json["zstd3_bytes"], "");
    assert!(records.iter().all(|row| row["codec"] != "cereal"));
}

#[test]
fn the_same_data_from_a_file() {
    let sandbox = Sandbox::new();
    let level = r#"{"V1": {"size": [1, 1, 1], "cells": [], "scene_assets": ["a"]}}"#;
    fs::write(sandbox.path("level.json"), level).unwrap();
    let run = sandbox
        .measure(&[
            "--dataset",
            "game_level",
            "--data",
            "level.json",
            "--format",
            "csv",
        ])
        .success();
    let records = records(&stdout(&run));
    let size = &of(&records, "serde_json")["size_bytes"];
    assert_eq!(size, &level.replace(' ', "").len().to_string());

    fs::write(sandbox.path("bad.json"), r#"{"V1": {"size": [1, 1]}}"#).unwrap();
    sandbox
        .measure(&["--dataset", "game_level", "--data", "bad.json"])
        .code(2)
        .stderr(contains("bad.json"));
    sandbox
        .measure(&["--dataset", "game_*", "--data", "level.json"])
        .code(2)
        .stderr(contains("--data gives the values of one dataset"));
}

#[test]
fn modes_are_recorded() {
    let sandbox = Sandbox::new();
    sandbox
        .measure(&[
            "-d",
            "game_level",
            "--codec",
            "postcard",
            "--buffers",
            "fresh",
            "--input",
            "misaligned",
        ])
        .success()
        .stdout(contains("output buffer fresh, input misaligned"));
}

#[test]
fn nothing_but_the_report_goes_to_stdout() {
    let sandbox = Sandbox::new();
    let run = sandbox
        .measure(&[
            "-d",
            "game_level",
            "-c",
            "postcard",
            "-f",
            "json",
            "--out",
            "report.json",
        ])
        .success()
        .stdout(is_empty());
    assert!(!stderr(&run).contains("round"), "{}", stderr(&run));
    let report = fs::read(sandbox.path("report.json")).unwrap();
    let rows: serde_json::Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(rows[0]["codec"], "postcard");
    assert!(rows[0]["size_bytes"].is_u64());
    assert!(rows[0]["serialize_p50_ns"].is_number());
}

#[test]
fn unknown_names_get_the_nearest_ones() {
    let sandbox = Sandbox::new();
    sandbox
        .measure(&["--dataset", "game_levle"])
        .code(2)
        .stderr(contains("did you mean game_level"));
    sandbox
        .measure(&["--dataset", "game_level", "--codec", "postcrad"])
        .code(2)
        .stderr(contains("did you mean postcard"));
    sandbox
        .measure(&["--dataset", "game_level", "--reference", "postcrad"])
        .code(2)
        .stderr(contains("did you mean postcard"));
}

#[test]
fn bad_usage() {
    let sandbox = Sandbox::new();
    for bad in [
        ["--precision", "0"],
        ["--precision", "nan"],
        ["--budget", "0s"],
        ["--budget", "soon"],
        ["--zstd", "99"],
        ["--ops", "write"],
        ["--codec", "["],
        ["--scale", "0"],
    ] {
        let run = sandbox
            .measure(&["-d", "game_level", bad[0], bad[1]])
            .code(2);
        assert_eq!(stdout(&run), "", "{bad:?}");
        assert!(stderr(&run).contains("error: "), "{bad:?}");
    }
}

#[test]
fn no_plugins() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["run", "--plugins", "missing"])
        .code(2)
        .stderr(contains("no plugin file or folder missing"));
    fs::create_dir(sandbox.path("empty")).unwrap();
    sandbox
        .run(&["run", "--plugins", "empty"])
        .code(2)
        .stderr(contains("there is no plugin in empty"));
    sandbox
        .run(&["run"])
        .code(2)
        .stderr(contains("no plugins found").and(contains("SERBENCH_PLUGIN_PATH")));
}

#[test]
fn default_places() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("plugins")).unwrap();
    let name = "libserbench_codec_postcard.so";
    fs::copy(
        bundled_plugin("postcard"),
        sandbox.path("plugins").join(name),
    )
    .unwrap();
    // The one in ./plugins comes before the one of that name in a later place.
    let run = sandbox
        .command(&["list", "codecs", "--format", "csv"])
        .env("SERBENCH_PLUGIN_PATH", bundled())
        .assert()
        .success();
    let records = records(&stdout(&run));
    let path = |codec: &str| {
        let row = records.iter().find(|row| row["id"] == codec).unwrap();
        row["path"].clone()
    };
    assert_eq!(path("postcard"), format!("plugins/{name}"));
    assert!(path("serde_json").starts_with(bundled().to_str().unwrap()));
}

#[test]
fn two_codecs_with_one_id() {
    let sandbox = Sandbox::new();
    let (first, second) = (sandbox.path("first.so"), sandbox.path("second.so"));
    fs::copy(bundled_plugin("postcard"), &first).unwrap();
    fs::copy(bundled_plugin("postcard"), &second).unwrap();
    let run = sandbox
        .measure(&[
            "-d",
            "game_level",
            "-c",
            "postcard",
            "serde_json",
            "-f",
            "csv",
            "--plugins",
            first.to_str().unwrap(),
            second.to_str().unwrap(),
        ])
        .code(1)
        .stderr(contains(first.to_str().unwrap()).or(contains(second.to_str().unwrap())));
    let records = records(&stdout(&run));
    let refused = of(&records, "postcard");
    assert_eq!(refused["status"], "error");
    assert!(
        refused["reason"].contains("codec with the id postcard"),
        "{refused:?}"
    );
    assert_eq!(of(&records, "serde_json")["status"], "ok");
}

#[test]
fn a_full_disk_costs_the_file_but_not_the_table() {
    Sandbox::new()
        .measure(&["-d", "game_level", "-c", "postcard", "--save", "/dev/full"])
        .code(1)
        .stdout(contains("postcard"))
        .stderr(contains("cannot save the results to /dev/full"));
}

#[test]
fn a_dataset_that_cannot_be_read_costs_nothing_that_was_measured() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path("broken");
    fs::create_dir(&folder).unwrap();
    fs::write(
        folder.join("schema.rs"),
        "pub type Root = Narrow;\npub struct Narrow { pub a: u8 }",
    )
    .unwrap();
    fs::write(folder.join("data.json"), "{\"a\": 256}").unwrap();
    let run = sandbox
        .measure(&[
            "-d",
            "game_level",
            "./broken",
            "-c",
            "postcard",
            "-f",
            "csv",
        ])
        .code(2)
        .stderr(contains("broken/data.json").and(contains("256")));
    assert_eq!(of(&records(&stdout(&run)), "postcard")["status"], "ok");
    sandbox
        .run(&["report", "results.json"])
        .success()
        .stdout(contains("game_level").and(contains("postcard")));
}

/// `taskset` is a part of every Linux system.
#[cfg(target_os = "linux")]
#[test]
fn a_single_core_is_a_warning() {
    let sandbox = Sandbox::new();
    let run = std::process::Command::new("taskset")
        .args(["-c", "0"])
        .arg(assert_cmd::cargo::cargo_bin!("serbench"))
        .args(["run", "-d", "game_level", "-c", "postcard", "-f", "csv"])
        .args(["--budget", "1ms", "--plugins"])
        .arg(bundled())
        .current_dir(sandbox.path(""))
        .output()
        .unwrap();
    let stderr = String::from_utf8(run.stderr).unwrap();
    assert!(run.status.success(), "{stderr}");
    assert!(
        stderr.contains("there is only core 0 to run on"),
        "{stderr}"
    );
    let records = records(std::str::from_utf8(&run.stdout).unwrap());
    assert_eq!(of(&records, "postcard")["status"], "ok");
}

#[test]
fn an_output_that_cannot_be_written() {
    Sandbox::new()
        .measure(&[
            "-d",
            "game_level",
            "-c",
            "postcard",
            "--out",
            "no/such/folder",
        ])
        .code(1)
        .stderr(contains("cannot write no/such/folder"));
}

/// The first dataset's save tells that the next one's measurement is under way; they are so many
/// that none but a machine that stands still could come to the end of the last one.
#[cfg(unix)]
#[test]
fn interrupted_in_the_middle() {
    let sandbox = Sandbox::new();
    let file = sandbox.path("results.json");
    let child = std::process::Command::new(assert_cmd::cargo::cargo_bin!("serbench"))
        .args([
            "run",
            "-c",
            "postcard",
            "serde_json",
            "--precision",
            "0.0001%",
            "--budget",
            "3s",
        ])
        .args([
            "-d",
            "game_level",
            "game_level_dynamic",
            "multiple_fields",
            "nested_struct",
            "small_*",
            "-f",
            "csv",
            "--plugins",
        ])
        .arg(bundled())
        .current_dir(sandbox.folder.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let has_rows = || fs::read_to_string(&file).is_ok_and(|text| text.contains("\"rows\""));
    while !has_rows() {
        std::thread::yield_now();
    }
    let pid = nix::unistd::Pid::from_raw(child.id().cast_signed());
    nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGINT).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let records = records(&String::from_utf8(output.stdout).unwrap());
    assert_eq!(of(&records, "postcard")["dataset"], "game_level");
    let saved: serde_json::Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    assert_eq!(saved["runs"][0]["interrupted"], true);
}

#[test]
fn help_names_the_exit_codes() {
    let sandbox = Sandbox::new();
    for args in [&["--help"][..], &["run", "--help"]] {
        sandbox
            .run(args)
            .code(0)
            .stdout(contains("Exit codes:").and(contains("130")));
    }
    let short = stdout(&sandbox.run(&["run", "-h"]).code(0));
    let long = stdout(&sandbox.run(&["run", "--help"]).code(0));
    assert!(short.len() < long.len());
}
