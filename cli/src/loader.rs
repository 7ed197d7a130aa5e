//! Loads a plugin and checks everything in its descriptor before anything else looks at it.
//!
//! A library is never unloaded: codecs hand out pointers into it, and libraries that register
//! thread-local or exit handlers do not survive being unmapped. Only a worker process loads one.

pub mod descriptor;
mod image;

use std::ffi::{c_char, c_void};
use std::fmt;
use std::path::Path;

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use serbench_plugin::abi;

use crate::protocol::{CodecInfo, PluginInfo};

/// `open_error` of a codec.
pub type OpenError = unsafe extern "C" fn() -> *const c_char;
/// `adopt` of the extension "adopt input".
pub type Adopt = unsafe extern "C" fn(*mut c_void, abi::Bytes) -> i32;

/// A plugin whose descriptor has been checked.
#[derive(Debug)]
pub struct Plugin {
    /// What the descriptor says.
    pub info: PluginInfo,
    /// Its codecs, in the order of `info.codecs`.
    pub codecs: Vec<Codec>,
}

/// A codec of a loaded plugin.
#[derive(Debug, Clone)]
pub struct Codec {
    /// What its descriptor says.
    pub info: CodecInfo,
    /// The `SERBENCH_CAP_*` bits.
    pub capabilities: u64,
    /// Opens it on a dataset.
    pub open: abi::Open,
    /// What went wrong in the last failed `open`.
    pub open_error: OpenError,
    /// The extension "adopt input", where the codec has it.
    pub adopt: Option<Adopt>,
}

/// Why a file cannot be used as a plugin: what was found, what was expected, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoadError {
    found: String,
    expected: String,
    remedy: String,
}

impl LoadError {
    fn new(
        found: impl Into<String>,
        expected: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        Self {
            found: found.into(),
            expected: expected.into(),
            remedy: remedy.into(),
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            found,
            expected,
            remedy,
        } = self;
        write!(f, "found {found}; expected {expected}; {remedy}")
    }
}

impl std::error::Error for LoadError {}

impl Plugin {
    /// Loads the library at `path` and checks its descriptor.
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        // An absolute path keeps dlopen from searching the system's library folders.
        let absolute = path.canonicalize().map_err(|e| image::unreadable(&e))?;
        image::check(&absolute)?;

        // SAFETY: loading runs the library's initialisers, which is what loading a plugin means; a
        // worker process exists to contain them.
        let library = unsafe { Library::open(Some(&absolute), RTLD_NOW | RTLD_LOCAL) }
            .map_err(|e| unloadable(&e))?;
        // SAFETY: the header gives the symbol this type.
        let entry = unsafe { library.get::<abi::Entry>(abi::ENTRY_SYMBOL.as_bytes()) }.map(|s| *s);
        std::mem::forget(library);
        let entry = entry.map_err(|_| {
            LoadError::new(
                "a shared library that is not a serbench plugin",
                format!("it to export the function {}", abi::ENTRY_SYMBOL),
                "build it against serbench.h, or take it out of the plugin folder",
            )
        })?;
        // SAFETY: the header lets any thread call the entry; the result is checked field by field.
        let raw = unsafe { entry() };
        // SAFETY: as above.
        let again = unsafe { entry() };
        if again != raw {
            return Err(LoadError::new(
                format!(
                    "{} that returned {raw:?}, then {again:?}",
                    abi::ENTRY_SYMBOL
                ),
                "the same descriptor each time",
                "return a pointer to constant data",
            ));
        }
        // SAFETY: what the entry returned, which belongs to the plugin for ever.
        unsafe { descriptor::read(path, raw) }
    }

    /// The codec with this id.
    pub fn codec(&self, id: &str) -> Option<&Codec> {
        self.codecs.iter().find(|codec| codec.info.id == id)
    }
}

fn unloadable(error: &libloading::Error) -> LoadError {
    use std::error::Error;
    let cause = error
        .source()
        .map_or_else(|| error.to_string(), ToString::to_string);
    LoadError::new(
        format!("a library that the dynamic linker refuses ({cause})"),
        "one that it loads",
        "install the library that is named there, or rebuild the plugin",
    )
}
