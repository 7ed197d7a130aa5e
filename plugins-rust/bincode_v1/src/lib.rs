//! Bincode by `bincode` 1.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Bincode;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Bincode {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(bincode::serialize_into(out, value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(bincode::deserialize(input)?)
    }
}

serbench_plugin::plugin! {
    id: "bincode_v1",
    datasets: Datasets,
    codecs: [
        Owned<Bincode> => CodecInfo {
            id: "bincode/v1",
            format: "Bincode 1",
            library: "bincode",
            library_version: env!("SERBENCH_LIBRARY_VERSION_BINCODE"),
            notes: "unmaintained (RUSTSEC-2025-0141)",
            ..CodecInfo::SCHEMA
        },
    ],
}
