//! `serbench report`, `merge` and `export` from the outside, on the results of a real run.

mod support;

use std::fs;
use std::path::PathBuf;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::{Value, json};
use support::{Record, Sandbox, records, stdout};

/// Three datasets and some codecs, by a command in cli/RESULTS.md. `make results` makes it and the
/// snapshots anew.
fn file() -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/run.json");
    path.to_str().unwrap().to_owned()
}

fn report(args: &[&str]) -> String {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["report", &file()]);
    stdout(&command.args(args).env("COLUMNS", "80").assert().code(0))
}

const LAYOUTS: [&str; 6] = [
    "raw",
    "relative",
    "spread",
    "operations",
    "intervals",
    "summary",
];

#[test]
fn every_layout_in_every_format() {
    for layout in LAYOUTS {
        for format in ["table", "markdown", "csv", "json"] {
            let text = report(&["--layout", layout, "--format", format]);
            insta::assert_snapshot!(format!("{layout}_{format}"), text);
        }
    }
}

#[test]
fn tables_fit_narrow_screens_too() {
    for layout in LAYOUTS {
        for width in [40, 60, 80] {
            let sandbox = Sandbox::new();
            let mut command = sandbox.command(&["report", &file(), "--layout", layout]);
            let assert = command.env("COLUMNS", width.to_string()).assert();
            let text = stdout(&assert.success());
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= width, "{widest} of {width} in {layout}:\n{text}");
            let cut = ["raw", "spread", "operations"].contains(&layout);
            assert!(!cut || text.contains("Left out to fit the width"));
        }
    }
}

#[test]
fn rows_and_columns_can_be_chosen() {
    let csv = report(&[
        "-c",
        "postcard",
        "serde_*",
        "-d",
        "game_level",
        "--columns",
        "codec,status,size_bytes",
        "--sort",
        "size",
        "-f",
        "csv",
    ]);
    let lines = csv.lines().collect::<Vec<_>>();
    assert_eq!(lines[0], "codec,status,size_bytes");
    assert!(lines[1].starts_with("postcard,ok,"), "{csv}");
    assert!(lines[2].starts_with("serde_json,ok,"), "{csv}");
    assert_eq!(lines.len(), 3);
}

#[test]
fn modes_are_not_mixed() {
    let sandbox = Sandbox::new();
    let text = fs::read_to_string(file()).unwrap();
    let other = text.replacen("\"misaligned_input\":false", "\"misaligned_input\":true", 1);
    assert_ne!(text, other);
    fs::write(sandbox.path("misaligned.json"), other).unwrap();
    sandbox
        .run(&["report", &file(), "misaligned.json"])
        .code(2)
        .stderr(contains("never mixed"));
    sandbox
        .run(&[
            "report",
            &file(),
            "misaligned.json",
            "--layout",
            "operations",
        ])
        .success()
        .stdout(contains(" aligned ").and(contains(" misaligned ")));
}

/// Two runs, of which machines can tell every row, and people every table.
#[test]
fn rows_of_several_runs_are_told_apart() {
    let sandbox = Sandbox::new();
    let mut other: Value = serde_json::from_str(&fs::read_to_string(file()).unwrap()).unwrap();
    other["runs"][0]["started"] = "2030-01-01T00:00:00Z".into();
    fs::write(sandbox.path("other.json"), other.to_string()).unwrap();
    for layout in LAYOUTS {
        let both = ["report", &file(), "other.json", "--layout", layout];
        let csv = stdout(&sandbox.run(&[&both[..], &["-f", "csv"]].concat()).success());
        let records = records(&csv);
        let of_run = |run: &str| records.iter().filter(|row| row["run"] == run).count();
        assert!(of_run("1") > 0 && of_run("1") == of_run("2"), "{layout}");
        for row in &records {
            let later = row["started"].starts_with("2030");
            assert_eq!(later, row["run"] == "2", "{layout}");
            assert!(!row["machine"].is_empty() && row["input"] == "aligned");
        }
        let text = stdout(&sandbox.run(&both).success());
        assert!(text.contains("\nRun 2: "), "{layout}: {text}");
        // There the tables are of formats, and have rows of all runs.
        assert!(
            layout == "operations" || text.contains("(run 2 of 2)"),
            "{text}"
        );
    }
}

/// Where zstd was timed, it counts as a part of writing and of reading.
#[test]
fn a_link_may_want_compression() {
    let sandbox = Sandbox::new();
    let mut results: Value = serde_json::from_str(&fs::read_to_string(file()).unwrap()).unwrap();
    let rows = results["runs"][0]["datasets"][0]["rows"].as_array_mut();
    for row in rows.unwrap().iter_mut().filter(|row| row["status"] == "ok") {
        let timing = row["timings"]["serialize"].clone();
        let zstd = json!({"level": 3, "together": false, "compress": timing, "decompress": timing});
        row["zstd_timings"] = json!([zstd]);
    }
    fs::write(sandbox.path("zstd.json"), results.to_string()).unwrap();
    let summary = |link: &str, format: &str| {
        let args = [
            "report",
            "zstd.json",
            "-l",
            "summary",
            "-d",
            "game_level",
            "--link",
            link,
        ];
        stdout(
            &sandbox
                .run(&[&args[..], &["-f", format]].concat())
                .success(),
        )
    };
    let slow = records(&summary("1mbit", "csv"));
    let fast = records(&summary("100gbit", "csv"));
    for (slow, fast) in slow.iter().zip(&fast) {
        let number = |row: &Record, column: &str| row[column].parse::<f64>().unwrap();
        let parts = |row: &Record| [row["bottleneck"].clone(), row["zstd3_bottleneck"].clone()];
        assert_eq!(parts(slow), ["link", "link"]);
        let gain = number(slow, "zstd3_values_per_second") / number(slow, "values_per_second");
        assert!(gain > 5.0, "{gain} times as many");
        assert!(!parts(fast).contains(&"link".to_owned()));
        assert!(number(fast, "zstd3_values_per_second") <= number(fast, "values_per_second"));
        assert_eq!(fast["zstd22_values_per_second"], "");
    }
    let text = summary("1mbit", "table");
    assert!(
        text.contains(" with zstd-3 (") && text.contains("zstd-3 values/s"),
        "{text}"
    );
    assert!(!text.contains("--zstd-time"), "{text}");
}

/// Each chart is an SVG that loads nothing and has the codecs' names, also when they are markup.
#[test]
fn charts_as_files() {
    let sandbox = Sandbox::new();
    let hostile = "</text><script>\"&'";
    let text = fs::read_to_string(file()).unwrap();
    let name = serde_json::to_string(hostile).unwrap();
    fs::write(
        sandbox.path("hostile.json"),
        text.replace("\"bitcode\"", &name),
    )
    .unwrap();
    let args = [
        "report",
        "hostile.json",
        "-d",
        "game_level",
        "--charts",
        "new/charts",
    ];
    sandbox.run(&args).success();
    let mut names = Vec::new();
    for chart in fs::read_dir(sandbox.path("new/charts")).unwrap() {
        let chart = chart.unwrap();
        let svg = fs::read_to_string(chart.path()).unwrap();
        assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
        assert!(
            !svg.contains("<script") && svg.contains("msgpack_cxx"),
            "{svg}"
        );
        assert!(svg.contains("&lt;script&gt;"), "{svg}");
        assert_eq!(
            svg.matches("://").count(),
            1,
            "the name of the SVG namespace: {svg}"
        );
        names.push(chart.file_name().into_string().unwrap());
    }
    names.sort();
    let kinds = ["read-latency", "size-time", "times", "write-latency"];
    assert_eq!(names, kinds.map(|kind| format!("game_level-{kind}.svg")));
}

#[test]
fn tables_are_spliced_into_a_page() {
    let sandbox = Sandbox::new();
    let page = sandbox.path("page.md");
    let marker = format!(
        "<!-- serbench report '{}' -l summary -d game_level -->",
        file()
    );
    fs::write(
        &page,
        format!("before\n{marker}\n<!-- serbench end -->\nafter\n"),
    )
    .unwrap();
    sandbox.run(&["report", "--splice", "page.md"]).success();
    let once = fs::read_to_string(&page).unwrap();
    assert!(
        once.starts_with(&format!("before\n{marker}\n\n### game\\_level")),
        "{once}"
    );
    assert!(once.contains("| codec |") && once.contains("Made by `serbench report "));
    assert!(once.ends_with("<!-- serbench end -->\nafter\n"));
    sandbox.run(&["report", "--splice", "page.md"]).success();
    assert_eq!(fs::read_to_string(&page).unwrap(), once);
}

#[test]
fn histograms_for_other_tools() {
    let sandbox = Sandbox::new();
    sandbox.run(&["export", &file(), "--hdr", "hdr"]).success();
    let percentiles = sandbox.path("hdr/game_level-serde_json-serialize.hgrm");
    let text = fs::read_to_string(percentiles).unwrap();
    assert!(
        text.contains("Percentile") && text.contains("#[Max     ="),
        "{text}"
    );
    let log = fs::read_to_string(sandbox.path("hdr/serbench.hlog")).unwrap();
    assert!(
        log.contains("Tag=game_level/serde_json/serialize,"),
        "{log}"
    );
}

#[test]
fn completions_and_man_pages() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "zsh", "fish"] {
        sandbox
            .run(&["completions", shell])
            .success()
            .stdout(contains("serbench").and(contains("precision")));
    }
    sandbox
        .run(&["man"])
        .success()
        .stdout(contains(".TH serbench"));
    sandbox.run(&["man", "pages"]).success();
    assert!(sandbox.path("pages/serbench-run.1").is_file());
}
