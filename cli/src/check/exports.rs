//! What a plugin exports, read from its file.

use std::path::Path;

use object::Object;
use serbench_plugin::abi;

/// The exported symbols that are not the entry.
pub fn others(path: &Path) -> Result<Vec<String>, String> {
    let unreadable = |error: &dyn std::fmt::Display| format!("the file cannot be read: {error}");
    let bytes = std::fs::read(path).map_err(|error| unreadable(&error))?;
    let library = object::File::parse(&*bytes).map_err(|error| unreadable(&error))?;
    let exports = library.exports().map_err(|error| unreadable(&error))?;
    let names = exports
        .iter()
        .map(|export| String::from_utf8_lossy(export.name()).into_owned());
    Ok(names.filter(|name| name != abi::ENTRY_SYMBOL).collect())
}
