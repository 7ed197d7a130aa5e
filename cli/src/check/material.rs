//! What codecs are tested on: some values of each dataset, and some that are drawn at random.

use std::fs;
use std::path::{Path, PathBuf};

use serbench_datasets::Dataset;

use super::random::Random;
use crate::error::Error;
use crate::protocol::DatasetFile;

/// How many values of a dataset are taken, evenly spread, and how many are drawn.
const OWN: usize = 24;
const DRAWN: usize = 24;
/// Beyond this size a value takes part in the round trip and the checksum alone.
const LARGE: usize = 1 << 16;

/// A dataset, and values of its type.
pub struct Material {
    /// The dataset.
    pub name: String,
    /// All values, for the question which of them a codec carries.
    pub all: DatasetFile,
    values: Vec<Vec<u8>>,
    /// The number of each of the dataset's own values, which come first.
    own: Vec<usize>,
}

/// The values that a codec carries.
pub struct Carried {
    /// All of them.
    pub all: Selection,
    /// Those that are not large.
    pub small: Selection,
}

/// Some of the values, in a file.
pub struct Selection {
    pub file: DatasetFile,
    numbers: Vec<usize>,
}

impl Material {
    /// Takes and draws values, and writes them into the folder.
    pub fn new(dataset: &Dataset, folder: &Path) -> Result<Self, Error> {
        let found = dataset.values(1).map_err(Error::usage)?;
        let step = found.len().div_ceil(OWN).max(1);
        let own: Vec<usize> = (0..found.len()).step_by(step).collect();
        let mut values: Vec<Vec<u8>> = found.iter().step_by(step).map(<[u8]>::to_vec).collect();
        let mut random = Random::of(7, 0);
        values.extend((0..DRAWN).map(|_| random.value_of(&dataset.schema)));
        let mut material = Self {
            name: dataset.name.clone(),
            all: DatasetFile {
                name: dataset.name.clone(),
                fingerprint: dataset.fingerprint.clone(),
                schema: dataset.schema.to_json(),
                path: PathBuf::new(),
                sizes: Vec::new(),
            },
            values,
            own,
        };
        let numbers: Vec<usize> = (0..material.values.len()).collect();
        let path = folder.join(format!("{}.values", dataset.name));
        material.all = material.select(numbers, path)?.file;
        Ok(material)
    }

    /// How many values there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Puts the values that a codec carries where a worker can map them.
    pub fn carried(&self, numbers: Vec<usize>, folder: &Path) -> Result<Carried, Error> {
        let size = |number: &usize| self.values[*number].len();
        let mut small = numbers.clone();
        small.retain(|number| size(number) <= LARGE);
        if small.is_empty() {
            small.extend(numbers.iter().copied().min_by_key(size));
        }
        Ok(Carried {
            all: self.select(numbers, folder.join(format!("{}.carried", self.name)))?,
            small: self.select(small, folder.join(format!("{}.small", self.name)))?,
        })
    }

    /// What a value of a selection is called.
    pub fn value_name(&self, selection: &Selection, value: u64) -> String {
        let number = selection.numbers.get(value as usize).copied();
        match number {
            Some(number) if number < self.own.len() => format!("value {}", self.own[number]),
            Some(number) => format!("value {} drawn at random", number - self.own.len()),
            None => format!("value {value}"),
        }
    }

    fn select(&self, numbers: Vec<usize>, path: PathBuf) -> Result<Selection, Error> {
        let chosen: Vec<&[u8]> = numbers.iter().map(|n| self.values[*n].as_slice()).collect();
        fs::write(&path, chosen.concat()).map_err(|error| {
            Error::failed(format!(
                "cannot write to {}: {error}; TMPDIR names another folder for temporary files",
                path.display()
            ))
        })?;
        Ok(Selection {
            file: DatasetFile {
                path,
                sizes: chosen.iter().map(|value| value.len() as u64).collect(),
                ..self.all.clone()
            },
            numbers,
        })
    }
}
