//! Bincode by `bincode` 2: its own derive, and serde.

use bincode::config::standard;
use bincode::{Decode, Encode};
use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
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

const BINCODE: CodecInfo = CodecInfo {
    id: "bincode",
    format: "Bincode",
    library: "bincode",
    library_version: env!("SERBENCH_LIBRARY_VERSION_BINCODE"),
    notes: "standard configuration; unmaintained (RUSTSEC-2025-0141)",
    ..CodecInfo::SCHEMA
};

serbench_plugin::plugin! {
    id: "bincode",
    datasets: Datasets,
    codecs: [
        Owned<Derive> => BINCODE,
        Owned<Serde> => CodecInfo { id: "bincode/serde", ..BINCODE },
    ],
}
