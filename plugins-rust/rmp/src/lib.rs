//! MessagePack by `rmp-serde`: structs as arrays, and as maps.

use serbench_plugin::{Borrowed, CodecInfo, Error, Owned, SerdeCodec, Yields};
use serde::{Deserialize, Serialize};

serbench_plugin::datasets!();

/// Structs as arrays, its default.
struct Arrays;

impl SerdeCodec for Arrays {
    fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(rmp_serde::encode::write(out, value)?)
    }

    fn read<'a, T: Deserialize<'a>>(input: &'a [u8]) -> Result<T, Error> {
        Ok(rmp_serde::from_slice(input)?)
    }
}

/// Structs as maps.
struct Named;

impl SerdeCodec for Named {
    fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(rmp_serde::encode::write_named(out, value)?)
    }

    fn read<'a, T: Deserialize<'a>>(input: &'a [u8]) -> Result<T, Error> {
        Ok(rmp_serde::from_slice(input)?)
    }
}

const RMP: CodecInfo = CodecInfo {
    id: "rmp",
    format: "MessagePack",
    library: "rmp-serde",
    library_version: env!("SERBENCH_LIBRARY_VERSION_RMP_SERDE"),
    notes: "structs as arrays",
    ..CodecInfo::SCHEMA
};

serbench_plugin::plugin! {
    id: "rmp",
    datasets: Datasets,
    codecs: [
        Owned<Arrays> => RMP,
        Borrowed<Arrays> => CodecInfo { id: "rmp/borrow", yields: Yields::Borrowed, ..RMP },
        Owned<Named> => CodecInfo {
            id: "rmp/named",
            notes: "structs as maps",
            capabilities: CodecInfo::SELF_DESCRIBING.capabilities,
            ..RMP
        },
    ],
}
