//! The folder of an SDK: written, or brought up to date.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Component, Path};

use serbench_datasets::Dataset;
use serde::{Deserialize, Serialize};

use super::files::{Files, abi_version};
use crate::error::Error;

/// What tells an SDK from other folders.
const MANIFEST: &str = "serbench-sdk.json";

/// What an SDK says of itself.
#[derive(Serialize, Deserialize)]
struct Manifest {
    serbench: String,
    abi: String,
    /// Fingerprints by names.
    datasets: BTreeMap<String, String>,
    /// What was written, and goes when it is written no more.
    files: Vec<String>,
}

/// Writes the files, and removes what an earlier SDK had beside them. A file whose text is the same
/// is left alone, so that nothing is rebuilt for it.
pub fn write(folder: &Path, datasets: &[Dataset], files: Files) -> Result<(), Error> {
    let earlier = earlier(folder)?;
    let stale = earlier.iter().filter(|name| !files.contains_key(*name));
    for name in stale {
        let path = folder.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(cannot("remove", &path, &error));
            }
            _ => remove_empty_parents(&path, folder),
        }
    }
    let manifest = Manifest {
        serbench: env!("CARGO_PKG_VERSION").to_owned(),
        abi: abi_version(),
        datasets: datasets
            .iter()
            .map(|dataset| (dataset.name.clone(), dataset.fingerprint.clone()))
            .collect(),
        files: files.keys().cloned().collect(),
    };
    let manifest = serde_json::to_string_pretty(&manifest).map_err(Error::failed)? + "\n";
    // First, so that what is stopped on the way is known for an SDK the next time.
    write_file(&folder.join(MANIFEST), &manifest)?;
    files
        .iter()
        .try_for_each(|(name, text)| write_file(&folder.join(name), text))
}

/// The files of the SDK that is there already, if one is.
fn earlier(folder: &Path) -> Result<Vec<String>, Error> {
    let refused = |why: &str| Err(Error::usage(format!("{} {why}", folder.display())));
    let path = folder.join(MANIFEST);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return match fs::read_dir(folder).map(|mut entries| entries.next().is_some()) {
                Ok(true) => refused("is there, and is no SDK of serbench; choose another folder"),
                Ok(false) => Ok(Vec::new()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
                Err(error) => Err(cannot("read", folder, &error)),
            };
        }
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return refused("is a file; choose another name");
        }
        Err(error) => return Err(cannot("read", &path, &error)),
    };
    let inside = |name: &String| {
        let mut parts = Path::new(name).components();
        parts.all(|part| matches!(part, Component::Normal(_)))
    };
    match serde_json::from_str::<Manifest>(&text) {
        Ok(manifest) if manifest.files.iter().all(inside) => Ok(manifest.files),
        _ => Err(Error::failed(format!(
            "{} is damaged; remove {}, and write the SDK again",
            path.display(),
            folder.display()
        ))),
    }
}

fn remove_empty_parents(path: &Path, folder: &Path) {
    let parents = path.ancestors().skip(1);
    for parent in parents.take_while(|parent| *parent != folder) {
        // Where something else is in it, it stays.
        if fs::remove_dir(parent).is_err() {
            break;
        }
    }
}

/// Writes a file unless it has that text already.
pub fn write_file(path: &Path, text: &str) -> Result<(), Error> {
    if fs::read(path).is_ok_and(|old| old == text.as_bytes()) {
        return Ok(());
    }
    fs::create_dir_all(path.parent().unwrap_or(Path::new("")))
        .and_then(|()| fs::write(path, text))
        .map_err(|error| cannot("write", path, &error))
}

fn cannot(what: &str, path: &Path, error: &io::Error) -> Error {
    Error::failed(format!("cannot {what} {}: {error}", path.display()))
}
