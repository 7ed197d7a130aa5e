//! JSON by `serde_json`.

use serbench_plugin::{
    Borrowable, Borrowed, BorrowedCodec, CodecInfo, Error, Owned, OwnedCodec, Yields,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

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

impl<T> BorrowedCodec<T> for SerdeJson
where
    T: Serialize + DeserializeOwned + Borrowable,
    for<'a> T::Borrowed<'a>: Deserialize<'a>,
{
    fn deserialize_borrowed(input: &[u8]) -> Result<T::Borrowed<'_>, Error> {
        Ok(serde_json::from_slice(input)?)
    }
}

const SERDE_JSON: CodecInfo = CodecInfo {
    id: "serde_json",
    format: "JSON",
    library: "serde_json",
    library_version: env!("SERBENCH_LIBRARY_VERSION_SERDE_JSON"),
    notes: "with its feature float_roundtrip, without which floats lose their last bit",
    ..CodecInfo::TEXT
};

serbench_plugin::plugin! {
    id: "serde_json",
    datasets: Datasets,
    codecs: [
        Owned<SerdeJson> => SERDE_JSON,
        Borrowed<SerdeJson> => CodecInfo {
            id: "serde_json/borrow",
            yields: Yields::Borrowed,
            ..SERDE_JSON
        },
    ],
}
