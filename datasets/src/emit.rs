//! What a generator hands out.

use std::cell::RefCell;

use serbench_canonical::{Decoded, encode_len};

/// A value, or what has a value's encoding.
pub(crate) trait Emit {
    /// Appends the canonical encoding.
    fn encode(&self, out: &mut Vec<u8>);
}

impl<T: Decoded> Emit for T {
    fn encode(&self, out: &mut Vec<u8>) {
        Decoded::encode(self, out);
    }
}

/// See [`long_list`].
pub(crate) struct List<F> {
    count: usize,
    make: RefCell<F>,
}

/// A list whose elements are made one by one while it is encoded, once: however long, it takes no
/// memory but for its encoding. A struct with nothing but a list is encoded as that list.
#[allow(dead_code, reason = "a tool for the generators of the catalog")]
pub(crate) fn long_list<T: Decoded, F: FnMut() -> T>(count: u64, make: F) -> List<F> {
    List {
        count: usize::try_from(count).expect("it is to lie in memory"),
        make: RefCell::new(make),
    }
}

impl<T: Decoded, F: FnMut() -> T> Emit for List<F> {
    fn encode(&self, out: &mut Vec<u8>) {
        encode_len(self.count, out);
        let mut make = self.make.borrow_mut();
        (0..self.count).for_each(|_| Decoded::encode(&make(), out));
    }
}
