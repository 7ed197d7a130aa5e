//! `serde_describe`, which stores a schema beside the data, over bitcode and over postcard.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec, abi};
use serde::{Serialize, de::DeserializeOwned};
use serde_describe::SelfDescribed;

serbench_plugin::datasets!();

/// Over bitcode, which has no way to keep a buffer.
struct Bitcode;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Bitcode {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        *out = bitcode::serialize(&SelfDescribed(value))?;
        Ok(())
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(bitcode::deserialize::<SelfDescribed<T>>(input)?.0)
    }
}

/// Over postcard.
struct Postcard;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Postcard {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        postcard::to_io(&SelfDescribed(value), out)?;
        Ok(())
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(postcard::from_bytes::<SelfDescribed<T>>(input)?.0)
    }
}

const SERDE_DESCRIBE: CodecInfo = CodecInfo {
    library: "serde_describe",
    library_version: env!("SERBENCH_LIBRARY_VERSION_SERDE_DESCRIBE"),
    notes: "a description that holds itself is followed until the stack ends",
    ..CodecInfo::SELF_DESCRIBING
}
.with(abi::CAP_UNBOUNDED);

serbench_plugin::plugin! {
    id: "serde_describe",
    datasets: Datasets,
    codecs: [
        Owned<Bitcode> => CodecInfo {
            id: "serde_describe/bitcode",
            format: "described Bitcode",
            ..SERDE_DESCRIBE
        }.always_fresh(),
        Owned<Postcard> => CodecInfo {
            id: "serde_describe/postcard",
            format: "described Postcard",
            ..SERDE_DESCRIBE
        },
    ],
}
