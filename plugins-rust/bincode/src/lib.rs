//! Bincode by `bincode` 2, its own derive and serde, and by `bincode` 1.

use bincode::config::standard;
use bincode::{BorrowDecode, Decode, Encode};
use serbench_plugin::{
    Borrowable, Borrowed, BorrowedCodec, CodecInfo, Error, Owned, OwnedCodec, Yields, abi,
};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

/// Its derive.
struct Derive;

impl<T: Encode + Decode<()>> OwnedCodec<T> for Derive {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        bincode::encode_into_std_write(value, out, standard())?;
        Ok(())
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(bincode::decode_from_slice(input, standard())?.0)
    }
}

impl<T> BorrowedCodec<T> for Derive
where
    T: Encode + Decode<()> + Borrowable,
    for<'a> T::Borrowed<'a>: BorrowDecode<'a, ()>,
{
    fn deserialize_borrowed(input: &[u8]) -> Result<T::Borrowed<'_>, Error> {
        Ok(bincode::borrow_decode_from_slice(input, standard())?.0)
    }
}

/// By serde.
struct Serde;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Serde {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        bincode::serde::encode_into_std_write(value, out, standard())?;
        Ok(())
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(bincode::serde::decode_from_slice(input, standard())?.0)
    }
}

/// Version 1, whose integers are of fixed width.
struct Version1;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Version1 {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(bincode1::serialize_into(out, value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(bincode1::deserialize(input)?)
    }
}

/// A limit of version 2 is a number in the code, the same for every message, and counted with every
/// field that is read; its standard configuration, which is what is used, has none.
const BINCODE: CodecInfo = CodecInfo {
    id: "bincode",
    format: "Bincode",
    library: "bincode",
    library_version: env!("SERBENCH_LIBRARY_VERSION_BINCODE_2"),
    notes: "standard configuration, which allocates as much as a length in the input asks for; \
            unmaintained (RUSTSEC-2025-0141)",
    ..CodecInfo::SCHEMA
}
.with(abi::CAP_UNBOUNDED);

serbench_plugin::plugin! {
    id: "bincode",
    datasets: Datasets,
    codecs: [
        Owned<Derive> => BINCODE,
        Borrowed<Derive> => CodecInfo {
            id: "bincode/borrow",
            yields: Yields::Borrowed,
            ..BINCODE
        },
        Owned<Serde> => CodecInfo { id: "bincode/serde", ..BINCODE },
        Owned<Version1> => CodecInfo {
            id: "bincode/v1",
            format: "Bincode 1",
            library: "bincode",
            library_version: env!("SERBENCH_LIBRARY_VERSION_BINCODE_1"),
            notes: "default configuration; unmaintained (RUSTSEC-2025-0141)",
            ..CodecInfo::SCHEMA
        },
    ],
}
