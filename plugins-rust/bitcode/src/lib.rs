//! Bitcode by `bitcode`: its own derive, and serde.

use bitcode::{Buffer, Decode, DecodeOwned, Encode};
use serbench_plugin::{Borrowable, Canonical, Codec, CodecInfo, Error, Owned, OwnedCodec, Yields};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

/// Its derive, with the buffers that it can keep.
struct Derive;

impl<T: Encode + DecodeOwned + Canonical + Send + 'static> Codec<T> for Derive {
    type Value = T;
    type Buffer = Buffer;
    type Scratch = Buffer;
    type Decoded<'a> = T;

    fn prepare(value: T) -> Result<T, Error> {
        Ok(value)
    }

    fn serialize<'a>(value: &'a T, buffer: &'a mut Buffer) -> Result<&'a [u8], Error> {
        Ok(buffer.encode(value))
    }

    fn deserialize<'a>(input: &'a [u8], scratch: &'a mut Buffer) -> Result<T, Error> {
        Ok(scratch.decode(input)?)
    }
}

/// Its derive, with strings that borrow from the input.
struct Borrow;

impl<T> Codec<T> for Borrow
where
    T: Encode + Borrowable + Send + 'static,
    for<'a> T::Borrowed<'a>: Decode<'a>,
{
    type Value = T;
    type Buffer = Buffer;
    type Scratch = Buffer;
    type Decoded<'a> = T::Borrowed<'a>;

    fn prepare(value: T) -> Result<T, Error> {
        Ok(value)
    }

    fn serialize<'a>(value: &'a T, buffer: &'a mut Buffer) -> Result<&'a [u8], Error> {
        Ok(buffer.encode(value))
    }

    fn deserialize<'a>(input: &'a [u8], scratch: &'a mut Buffer) -> Result<T::Borrowed<'a>, Error> {
        Ok(scratch.decode(input)?)
    }
}

/// By serde; it has no way to keep a buffer.
struct Serde;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Serde {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        *out = bitcode::serialize(value)?;
        Ok(())
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(bitcode::deserialize(input)?)
    }
}

const BITCODE: CodecInfo = CodecInfo {
    id: "bitcode",
    format: "Bitcode",
    library: "bitcode",
    library_version: env!("SERBENCH_LIBRARY_VERSION_BITCODE"),
    ..CodecInfo::SCHEMA
};

serbench_plugin::plugin! {
    id: "bitcode",
    datasets: Datasets,
    codecs: [
        Derive => BITCODE,
        Borrow => CodecInfo { id: "bitcode/borrow", yields: Yields::Borrowed, ..BITCODE },
        Owned<Serde> => CodecInfo { id: "bitcode/serde", ..BITCODE }.always_fresh(),
    ],
}
