//! What `build.rs` found in `catalog`.

#[cfg(feature = "values")]
use crate::{emit::Emit, rng::Rng};

/// One dataset of the catalog.
pub(crate) struct Entry {
    pub name: &'static str,
    pub summary: &'static str,
    /// The normalised schema, as JSON.
    pub schema: &'static str,
    #[cfg(feature = "values")]
    pub data: Data,
}

/// A generator: it hands each value to the second argument.
#[cfg(feature = "values")]
type Generate = fn(scale: u64, emit: &mut dyn FnMut(&dyn Emit));

/// Where the values of a dataset of the catalog come from.
#[cfg(feature = "values")]
#[derive(Clone, Copy)]
pub(crate) enum Data {
    /// They are generated.
    #[allow(dead_code, reason = "the catalog may happen to have no generators")]
    Generated(Generate),
    /// Sizes and canonical bytes, compressed with zstd.
    #[allow(dead_code, reason = "the catalog may happen to have generators only")]
    Packed(&'static [u8]),
}

include!(concat!(env!("OUT_DIR"), "/entries.rs"));
