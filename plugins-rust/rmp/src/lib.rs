//! MessagePack by `rmp-serde`: structs as arrays, and as maps.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

/// Structs as arrays, its default.
struct Arrays;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Arrays {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(rmp_serde::encode::write(out, value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(rmp_serde::from_slice(input)?)
    }
}

/// Structs as maps.
struct Named;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Named {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(rmp_serde::encode::write_named(out, value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(rmp_serde::from_slice(input)?)
    }
}

serbench_plugin::plugin! {
    id: "rmp",
    datasets: Datasets,
    codecs: [
        Owned<Arrays> => CodecInfo {
            id: "rmp",
            format: "MessagePack",
            library: "rmp-serde",
            library_version: env!("SERBENCH_LIBRARY_VERSION_RMP_SERDE"),
            notes: "structs as arrays",
            ..CodecInfo::SCHEMA
        },
        Owned<Named> => CodecInfo {
            id: "rmp/named",
            format: "MessagePack",
            library: "rmp-serde",
            library_version: env!("SERBENCH_LIBRARY_VERSION_RMP_SERDE"),
            notes: "structs as maps",
            ..CodecInfo::SELF_DESCRIBING
        },
    ],
}
