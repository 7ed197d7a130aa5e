//! CBOR by `serde_cbor`.

use serbench_plugin::{Borrowed, CodecInfo, Error, Owned, SerdeCodec, Yields};
use serde::{Deserialize, Serialize};

serbench_plugin::datasets!();

struct SerdeCbor;

impl SerdeCodec for SerdeCbor {
    fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(serde_cbor::to_writer(out, value)?)
    }

    fn read<'a, T: Deserialize<'a>>(input: &'a [u8]) -> Result<T, Error> {
        Ok(serde_cbor::from_slice(input)?)
    }
}

const SERDE_CBOR: CodecInfo = CodecInfo {
    id: "serde_cbor",
    format: "CBOR",
    library: "serde_cbor",
    library_version: env!("SERBENCH_LIBRARY_VERSION_SERDE_CBOR"),
    notes: "unmaintained (RUSTSEC-2021-0127)",
    ..CodecInfo::SELF_DESCRIBING
};

serbench_plugin::plugin! {
    id: "serde_cbor",
    datasets: Datasets,
    codecs: [
        Owned<SerdeCbor> => SERDE_CBOR,
        Borrowed<SerdeCbor> => CodecInfo {
            id: "serde_cbor/borrow",
            yields: Yields::Borrowed,
            ..SERDE_CBOR
        },
    ],
}
