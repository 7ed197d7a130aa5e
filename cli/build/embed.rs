//! The files that `serbench sdk` and `serbench new` write, as tables of names and texts.

use std::error::Error;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

/// Files and folders of the workspace, and where they stand in the SDK. Rust's lie to each other as
/// they do in the workspace, so that their manifests hold.
const SDK: [(&str, &str); 13] = [
    ("LICENSE", "LICENSE"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("plugin-abi/include", "include"),
    ("plugin-abi/Cargo.toml", "rust/plugin-abi/Cargo.toml"),
    ("plugin-abi/src", "rust/plugin-abi/src"),
    ("datasets/Cargo.toml", "rust/datasets/Cargo.toml"),
    ("datasets/build.rs", "rust/datasets/build.rs"),
    ("datasets/src", "rust/datasets/src"),
    (
        "datasets/canonical/Cargo.toml",
        "rust/datasets/canonical/Cargo.toml",
    ),
    ("datasets/canonical/src", "rust/datasets/canonical/src"),
    (
        "datasets/schema/Cargo.toml",
        "rust/datasets/schema/Cargo.toml",
    ),
    ("datasets/schema/src", "rust/datasets/schema/src"),
];

/// The crates of the SDK.
const MEMBERS: [&str; 4] = [
    "plugin-abi",
    "datasets",
    "datasets/canonical",
    "datasets/schema",
];

/// Writes `embedded.rs`.
pub fn write(out: &Path) -> Result<(), Box<dyn Error>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = out.join("sdk-Cargo.toml");
    fs::write(&manifest, workspace(&root.join("Cargo.toml"))?)?;
    let mut sources = vec![("rust/Cargo.toml".to_owned(), manifest)];
    for (from, to) in SDK {
        collect(&root.join(from), to, &mut sources)?;
    }
    let mut templates = Vec::new();
    collect(&root.join("plugin-abi/templates"), "", &mut templates)?;
    let mut filled = Vec::new();
    collect(&root.join("plugin-abi/sdk"), "", &mut filled)?;
    let mut text = String::new();
    for (name, documentation, files) in [
        ("SOURCES", "Files of the SDK that are as they are.", sources),
        ("FILLED", "Files of the SDK with names to fill in.", filled),
        ("TEMPLATES", "The files of new projects.", templates),
    ] {
        writeln!(
            text,
            "/// {documentation}\npub static {name}: &[(&str, &str)] = &["
        )?;
        for (name, path) in files {
            let path = path.canonicalize()?;
            writeln!(text, "    ({name:?}, include_str!({path:?})),")?;
        }
        writeln!(text, "];")?;
    }
    Ok(fs::write(out.join("embedded.rs"), text)?)
}

/// Adds a file, or those of a folder, to the list, under the name `to`.
fn collect(
    from: &Path,
    to: &str,
    files: &mut Vec<(String, PathBuf)>,
) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", from.display());
    if !from.is_dir() {
        files.push((to.to_owned(), from.to_owned()));
        return Ok(());
    }
    let mut entries: Vec<_> = fs::read_dir(from)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let name = entry.file_name();
        let name = name.to_str().ok_or("the name of a file is not UTF-8")?;
        let name = match to {
            "" => name.to_owned(),
            _ => format!("{to}/{name}"),
        };
        collect(&entry.path(), &name, files)?;
    }
    Ok(())
}

/// The manifest that the SDK's crates inherit from: what they need of the workspace's.
fn workspace(manifest: &Path) -> Result<String, Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", manifest.display());
    let mut manifest: Table = fs::read_to_string(manifest)?.parse()?;
    manifest.retain(|section, _| section == "workspace");
    let workspace = manifest.get_mut("workspace").and_then(Value::as_table_mut);
    let workspace = workspace.ok_or("Cargo.toml has no workspace")?;
    workspace.insert("members".to_owned(), Value::from(MEMBERS.to_vec()));
    Ok(manifest.to_string())
}
