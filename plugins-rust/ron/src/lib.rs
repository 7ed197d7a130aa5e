//! RON by `ron`.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Ron;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Ron {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(ron::Options::default().to_io_writer(out, value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(ron::de::from_bytes(input)?)
    }
}

serbench_plugin::plugin! {
    id: "ron",
    datasets: Datasets,
    codecs: [
        Owned<Ron> => CodecInfo {
            id: "ron",
            format: "RON",
            library: "ron",
            library_version: env!("SERBENCH_LIBRARY_VERSION_RON"),
            ..CodecInfo::TEXT
        },
    ],
}
