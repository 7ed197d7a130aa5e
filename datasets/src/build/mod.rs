//! For the build scripts of plugins: the datasets' types in the plugin's language.

mod cargo;
mod idl;
mod rust;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use serbench_schema::codegen::cpp::{self, CppDataset};

use crate::{Dataset, DatasetError, catalog, open_dir};

pub use idl::{conversions, interface_files};
pub use rust::RustPlugin;
pub use serbench_schema::codegen::rust::Strings;

/// The variable that lists folders of further datasets, separated by colons. Relative ones are
/// taken from the root of the workspace.
pub const DATASETS_VARIABLE: &str = "SERBENCH_DATASETS";

/// The datasets that a plugin is built with: the catalog, and the folders that
/// [`DATASETS_VARIABLE`] lists. Tells cargo what they depend on.
pub fn datasets() -> Result<Vec<Dataset>, DatasetError> {
    println!("cargo::rerun-if-env-changed={DATASETS_VARIABLE}");
    let mut datasets = catalog().to_vec();
    let listed = env::var_os(DATASETS_VARIABLE).unwrap_or_default();
    for path in env::split_paths(&listed).filter(|path| !path.as_os_str().is_empty()) {
        let path = cargo::workspace_root().unwrap_or_default().join(path);
        println!("cargo::rerun-if-changed={}", path.display());
        let dataset = open_dir(&path)?;
        if datasets.iter().any(|other| other.name == dataset.name) {
            let message = format!(
                "{}: there is a dataset of that name already",
                path.display()
            );
            return Err(DatasetError::Other(message));
        }
        datasets.push(dataset);
    }
    Ok(datasets)
}

/// Writes the C++ headers of all [`datasets`] into `folder`, their interface files and conversions
/// included, and returns what was written. Files whose text is the same are left alone, so that
/// nothing is rebuilt for them.
pub fn cpp_headers(folder: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    cpp_headers_of(&datasets()?, folder)
}

/// The same for these datasets only.
pub fn cpp_headers_of(datasets: &[Dataset], folder: &Path) -> Result<Vec<PathBuf>, DatasetError> {
    cpp_files(datasets)
        .into_iter()
        .map(|(name, text)| write(folder.join(name), &text))
        .collect()
}

/// The same as names, in an include folder, and texts.
pub fn cpp_files(datasets: &[Dataset]) -> Vec<(String, String)> {
    let generated: Vec<_> = datasets
        .iter()
        .map(|dataset| CppDataset {
            name: &dataset.name,
            schema: &dataset.schema,
            fingerprint: &dataset.fingerprint,
        })
        .collect();
    let mut files = cpp::generate(&generated);
    files.extend(idl::cpp_files(datasets));
    files
}

/// Writes a file unless it has that text already.
fn write(path: PathBuf, text: &str) -> Result<PathBuf, DatasetError> {
    let written = match fs::read(&path) {
        Ok(old) if old == text.as_bytes() => Ok(()),
        _ => fs::create_dir_all(path.parent().unwrap_or(Path::new("")))
            .and_then(|()| fs::write(&path, text)),
    };
    match written {
        Ok(()) => Ok(path),
        Err(error) => Err(DatasetError::Read(path, error)),
    }
}
