//! JSON by `serde_json`.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct SerdeJson;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for SerdeJson {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(serde_json::to_writer(out, value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(serde_json::from_slice(input)?)
    }
}

serbench_plugin::plugin! {
    id: "serde_json",
    datasets: Datasets,
    codecs: [
        Owned<SerdeJson> => CodecInfo {
            id: "serde_json",
            format: "JSON",
            library: "serde_json",
            library_version: env!("SERBENCH_LIBRARY_VERSION_SERDE_JSON"),
            notes: "with its feature float_roundtrip, without which floats lose their last bit",
            ..CodecInfo::TEXT
        },
    ],
}
