//! Postcard by `postcard`.

use serbench_plugin::{Borrowed, CodecInfo, Error, Owned, SerdeCodec, Yields};
use serde::{Deserialize, Serialize};

serbench_plugin::datasets!();

struct Postcard;

impl SerdeCodec for Postcard {
    fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        postcard::to_io(value, out)?;
        Ok(())
    }

    fn read<'a, T: Deserialize<'a>>(input: &'a [u8]) -> Result<T, Error> {
        Ok(postcard::from_bytes(input)?)
    }
}

const POSTCARD: CodecInfo = CodecInfo {
    id: "postcard",
    format: "Postcard",
    library: "postcard",
    library_version: env!("SERBENCH_LIBRARY_VERSION_POSTCARD"),
    ..CodecInfo::SCHEMA
};

serbench_plugin::plugin! {
    id: "postcard",
    datasets: Datasets,
    codecs: [
        Owned<Postcard> => POSTCARD,
        Borrowed<Postcard> => CodecInfo {
            id: "postcard/borrow",
            yields: Yields::Borrowed,
            ..POSTCARD
        },
    ],
}
