//! What cargo knows about the crate being built and tells no build script: the versions in
//! Cargo.lock, and the profile in the workspace's Cargo.toml.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use toml::{Table, Value};

#[derive(Deserialize)]
struct Lock {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    #[serde(default)]
    dependencies: Vec<String>,
}

/// The folder of Cargo.lock: the nearest above the crate that has one.
pub fn workspace_root() -> Option<PathBuf> {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR")?);
    let root = manifest
        .ancestors()
        .find(|folder| folder.join("Cargo.lock").is_file())?;
    Some(root.to_owned())
}

/// The version of a library that the crate being built depends on. Where it depends on several
/// versions, `library` is `name@1` or `name@0.12`.
pub fn library_version(library: &str) -> Result<String, String> {
    let root = workspace_root().ok_or("there is no Cargo.lock above the crate")?;
    let path = root.join("Cargo.lock");
    println!("cargo::rerun-if-changed={}", path.display());
    let text = fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let lock: Lock = toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
    let (name, wanted) = library.split_once('@').unwrap_or((library, ""));
    let this = env::var("CARGO_PKG_NAME").map_err(|e| e.to_string())?;
    let this = lock.package.iter().find(|package| package.name == this);
    let listed = this
        .map(|package| package.dependencies.as_slice())
        .unwrap_or_default();
    // A dependency is listed as "name", or as "name version" where the name alone is ambiguous.
    let direct = |package: &&Package| {
        let full = format!("{} {}", package.name, package.version);
        listed
            .iter()
            .any(|d| *d == package.name || *d == full || d.starts_with(&format!("{full} ")))
    };
    let fits = |package: &&Package| {
        wanted.is_empty()
            || package.version == wanted
            || package.version.starts_with(&format!("{wanted}."))
    };
    let of_name: Vec<_> = lock
        .package
        .iter()
        .filter(|package| package.name == name)
        .collect();
    let found: Vec<_> = of_name
        .iter()
        .copied()
        .filter(direct)
        .filter(fits)
        .collect();
    match (found.as_slice(), of_name.as_slice()) {
        ([one], _) | ([], [one]) => Ok(one.version.clone()),
        ([], _) => Err(format!(
            "{library} is not among the dependencies in {}",
            path.display()
        )),
        _ => Err(format!(
            "several versions of {name}; name one as {name}@VERSION"
        )),
    }
}

/// The compiler, as `rustc 1.95.0 (…)`.
pub fn compiler() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    text.unwrap_or_else(|_| "rustc".to_owned())
}

/// The flags that matter for speed: those of the profile, target features, and RUSTFLAGS.
pub fn flags() -> String {
    let var = |name: &str| env::var(name).unwrap_or_default();
    let mut flags = vec![format!("opt-level={}", var("OPT_LEVEL"))];
    for (key, value) in profile(&profile_name()) {
        match key.as_str() {
            "lto" | "codegen-units" | "panic" => flags.push(format!("{key}={}", plain(&value))),
            _ => {}
        }
    }
    if env::var_os("CARGO_CFG_DEBUG_ASSERTIONS").is_some() {
        flags.push("debug-assertions".to_owned());
    }
    flags.push(format!("target={}", var("TARGET")));
    flags.push(format!(
        "target-feature={}",
        var("CARGO_CFG_TARGET_FEATURE")
    ));
    let rustflags = var("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " ");
    if !rustflags.is_empty() {
        flags.push(rustflags);
    }
    flags.join(" ")
}

/// The profile's name, which cargo does not tell, but for the ancestor that is its own: by the folder
/// of its products, `OUT_DIR` being `<target>/<profile>/build/<package>/out`.
fn profile_name() -> String {
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    let folder = out.ancestors().nth(3).and_then(Path::file_name);
    match folder.unwrap_or_default().to_string_lossy().as_ref() {
        "debug" => "dev".to_owned(),
        other => other.to_owned(),
    }
}

/// The profile as the workspace's manifest has it, with what it inherits.
fn profile(name: &str) -> Table {
    let mut profile = own_profile(name);
    if let Some(parent) = profile.get("inherits").and_then(Value::as_str) {
        let mut inherited = self::profile(parent);
        inherited.extend(profile);
        profile = inherited;
    }
    profile
}

fn own_profile(name: &str) -> Table {
    let Some(root) = workspace_root() else {
        return Table::new();
    };
    let path = root.join("Cargo.toml");
    println!("cargo::rerun-if-changed={}", path.display());
    let text = fs::read_to_string(path).unwrap_or_default();
    let manifest: Table = text.parse().unwrap_or_default();
    let profile = manifest
        .get("profile")
        .and_then(|profiles| profiles.get(name));
    profile
        .and_then(Value::as_table)
        .cloned()
        .unwrap_or_default()
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        _ => String::new(),
    }
}
