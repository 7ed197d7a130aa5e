//! `serbench compare` and `serbench merge` from the outside. The numbers are those of a real run,
//! changed here on purpose.

mod support;

use std::fs;
use std::path::PathBuf;

use assert_cmd::assert::Assert;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::{Value, json};
use support::{Sandbox, stdout};

const CODEC: &str = "serde_json";

fn real() -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/run.json");
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// The real results with the rounds of every row evened out to ten, so that intervals are known.
fn even() -> Value {
    let mut results = real();
    each_row(&mut results, |row| {
        for timing in row["timings"].as_object_mut().unwrap().values_mut() {
            let first = timing["rounds"][0].clone();
            let calls = first[1].as_u64().unwrap();
            let time = first[2].as_u64().unwrap();
            let round = |number: u64| json!([number, calls, time + time * number / 1000]);
            timing["rounds"] = (1..=10).map(round).collect();
        }
    });
    results
}

fn each_row(results: &mut Value, mut change: impl FnMut(&mut Value)) {
    for run in results["runs"].as_array_mut().unwrap() {
        for dataset in run["datasets"].as_array_mut().unwrap() {
            dataset["rows"]
                .as_array_mut()
                .unwrap()
                .iter_mut()
                .for_each(&mut change);
        }
    }
}

fn slow_down(results: &mut Value, codec: &str, percent: u64) {
    each_row(results, |row| {
        if row["codec"] == codec {
            for timing in row["timings"].as_object_mut().unwrap().values_mut() {
                for round in timing["rounds"].as_array_mut().unwrap() {
                    round[2] = (round[2].as_u64().unwrap() * (100 + percent) / 100).into();
                }
            }
        }
    });
}

fn compare(base: &Value, new: &Value, arguments: &[&str]) -> Assert {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("base.json"), base.to_string()).unwrap();
    fs::write(sandbox.path("new.json"), new.to_string()).unwrap();
    sandbox.run(&[&["compare", "base.json", "new.json"], arguments].concat())
}

fn lines(assert: &Assert) -> Vec<Value> {
    serde_json::from_slice(&assert.get_output().stdout).unwrap()
}

#[test]
fn nothing_has_changed() {
    let told = compare(&even(), &even(), &[]).code(0);
    told.stdout(contains("0 regressions beyond 5.0%").and(contains(CODEC).not()));
}

#[test]
fn a_regression_fails() {
    let (base, mut new) = (even(), even());
    slow_down(&mut new, CODEC, 20);
    let told = compare(&base, &new, &[]).code(1);
    let text = stdout(&told);
    assert!(
        text.contains("✗ 20% slower") && !text.contains("postcard"),
        "{text}"
    );
    compare(&base, &new, &["--fail-above", "25%"])
        .code(0)
        .stdout(contains("20% slower"));
    compare(&new, &base, &[])
        .code(0)
        .stdout(contains("17% faster"));
    compare(&base, &new, &["--codec", "postcard"]).code(0);
    compare(&base, &new, &["--format", "markdown"])
        .code(1)
        .stdout(contains("| ✗ 20% slower |"));
}

#[test]
fn without_an_interval_nothing_counts() {
    let (mut base, mut new) = (even(), even());
    slow_down(&mut new, CODEC, 20);
    each_row(&mut base, |row| {
        for timing in row["timings"].as_object_mut().unwrap().values_mut() {
            timing["rounds"].as_array_mut().unwrap().truncate(5);
        }
    });
    compare(&base, &new, &[])
        .code(0)
        .stdout(contains("have no interval"));
}

#[test]
fn a_machine_that_is_slower_as_a_whole_cancels_out() {
    let (base, mut new) = (even(), even());
    for codec in ["serde_json", "postcard", "bitcode", "null", "memcpy"] {
        slow_down(&mut new, codec, 30);
    }
    let chosen = ["--codec", "postcard", "serde_json"];
    compare(&base, &new, &chosen).code(1);
    compare(
        &base,
        &new,
        &[&chosen[..], &["--relative-to", "bitcode"]].concat(),
    )
    .code(0);
}

#[test]
fn sizes_count_and_so_does_a_lost_result() {
    let (base, mut new) = (even(), even());
    each_row(&mut new, |row| {
        if row["codec"] == "postcard" && row["status"] == "ok" {
            row["sizes"]["total"] = (row["sizes"]["total"].as_u64().unwrap() * 2).into();
        }
    });
    compare(&base, &new, &[])
        .code(1)
        .stdout(contains("✗ 100% larger"));

    let mut new = even();
    each_row(&mut new, |row| {
        if row["codec"] == CODEC {
            row["status"] = "crashed".into();
            row["reason"] = "SIGSEGV while reading | value 7".into();
            row["timings"] = json!({});
        }
    });
    compare(&base, &new, &[])
        .code(1)
        .stdout(contains("SIGSEGV"));
    compare(&new, &base, &[])
        .code(0)
        .stdout(contains("has a result now"));
}

#[test]
fn different_machines_stand_side_by_side() {
    let (base, mut new) = (even(), even());
    slow_down(&mut new, CODEC, 50);
    new["runs"][0]["machine"]["cpu"] = "Another 9000".into();
    let told = compare(&base, &new, &["--format", "json"]).code(0);
    for line in lines(&told) {
        let apart = line["measure"] != "size";
        assert_eq!(line["verdict"], if apart { "apart" } else { "same" });
        assert_eq!(line["ratio"].is_null(), apart, "{line}");
    }
    compare(&base, &new, &[])
        .code(0)
        .stdout(contains("another machine"));
}

#[test]
fn different_modes_and_data_are_not_compared() {
    let mut other = even();
    other["runs"][0]["settings"]["mode"]["fresh_output"] = true.into();
    compare(&even(), &other, &[])
        .code(2)
        .stderr(contains("reused output").and(contains("fresh output")));

    let mut other = even();
    for dataset in other["runs"][0]["datasets"].as_array_mut().unwrap() {
        dataset["fingerprint"] = "other".into();
    }
    compare(&even(), &other, &[])
        .code(2)
        .stderr(contains("nothing in common"));
    other["runs"][0]["datasets"][0] = even()["runs"][0]["datasets"][0].clone();
    compare(&even(), &other, &[])
        .code(0)
        .stdout(contains("Not compared, for the data differ"));
}

#[test]
fn what_services_read() {
    let (base, new) = (even(), even());
    let entries = lines(&compare(&base, &new, &["--format", "github-action-benchmark"]).code(0));
    let of = |name: &str| entries.iter().find(|entry| entry["name"] == name).unwrap();
    let size = of(&format!("game_level/{CODEC}/size"));
    assert_eq!(
        (&size["unit"], &size["range"]),
        (&json!("bytes"), &Value::Null)
    );
    let time = of(&format!("game_level/{CODEC}/deserialize_read"));
    assert!(time["unit"] == "ns" && time["range"].as_str().unwrap().starts_with("± "));

    let told = compare(&base, &new, &["--format", "bencher"]).code(0);
    let all: Value = serde_json::from_slice(&told.get_output().stdout).unwrap();
    let metric = &all[format!("game_level/{CODEC}")]["deserialize_read"];
    assert_eq!(metric["value"], time["value"]);
    assert!(metric["lower_value"].as_f64() < metric["upper_value"].as_f64());
}

#[test]
fn merged_runs_stand_side_by_side() {
    let sandbox = Sandbox::new();
    let mut second = even();
    second["runs"][0]["machine"]["cpu"] = "Another 9000".into();
    fs::write(sandbox.path("a.json"), even().to_string()).unwrap();
    fs::write(sandbox.path("b.json"), second.to_string()).unwrap();
    sandbox
        .run(&["merge", "a.json", "b.json", "-o", "all.json"])
        .code(0);
    let merged: Value =
        serde_json::from_slice(&fs::read(sandbox.path("all.json")).unwrap()).unwrap();
    let machines = merged["runs"]
        .as_array()
        .unwrap()
        .iter()
        .map(|run| &run["machine"]["cpu"]);
    assert_eq!(machines.collect::<Vec<_>>().len(), 2);
    sandbox
        .run(&["merge", "all.json", "a.json", "-o", "all.json"])
        .code(0)
        .stderr(contains("kept once"));
    let again: Value =
        serde_json::from_slice(&fs::read(sandbox.path("all.json")).unwrap()).unwrap();
    assert_eq!(again, merged);
    sandbox.run(&["compare", "a.json", "all.json"]).code(0);
    fs::write(
        sandbox.path("short.json"),
        "{\"serbench_results\": 1, \"runs\": [",
    )
    .unwrap();
    sandbox
        .run(&["merge", "short.json", "-o", "x.json"])
        .code(2)
        .stderr(contains("cut short"));
    sandbox
        .run(&["merge", "a.json", "-o", "nowhere/x.json"])
        .code(1);
}
