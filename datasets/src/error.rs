//! Why a dataset cannot be had.

use std::fmt;
use std::io;
use std::path::PathBuf;

use serbench_schema::SchemaError;
use serbench_schema::json::JsonError;

/// Why a dataset cannot be had.
#[derive(Debug)]
pub enum DatasetError {
    /// A file or folder cannot be read.
    Read(PathBuf, io::Error),
    /// A schema is not in the language.
    Schema(SchemaError),
    /// The data does not fit the schema; with the file, where there is one.
    Json(Option<PathBuf>, JsonError),
    /// Anything else.
    Other(String),
}

impl fmt::Display for DatasetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read(path, error) => write!(f, "{}: {error}", path.display()),
            Self::Schema(error) => error.fmt(f),
            Self::Json(Some(path), error) => write!(f, "{}:{error}", path.display()),
            Self::Json(None, error) => error.fmt(f),
            Self::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for DatasetError {}
