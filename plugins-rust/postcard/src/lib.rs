//! Postcard by `postcard`.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Postcard;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Postcard {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        *out = postcard::to_extend(value, std::mem::take(out))?;
        Ok(())
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(postcard::from_bytes(input)?)
    }
}

serbench_plugin::plugin! {
    id: "postcard",
    datasets: Datasets,
    codecs: [
        Owned<Postcard> => CodecInfo {
            id: "postcard",
            format: "Postcard",
            library: "postcard",
            library_version: env!("SERBENCH_LIBRARY_VERSION_POSTCARD"),
            ..CodecInfo::SCHEMA
        },
    ],
}
