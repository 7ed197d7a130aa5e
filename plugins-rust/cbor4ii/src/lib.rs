//! CBOR by `cbor4ii`.

use serbench_plugin::{Borrowed, CodecInfo, Error, Owned, SerdeCodec, Yields};
use serde::{Deserialize, Serialize};

serbench_plugin::datasets!();

struct Cbor4ii;

impl SerdeCodec for Cbor4ii {
    fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(cbor4ii::serde::to_writer(out, value)?)
    }

    fn read<'a, T: Deserialize<'a>>(input: &'a [u8]) -> Result<T, Error> {
        Ok(cbor4ii::serde::from_slice(input)?)
    }
}

const CBOR4II: CodecInfo = CodecInfo {
    id: "cbor4ii",
    format: "CBOR",
    library: "cbor4ii",
    library_version: env!("SERBENCH_LIBRARY_VERSION_CBOR4II"),
    ..CodecInfo::SELF_DESCRIBING
};

serbench_plugin::plugin! {
    id: "cbor4ii",
    datasets: Datasets,
    codecs: [
        Owned<Cbor4ii> => CBOR4II,
        Borrowed<Cbor4ii> => CodecInfo {
            id: "cbor4ii/borrow",
            yields: Yields::Borrowed,
            ..CBOR4II
        },
    ],
}
