//! Pot by `pot`.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Pot;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Pot {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(pot::to_writer(value, out)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(pot::from_slice(input)?)
    }
}

serbench_plugin::plugin! {
    id: "pot",
    datasets: Datasets,
    codecs: [
        Owned<Pot> => CodecInfo {
            id: "pot",
            format: "Pot",
            library: "pot",
            library_version: env!("SERBENCH_LIBRARY_VERSION_POT"),
            ..CodecInfo::SELF_DESCRIBING
        },
    ],
}
