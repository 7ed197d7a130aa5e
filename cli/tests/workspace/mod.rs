//! A copy of the workspace in which tests build plugins, into a target folder of its own.

// Each test binary uses its own part of this.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the copy leaves out: what is built, and what is not source.
const NOT_COPIED: [&str; 3] = ["target", "plugins", ".git"];

/// The only datasets of the catalog that are copied, one with data and one with a generator: with
/// all of them, every codec would be compiled for each, which takes minutes and shows nothing more.
const KEPT_DATASETS: [&str; 2] = ["basic", "medium_tensor"];

fn copy_tree(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let is_kept = |name: &&str| entry.file_name() == *name;
        if from.ends_with("datasets/catalog") && !KEPT_DATASETS.iter().any(is_kept) {
            continue;
        }
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_tree(&entry.path(), &target);
        } else {
            copy_if_changed(&entry.path(), &target);
        }
    }
}

/// Leaves the times of unchanged files alone, so that a second run builds only what changed.
fn copy_if_changed(from: &Path, to: &Path) {
    let wanted = fs::read(from).unwrap();
    if fs::read(to).is_ok_and(|present| present == wanted) {
        return;
    }
    fs::write(to, wanted).unwrap();
}

/// Copies the workspace, with a small catalog, to a folder that the tests which build share.
pub fn copied() -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let workspace = Path::new(env!("CARGO_TARGET_TMPDIR")).join("added-dataset");
    copy_workspace(source, &workspace);
    workspace
}

fn copy_workspace(from: &Path, to: &Path) {
    // What was removed from the workspace must not live on in the copy; its build products may.
    for entry in fs::read_dir(to).into_iter().flatten().map(Result::unwrap) {
        let name = entry.file_name();
        if name != "target" && entry.file_type().unwrap().is_dir() && !from.join(&name).exists() {
            fs::remove_dir_all(entry.path()).unwrap();
        }
    }
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let name = entry.file_name();
        if NOT_COPIED.iter().any(|skipped| name == *skipped) {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            copy_tree(&entry.path(), &to.join(name));
        } else {
            copy_if_changed(&entry.path(), &to.join(name));
        }
    }
}

/// Builds packages of the copy, unoptimised, with datasets of a user's own.
pub fn build(workspace: &Path, packages: &[&str], datasets: Option<&str>) {
    let mut cargo = Command::new(env!("CARGO"));
    cargo
        .args(["build", "--locked", "--quiet"])
        .args(packages)
        .current_dir(workspace)
        .env("CARGO_TARGET_DIR", workspace.join("target"))
        // Built once and not debugged: without this it takes gigabytes.
        .envs([("CARGO_INCREMENTAL", "0"), ("CARGO_PROFILE_DEV_DEBUG", "0")])
        .env_remove("SERBENCH_DATASETS");
    if let Some(datasets) = datasets {
        cargo.env("SERBENCH_DATASETS", datasets);
    }
    let built = cargo.output().unwrap();
    assert!(
        built.status.success(),
        "{packages:?} do not build with the new folder: {}\n{}",
        built.status,
        errors(&String::from_utf8_lossy(&built.stderr))
    );
}

/// The lines that say what failed, and the last ones: all of it is thousands that name the files a
/// build script watches.
fn errors(output: &str) -> String {
    const LAST: usize = 20;
    let lines = output.lines().collect::<Vec<_>>();
    let is_shown = |(index, line): (usize, &&str)| {
        index + LAST >= lines.len()
            || ["rror", "atal", "No space"]
                .iter()
                .any(|word| line.contains(word))
    };
    let shown = lines.iter().enumerate().filter(|line| is_shown(*line));
    shown.map(|(_, line)| format!("{line}\n")).collect()
}

/// Puts the plugins in a folder of their own, as the Makefile does.
pub fn collect_plugins(workspace: &Path) -> PathBuf {
    let built = workspace.join("target/debug");
    let plugins = workspace.join("target/plugins");
    let _ = fs::remove_dir_all(&plugins);
    fs::create_dir_all(&plugins).unwrap();
    for folder in [built.clone(), built.join("plugins-cpp")] {
        for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let path = entry.path();
            if path.extension().is_some_and(|extension| extension == "so") {
                fs::copy(&path, plugins.join(entry.file_name())).unwrap();
            }
        }
    }
    plugins
}
