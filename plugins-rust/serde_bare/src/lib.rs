//! BARE by `serde_bare`.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Bare;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Bare {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(serde_bare::to_writer(out, value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(serde_bare::from_slice(input)?)
    }
}

serbench_plugin::plugin! {
    id: "serde_bare",
    datasets: Datasets,
    codecs: [
        Owned<Bare> => CodecInfo {
            id: "serde_bare",
            format: "BARE",
            library: "serde_bare",
            library_version: env!("SERBENCH_LIBRARY_VERSION_SERDE_BARE"),
            ..CodecInfo::SCHEMA
        },
    ],
}
