//! Where the plugins are.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// The variable that names folders of plugins.
const PATH_VARIABLE: &str = "SERBENCH_PLUGIN_PATH";

/// The plugin files in the files and folders given, else those in the default places; each once,
/// in an order that depends on nothing but their names.
pub fn plugin_files(given: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    if given.is_empty() {
        default_files()
    } else {
        given_files(given)
    }
}

fn given_files(given: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    for path in given {
        let found = if path.is_dir() {
            let found = libraries_in(path)?;
            if found.is_empty() {
                return Err(Error::usage(format!(
                    "there is no plugin in {}: a plugin is a file *.{}; `make build` collects the \
                     bundled ones in ./plugins",
                    path.display(),
                    env::consts::DLL_EXTENSION
                )));
            }
            found
        } else if path.exists() {
            vec![path.clone()]
        } else {
            return Err(Error::usage(format!(
                "there is no plugin file or folder {}; `make build` collects the bundled plugins \
                 in ./plugins",
                path.display()
            )));
        };
        // A file reached in two ways is one plugin.
        files.extend(
            found
                .into_iter()
                .filter(|file| seen.insert(file.canonicalize().unwrap_or_else(|_| file.clone()))),
        );
    }
    Ok(files)
}

fn default_files() -> Result<Vec<PathBuf>, Error> {
    let places = default_places();
    let mut names = BTreeSet::new();
    let mut files = Vec::new();
    for place in places.iter().filter(|place| place.is_dir()) {
        let found = libraries_in(place)?;
        files.extend(
            found
                .into_iter()
                .filter(|file| names.insert(file.file_name().map(OsStr::to_owned))),
        );
    }
    if files.is_empty() {
        let looked = places
            .iter()
            .map(|place| place.display().to_string())
            .collect::<Vec<_>>()
            .join(", ");
        return Err(Error::usage(format!(
            "no plugins found (looked in {looked}); name a file or folder with --plugins, or set \
             {PATH_VARIABLE}"
        )));
    }
    Ok(files)
}

/// `./plugins`, `plugins` beside this program, and the folders of the variable.
fn default_places() -> Vec<PathBuf> {
    let mut places = vec![PathBuf::from("plugins")];
    if let Ok(program) = env::current_exe()
        && let Some(folder) = program.parent()
    {
        places.push(folder.join("plugins"));
    }
    if let Some(variable) = env::var_os(PATH_VARIABLE) {
        places.extend(env::split_paths(&variable).filter(|path| !path.as_os_str().is_empty()));
    }
    places
}

/// The shared libraries in a folder, by name.
fn libraries_in(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let failed = |error| Error::usage(format!("cannot read {}: {error}", folder.display()));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_library = path.extension() == Some(OsStr::new(env::consts::DLL_EXTENSION));
        if is_library && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_folders_each_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            let path = folder.path().join(name);
            fs::write(&path, "").unwrap();
            path
        };
        let (b, a, odd) = (file("b.so"), file("a.so"), file("odd.plugin"));
        file("notes.txt");
        let found = plugin_files(&[odd.clone(), b.clone(), folder.path().into()]).unwrap();
        assert_eq!(found, [odd, b, a]);
    }

    #[test]
    fn nothing_there() {
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_owned(), folder.path().join("missing")] {
            let error = plugin_files(&[path]).unwrap_err();
            assert!(matches!(error, Error::Usage(_)));
        }
    }
}
