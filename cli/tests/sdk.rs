//! `serbench sdk` and `serbench new`: the folders that they write.

mod support;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

use predicates::str::{contains, is_empty};
use support::{Sandbox, stdout};

const SCHEMA: &str = "//! Mine.\n\npub type Root = Mine;\n\npub struct Mine {\n    pub id: u64,\n    \
                      pub tags: Vec<String>,\n}\n";

/// A sandbox with a dataset of a user's own.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("mine")).unwrap();
    fs::write(sandbox.path("mine/schema.rs"), SCHEMA).unwrap();
    fs::write(sandbox.path("mine/data.json"), r#"{"id": 1, "tags": []}"#).unwrap();
    sandbox
}

/// The files under a folder, by their paths in it.
fn files(folder: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut left = vec![folder.to_owned()];
    while let Some(next) = left.pop() {
        for entry in fs::read_dir(next).unwrap().map(Result::unwrap) {
            match entry.file_type().unwrap().is_dir() {
                true => left.push(entry.path()),
                false => {
                    let path = entry.path();
                    let path = path.strip_prefix(folder).unwrap();
                    found.insert(path.to_str().unwrap().to_owned());
                }
            }
        }
    }
    found
}

fn run(command: &mut Command) -> String {
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{said}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn the_types_stand_there_in_every_language() {
    let sandbox = sandbox();
    let sdk = sandbox.run(&["sdk", "out", "--dataset", "./mine", "nested_struct"]);
    let said = stdout(&sdk.code(0).stderr(is_empty()));
    assert!(said.contains("out, for 2 datasets"), "{said}");
    let read = |name: &str| fs::read_to_string(sandbox.path(&format!("out/{name}"))).unwrap();
    for (file, part) in [
        ("README.md", "- `mine`: Mine.\n- `nested_struct`: "),
        (
            "include/serbench/datasets.h",
            "SERBENCH_DATASET_MINE {\"mine\", \"",
        ),
        (
            "include/serbench/datasets/mine.hpp",
            "std::vector<std::string> tags",
        ),
        ("include/serbench/datasets.hpp", "TypeList<mine::Dataset"),
        ("include/serbench/idl/mine.proto", "repeated string tags"),
        ("include/serbench/idl/mine.capnp", "List(Text)"),
        ("include/serbench/idl/mine.fbs", "tags: [string]"),
        ("rust/datasets/catalog/mine/schema.rs", SCHEMA),
        ("rust/datasets.rs", "pub struct Mine"),
        ("rust/Cargo.toml", "[workspace.package]"),
    ] {
        let text = read(file);
        assert!(text.contains(part), "{file} has no {part:?}:\n{text}");
    }
    let fingerprint = read("include/serbench/datasets/mine.hpp");
    let fingerprint = fingerprint.split("fingerprint = \"").nth(1).unwrap();
    let fingerprint = &fingerprint[..32];
    assert!(read("include/serbench/datasets.h").contains(fingerprint));
    assert!(read("rust/datasets.rs").contains(fingerprint));
    let named = files(&sandbox.path("out")).into_iter();
    let named: Vec<_> = named.filter(|file| file.contains("basic")).collect();
    assert!(named.is_empty(), "{named:?} is of a dataset not asked for");
    for file in [
        "README.md",
        "pkgconfig/serbench.pc",
        "cmake/serbench-config-version.cmake",
    ] {
        let text = read(file);
        assert!(text.contains(env!("CARGO_PKG_VERSION")), "{text}");
        assert!(!text.contains('@'), "{text}");
    }
}

#[test]
fn other_build_systems_find_it() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["sdk", "out", "--dataset", "nested_struct"])
        .code(0);
    let mut pkg_config = Command::new("pkg-config");
    pkg_config.env("PKG_CONFIG_PATH", sandbox.path("out/pkgconfig"));
    pkg_config.args(["--cflags", "serbench"]);
    let flags = run(&mut pkg_config);
    let source = sandbox.path("uses.c");
    let text = "#include <serbench.h>\n#include <serbench/datasets.h>\n\
                const serbench_dataset_id id = SERBENCH_DATASET_NESTED_STRUCT;\n";
    fs::write(&source, text).unwrap();
    run(Command::new("cc")
        .args(flags.split_whitespace())
        .args(["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
        .arg("-fsyntax-only")
        .arg(&source));
    // A project that asks for more than there is is told so, and one that takes what is there finds it.
    let cmake = |version: &str| {
        let text = format!(
            "cmake_minimum_required(VERSION 3.16)\nproject(uses C)\n\
             find_package(serbench {version} QUIET PATHS ${{CMAKE_SOURCE_DIR}}/out)\n\
             message(\"found ${{serbench_FOUND}} ${{serbench_VERSION}}\")\n"
        );
        fs::write(sandbox.path("CMakeLists.txt"), text).unwrap();
        let mut cmake = Command::new("cmake");
        cmake
            .args(["-S", ".", "-B", "build"])
            .current_dir(sandbox.folder.path());
        let output = cmake.output().expect("cmake is needed by this test");
        String::from_utf8(output.stderr).unwrap()
    };
    assert_eq!(
        cmake(""),
        concat!("found 1 ", env!("CARGO_PKG_VERSION"), "\n")
    );
    assert!(cmake("99.0").starts_with("found 0"));
}

#[test]
fn it_is_brought_up_to_date() {
    let sandbox = Sandbox::new();
    sandbox
        .run(&["sdk", "out", "--dataset", "nested_struct", "basic"])
        .code(0);
    let folder = sandbox.path("out");
    let header = folder.join("include/serbench.h");
    let old = SystemTime::UNIX_EPOCH;
    fs::File::open(&header).unwrap().set_modified(old).unwrap();
    fs::write(folder.join("include/mine.txt"), "mine").unwrap();
    sandbox
        .run(&["sdk", "out", "--dataset", "nested_struct"])
        .code(0);

    let left = files(&folder);
    assert!(left.iter().all(|file| !file.contains("basic")), "{left:?}");
    assert!(!folder.join("rust/datasets/catalog/basic").exists());
    assert!(left.contains("include/mine.txt"), "what is not ours stays");
    let modified = fs::metadata(&header).unwrap().modified().unwrap();
    assert_eq!(modified, old, "what has not changed was written anew");
}

#[test]
fn what_is_no_sdk_is_left_alone() {
    let sandbox = sandbox();
    let case = |arguments: &[&str], code, message: &str| {
        sandbox
            .run(arguments)
            .code(code)
            .stderr(contains(message.to_owned()));
    };
    case(
        &["sdk", "mine"],
        2,
        "mine is there, and is no SDK of serbench",
    );
    case(&["sdk", "mine/data.json"], 2, "mine/data.json is a file");
    case(
        &["sdk", "out", "--dataset", "nested"],
        2,
        "did you mean nested_struct?",
    );
    case(&["sdk", "out", "--dataset", "./absent"], 2, "./absent");
    fs::create_dir(sandbox.path("basic")).unwrap();
    fs::write(sandbox.path("basic/schema.rs"), SCHEMA).unwrap();
    fs::write(sandbox.path("basic/data.json"), "{}").unwrap();
    case(
        &["sdk", "out", "--dataset", "./basic"],
        2,
        "rename the folder",
    );
    assert!(!sandbox.path("out").exists());

    fs::create_dir(sandbox.path("out")).unwrap();
    let manifest = sandbox.path("out/serbench-sdk.json");
    let outside =
        r#"{"serbench": "0.1.0", "abi": "1.0", "datasets": {}, "files": ["../mine/data.json"]}"#;
    for damaged in ["{}", "[", outside] {
        fs::write(&manifest, damaged).unwrap();
        case(
            &["sdk", "out"],
            1,
            "serbench-sdk.json is damaged; remove out",
        );
    }
    assert!(sandbox.path("mine/data.json").exists());
}

#[test]
fn a_new_project_has_its_name_everywhere() {
    let sandbox = sandbox();
    for language in ["rust", "cpp", "c"] {
        let folder = format!("of/fast_{language}");
        let new = sandbox.run(&["new", &folder, "--lang", language, "--dataset", "./mine"]);
        let said = stdout(&new.code(0).stderr(is_empty()));
        let plugin = format!("/libserbench_codec_fast_{language}.so");
        assert!(said.contains(&plugin), "{said}");
        let project = sandbox.path(&folder);
        for file in files(&project) {
            if file.starts_with("sdk/") {
                continue;
            }
            let text = fs::read_to_string(project.join(&file)).unwrap();
            let mut words = text.split('@').skip(1);
            let unfilled = words.any(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()));
            assert!(!unfilled, "{folder}/{file}:\n{text}");
        }
        let datasets = project.join("sdk/include/serbench/datasets.h");
        let datasets = fs::read_to_string(datasets).unwrap();
        assert!(datasets.contains("SERBENCH_DATASET_MINE"));
        // The project in C is written for that one.
        assert_eq!(datasets.contains("_NESTED_STRUCT"), language == "c");
        sandbox
            .run(&["new", &folder, "--lang", language])
            .code(2)
            .stderr(contains("is there already"));
    }
    for name in ["Fast", "my-codec", "7up", "a b", ".."] {
        sandbox
            .run(&["new", name, "--lang", "c"])
            .code(2)
            .stderr(contains("cannot be a plugin's name"));
    }
}
