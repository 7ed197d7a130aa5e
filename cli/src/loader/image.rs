//! Tells what kind of file a library is before the dynamic linker sees it, whose own messages do
//! not tell a text file from a library for another machine.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;
use object::{Architecture, BinaryFormat, Object, ObjectKind};

use super::LoadError;

const REMEDY_KIND: &str = "take it out of the plugin folder, or build it as a shared library";

/// What has to agree for a library to run in this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Machine {
    format: BinaryFormat,
    architecture: Architecture,
    bits: u8,
    little_endian: bool,
}

impl Machine {
    fn of(file: &object::File<'_>) -> Self {
        Self {
            format: file.format(),
            architecture: file.architecture(),
            bits: if file.is_64() { 64 } else { 32 },
            little_endian: file.is_little_endian(),
        }
    }
}

impl std::fmt::Display for Machine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let endian = if self.little_endian { "little" } else { "big" };
        write!(
            f,
            "{:?} ({:?}, {} bits, {endian} endian)",
            self.architecture, self.format, self.bits
        )
    }
}

/// Refuses what is no shared library for this machine.
pub(super) fn check(path: &Path) -> Result<(), LoadError> {
    let file = File::open(path).map_err(|e| unreadable(&e))?;
    if !file.metadata().map_err(|e| unreadable(&e))?.is_file() {
        return Err(LoadError::new(
            "something that is not a file",
            "a shared library",
            REMEDY_KIND,
        ));
    }
    // SAFETY: nothing in a plugin folder is rewritten during a run; were it, the linker's own
    // mapping would suffer the same.
    let bytes = unsafe { Mmap::map(&file) }.map_err(|e| unreadable(&e))?;
    let image = object::File::parse(&*bytes).map_err(|_| not_a_library(&bytes))?;

    let found = Machine::of(&image);
    if let Some(host) = host()
        && found != host
    {
        return Err(LoadError::new(
            format!("a library for another machine, {found}"),
            host.to_string(),
            "build the plugin for this machine",
        ));
    }
    if image.kind() != ObjectKind::Dynamic {
        return Err(LoadError::new(
            format!("a binary that is no shared library ({:?})", image.kind()),
            "a shared library",
            REMEDY_KIND,
        ));
    }
    Ok(())
}

/// A file that the system does not let us read.
pub(super) fn unreadable(error: &io::Error) -> LoadError {
    LoadError::new(
        format!("a file that cannot be read ({error})"),
        "a plugin library",
        "check the path and its permissions",
    )
}

/// The machine that this program itself was built for, read from its own file.
fn host() -> Option<Machine> {
    let file = File::open(std::env::current_exe().ok()?).ok()?;
    // SAFETY: a program that is running is not rewritten in place.
    let bytes = unsafe { Mmap::map(&file) }.ok()?;
    let image = object::File::parse(&*bytes).ok()?;
    Some(Machine::of(&image))
}

fn not_a_library(bytes: &[u8]) -> LoadError {
    let head: String = String::from_utf8_lossy(&bytes[..bytes.len().min(16)])
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    let found = if bytes.is_empty() {
        "an empty file".to_owned()
    } else if bytes.starts_with(b"\x7fELF") {
        "a damaged or truncated library".to_owned()
    } else {
        format!("a file that is no library (it begins with {head:?})")
    };
    LoadError::new(found, "a shared library", REMEDY_KIND)
}
