//! The documents: their commands run, and their tables are what the committed results give.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use support::{Sandbox, bundled};

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn read(document: &str) -> String {
    fs::read_to_string(root().join(document)).unwrap_or_else(|e| panic!("{document}: {e}"))
}

const REFERENCES: &str = "cli/REFERENCES.md";

#[test]
fn tables_are_what_the_committed_results_give() {
    for document in ["README.md", REFERENCES] {
        let sandbox = Sandbox::new();
        let copy = sandbox.path("page.md");
        fs::copy(root().join(document), &copy).unwrap();
        let mut command = sandbox.command(&["report", "--splice", copy.to_str().unwrap()]);
        command.current_dir(root()).assert().success();
        let made = fs::read_to_string(&copy).unwrap();
        assert!(
            made == read(document),
            "{document} is not what its commands give; run `serbench report --splice {document}`"
        );
    }
}

/// The columns of each table that is made here, in the order of the reference's own.
#[test]
fn the_tables_of_the_references_have_their_columns() {
    let spread = "codec | size | serialize | deserialize | ser+deser";
    let relative = "codec | size | zstd-3 | zstd-22 | serialize | deserialize | datasets";
    let raw = "dataset | codec | size | zstd-3 | zstd-22 | serialize | deserialize";
    let operations = "dataset | codec | input | serialize | deserialize | read | deser+read | \
                      size | samples";
    let languages = "format | codec | language | size | serialize | deserialize | deser+read";
    let expected = [
        ("multiple_fields.json", spread, 1),
        ("nested_struct.json", spread, 1),
        ("--layout relative", relative, 2),
        ("--layout raw", raw, 3),
        ("--layout operations", operations, 5),
        ("protocols.json", "dataset/codec/op | time", 1),
        ("--sort format", languages, 1),
    ];
    let page = read(REFERENCES);
    let tables = page.split("<!-- serbench report ").skip(1);
    let tables = tables.map(|rest| rest.split("<!-- serbench end").next().unwrap());
    let tables = tables.collect::<Vec<_>>();
    assert_eq!(tables.len(), expected.len());
    for (table, (command, head, least)) in tables.iter().zip(expected) {
        assert!(table.lines().next().unwrap().contains(command), "{table}");
        let head = format!("| {head} |");
        let found = table.lines().filter(|line| *line == head).count();
        assert!(
            found >= least,
            "{found} tables of {command} have the head {head}"
        );
    }
}

/// The commands of a document's code, each on one line: those of its shell, workflows and Jobs.
fn commands(document: &str) -> Vec<String> {
    let text = read(document).replace("\\\n", " ");
    let mut commands = Vec::new();
    let mut in_code = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("```") {
            in_code = !in_code;
        }
        let line = line.trim_start_matches("- ").trim_start_matches("run: ");
        let line = line.trim_start_matches("target/release/");
        // What is added to a command must not become a part of its comment.
        let line = line.split(" #").next().unwrap_or_default().trim();
        if in_code && line.starts_with("serbench ") {
            commands.push(line.replace("${{ matrix.shard }}", "1"));
        }
    }
    commands
}

/// A folder as the documents assume it, with the commands' results made short.
fn scene() -> Sandbox {
    let sandbox = Sandbox::new();
    for folder in ["plugins", "before", "after", "cli/tests/data/references"] {
        fs::create_dir_all(sandbox.path(folder)).unwrap();
    }
    for plugin in fs::read_dir(bundled()).unwrap() {
        let plugin = plugin.unwrap();
        let name = plugin.file_name();
        if name == "libserbench_codec_serde_bare.so" {
            // The plugin of the reader's own, before and after a change.
            fs::copy(plugin.path(), sandbox.path("before/libmine.so")).unwrap();
            fs::copy(plugin.path(), sandbox.path("after/libmine.so")).unwrap();
        } else {
            symlink(plugin.path(), sandbox.path("plugins").join(name)).unwrap();
        }
    }
    for name in ["results.json", "before.json", "after.json", "shard-1.json"] {
        let data = root().join("cli/tests/data/run.json");
        fs::copy(data, sandbox.path(name)).unwrap();
    }
    let level = r#"{"V1": {"size": [1, 1, 1], "cells": [], "scene_assets": ["a"]}}"#;
    fs::write(sandbox.path("level.json"), level).unwrap();
    sandbox
}

fn carry_out(sandbox: &Sandbox, command: &str) {
    let mut command = command.replace("/results/", "./");
    if command.starts_with("serbench run") {
        if let Some((before, rest)) = command.clone().split_once("--budget ") {
            let (_, after) = rest.split_once(' ').unwrap_or_default();
            command = format!("{before}{after}");
        }
        command += " --budget 1ms";
        for (option, short) in [
            ("--codec", "--codec postcard memcpy"),
            ("--dataset", "--dataset 'small_*'"),
        ] {
            if !command.contains(option) {
                command += &format!(" {short}");
            }
        }
    }
    let binary = Path::new(env!("CARGO_BIN_EXE_serbench")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("sh")
        .args(["-c", &command])
        .current_dir(sandbox.folder.path())
        .env("PATH", format!("{}:{path}", binary.display()))
        .env("GITHUB_STEP_SUMMARY", sandbox.path("summary.md"))
        .env("JOB_COMPLETION_INDEX", "0")
        .env_remove("SERBENCH_PLUGIN_PATH")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}\n{said}");
}

#[test]
fn commands_run() {
    for (document, least) in [
        ("README.md", 7),
        ("cli/SHARDS.md", 13),
        ("cli/RESULTS.md", 2),
    ] {
        let sandbox = scene();
        let commands = commands(document);
        assert!(commands.len() >= least, "{document}: {commands:#?}");
        for mut command in commands {
            if command.starts_with("serbench run") {
                command += " --zstd 1";
            }
            carry_out(&sandbox, &command);
        }
    }
}

/// Sizes by dataset and codec: as written, zstd-3 and zstd-22.
type Sizes = BTreeMap<(String, String), [f64; 3]>;

fn sizes(results: &Path) -> Sizes {
    let sandbox = Sandbox::new();
    let columns = "dataset,codec,size_bytes,zstd3_bytes,zstd22_bytes";
    let results = results.to_str().unwrap();
    let mut command = sandbox.command(&["report", results, "-f", "json", "--columns", columns]);
    let rows: Vec<Value> =
        serde_json::from_slice(&command.assert().success().get_output().stdout).unwrap();
    let name = |row: &Value, column: &str| row[column].as_str().unwrap().to_owned();
    let sized = rows.iter().filter(|row| !row["size_bytes"].is_null());
    sized
        .map(|row| {
            let sizes = ["size_bytes", "zstd3_bytes", "zstd22_bytes"];
            // Large data is not compressed at level 22 by default: equal to nothing.
            let sizes = sizes.map(|column| row[column].as_f64().unwrap_or(f64::NAN));
            ((name(row, "dataset"), name(row, "codec")), sizes)
        })
        .collect()
}

fn committed() -> Vec<PathBuf> {
    let folder = root().join("cli/tests/data/references");
    let files = fs::read_dir(folder).unwrap();
    files.map(|file| file.unwrap().path()).collect()
}

/// The table of sizes: "here" is what is committed, and where it is not what the reference says, a
/// footnote tells why.
#[test]
fn sizes_beside_those_of_the_references() {
    let mut known = Sizes::new();
    for file in committed() {
        known.extend(sizes(&file));
    }
    let page = read("datasets/README.md");
    let section = page.split("## Sizes beside those of the references").nth(1);
    let section = section.expect("the section").split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| {
        let cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
        <[&str; 5]>::try_from(cells.collect::<Vec<_>>()).ok()
    });
    let mut exact = 0;
    let mut told = 0;
    for [dataset, codec, there, here, note] in rows.filter(|row| row[0] != "dataset") {
        let (dataset, codec) = (dataset.trim_matches('`'), codec.trim_matches('`'));
        let sizes = known
            .get(&(dataset.to_owned(), codec.to_owned()))
            .unwrap_or_else(|| panic!("no size of {codec} on {dataset}"));
        let numbers = here.split(" / ").map(|size| size.parse::<f64>().unwrap());
        let numbers = numbers.collect::<Vec<_>>();
        assert_eq!(numbers, sizes[..numbers.len()], "{dataset}, {codec}");
        assert_eq!(
            there.split(" / ").count(),
            numbers.len(),
            "{dataset}, {codec}"
        );
        match there == here {
            true => exact += 1,
            false => {
                told += 1;
                assert!(
                    !note.is_empty() && section.contains(&format!("\n{note} ")),
                    "{dataset}, {codec}: {there} there, {here} here, and no footnote says why"
                );
            }
        }
    }
    assert!(exact > 35 && told > 10, "{exact} equal, {told} explained");
}

/// The table of what libraries do with hostile bytes: each codec with what it declares, in its words.
/// Codecs that are left out here may stand in it all the same.
#[test]
fn what_codecs_declare_of_hostile_bytes() {
    let listed = Sandbox::new()
        .command(&["list", "codecs", "--format", "json", "--plugins"])
        .arg(bundled())
        .output()
        .unwrap();
    let codecs: Vec<Value> = serde_json::from_slice(&listed.stdout).unwrap();
    let page = read("BIAS.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows: Vec<_> = rows.filter_map(|row| row.split_once(" | ")).collect();
    let mut told = 0;
    for codec in &codecs {
        let text = |field: &str| codec[field].as_str().unwrap();
        let capabilities = codec["capabilities"].as_array().unwrap();
        let faults = ["unbounded", "lenient"];
        let faults = faults.into_iter();
        let faults = faults.filter(|name| capabilities.contains(&(*name).into()));
        let validation = Some(text("validation")).filter(|name| *name != "checked");
        let declared: Vec<_> = validation.into_iter().chain(faults).collect();
        let row = rows
            .iter()
            .find(|(ids, _)| ids.split(", ").any(|id| id.trim_matches('`') == text("id")));
        let expected = format!("{} | {} |", declared.join(", "), text("notes"));
        match (declared.is_empty(), row) {
            (true, None) => {}
            (true, Some(_)) => panic!("BIAS.md says what {} does not declare", text("id")),
            (false, _) => {
                let found = row.map(|(_, rest)| *rest);
                assert_eq!(found, Some(&*expected), "{} in BIAS.md", text("id"));
                told += 1;
            }
        }
    }
    assert!(told > 10, "{told}");
}
