//! Borsh by `borsh`.

use borsh::{BorshDeserialize, BorshSerialize};
use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};

serbench_plugin::datasets!();

struct Borsh;

impl<T: BorshSerialize + BorshDeserialize> OwnedCodec<T> for Borsh {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(value.serialize(out)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(borsh::from_slice(input)?)
    }
}

serbench_plugin::plugin! {
    id: "borsh",
    datasets: Datasets,
    codecs: [
        Owned<Borsh> => CodecInfo {
            id: "borsh",
            format: "Borsh",
            library: "borsh",
            library_version: env!("SERBENCH_LIBRARY_VERSION_BORSH"),
            ..CodecInfo::SCHEMA
        },
    ],
}
