//! JSON by `sonic-rs`.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Sonic;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Sonic {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(sonic_rs::to_writer(out, value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(sonic_rs::from_slice(input)?)
    }
}

serbench_plugin::plugin! {
    id: "sonic_rs",
    datasets: Datasets,
    codecs: [
        Owned<Sonic> => CodecInfo {
            id: "sonic_rs",
            format: "JSON",
            library: "sonic-rs",
            library_version: env!("SERBENCH_LIBRARY_VERSION_SONIC_RS"),
            ..CodecInfo::TEXT
        },
    ],
}
