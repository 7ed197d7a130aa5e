//! Bilrost by `bilrost`.

use bilrost::{Message, OwnedMessage};
use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};

serbench_plugin::datasets!();

struct Bilrost;

impl<T: Message + OwnedMessage> OwnedCodec<T> for Bilrost {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(value.encode(out)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(T::decode(input)?)
    }
}

serbench_plugin::plugin! {
    id: "bilrost",
    datasets: Datasets,
    codecs: [
        Owned<Bilrost> => CodecInfo {
            id: "bilrost",
            format: "Bilrost",
            library: "bilrost",
            library_version: env!("SERBENCH_LIBRARY_VERSION_BILROST"),
            ..CodecInfo::SCHEMA
        },
    ],
}
