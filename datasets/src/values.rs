//! The values of a dataset.

use crate::emit::Emit;

/// Values in the canonical encoding, one after another in one buffer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values {
    bytes: Vec<u8>,
    sizes: Vec<u64>,
}

impl Values {
    /// All values, one after another.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The size of each.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// Each value's bytes.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let mut rest = self.bytes.as_slice();
        self.sizes.iter().map(move |size| {
            let (value, after) = rest.split_at(*size as usize);
            rest = after;
            value
        })
    }

    /// Appends one value.
    pub(crate) fn push(&mut self, value: &dyn Emit) {
        let start = self.bytes.len();
        value.encode(&mut self.bytes);
        self.sizes.push((self.bytes.len() - start) as u64);
    }

    /// Appends one value by its canonical bytes.
    pub(crate) fn push_bytes(&mut self, value: &[u8]) {
        self.bytes.extend_from_slice(value);
        self.sizes.push(value.len() as u64);
    }
}
