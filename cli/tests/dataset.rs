//! `serbench dataset` from the outside.

mod support;

use std::fs::{self, File};

use predicates::prelude::PredicateBooleanExt;
use predicates::str::{contains, is_empty};
use support::{Sandbox, stderr, stdout};

const ORDERS: &str = r#"{"id": 1, "createdAt": "2026-01-01", "lines": [{"product": 7, "count": 2}]}
{"id": 5000000000, "createdAt": "2026-01-02", "lines": [], "note": "ring twice"}
"#;

/// A sandbox with a file.
fn with(file: &str, text: impl AsRef<[u8]>) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path(file), text).unwrap();
    sandbox
}

/// A sandbox with a dataset.
fn folder(schema: &str, data: impl AsRef<[u8]>) -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("mine")).unwrap();
    fs::write(sandbox.path("mine/schema.rs"), schema).unwrap();
    fs::write(sandbox.path("mine/data.json"), data).unwrap();
    sandbox
}

#[test]
fn new_writes_what_check_accepts_and_says_what_it_guessed() {
    let sandbox = with("orders.ndjson", ORDERS);
    let new = sandbox
        .run(&["dataset", "new", "my_orders", "--from", "orders.ndjson"])
        .code(0)
        .stderr(is_empty());
    let said = stdout(&new);
    let line = |path: &str| {
        let mut lines = said.lines().map(|line| line.split_whitespace());
        let found = lines.find(|line| line.clone().next() == Some(path));
        found
            .unwrap_or_else(|| panic!("{path} in {said}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(line("$.id"), "$.id u64 whole numbers from 1 to 5000000000");
    assert_eq!(
        line("$.note"),
        "$.note Option<String> text; absent in 1 of 2"
    );
    assert_eq!(line("$.lines[*].count"), "$.lines[*].count u32 always 2");
    assert!(said.contains("make plugins DATASETS=./my_orders"), "{said}");

    assert_eq!(
        fs::read_to_string(sandbox.path("my_orders/schema.rs")).unwrap(),
        "//! Values of orders.ndjson.\n\npub type Root = MyOrder;\n\npub struct MyOrder {\n    \
         pub id: u64,\n    #[schema(rename = \"createdAt\")]\n    pub created_at: String,\n    \
         pub lines: Vec<Line>,\n    pub note: Option<String>,\n}\n\npub struct Line {\n    \
         pub product: u32,\n    pub count: u32,\n}\n"
    );
    let data = fs::read_to_string(sandbox.path("my_orders/data.ndjson"));
    assert_eq!(data.unwrap(), ORDERS);
    let readme = fs::read_to_string(sandbox.path("my_orders/README.md")).unwrap();
    assert!(
        readme.contains("whole numbers from 1 to 5000000000"),
        "{readme}"
    );

    sandbox
        .run(&["dataset", "check", "my_orders"])
        .code(0)
        .stdout(contains("schema and data are right").and(contains("fingerprint")));
    let again = ["dataset", "new", "my_orders", "--from", "orders.ndjson"];
    sandbox
        .run(&again)
        .code(2)
        .stderr(contains("my_orders is there already"));
}

#[test]
fn new_takes_an_array_for_its_elements_or_for_one_value() {
    let sandbox = with("list.json", "[{\"a\": 1}, {\"a\": 2}]");
    let new = |args: &[&str]| stdout(&sandbox.run(&[&["dataset", "new"], args].concat()).code(0));
    assert!(new(&["many", "--from", "list.json"]).contains("many: 2 values"));
    assert!(new(&["one", "--from", "list.json", "--whole"]).contains("one: 1 value of"));
    for name in ["many", "one"] {
        sandbox.run(&["dataset", "check", name]).code(0);
    }
}

#[test]
fn new_can_write_tagged_objects_so_that_all_formats_carry_them() {
    let text = "{\"type\": \"circle\", \"r\": 1.5}\n{\"w\": 1, \"type\": \"rect\"}\n";
    let sandbox = with("shapes.ndjson", text);
    let from = ["--from", "shapes.ndjson"];
    let tagged = sandbox
        .run(&[&["dataset", "new", "tagged"], &from[..]].concat())
        .code(0);
    assert!(stdout(&tagged).contains("with --plain-tags all do"));
    sandbox
        .run(&["dataset", "check", "tagged"])
        .stdout(contains("only formats that write names can carry it"));
    let plain = ["dataset", "new", "plain", "--plain-tags"];
    sandbox.run(&[&plain, &from[..]].concat()).code(0);
    assert_eq!(
        fs::read_to_string(sandbox.path("plain/data.ndjson")).unwrap(),
        "{\"circle\":{\"r\":1.5}}\n{\"rect\":{\"w\":1}}\n"
    );
    sandbox
        .run(&["dataset", "check", "plain"])
        .code(0)
        .stdout(contains("only formats that write names").not());
}

#[test]
fn new_refuses_bad_names() {
    let sandbox = with("a.json", "{\"a\": 1}");
    for (name, message) in [
        ("My-Orders", "it takes a to z, 0 to 9 and _"),
        ("1st", "begins with a letter"),
        (
            "game_level",
            "a dataset \"game_level\" in the catalog already",
        ),
    ] {
        sandbox
            .run(&["dataset", "new", name, "--from", "a.json"])
            .code(2)
            .stderr(contains(message));
    }
}

#[test]
fn new_refuses_what_is_no_json_with_its_place_and_writes_nothing() {
    let deep = "[".repeat(100_000);
    let cases: [(&[u8], &str); 13] = [
        (b"", "there are no values in it"),
        (b"[]", "there are no values in it"),
        (
            b"{\"a\": 1,\n \"a\": 2}",
            "bad.json:2:4: $.a: the key is given twice",
        ),
        (
            b"[{\"a\": 1}, {\"a\": NaN}]",
            "bad.json:1:18: $[1].a: JSON has no NaN and no infinity",
        ),
        (b"{\"a\": Infinity}", "$.a: JSON has no NaN and no infinity"),
        (b"{\"a\": 1e400}", "$.a: number out of range"),
        (b"{\"a\": \"\xff\"}", "$.a: invalid unicode"),
        (b"{\"a\": [1, 2", "$.a[2]: EOF while parsing a list"),
        (b"{\"a\": tru", "$.a: EOF while parsing a value"),
        (
            b"{\"a\": 1}\n{\"a\": 1}}",
            "bad.json:2:9: $: expected value",
        ),
        (deep.as_bytes(), "recursion limit exceeded"),
        (
            b"{\"a\": 1}\n{\"a\": \"x\"}",
            "bad.json:2:9: $.a: u32 expected, string \"x\" found",
        ),
        (
            b"{\"a\": 1}\n{\"a\": [1]}",
            "bad.json:2:7: $.a: u32 expected, sequence found",
        ),
    ];
    for (text, message) in cases {
        let sandbox = with("bad.json", text);
        let new = sandbox
            .run(&["dataset", "new", "mine", "--from", "bad.json"])
            .code(1);
        let said = stderr(&new);
        assert!(said.contains(message), "{message:?} in {said:?}");
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(!sandbox.path("mine").exists());
    }
    let sandbox = Sandbox::new();
    sandbox
        .run(&["dataset", "new", "mine", "--from", "none.json"])
        .code(1)
        .stderr(contains("none.json: No such file"));
}

const SCHEMA: &str = "pub type Root = A;\npub struct A { pub x: u8, pub y: Vec<f32> }\n";

#[test]
fn check_shows_where_the_schema_is_wrong() {
    let cases = [
        (
            "type Root = A;\nstruct A { x: usize }",
            "schema.rs:2:15: `usize` is unknown; the types are",
        ),
        (
            "type Root = A;\nstruct A { b: B }\nstruct B(Vec<A>);",
            "schema.rs:3:14: `A` contains itself: A → B → A",
        ),
        (
            "type Root = A;\nstruct A { x: u8, x: u8 }",
            "schema.rs:2:19: `x` is declared twice",
        ),
        (
            "type Root = A;\nstruct A(u8);\nstruct A(u8);",
            "schema.rs:3:8: `A` is declared twice",
        ),
        ("type Root = A;\nstruct A {", "schema.rs:2:10: cannot parse"),
        (
            "struct A(u8);",
            "schema.rs:1:1: `pub type Root = …;` is missing",
        ),
    ];
    for (schema, message) in cases {
        let sandbox = folder(schema, "{}");
        let said = stderr(&sandbox.run(&["dataset", "check", "mine"]).code(1));
        assert!(said.contains(message), "{message:?} in {said:?}");
    }
}

#[test]
fn check_shows_where_the_data_is_wrong() {
    let cases: [(&[u8], &str); 9] = [
        (
            b"[{\"x\": 1},\n {\"x\": 256}]",
            "data.json:2:10: $[1].x: 256 does not fit u8",
        ),
        (b"{\"x\": -1}", "data.json:1:8: $.x: -1 does not fit u8"),
        (b"{\"x\": 1, \"x\": 2}", "$.x: the field is given twice"),
        (b"{\"z\": 1}", "unknown field `z`; the fields are x, y"),
        (
            b"{\"y\": [1, NaN]}",
            "data.json:1:11: $.y[1]: JSON has no NaN and no infinity",
        ),
        (b"{\"y\": [1e39]}", "$.y[0]: number out of range"),
        (b"{\"y\": [1,", "$.y[1]: EOF while parsing"),
        (b"\xff", "data.json:1:1: $: expected value"),
        (b"[]", "there are no values"),
    ];
    for (data, message) in cases {
        let sandbox = folder(SCHEMA, data);
        let said = stderr(&sandbox.run(&["dataset", "check", "mine"]).code(1));
        assert!(said.contains(message), "{message:?} in {said:?}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn check_shows_what_is_missing_or_too_much() {
    let sandbox = folder(SCHEMA, "{}");
    fs::write(sandbox.path("mine/data.ndjson"), "{}").unwrap();
    let check = ["dataset", "check", "mine"];
    sandbox
        .run(&check)
        .code(1)
        .stderr(contains("one of them is too much"));
    fs::remove_file(sandbox.path("mine/data.json")).unwrap();
    sandbox.run(&check).code(0);
    fs::remove_file(sandbox.path("mine/data.ndjson")).unwrap();
    sandbox
        .run(&check)
        .code(1)
        .stderr(contains("data.json or data.ndjson is missing"));
    fs::remove_file(sandbox.path("mine/schema.rs")).unwrap();
    sandbox
        .run(&check)
        .code(1)
        .stderr(contains("mine/schema.rs: No such file"));
    let other = folder(SCHEMA, "{}");
    fs::rename(other.path("mine"), other.path("log")).unwrap();
    other
        .run(&["dataset", "check", "log"])
        .code(1)
        .stderr(contains("the catalog has another dataset \"log\""));
}

/// Two GiB of zeros, of which the file system stores none: refused at the first one, in a process
/// that may allocate a hundredth of that.
#[test]
fn a_huge_file_is_not_read_into_memory() {
    let sandbox = folder(SCHEMA, "");
    let file = File::create(sandbox.path("mine/data.json")).unwrap();
    file.set_len(2 << 30).unwrap();
    for args in [
        &["check", "mine"][..],
        &["new", "other", "--from", "mine/data.json"],
        &["show", "./mine"],
    ] {
        assert_cmd::Command::new("sh")
            .args(["-c", "ulimit -d 20480 && exec \"$@\"", "sh"])
            .arg(assert_cmd::cargo::cargo_bin!("serbench"))
            .arg("dataset")
            .args(args)
            .current_dir(sandbox.folder.path())
            .assert()
            .code(1)
            .stderr(contains("data.json:1:1: $: expected value"));
    }
}

#[test]
fn show_prints_types_values_statistics_and_the_fingerprint() {
    let sandbox = folder(SCHEMA, "[{\"x\": 1, \"y\": [0.5]}, {\"x\": 255}]");
    let shown = stdout(&sandbox.run(&["dataset", "show", "./mine"]).code(0));
    for part in [
        "values       2",
        "in memory    8 B",
        "canonical    14 B",
        "pub struct A {\n    pub x: u8,\n    pub y: Vec<f32>,\n}",
        "{\n  \"x\": 1,\n  \"y\": [\n    0.5\n  ]\n}",
    ] {
        assert!(shown.contains(part), "{part:?} in {shown}");
    }
    let line = |path: &str| {
        let mut lines = shown.lines().map(|line| line.split_whitespace());
        let found = lines.find(|line| line.clone().next() == Some(path));
        found
            .unwrap_or_else(|| panic!("{path} in {shown}"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(line("$.x"), "$.x u8 2 1 128 255 values");
    assert_eq!(line("$.y"), "$.y Vec<f32> 2 0 0.500 1 lengths");
    assert_eq!(line("$.y[*]"), "$.y[*] f32 1 0.5 0.500 0.5 values");
    let checked = stdout(&sandbox.run(&["dataset", "check", "mine"]).code(0));
    let mut words = checked
        .split_whitespace()
        .skip_while(|word| *word != "fingerprint");
    let fingerprint = format!("fingerprint  {}", words.nth(1).unwrap());
    assert!(shown.contains(&fingerprint), "{fingerprint} in {shown}");
}

#[test]
fn show_prints_one_value() {
    let sandbox = folder(SCHEMA, "[{\"x\": 1, \"y\": [0.5]}, {\"x\": 255}]");
    sandbox
        .run(&["dataset", "show", "./mine", "--index", "1"])
        .code(0)
        .stdout("{\n  \"x\": 255,\n  \"y\": []\n}\n");
    sandbox
        .run(&["dataset", "show", "./mine", "--index", "2"])
        .code(2)
        .stderr(contains("mine has 2 values: --index is 0 to 1"));
    sandbox
        .run(&["dataset", "show", "mine"])
        .code(2)
        .stderr(contains("for the folder of that name write ./mine"));
    sandbox
        .run(&["dataset", "show", "bas*"])
        .code(0)
        .stdout(contains("\"id\": 12"));
    sandbox
        .run(&["dataset", "show", "small_*"])
        .code(2)
        .stderr(contains("name one dataset, not"));
}

#[test]
fn datasets_of_the_catalog_can_be_shown() {
    // With the large ones it takes a minute, unoptimised.
    let small =
        |dataset: &&serbench_datasets::Dataset| dataset.values(1).unwrap().bytes().len() < 500_000;
    let datasets = serbench_datasets::catalog().iter().filter(small);
    for dataset in datasets {
        Sandbox::new()
            .run(&["dataset", "show", &dataset.name])
            .code(0)
            .stdout(contains(&dataset.fingerprint));
    }
}
