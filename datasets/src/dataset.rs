//! Datasets, of the catalog and of a user's own.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use serbench_schema::Schema;

use crate::DatasetError;
use crate::entries::{ENTRIES, Entry};
#[cfg(feature = "values")]
use crate::source::Source;

/// A dataset: types, and values of them.
#[derive(Clone)]
pub struct Dataset {
    /// Its name, which is that of its folder.
    pub name: String,
    /// The first line of its schema's documentation.
    pub summary: String,
    /// Its types.
    pub schema: Schema,
    /// The schema's fingerprint.
    pub fingerprint: String,
    #[cfg(feature = "values")]
    pub(crate) source: Source,
}

/// The datasets that are in the binary, by name in ascending order.
pub fn catalog() -> &'static [Dataset] {
    static CATALOG: OnceLock<Vec<Dataset>> = OnceLock::new();
    CATALOG.get_or_init(|| ENTRIES.iter().map(from_entry).collect())
}

fn from_entry(entry: &Entry) -> Dataset {
    let schema = Schema::from_json(entry.schema).expect("build.rs wrote it");
    Dataset {
        name: entry.name.to_owned(),
        summary: entry.summary.to_owned(),
        fingerprint: schema.fingerprint(),
        schema,
        #[cfg(feature = "values")]
        source: Source::Catalog(entry.data),
    }
}

/// The dataset of the catalog with that name.
pub fn find(name: &str) -> Option<&'static Dataset> {
    catalog().iter().find(|dataset| dataset.name == name)
}

/// A folder of a user's own: `schema.rs`, and `data.json` or `data.ndjson`. The data is read by
/// [`Dataset::values`], not here.
pub fn open_dir(path: &Path) -> Result<Dataset, DatasetError> {
    let folder = path
        .canonicalize()
        .map_err(|error| DatasetError::Read(path.into(), error))?;
    let name = folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    check_name(&name)?;
    let file = path.join("schema.rs");
    let source =
        fs::read_to_string(&file).map_err(|error| DatasetError::Read(file.clone(), error))?;
    let schema = serbench_schema::parse(&source, &file).map_err(DatasetError::Schema)?;
    Ok(Dataset {
        summary: serbench_schema::summary(&source),
        fingerprint: schema.fingerprint(),
        name,
        schema,
        #[cfg(feature = "values")]
        source: Source::of_folder(path)?,
    })
}

/// Whether a dataset can be called so: the name becomes that of modules, namespaces and files.
pub fn check_name(name: &str) -> Result<(), DatasetError> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    if name.starts_with(|c: char| c.is_ascii_lowercase()) && name.chars().all(plain) {
        return Ok(());
    }
    Err(DatasetError::Other(format!(
        "{name:?} cannot be a dataset's name: it takes a to z, 0 to 9 and _, and begins with a letter"
    )))
}
