//! CBOR by `cbor4ii`.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Cbor4ii;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Cbor4ii {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(cbor4ii::serde::to_writer(out, value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(cbor4ii::serde::from_slice(input)?)
    }
}

serbench_plugin::plugin! {
    id: "cbor4ii",
    datasets: Datasets,
    codecs: [
        Owned<Cbor4ii> => CodecInfo {
            id: "cbor4ii",
            format: "CBOR",
            library: "cbor4ii",
            library_version: env!("SERBENCH_LIBRARY_VERSION_CBOR4II"),
            ..CodecInfo::SELF_DESCRIBING
        },
    ],
}
