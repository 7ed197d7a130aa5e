//! The page in a real Chromium: it draws, sorts, filters and compares, and logs no error.

mod devtools;
mod reader;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use base64::Engine;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Deserialize;
use serde_json::{Value, json};

const RESULTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/run.json");

const CHECK: &str = include_str!("check.js");

#[derive(Deserialize)]
struct Checked {
    results: Vec<CheckResult>,
    ratios: BTreeMap<String, f64>,
    reference: String,
    /// Who is level with the best of each kind, as the page opens.
    level: Vec<String>,
    /// What came of damaged messages, by column and codec: as the page opens, and with a baseline.
    rates: [BTreeMap<String, BTreeMap<String, Option<String>>>; 2],
    /// Whether a note says what these columns are.
    told: bool,
}

#[derive(Deserialize)]
struct CheckResult {
    name: String,
    problem: Option<String>,
}

fn serbench(arguments: &[&str]) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_serbench"))
        .args(arguments)
        .output()
        .expect("serbench starts");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    output
}

fn page(results: &Path) -> String {
    let results = results.to_str().expect("a path in UTF-8");
    let output = serbench(&["report", results, "--format", "html"]);
    String::from_utf8(output.stdout).expect("the page is UTF-8")
}

fn chromium() -> PathBuf {
    if let Some(path) = std::env::var_os("CHROMIUM") {
        return path.into();
    }
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let names = ["chromium", "chromium-browser", "google-chrome"];
    std::env::split_paths(&folders)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|path| path.exists())
        .expect("this test needs Chromium: install the package `chromium`, or set CHROMIUM")
}

/// Opens the page in a window of that width, with the checks added, and gives what they found
/// together with what Chromium logged of the page's console.
fn visit(page: &str, width: u32) -> (Checked, Vec<String>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("page.html");
    let with_checks = page.replace("</body>", &format!("<script>{CHECK}</script></body>"));
    fs::write(&file, with_checks).expect("the page can be written");
    let profile = folder.path().join("profile");
    let output = devtools::command(&profile)
        .args([
            "--enable-logging=stderr",
            "--virtual-time-budget=2000",
            "--dump-dom",
        ])
        .arg(format!("--window-size={width},1000"))
        .arg(format!("file://{}", file.display()))
        .output()
        .expect("Chromium starts");
    let log = String::from_utf8_lossy(&output.stderr);
    let console = log
        .lines()
        .filter(|line| line.contains("CONSOLE"))
        .map(str::to_owned)
        .collect();
    let dom = String::from_utf8_lossy(&output.stdout);
    let report = dom
        .rsplit_once("<pre id=\"checked\">")
        .and_then(|(_, rest)| rest.split_once("</pre>"))
        .unwrap_or_else(|| panic!("the checks did not end; Chromium said:\n{log}"));
    let json = BASE64.decode(report.0).expect("base64");
    (
        serde_json::from_slice(&json).expect("the checks' report"),
        console,
    )
}

fn assert_all_well(page: &str, width: u32) -> Checked {
    let (checked, console) = visit(page, width);
    let problems = checked
        .results
        .iter()
        .filter_map(|result| Some(format!("{}: {}", result.name, result.problem.as_ref()?)))
        .collect::<Vec<_>>();
    assert_eq!(problems, [""; 0], "in a window of {width}");
    assert_eq!(console, [""; 0], "the console stays silent");
    assert_eq!(checked.results.len(), CHECK.matches("\n  check(").count());
    checked
}

#[test]
fn a_reader_can_use_it() {
    let page = page(Path::new(RESULTS));
    assert_all_well(&page, 1400);
    assert_all_well(&page, 500);
}

/// The ratios that the page computes are those of the other reports.
#[test]
fn its_ratios_are_those_of_the_report() {
    let checked = assert_all_well(&page(Path::new(RESULTS)), 1400);
    let output = serbench(&["report", RESULTS, "--format", "json"]);
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    let mut compared = 0;
    for row in rows.iter().filter(|row| row["dataset"] == "game_level") {
        let codec = row["codec"].as_str().expect("a codec");
        let (Some(here), Some(there)) =
            (checked.ratios.get(codec), row["both_ways_ratio"].as_f64())
        else {
            continue;
        };
        assert_eq!(row["reference"], checked.reference.as_str());
        assert!(
            (here / there - 1.0).abs() < 0.001,
            "{codec}: {here} here, {there} there"
        );
        compared += 1;
    }
    assert!(compared > 3 && compared == checked.ratios.len());
}

/// Names that would be markup if they were not escaped.
#[test]
fn hostile_names_stay_text() {
    let hostile = "</script><img src=x onerror=alert(1)>\"'&|\u{2028}`${1}*/";
    let text = fs::read_to_string(RESULTS).expect("the results file");
    let mut results: Value = serde_json::from_str(&text).expect("JSON");
    let first = results["runs"][0]["datasets"][0]["rows"][0]["codec"].clone();
    replace_text(&mut results, first.as_str().expect("a codec"), hostile);
    results["runs"][0]["machine"]["cpu"] = hostile.into();
    results["runs"][0]["warnings"] = vec![hostile].into();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("hostile.json");
    fs::write(&file, results.to_string()).expect("it can be written");
    assert_all_well(&page(&file), 1400);
}

/// A codec that rested has too few rounds for an interval: that does not make it one of the best.
#[test]
fn a_row_of_few_rounds_is_level_with_nothing() {
    let text = fs::read_to_string(RESULTS).expect("the results file");
    let mut results: Value = serde_json::from_str(&text).expect("JSON");
    let rows = results["runs"][0]["datasets"][0]["rows"].as_array_mut();
    let slow = rows.expect("rows").iter_mut();
    let slow = slow.filter(|row| row["codec"] == "nlohmann_json");
    for timing in slow.flat_map(|row| row["timings"].as_object_mut().expect("times")) {
        timing.1["rounds"]
            .as_array_mut()
            .expect("rounds")
            .truncate(2);
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("few.json");
    fs::write(&file, results.to_string()).expect("it can be written");
    let checked = assert_all_well(&page(&file), 1400);
    assert!(!checked.level.is_empty());
    for level in checked.level {
        assert!(!level.contains("nlohmann"), "{level}");
    }
}

/// What came of damaged messages stands in columns of its own, as in the other reports, and is never
/// turned into ratios. Without it there are no such columns.
#[test]
fn what_came_of_damaged_messages() {
    let without = assert_all_well(&page(Path::new(RESULTS)), 1400);
    assert!(without.rates.iter().all(BTreeMap::is_empty) && !without.told);

    let text = fs::read_to_string(RESULTS).expect("the results file");
    let mut results: Value = serde_json::from_str(&text).expect("JSON");
    let datasets = results["runs"][0]["datasets"].as_array_mut();
    let game_level = datasets.expect("datasets").iter_mut();
    let mut game_level = game_level.filter(|dataset| dataset["name"] == "game_level");
    let rows = game_level.next().expect("game_level")["rows"].as_array_mut();
    let rows = rows.expect("rows").iter_mut();
    let ok = rows.filter(|row| row["status"] == "ok");
    // One of them was not put to the test.
    for (number, row) in ok.skip(1).enumerate() {
        row["robustness"] = json!({
            "inputs": 4096, "rejected": 4096 - 7 * number, "accepted": number, "wrong": number,
            "crashed": number, "hung": 2 * number, "out_of_bounds": number, "over_allocated": number,
        });
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("robust.json");
    fs::write(&file, results.to_string()).expect("it can be written");
    let checked = assert_all_well(&page(&file), 1400);
    assert!(checked.told);
    assert_eq!(checked.rates[0], checked.rates[1]);
    let file = file.to_str().expect("a path in UTF-8");
    let output = serbench(&["report", file, "--format", "json"]);
    let rows: Vec<Value> = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(checked.rates[0].len(), 7);
    for (column, codecs) in &checked.rates[0] {
        assert!(codecs.len() > 3 && codecs.values().any(Option::is_none));
        for (codec, shown) in codecs {
            let is_its = |row: &&Value| row["dataset"] == "game_level" && row["codec"] == **codec;
            let row = rows.iter().find(is_its).expect("a row of the report");
            let expected = row[column].as_f64().map(|rate| rate.round() as u64);
            let shown = shown.as_ref().map(|text| text.replace(',', ""));
            let shown = shown.map(|text| text.parse().expect("a number"));
            assert_eq!(shown, expected, "{column} of {codec}");
        }
    }
}

fn replace_text(value: &mut Value, from: &str, to: &str) {
    match value {
        Value::String(text) if text == from => *text = to.to_owned(),
        Value::Array(items) => items
            .iter_mut()
            .for_each(|item| replace_text(item, from, to)),
        Value::Object(fields) => fields
            .values_mut()
            .for_each(|item| replace_text(item, from, to)),
        _ => {}
    }
}

/// The page loads nothing: the only address in it is the name of the SVG namespace.
#[test]
fn it_is_one_file_of_bounded_size() {
    let page = page(Path::new(RESULTS));
    let code = page
        .split("id=\"data\"")
        .next()
        .expect("what is before the data");
    let script = page.rsplit_once("\"use strict\"").expect("the script").1;
    let addresses = code.matches("://").count() + script.matches("://").count();
    assert_eq!(
        addresses,
        script.matches("http://www.w3.org/2000/svg").count()
    );
    assert!(page.contains("default-src 'none'"));
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
}

/// More codecs and datasets than are bundled, made of the real rows, with the heap counted and zstd
/// timed: a page of less detail, but in bounds.
#[test]
fn a_large_matrix_stays_in_bounds() {
    let text = fs::read_to_string(RESULTS).expect("the results file");
    let mut results: Value = serde_json::from_str(&text).expect("JSON");
    let datasets = results["runs"][0]["datasets"]
        .as_array_mut()
        .expect("datasets");
    for dataset in datasets.iter_mut() {
        let rows = dataset["rows"].as_array_mut().expect("rows");
        rows.retain(|row| row["status"] == "ok");
        for row in rows.iter_mut() {
            let used = json!({"calls": 7, "allocations": 25, "bytes": 12345, "peak_bytes": 5000});
            row["heap"] = json!({"serialize": used, "deserialize": used, "read": used});
            let [write, read] = ["serialize", "deserialize"].map(|op| &row["timings"][op]);
            let zstd = [3, 22].map(|level| {
                json!({"level": level, "together": false, "compress": write, "decompress": read})
            });
            row["zstd_timings"] = json!(zstd);
        }
        let few = rows.len();
        *rows = (0..130)
            .map(|at| renamed(&rows[at % few], "codec", at))
            .collect();
    }
    let few = datasets.len();
    *datasets = (0..20)
        .map(|at| renamed(&datasets[at % few], "name", at))
        .collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("large.json");
    fs::write(&file, results.to_string()).expect("it can be written");
    let page = page(&file);
    assert!(page.len() < 1 << 20, "{} bytes", page.len());
    assert!(
        page.len() > 1 << 18,
        "{} bytes are too few for 2600 rows",
        page.len()
    );
}

fn renamed(value: &Value, field: &str, number: usize) -> Value {
    let mut copy = value.clone();
    copy[field] = format!("{}/{number}", value[field].as_str().expect("a name")).into();
    copy
}
