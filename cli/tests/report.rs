//! `serbench report`, `merge` and `export` from the outside, on the results of a real run.

mod support;

use std::fs;
use std::path::PathBuf;

use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use support::{Sandbox, stderr, stdout};

/// Three datasets and the first codecs; made with:
/// `serbench run -c serde_json postcard bitcode nlohmann_json msgpack_cxx cereal null memcpy
/// -d game_level game_level_dynamic multiple_fields --budget 5s --save run.json`
fn file() -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/run.json");
    path.to_str().unwrap().to_owned()
}

fn report(args: &[&str]) -> String {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["report", &file()]);
    stdout(&command.args(args).env("COLUMNS", "80").assert().code(0))
}

#[test]
fn every_layout_in_every_format() {
    for layout in [
        "raw",
        "relative",
        "spread",
        "operations",
        "intervals",
        "summary",
    ] {
        for format in ["table", "markdown", "csv", "json"] {
            let text = report(&["--layout", layout, "--format", format]);
            insta::assert_snapshot!(format!("{layout}_{format}"), text);
        }
    }
}

#[test]
fn tables_fit_narrow_screens_too() {
    for (width, layout) in [
        ("40", "raw"),
        ("80", "raw"),
        ("80", "spread"),
        ("60", "summary"),
    ] {
        let sandbox = Sandbox::new();
        let mut command = sandbox.command(&["report", &file(), "--layout", layout]);
        let text = stdout(&command.env("COLUMNS", width).assert().success());
        let limit = width.parse::<usize>().unwrap();
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        // A column that cannot be left out, or a word, may be wider than the narrowest screen.
        assert!(
            widest <= limit.max(60),
            "{widest} of {limit} in {layout}:\n{text}"
        );
        assert!(layout != "raw" || text.contains("Left out to fit the width"));
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
fn what_is_not_there_is_named() {
    let sandbox = Sandbox::new();
    let cases: [(&[&str], &str); 3] = [
        (&["--columns", "codec,sizes"], "did you mean size_bytes"),
        (&["--sort", "speed"], "the columns are dataset, codec,"),
        (&["--codec", "nothing"], "no rows are left"),
    ];
    for (args, message) in cases {
        let mut command = sandbox.command(&["report", &file()]);
        let run = command.args(args).assert().code(2);
        assert!(stderr(&run).contains(message), "{}", stderr(&run));
    }
}

#[test]
fn damaged_files() {
    let sandbox = Sandbox::new();
    let text = fs::read_to_string(file()).unwrap();
    let cases = [
        ("", "cut short"),
        (&text[..text.len() / 2], "cut short"),
        ("hello", "no results file of serbench"),
        ("[1, 2]", "no results file of serbench"),
        ("{\"a\": 1}", "no results file of serbench"),
        (
            &text.replacen("\"serbench_results\":1", "\"serbench_results\":2", 1),
            "newer serbench",
        ),
        (
            &text.replacen("\"serbench_results\":1", "\"serbench_results\":0", 1),
            "measure again",
        ),
        (
            &text.replacen("\"precision\":0.02", "\"precision\":NaN", 1),
            "results file",
        ),
        (
            &text.replacen("\"rows\":[", "\"rows\":7,\"x\":[", 1),
            "damaged",
        ),
    ];
    for (number, (text, message)) in cases.iter().enumerate() {
        let path = sandbox.path(&format!("{number}.json"));
        fs::write(&path, text).unwrap();
        sandbox
            .run(&["report", path.to_str().unwrap()])
            .code(2)
            .stderr(contains(*message));
    }
    sandbox
        .run(&["report", "missing.json"])
        .code(2)
        .stderr(contains("missing.json: No such file"));
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
