//! What is not as it should be: one message with the cause and the remedy, and no panic.

mod support;

use std::fs;
use std::path::PathBuf;

use predicates::str::contains;
use serde_json::{Value, json};
use support::{Sandbox, stderr};

fn file() -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/run.json");
    path.to_str().unwrap().to_owned()
}

fn text() -> String {
    fs::read_to_string(file()).unwrap()
}

/// The real results, changed.
fn changed(change: impl FnOnce(&mut Value)) -> String {
    let mut results = serde_json::from_str(&text()).unwrap();
    change(&mut results);
    results.to_string()
}

/// The first timing of the first row.
fn timing(results: &mut Value) -> &mut Value {
    &mut results["runs"][0]["datasets"][0]["rows"][0]["timings"]["serialize"]
}

#[test]
fn damaged_files() {
    let text = text();
    let version = |number: u32| {
        let other = format!("\"serbench_results\":{number}");
        text.replacen("\"serbench_results\":1", &other, 1)
    };
    let cases = [
        (String::new(), "cut short"),
        (text[..text.len() / 2].to_owned(), "cut short"),
        (text[..text.len() - 3].to_owned(), "cut short"),
        ("hello".to_owned(), "no results file of serbench"),
        ("[1, 2]".to_owned(), "no results file of serbench"),
        ("{\"a\": 1}".to_owned(), "no results file of serbench"),
        (version(2), "newer serbench"),
        (version(0), "measure again"),
        (
            text.replacen("\"precision\":0.02", "\"precision\":NaN", 1),
            "results file",
        ),
        (
            text.replacen("\"precision\":0.02", "\"precision\":1e999", 1),
            "results file",
        ),
        (
            text.replacen("\"rows\":[", "\"rows\":7,\"x\":[", 1),
            "damaged",
        ),
        (
            changed(|all| timing(all)["rounds"][0][1] = 0.into()),
            "a round has no calls",
        ),
        (
            changed(|all| timing(all)["histogram"] = "AAAA".into()),
            "the histogram cannot be read",
        ),
        (
            changed(|all| timing(all)["rounds"][0][2] = (-5).into()),
            "damaged",
        ),
        (
            changed(|all| all["runs"] = json!([])),
            "nothing was measured",
        ),
        (
            changed(|all| all["runs"][0]["datasets"] = json!([])),
            "nothing was measured",
        ),
    ];
    let sandbox = Sandbox::new();
    for (number, (text, message)) in cases.iter().enumerate() {
        let path = sandbox.path(&format!("{number}.json"));
        fs::write(&path, text).unwrap();
        let run = sandbox.run(&["report", path.to_str().unwrap()]).code(2);
        let said = stderr(&run);
        assert!(said.contains(message), "{message}: {said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    }
    let run = sandbox.run(&["report", "missing.json"]).code(2);
    run.stderr(contains("missing.json: No such file"));
    let run = sandbox.run(&["report", "."]).code(2);
    run.stderr(contains("Is a directory"));
}

/// Numbers that are odd but possible: nothing was divided by them.
#[test]
fn odd_numbers() {
    is_shown_in_every_way(&changed(|results| {
        let dataset = &mut results["runs"][0]["datasets"][0];
        for what in [
            "values",
            "canonical_bytes",
            "data_bytes",
            "rounds",
            "elapsed_ns",
        ] {
            dataset[what] = 0.into();
        }
        for row in dataset["rows"].as_array_mut().unwrap() {
            row["sizes"]["total"] = 0.into();
            row["plugin"] = 99.into();
            for timing in row["timings"].as_object_mut().unwrap().values_mut() {
                for round in timing["rounds"].as_array_mut().unwrap() {
                    round[2] = 0.into();
                }
            }
        }
    }));
}

/// Numbers as large as the file may have them: their sums are larger.
#[test]
fn huge_numbers() {
    is_shown_in_every_way(&changed(|results| {
        let dataset = &mut results["runs"][0]["datasets"][0];
        dataset["values"] = u64::MAX.into();
        dataset["rounds"] = u32::MAX.into();
        for row in dataset["rows"].as_array_mut().unwrap() {
            row["sizes"]["total"] = u64::MAX.into();
            for timing in row["timings"].as_object_mut().unwrap().values_mut() {
                for what in ["involuntary_switches", "discarded"] {
                    timing[what] = u64::MAX.into();
                }
                let rounds = timing["rounds"].as_array_mut().unwrap();
                for round in rounds.iter_mut() {
                    round[2] = u64::MAX.into();
                }
                rounds[0][0] = 0.into();
                rounds.last_mut().unwrap()[0] = u32::MAX.into();
            }
        }
    }));
}

fn is_shown_in_every_way(results: &str) {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("odd.json"), results).unwrap();
    for layout in [
        "raw",
        "relative",
        "spread",
        "operations",
        "intervals",
        "summary",
    ] {
        for format in ["table", "markdown", "csv", "json"] {
            let args = ["report", "odd.json", "-l", layout, "-f", format];
            let run = sandbox.run(&args).success();
            let told = support::stdout(&run);
            assert!(
                !told.contains("NaN") && !told.contains("inf"),
                "{layout}: {told}"
            );
        }
    }
    let page = [
        "report",
        "odd.json",
        "-f",
        "html",
        "--charts",
        "charts",
        "-o",
        "page.html",
    ];
    sandbox.run(&page).success();
    sandbox
        .run(&["export", "odd.json", "--hdr", "histograms"])
        .success();
    sandbox.run(&["compare", "odd.json", "odd.json"]).success();
}

#[test]
fn what_is_not_there_is_named() {
    let sandbox = Sandbox::new();
    let file = file();
    let cases: [(&[&str], &str); 8] = [
        (
            &["report", "--columns", "codec,sizes"],
            "did you mean size_bytes",
        ),
        (
            &["report", "--sort", "speed"],
            "the columns are dataset, codec,",
        ),
        (&["report", "--codec", "nothing"], "no rows are left"),
        (
            &["report", "--codec", "postcrad", "serde_*"],
            "did you mean postcard?",
        ),
        (
            &["report", "--dataset", "game_levle"],
            "did you mean game_level",
        ),
        (
            &["report", "-l", "summary", "-c", "memcpy"],
            "the filters match nothing",
        ),
        (
            &["compare", &file, "--relative-to", "postcrad"],
            "did you mean postcard?",
        ),
        (
            &["compare", &file, "-c", "postcrad"],
            "did you mean postcard?",
        ),
    ];
    for (args, message) in cases {
        let [name, rest @ ..] = args else {
            unreachable!()
        };
        let run = sandbox.run(&[&[*name, &file], rest].concat()).code(2);
        assert!(
            stderr(&run).contains(message),
            "{message}: {}",
            stderr(&run)
        );
    }
}

#[test]
fn places_that_cannot_be_written() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("a-file"), "").unwrap();
    let file = file();
    let cases: [(&[&str], &str); 6] = [
        (
            &["report", &file, "-o", "nowhere/x.md"],
            "name another place with --out",
        ),
        (
            &["report", &file, "-f", "html", "-o", "nowhere/x.html"],
            "name another place with --out",
        ),
        (
            &["report", &file, "--charts", "a-file/charts"],
            "name another folder with --charts",
        ),
        (
            &["compare", &file, &file, "-o", "nowhere/x.md"],
            "name another place with --out",
        ),
        (&["merge", &file, "-o", "nowhere/x.json"], "nowhere/x.json"),
        (
            &["report", "--splice", "nowhere/x.md"],
            "cannot read nowhere/x.md",
        ),
    ];
    for (args, message) in cases {
        let said = stderr(&sandbox.run(args).failure());
        assert!(said.contains(message), "{message}: {said}");
    }
}

/// What belongs to a report cannot be said of a page that names its own commands.
#[test]
fn a_page_to_splice_into_takes_nothing_else() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("page.md"), "no table\n").unwrap();
    for more in [
        ["--layout", "raw"],
        ["--codec", "x"],
        ["--sort", "size"],
        ["--link", "1gbit"],
    ] {
        let args = [&["report", "--splice", "page.md"][..], &more].concat();
        sandbox
            .run(&args)
            .code(2)
            .stderr(contains("cannot be used with"));
    }
    let run = sandbox.run(&["report", "--splice", "page.md"]).code(2);
    run.stderr(contains("there is no line <!-- serbench report"));
}

#[test]
fn what_cannot_be_compressed_is_told_and_ends_no_more_than_its_process() {
    let task = r#"{"path": "/no/such/file", "sizes": [1], "levels": [3]}"#;
    let sandbox = Sandbox::new();
    let assert = sandbox.command(&["__zstd"]).write_stdin(task).assert();
    assert.code(1).stderr(contains("No such file"));
}
