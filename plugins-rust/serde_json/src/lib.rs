//! JSON by `serde_json`.

use serbench_plugin::{Borrowed, CodecInfo, Error, Owned, SerdeCodec, Yields};
use serde::{Deserialize, Serialize};

serbench_plugin::datasets!();

struct SerdeJson;

impl SerdeCodec for SerdeJson {
    fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(serde_json::to_writer(out, value)?)
    }

    fn read<'a, T: Deserialize<'a>>(input: &'a [u8]) -> Result<T, Error> {
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
