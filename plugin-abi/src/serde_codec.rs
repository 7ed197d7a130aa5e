//! Codecs on serde.

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::{Borrowable, BorrowedCodec, Error, OwnedCodec};

/// A codec on serde whose strings may borrow from the input. It is an [`OwnedCodec`] and, where the
/// build script asks for `.borrowed("serde::Deserialize", …)`, a [`BorrowedCodec`].
pub trait SerdeCodec: 'static {
    /// Appends `value` to `out`, which is empty but may have capacity.
    fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), Error>;
    /// Deserializes one value.
    fn read<'a, T: Deserialize<'a>>(input: &'a [u8]) -> Result<T, Error>;
}

impl<C: SerdeCodec, T: Serialize + DeserializeOwned> OwnedCodec<T> for C {
    #[inline(always)]
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        C::write(value, out)
    }

    #[inline(always)]
    fn deserialize(input: &[u8]) -> Result<T, Error> {
        C::read(input)
    }
}

impl<C, T> BorrowedCodec<T> for C
where
    C: SerdeCodec,
    T: Serialize + DeserializeOwned + Borrowable,
    for<'a> T::Borrowed<'a>: Deserialize<'a>,
{
    #[inline(always)]
    fn deserialize_borrowed(input: &[u8]) -> Result<T::Borrowed<'_>, Error> {
        C::read(input)
    }
}
