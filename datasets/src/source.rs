//! The values of datasets: where they come from.

use std::path::{Path, PathBuf};

use serbench_schema::json;

use crate::entries::Data;
use crate::{Dataset, DatasetError, FileText, Values};

/// Where the values come from.
#[derive(Clone)]
pub(crate) enum Source {
    Catalog(Data),
    File(PathBuf),
}

impl Source {
    /// The file of the values in a folder of a user's own.
    pub fn of_folder(path: &Path) -> Result<Self, DatasetError> {
        let files = ["data.json", "data.ndjson"].map(|file| path.join(file));
        let [json, ndjson] = files.each_ref().map(|file| file.is_file());
        match (json, ndjson) {
            (true, false) => Ok(Self::File(files[0].clone())),
            (false, true) => Ok(Self::File(files[1].clone())),
            (true, true) => {
                let message = format!(
                    "{}: data.json and data.ndjson, one of them is too much",
                    path.display()
                );
                Err(DatasetError::Other(message))
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
                Err(DatasetError::Other(message))
            }
        }
    }
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
