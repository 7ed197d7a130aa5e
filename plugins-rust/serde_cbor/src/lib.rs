//! CBOR by `serde_cbor`.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct SerdeCbor;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for SerdeCbor {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(serde_cbor::to_writer(out, value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(serde_cbor::from_slice(input)?)
    }
}

serbench_plugin::plugin! {
    id: "serde_cbor",
    datasets: Datasets,
    codecs: [
        Owned<SerdeCbor> => CodecInfo {
            id: "serde_cbor",
            format: "CBOR",
            library: "serde_cbor",
            library_version: env!("SERBENCH_LIBRARY_VERSION_SERDE_CBOR"),
            notes: "unmaintained (RUSTSEC-2021-0127)",
            ..CodecInfo::SELF_DESCRIBING
        },
    ],
}
