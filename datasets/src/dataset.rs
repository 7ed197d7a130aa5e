//! Datasets, of the catalog and of a user's own.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use serbench_schema::{Schema, json};

use crate::entries::{Data, ENTRIES, Entry};
use crate::{DatasetError, FileText, Values};

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
    source: Source,
}

/// Where the values come from.
#[derive(Clone)]
enum Source {
    Catalog(Data),
    File(PathBuf),
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
    let files = ["data.json", "data.ndjson"].map(|file| path.join(file));
    let [json, ndjson] = files.each_ref().map(|file| file.is_file());
    let data = match (json, ndjson) {
        (true, false) => files[0].clone(),
        (false, true) => files[1].clone(),
        (true, true) => {
            let message = format!(
                "{}: data.json and data.ndjson, one of them is too much",
                path.display()
            );
            return Err(DatasetError::Other(message));
        }
        (false, false) => {
            let message = format!(
                "{}: data.json or data.ndjson is missing{}",
                path.display(),
                match path.join("generator.rs").is_file() {
                    true => "; generator.rs counts in datasets/catalog only",
                    false => "",
                }
            );
            return Err(DatasetError::Other(message));
        }
    };
    Ok(Dataset {
        summary: serbench_schema::summary(&source),
        fingerprint: schema.fingerprint(),
        name,
        schema,
        source: Source::File(data),
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

impl Dataset {
    /// Whether the values are generated, so that a scale means something.
    pub fn is_generated(&self) -> bool {
        matches!(self.source, Source::Catalog(Data::Generated(_)))
    }

    /// The file of the values, where they are in a folder of a user's own.
    pub fn data_file(&self) -> Option<&Path> {
        match &self.source {
            Source::Catalog(_) => None,
            Source::File(path) => Some(path),
        }
    }

    /// The dataset's values. `scale` is 1 but for generated ones, which it grows.
    pub fn values(&self, scale: u64) -> Result<Values, DatasetError> {
        if scale == 0 || (scale != 1 && !self.is_generated()) {
            let message = match scale {
                0 => "the scale is at least 1".to_owned(),
                _ => format!("{} is not generated: it cannot be scaled", self.name),
            };
            return Err(DatasetError::Other(message));
        }
        let mut values = Values::default();
        match &self.source {
            Source::Catalog(Data::Generated(generate)) => {
                generate(scale, &mut |value| values.push(value));
            }
            Source::Catalog(Data::Packed(packed)) => unpack(packed, &mut values),
            Source::File(path) => {
                let text = FileText::open(path)
                    .map_err(|error| DatasetError::Read(path.clone(), error))?;
                return self.read_json(&text, Some(path.clone()));
            }
        }
        Ok(values)
    }

    /// Other values of the dataset's types: JSON or NDJSON.
    pub fn values_from_json(&self, text: &[u8]) -> Result<Values, DatasetError> {
        self.read_json(text, None)
    }

    fn read_json(&self, text: &[u8], file: Option<PathBuf>) -> Result<Values, DatasetError> {
        let mut values = Values::default();
        if let Err(error) = json::read_each(&self.schema, text, &mut |v| values.push_bytes(v)) {
            return Err(DatasetError::Json(file, error));
        }
        match values.is_empty() {
            false => Ok(values),
            true => Err(DatasetError::Other(format!(
                "there are no values for {}",
                self.name
            ))),
        }
    }
}

/// Reads what `build.rs` packed.
fn unpack(packed: &[u8], values: &mut Values) {
    let unpacked = zstd::decode_all(packed).expect("build.rs compressed it");
    let mut rest = unpacked.as_slice();
    while let Some((size, after)) = rest.split_first_chunk() {
        let (value, after) = after.split_at(u64::from_le_bytes(*size) as usize);
        values.push_bytes(value);
        rest = after;
    }
}
