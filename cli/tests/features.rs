//! What the bundled plugins' libraries are built with. Cargo builds a library once, with the features
//! of all who are built together.

use std::path::Path;
use std::process::Command;

fn output(command: &mut Command) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let output = command.current_dir(root).output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    String::from_utf8(output.stdout).expect("text")
}

/// With `raw_value`, which the program's crates ask for, `serde_json` is 1.5 times as slow.
#[test]
fn the_program_adds_nothing_to_serde_json() {
    // Of all plugins, also where the tests run for some: `make test PLUGINS=…`.
    let mut make = Command::new("make");
    make.env_remove("MAKEFLAGS").env_remove("PLUGINS");
    let recipe = output(make.args(["-n", "plugins", "NO_INSTALL=1"]));
    let (_, command) = recipe
        .split_once("cargo build --profile release --locked ")
        .expect("a command that builds the plugins");
    let packages = command
        .split_whitespace()
        .take_while(|word| !word.starts_with('"'));
    let features = output(
        Command::new("cargo")
            .args(["tree", "--locked", "--edges", "normal"])
            .args(["--prefix", "none", "--format", "{p} [{f}]"])
            .args(packages),
    );
    let is_serde_json = |line: &&str| line.starts_with("serde_json v1");
    let line = features.lines().find(is_serde_json).expect("serde_json");
    let (_, features) = line.split_once('[').expect("a list of features");
    assert_eq!(
        features.trim_end_matches(" (*)"),
        "default,float_roundtrip,std]"
    );
}
