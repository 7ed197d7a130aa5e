//! SCALE by `parity-scale-codec`.

use parity_scale_codec::{Decode, Encode};
use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};

serbench_plugin::datasets!();

struct Scale;

impl<T: Encode + Decode> OwnedCodec<T> for Scale {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        value.encode_to(out);
        Ok(())
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(T::decode(&mut &input[..])?)
    }
}

serbench_plugin::plugin! {
    id: "parity_scale_codec",
    datasets: Datasets,
    codecs: [
        Owned<Scale> => CodecInfo {
            id: "parity_scale_codec",
            format: "SCALE",
            library: "parity-scale-codec",
            library_version: env!("SERBENCH_LIBRARY_VERSION_PARITY_SCALE_CODEC"),
            ..CodecInfo::SCHEMA
        },
    ],
}
