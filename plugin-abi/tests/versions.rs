//! The header is that of its version, which is frozen: any change of a type or a constant fails
//! until the version is raised on purpose. Needs `abidiff`, of Debian's package abigail-tools.
#![cfg(not(miri))] // It compiles C.

mod compiler;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serbench_plugin::abi;

/// The folder of the frozen header of today's version.
fn frozen() -> PathBuf {
    let frozen = compiler::source("tests/frozen");
    match (abi::ABI_MAJOR, abi::ABI_MINOR) {
        (1, 0) => frozen,
        (major, minor) => frozen.join(format!("{major}.{minor}")),
    }
}

fn header(folder: &Path) -> String {
    let path = folder.join("serbench.h");
    fs::read_to_string(&path).unwrap_or_else(|error| {
        panic!(
            "{}: {error}; whoever raises the version puts its header there",
            path.display()
        )
    })
}

/// A library that has all types of a header, whether or not the entry leads to them.
fn library(name: &str, header: &str) -> PathBuf {
    let folder = compiler::made(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("serbench.h"), header).unwrap();
    let source = folder.join("types.c");
    let entry = "const serbench_plugin *serbench_plugin_entry_v1(void) { return 0; }";
    fs::write(&source, format!("#include \"serbench.h\"\n{entry}\n")).unwrap();
    let library = folder.join("types.so");
    let flags = [
        "-g",
        "-fno-eliminate-unused-debug-types",
        "-shared",
        "-fPIC",
    ];
    let paths = ["-o", library.to_str().unwrap(), source.to_str().unwrap()];
    compiler::compile(false, &[&flags[..], &compiler::WARNINGS, &paths].concat());
    library
}

/// What `abidiff` says of two headers' types; nothing if they are the same.
fn difference(name: &str, one: &str, other: &str) -> String {
    let libraries = [("before", one), ("after", other)]
        .map(|(side, header)| library(&format!("versions/{name}/{side}"), header));
    let output = Command::new("abidiff")
        .args(["--non-reachable-types", "--harmless"])
        .args(libraries)
        .output()
        .unwrap_or_else(|e| panic!("abidiff cannot be run ({e}); install abigail-tools"));
    let said = String::from_utf8(output.stdout).unwrap();
    let faults = String::from_utf8_lossy(&output.stderr);
    // Two bits tell of faults, two of changes.
    let code = output.status.code().unwrap();
    assert!(code & 3 == 0, "abidiff ended with {code}: {said}{faults}");
    assert_eq!(code != 0, !said.trim().is_empty(), "{code}: {said}");
    said
}

/// The constants of a header.
fn constants(name: &str, header: &str) -> BTreeSet<String> {
    let file = compiler::made(&format!("{name}.h"));
    let expanded = compiler::made(&format!("{name}.txt"));
    fs::write(&file, header).unwrap();
    let paths = [file.to_str().unwrap(), "-o", expanded.to_str().unwrap()];
    compiler::compile(false, &[&["-E", "-dM"][..], &paths].concat());
    let text = fs::read_to_string(expanded).unwrap();
    text.lines()
        .filter(|line| line.starts_with("#define SERBENCH_"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_header_is_that_of_its_version() {
    let (today, then) = (header(&compiler::source("include")), header(&frozen()));
    let (now, before) = (constants("today", &today), constants("then", &then));
    assert!(now.len() > 25, "{now:#?}");
    assert_eq!(
        now, before,
        "raise SERBENCH_ABI_MINOR, or take the change back"
    );
    let said = difference("header", &then, &today);
    assert_eq!(
        said, "",
        "raise SERBENCH_ABI_MINOR, or take the change back"
    );
}

/// Changes that no version may have, and some that need a new one: each of them is seen.
#[test]
fn changes_are_seen() {
    let header = header(&frozen());
    for (number, (from, to)) in [
        // A field more, at the end of a struct.
        (
            "  uint64_t dataset_count;\n",
            "  uint64_t dataset_count;\n  uint64_t more;\n",
        ),
        // Another type of the same size.
        ("  uint32_t yields; ", "  int32_t yields; "),
        // Another name, which would mean another thing.
        ("  uint64_t mode; ", "  uint64_t flags; "),
        // A function that takes another argument.
        (
            "(*read)(void *self, uint64_t *checksum)",
            "(*read)(void *self, uint32_t *checksum)",
        ),
        // A struct that only an extension leads to.
        (
            "  int32_t (*adopt)(void *self,",
            "  int64_t (*adopt)(void *self,",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let changed = header.replacen(from, to, 1);
        assert!(changed != header, "{from:?} is not in the header");
        let said = difference(&format!("change-{number}"), &header, &changed);
        assert!(!said.is_empty(), "abidiff does not see {to:?}");
    }
    let renumbered = header.replacen("SERBENCH_MALFORMED 2", "SERBENCH_MALFORMED 7", 1);
    assert!(constants("renumbered", &renumbered) != constants("numbered", &header));
}
