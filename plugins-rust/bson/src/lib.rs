//! BSON by `bson`.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Bson;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Bson {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        // It carries documents only, and no u64 above i64::MAX.
        bson::serialize_to_buffer(value, out).map_err(Error::unsupported)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(bson::deserialize_from_slice(input)?)
    }
}

serbench_plugin::plugin! {
    id: "bson",
    datasets: Datasets,
    codecs: [
        Owned<Bson> => CodecInfo {
            id: "bson",
            format: "BSON",
            library: "bson",
            library_version: env!("SERBENCH_LIBRARY_VERSION_BSON"),
            ..CodecInfo::SELF_DESCRIBING
        },
    ],
}
