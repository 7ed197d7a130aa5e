//! One walk over a decoded value, for both of its purposes.

use crate::{Checksum, Decoded, encode_blob, encode_len};

/// What a walk over a decoded value feeds, field by field: a [`Checksum`] folds, an [`Encoder`]
/// writes the canonical encoding. For values that are not made of the types of this crate, such as
/// the message classes of a library.
pub trait Sink {
    /// A bool or a number.
    fn scalar<T: Decoded + Copy>(&mut self, value: T);
    /// A string or byte string.
    fn blob(&mut self, bytes: &[u8]);
    /// How many elements or entries follow, or a tensor's rank.
    fn count(&mut self, count: usize);
    /// Whether an optional value follows.
    fn present(&mut self, present: bool);
    /// Which variant follows.
    fn variant(&mut self, index: u32);
    /// The elements of a tensor; `at(i)` is element number `i`.
    fn elements<T: Decoded + Copy>(&mut self, count: usize, at: impl Fn(usize) -> T);
}

impl Sink for Checksum {
    #[inline(always)]
    fn scalar<T: Decoded + Copy>(&mut self, value: T) {
        value.fold(self);
    }

    #[inline(always)]
    fn blob(&mut self, bytes: &[u8]) {
        Checksum::blob(self, bytes);
    }

    #[inline(always)]
    fn count(&mut self, count: usize) {
        self.word(count as u64);
    }

    #[inline(always)]
    fn present(&mut self, present: bool) {
        self.word(u64::from(present));
    }

    #[inline(always)]
    fn variant(&mut self, index: u32) {
        self.word(u64::from(index));
    }

    #[inline(always)]
    fn elements<T: Decoded + Copy>(&mut self, count: usize, at: impl Fn(usize) -> T) {
        if count > 0 {
            at(0).fold(self);
            at(count / 2).fold(self);
            at(count - 1).fold(self);
        }
    }
}

/// Appends the canonical encoding of what is walked.
#[derive(Debug)]
pub struct Encoder<'a>(pub &'a mut Vec<u8>);

impl Sink for Encoder<'_> {
    fn scalar<T: Decoded + Copy>(&mut self, value: T) {
        value.encode(self.0);
    }

    fn blob(&mut self, bytes: &[u8]) {
        encode_blob(bytes, self.0);
    }

    fn count(&mut self, count: usize) {
        encode_len(count, self.0);
    }

    fn present(&mut self, present: bool) {
        self.0.push(u8::from(present));
    }

    fn variant(&mut self, index: u32) {
        index.encode(self.0);
    }

    fn elements<T: Decoded + Copy>(&mut self, count: usize, at: impl Fn(usize) -> T) {
        for i in 0..count {
            at(i).encode(self.0);
        }
    }
}
