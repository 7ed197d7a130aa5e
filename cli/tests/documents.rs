//! The documents: their tables are what the committed results give.

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use support::Sandbox;

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
    let expected = [
        ("multiple_fields.json", spread, 1),
        ("nested_struct.json", spread, 1),
        ("--layout relative", relative, 2),
        ("--layout raw", raw, 3),
        ("--layout operations", operations, 5),
        ("protocols.json", "dataset/codec/op | time", 1),
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
            let sizes = sizes.map(|column| row[column].as_f64().unwrap());
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
