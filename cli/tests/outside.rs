//! Plugins made outside, with nothing but the binary: the author's guide and the projects that it
//! makes, command by command.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ORDERS: &str = r#"{"id": 1, "lines": [{"product": 7, "count": 2}]}
{"id": 5000000000, "lines": [], "note": "ring twice"}
"#;

fn root() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// An empty folder, of the same path in every run: what projects there depend on is built once.
fn empty_folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// The scripts of a document: its blocks of code that are for a shell.
fn scripts(document: &Path) -> Vec<String> {
    let text = fs::read_to_string(document).unwrap();
    let blocks = text.split("```sh\n").skip(1);
    blocks
        .map(|rest| rest.split("```").next().unwrap().to_owned())
        .collect()
}

/// The command, made short where it would take long, and without the network.
fn shortened(command: &str, cargo_target: &Path) -> String {
    let command = command.replace(
        "target/release",
        &format!("{}/release", cargo_target.display()),
    );
    if command.starts_with("serbench new") {
        let name = command.split_whitespace().nth(2).unwrap();
        let lock = root().join("Cargo.lock");
        let lock = lock.display();
        return format!("{command} --dataset nested_struct messages && cp {lock} {name}/");
    }
    let dataset = match command.contains("--dataset") {
        true => "",
        false => "--dataset nested_struct",
    };
    if command.starts_with("serbench run") {
        format!("{command} {dataset} --budget 1ms --zstd 1")
    } else if command.starts_with("serbench check") {
        format!("{command} {dataset}")
    } else {
        command
    }
}

/// Runs commands one after another in one shell.
fn carry_out<'a>(folder: &Path, commands: impl Iterator<Item = &'a str>) {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outside-target");
    let commands: Vec<_> = commands.map(|line| shortened(line, &target)).collect();
    let script = format!("set -ex\n{}", commands.join("\n"));
    let binary = Path::new(env!("CARGO_BIN_EXE_serbench")).parent().unwrap();
    let path = std::env::var("PATH").unwrap_or_default();
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", binary.display()))
        .env("CARGO_TARGET_DIR", &target)
        .env("CARGO_NET_OFFLINE", "true")
        // What is tested is whether it builds, and how it behaves.
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_RELEASE_LTO", "off")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "16")
        .env_remove("SERBENCH_PLUGIN_PATH")
        .env_remove("SERBENCH_DATASETS")
        .output()
        .unwrap();
    let (said, told) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{script}\n\n{said}\n{told}");
    // Whoever starts from a project of ours starts without warnings, be they rustc's or gcc's.
    let warned = told.contains("--> ") || told.contains(": warning: ");
    assert!(!warned, "{script}\n\n{told}");
}

/// The steps of a project's workflow that can be carried out here, and its README's commands.
fn commands_of(project: &Path) -> Vec<String> {
    let workflow = fs::read_to_string(project.join(".github/workflows/ci.yml")).unwrap();
    let steps = workflow
        .lines()
        .filter_map(|line| line.trim().strip_prefix("- run: "))
        // What needs the network, and GitHub.
        .filter(|step| {
            let away = ["rustup ", "cargo install ", "gh "];
            !away.iter().any(|program| step.starts_with(program))
        })
        .map(str::to_owned);
    let readme = scripts(&project.join("README.md"));
    let readme = readme.iter().flat_map(|script| script.lines());
    steps.chain(readme.map(str::to_owned)).collect()
}

#[test]
fn the_guide_and_the_projects_that_it_makes() {
    let folder = empty_folder("outside");
    fs::write(folder.join("orders.ndjson"), ORDERS).unwrap();
    let mut languages = HashSet::new();
    let scripts = scripts(&root().join("plugin-abi/README.md"));
    assert!(scripts.len() >= 6, "{scripts:#?}");
    for script in &scripts {
        carry_out(&folder, script.lines());
        let Some(new) = script.lines().find(|line| line.starts_with("serbench new")) else {
            continue;
        };
        let [_, _, name, _, language] = new.split_whitespace().collect::<Vec<_>>()[..] else {
            panic!("{new}");
        };
        languages.insert(language);
        let done: HashSet<_> = script.lines().collect();
        let commands = commands_of(&folder.join(name));
        let commands = commands.iter().map(String::as_str);
        assert!(
            commands
                .clone()
                .filter(|command| done.contains(command))
                .count()
                >= 4
        );
        let left = commands.filter(|command| !done.contains(command));
        carry_out(&folder.join(name), left);
    }
    assert_eq!(languages, HashSet::from(["rust", "cpp", "c"]));
    without_a_build_script(&folder.join("fastlog"));
}

/// The types that stand in the SDK are those that the build script generates.
fn without_a_build_script(project: &Path) {
    let source = project.join("src/lib.rs");
    let text = fs::read_to_string(&source).unwrap();
    let included = text.replace(
        "serbench_plugin::datasets!();",
        "mod datasets { include!(\"../sdk/rust/datasets.rs\"); }\nuse datasets::Datasets;",
    );
    assert!(included != text);
    fs::write(&source, included).unwrap();
    let commands = scripts(&project.join("README.md")).concat();
    let kept = ["cargo build --release", "serbench run "];
    let commands = commands.lines();
    let commands = commands.filter(|line| kept.iter().any(|kept| line.starts_with(kept)));
    carry_out(project, commands);
}

#[test]
fn the_example_in_go() {
    if Command::new("go").arg("version").output().is_err() {
        eprintln!("there is no go here: its example is not built");
        return;
    }
    let folder = empty_folder("outside-go");
    let example = root().join("plugin-abi/examples/go");
    fs::create_dir(folder.join("go")).unwrap();
    for file in fs::read_dir(example).unwrap().map(Result::unwrap) {
        if file.file_type().unwrap().is_file() {
            fs::copy(file.path(), folder.join("go").join(file.file_name())).unwrap();
        }
    }
    let scripts = scripts(&root().join("plugin-abi/examples/README.md"));
    assert_eq!(scripts.len(), 1);
    carry_out(&folder, scripts[0].lines());

    // Go's runtime has signal handlers and threads of its own, and up to 1.19 it opens its poller's
    // descriptors on the way; everything else must hold.
    let checked = Command::new(env!("CARGO_BIN_EXE_serbench"))
        .args(["check", "go/build/libserbench_codec_gojson.so"])
        .args(["--dataset", "nested_struct"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let said = String::from_utf8(checked.stdout).unwrap();
    let failed: Vec<_> = said
        .lines()
        .filter(|line| line.starts_with("FAILED"))
        .filter_map(|line| line.split_whitespace().nth(2))
        .collect();
    assert!(said.contains("round trip"), "{said}");
    let (of_go, others): (Vec<_>, Vec<_>) = failed
        .into_iter()
        .partition(|check| ["loading", "reopening", "side"].contains(check));
    assert!(others.is_empty() && of_go.len() >= 2, "{said}");
}
