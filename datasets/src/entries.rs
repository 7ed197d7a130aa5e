//! What `build.rs` found in `catalog`.

use serbench_canonical::Decoded;

use crate::rng::Rng;

/// One dataset of the catalog.
pub(crate) struct Entry {
    pub name: &'static str,
    pub summary: &'static str,
    /// The normalised schema, as JSON.
    pub schema: &'static str,
    pub data: Data,
}

/// Where the values of a dataset of the catalog come from.
#[derive(Clone, Copy)]
pub(crate) enum Data {
    /// A generator, by the scale and what to do with each value.
    Generated(fn(u64, &mut dyn FnMut(&dyn Decoded))),
    /// Sizes and canonical bytes, compressed with zstd.
    #[allow(dead_code, reason = "the catalog may happen to have generators only")]
    Packed(&'static [u8]),
}

include!(concat!(env!("OUT_DIR"), "/entries.rs"));
