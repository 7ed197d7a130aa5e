//! BSON by `bson`.

use serbench_plugin::{Borrowed, CodecInfo, Error, Owned, SerdeCodec, Yields};
use serde::{Deserialize, Serialize};

serbench_plugin::datasets!();

struct Bson;

impl SerdeCodec for Bson {
    fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        // It carries documents only, and no u64 above i64::MAX.
        bson::serialize_to_buffer(value, out).map_err(Error::unsupported)
    }

    fn read<'a, T: Deserialize<'a>>(input: &'a [u8]) -> Result<T, Error> {
        Ok(bson::deserialize_from_slice(input)?)
    }
}

const BSON: CodecInfo = CodecInfo {
    id: "bson",
    format: "BSON",
    library: "bson",
    library_version: env!("SERBENCH_LIBRARY_VERSION_BSON"),
    ..CodecInfo::SELF_DESCRIBING
};

serbench_plugin::plugin! {
    id: "bson",
    datasets: Datasets,
    codecs: [
        Owned<Bson> => BSON,
        Borrowed<Bson> => CodecInfo {
            id: "bson/borrow",
            yields: Yields::Borrowed,
            ..BSON
        },
    ],
}
