//! The canonical encoding and the read checksum, for typed Rust values.
//!
//! The encoding is the form in which a value crosses the plugin boundary: little-endian,
//! fixed-width, no padding, no names. `datasets/README.md` specifies it in one page. It is never
//! timed; the checksum is, so [`Checksum`] is a handful of instructions.

mod checksum;
mod decode;
mod impls;
mod sink;

pub use checksum::Checksum;
pub use decode::{DecodeError, Reader};
pub use sink::{Encoder, Sink};

use std::borrow::Cow;
use std::fmt::Debug;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// What serbench needs of a decoded value, whatever its representation: an owned struct, a struct
/// that borrows from the input, or a lazy view.
pub trait Decoded {
    /// Visits every field and folds it into `sum` by the documented rule.
    fn fold(&self, sum: &mut Checksum);

    /// Appends the canonical encoding of the value to `out`.
    fn encode(&self, out: &mut Vec<u8>);
}

/// An owned value that can be built from its canonical encoding.
pub trait Canonical: Decoded + Sized {
    /// Reads one value.
    fn decode(input: &mut Reader<'_>) -> Result<Self, DecodeError>;

    /// Reads one value that fills `bytes` exactly.
    fn from_canonical(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader::new(bytes);
        let value = Self::decode(&mut reader)?;
        reader.finish()?;
        Ok(value)
    }
}

/// An element type of a tensor.
pub trait Scalar: Canonical + Copy + Default + Debug + PartialEq + 'static {
    /// The element type's code on the wire of formats without tensors.
    const DTYPE: u8;
    /// The element's size in bytes.
    const SIZE: usize;
    /// The little-endian bytes of `elements`: where the machine's own are that, no copy.
    fn as_le(elements: &[Self]) -> Cow<'_, [u8]>;
    /// Reads elements from little-endian bytes, whose length is a multiple of `SIZE`.
    fn from_le(bytes: &[u8]) -> Vec<Self>;
}

/// Appends a length or count; canonical lengths are 32 bits.
///
/// # Panics
/// When `len` does not fit, which the host rules out for every value that it hands out.
pub fn encode_len(len: usize, out: &mut Vec<u8>) {
    let len = u32::try_from(len).expect("a canonical length is at most 2^32 - 1");
    out.extend_from_slice(&len.to_le_bytes());
}

/// Appends a byte string or the bytes of a string: length, then contents.
pub fn encode_blob(bytes: &[u8], out: &mut Vec<u8>) {
    encode_len(bytes.len(), out);
    out.extend_from_slice(bytes);
}

/// Folds a tensor: rank, every dimension, then the first, middle and last element.
pub fn fold_tensor<T: Scalar>(shape: &[u32], data: &[T], sum: &mut Checksum) {
    sum.word(shape.len() as u64);
    for dim in shape {
        sum.word(u64::from(*dim));
    }
    if let (Some(first), Some(last)) = (data.first(), data.last()) {
        first.fold(sum);
        data[data.len() / 2].fold(sum);
        last.fold(sum);
    }
}

/// Appends a tensor: rank, every dimension, then the elements in row-major order.
pub fn encode_tensor<T: Scalar>(shape: &[u32], data: &[T], out: &mut Vec<u8>) {
    encode_len(shape.len(), out);
    for dim in shape {
        out.extend_from_slice(&dim.to_le_bytes());
    }
    out.extend_from_slice(&T::as_le(data));
}

/// Reads a tensor as [`encode_tensor`] writes it.
pub fn decode_tensor<T: Scalar>(input: &mut Reader<'_>) -> Result<(Vec<u32>, Vec<T>), DecodeError> {
    let rank = input.len(4)?;
    let shape = (0..rank)
        .map(|_| u32::decode(input))
        .collect::<Result<Vec<_>, _>>()?;
    let bytes = shape
        .iter()
        .try_fold(T::SIZE, |size, dim| size.checked_mul(*dim as usize))
        .ok_or_else(|| input.error("the tensor's shape overflows"))?;
    Ok((shape, T::from_le(input.take(bytes)?)))
}

/// Bytes as text, in the standard alphabet with padding: how JSON and its like carry blobs.
pub fn base64_encode(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// Reads what [`base64_encode`] wrote.
pub fn base64_decode(text: &str) -> Result<Vec<u8>, base64::DecodeError> {
    STANDARD.decode(text)
}
