//! CBOR by `ciborium`.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Ciborium;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Ciborium {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(ciborium::into_writer(value, out)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(ciborium::from_reader(input)?)
    }
}

serbench_plugin::plugin! {
    id: "ciborium",
    datasets: Datasets,
    codecs: [
        Owned<Ciborium> => CodecInfo {
            id: "ciborium",
            format: "CBOR",
            library: "ciborium",
            library_version: env!("SERBENCH_LIBRARY_VERSION_CIBORIUM"),
            ..CodecInfo::SELF_DESCRIBING
        },
    ],
}
