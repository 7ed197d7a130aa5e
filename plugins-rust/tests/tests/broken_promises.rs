//! The checks find each promise that a plugin breaks, and nothing in one that keeps them all.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The fixture, with one promise broken.
fn fixture(promise: &str) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let plugin = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{promise}.so"));
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let status = Command::new(compiler)
        .args(["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-I"])
        .arg(here.join("../../plugin-abi/include"))
        .arg(format!("-D{promise}"))
        .arg(here.join("tests/fixture.c"))
        .arg("-o")
        .arg(&plugin)
        .status()
        .expect("a C compiler runs; set CC if it is not cc");
    assert!(status.success());
    plugin
}

fn check(plugin: &Path, arguments: &[&str]) -> (Output, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_serbench-conformance"))
        .args(arguments)
        .arg(plugin)
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output, text)
}

/// Checks the fixture with that promise broken, which is found as this text says.
fn finds(promise: &str, expected: &str) {
    let (output, text) = check(&fixture(promise), &["--dataset", "basic"]);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("1 pairs, 1 failures"), "{text}");
}

#[test]
fn a_good_plugin_passes_and_may_refuse_datasets() {
    let (output, text) = check(&fixture("NOTHING"), &[]);
    assert!(output.status.success(), "{text}");
    assert!(text.contains(" 0 failures"), "{text}");
    let basic = text.lines().find(|line| line.contains(" basic ")).unwrap();
    assert!(basic.contains("ok, "), "{basic}");
    let log = text.lines().find(|line| line.contains(" log ")).unwrap();
    assert!(
        log.contains("unsupported: it is not the dataset basic"),
        "{log}"
    );
}

#[test]
fn the_table_has_a_footnote_for_each_reason() {
    let (output, text) = check(&fixture("NONE"), &["--table", "--dataset", "[bl]*"]);
    assert!(output.status.success(), "{text}");
    assert!(
        text.contains("| codec | basic | large_tensor | log |"),
        "{text}"
    );
    assert!(
        text.contains("| fixture | ✓ | – \\[1\\] | – \\[1\\] |"),
        "{text}"
    );
    assert!(
        text.contains("- \\[1\\] it is not the dataset basic"),
        "{text}"
    );
}

#[test]
fn a_changed_value() {
    finds("CHANGES", "it came back changed: .id");
}

#[test]
fn a_wrong_checksum() {
    finds("MISREADS", "read gave ");
}

#[test]
fn output_that_differs_from_call_to_call() {
    finds(
        "UNSTEADY",
        "it is serialized in another way the second time",
    );
}

#[test]
fn a_value_that_outlives_an_error() {
    finds("STALE", "there is a value to read after an error");
}

#[test]
fn bytes_that_are_no_value() {
    finds("TAKES_LESS", "what came of it is no value of the dataset");
}

#[test]
fn a_crash_which_ends_nothing_else() {
    let (output, text) = check(&fixture("ABORTS"), &[]);
    assert!(!output.status.success(), "{text}");
    assert!(
        text.contains("ended by SIGABRT in: damaged input, from value 0, reused"),
        "{text}"
    );
    assert!(text.contains(" 1 failures"), "{text}");
    assert!(
        text.lines().any(|line| line.contains(" small_tensor ")),
        "{text}"
    );
}

#[test]
fn a_file_that_is_no_plugin() {
    let (output, text) = check(Path::new(file!()), &[]);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("FAILED: "), "{text}");
}

#[test]
fn nothing_to_check() {
    let (output, text) = check(&fixture("NO_DATASET"), &["--dataset", "absent"]);
    assert!(!output.status.success(), "{text}");
    assert!(text.contains("nothing was checked"), "{text}");
}
