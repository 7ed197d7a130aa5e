//! The encoding and the checksum of the built-in types.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::{Canonical, Checksum, DecodeError, Decoded, Reader, Scalar, encode_blob, encode_len};

/// Scalars: `$word` turns one into the word that is folded; `$dtype` is its tensor code.
macro_rules! scalar {
    ($($type:ty, $dtype:literal, $word:expr;)*) => {$(
        impl Decoded for $type {
            #[inline(always)]
            fn fold(&self, sum: &mut Checksum) {
                let word: fn($type) -> u64 = $word;
                sum.word(word(*self));
            }

            fn encode(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
        }

        impl Canonical for $type {
            fn decode(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
                Ok(<$type>::from_le_bytes(input.array()?))
            }
        }

        impl Scalar for $type {
            const DTYPE: u8 = $dtype;
            const SIZE: usize = size_of::<$type>();

            fn as_le(elements: &[Self]) -> Cow<'_, [u8]> {
                if cfg!(target_endian = "little") {
                    return Cow::Borrowed(bytemuck::cast_slice(elements));
                }
                Cow::Owned(elements.iter().flat_map(|element| element.to_le_bytes()).collect())
            }

            fn from_le(bytes: &[u8]) -> Vec<Self> {
                bytes
                    .chunks_exact(Self::SIZE)
                    .map(|chunk| <$type>::from_le_bytes(chunk.try_into().expect("exact chunk")))
                    .collect()
            }
        }
    )*};
}

scalar! {
    i8, 0, |x| i64::from(x) as u64;
    i16, 1, |x| i64::from(x) as u64;
    i32, 2, |x| i64::from(x) as u64;
    i64, 3, |x| x as u64;
    u8, 4, u64::from;
    u16, 5, u64::from;
    u32, 6, u64::from;
    u64, 7, |x| x;
    f32, 10, |x| u64::from(x.to_bits());
    f64, 11, |x| x.to_bits();
}

impl Decoded for bool {
    #[inline(always)]
    fn fold(&self, sum: &mut Checksum) {
        sum.word(u64::from(*self));
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
}

impl Canonical for bool {
    fn decode(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        match input.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            [other] => Err(input.error(format!("a bool is 0 or 1, not {other}"))),
        }
    }
}

impl Decoded for str {
    #[inline(always)]
    fn fold(&self, sum: &mut Checksum) {
        sum.blob(self.as_bytes());
    }

    fn encode(&self, out: &mut Vec<u8>) {
        encode_blob(self.as_bytes(), out);
    }
}

impl Decoded for String {
    #[inline(always)]
    fn fold(&self, sum: &mut Checksum) {
        self.as_str().fold(sum);
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.as_str().encode(out);
    }
}

impl Canonical for String {
    fn decode(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        input.str().map(str::to_owned)
    }
}

impl<T: Decoded + ?Sized> Decoded for &T {
    #[inline(always)]
    fn fold(&self, sum: &mut Checksum) {
        (**self).fold(sum);
    }

    fn encode(&self, out: &mut Vec<u8>) {
        (**self).encode(out);
    }
}

impl<T: Decoded + ToOwned + ?Sized> Decoded for Cow<'_, T> {
    #[inline(always)]
    fn fold(&self, sum: &mut Checksum) {
        (**self).fold(sum);
    }

    fn encode(&self, out: &mut Vec<u8>) {
        (**self).encode(out);
    }
}

impl<T: Decoded> Decoded for Vec<T> {
    #[inline]
    fn fold(&self, sum: &mut Checksum) {
        sum.word(self.len() as u64);
        for element in self {
            element.fold(sum);
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        encode_len(self.len(), out);
        for element in self {
            element.encode(out);
        }
    }
}

impl<T: Canonical> Canonical for Vec<T> {
    fn decode(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        // Every element takes a byte or more, but for lists of empty structs, which a schema
        // cannot express.
        let len = input.len(1)?;
        let mut list = Vec::with_capacity(len.min(most::<T>(input)));
        for _ in 0..len {
            list.push(T::decode(input)?);
        }
        Ok(list)
    }
}

/// How many elements are made room for before they are read. A length that is a lie is noticed where the
/// input ends, so none gets more room than so many times the input; a true one rarely asks for that, and
/// its list grows.
fn most<T>(input: &Reader<'_>) -> usize {
    const ROOM: usize = 32;
    input.rest().len().saturating_mul(ROOM) / size_of::<T>().max(1)
}

impl<T: Decoded, const N: usize> Decoded for [T; N] {
    #[inline]
    fn fold(&self, sum: &mut Checksum) {
        for element in self {
            element.fold(sum);
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        for element in self {
            element.encode(out);
        }
    }
}

impl<T: Canonical, const N: usize> Canonical for [T; N] {
    fn decode(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        // In place, without a list on the way: the baselines are timed on this.
        let mut failure = None;
        let elements = std::array::from_fn(|_| {
            let element = failure.is_none().then(|| T::decode(input))?;
            element.map_err(|error| failure = Some(error)).ok()
        });
        match failure {
            Some(error) => Err(error),
            None => Ok(elements.map(|element: Option<T>| element.expect("no element failed"))),
        }
    }
}

impl<T: Decoded> Decoded for Option<T> {
    #[inline(always)]
    fn fold(&self, sum: &mut Checksum) {
        sum.word(u64::from(self.is_some()));
        if let Some(value) = self {
            value.fold(sum);
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        out.push(u8::from(self.is_some()));
        if let Some(value) = self {
            value.encode(out);
        }
    }
}

impl<T: Canonical> Canonical for Option<T> {
    fn decode(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        bool::decode(input)?.then(|| T::decode(input)).transpose()
    }
}

impl<T: Decoded> Decoded for BTreeMap<String, T> {
    #[inline]
    fn fold(&self, sum: &mut Checksum) {
        sum.word(self.len() as u64);
        for (key, value) in self {
            key.fold(sum);
            value.fold(sum);
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        encode_len(self.len(), out);
        for (key, value) in self {
            key.encode(out);
            value.encode(out);
        }
    }
}

impl<T: Canonical> Canonical for BTreeMap<String, T> {
    fn decode(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        let mut map = BTreeMap::new();
        for _ in 0..input.len(4)? {
            let key = String::decode(input)?;
            if map.last_key_value().is_some_and(|(last, _)| *last >= key) {
                return Err(input.error(format!("map key {key:?} is out of order")));
            }
            map.insert(key, T::decode(input)?);
        }
        Ok(map)
    }
}

impl<T: Decoded> Decoded for Box<T> {
    #[inline(always)]
    fn fold(&self, sum: &mut Checksum) {
        (**self).fold(sum);
    }

    fn encode(&self, out: &mut Vec<u8>) {
        (**self).encode(out);
    }
}

impl<T: Canonical> Canonical for Box<T> {
    fn decode(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        T::decode(input).map(Box::new)
    }
}
