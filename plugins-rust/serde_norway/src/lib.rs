//! YAML by `serde_norway`.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Norway;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Norway {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(serde_norway::to_writer(out, value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(serde_norway::from_slice(input)?)
    }
}

serbench_plugin::plugin! {
    id: "serde_norway",
    datasets: Datasets,
    codecs: [
        Owned<Norway> => CodecInfo {
            id: "serde_norway",
            format: "YAML",
            library: "serde_norway",
            library_version: env!("SERBENCH_LIBRARY_VERSION_SERDE_NORWAY"),
            ..CodecInfo::TEXT
        },
    ],
}
