//! Müsli by `musli`: its binary formats, from the most compact to the most flexible.

use musli::alloc::Global;
use musli::mode::Binary;
use musli::{Decode, Encode};
use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};

serbench_plugin::datasets!();
serbench_plugin::datasets!(packed);

/// A codec for each format, by the module of the library that has it.
macro_rules! codecs {
    ($($codec:ident: $module:ident;)*) => {$(
        struct $codec;

        impl<T> OwnedCodec<T> for $codec
        where
            T: Encode<Binary> + for<'a> Decode<'a, Binary, Global>,
        {
            fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
                Ok(musli::$module::encode(out, value)?)
            }

            fn deserialize(input: &[u8]) -> Result<T, Error> {
                Ok(musli::$module::from_slice(input)?)
            }
        }
    )*};
}

codecs! {
    Packed: packed;
    Storage: storage;
    Wire: wire;
    Descriptive: descriptive;
}

const MUSLI: CodecInfo = CodecInfo {
    library: "musli",
    library_version: env!("SERBENCH_LIBRARY_VERSION_MUSLI"),
    ..CodecInfo::SCHEMA
};

serbench_plugin::plugin! {
    id: "musli",
    datasets: Datasets,
    codecs: [
        Owned<Packed>, packed::Datasets => CodecInfo {
            id: "musli/packed",
            format: "Müsli packed",
            notes: "with `#[musli(packed)]` on structs, so fields can never change",
            ..MUSLI
        },
        Owned<Storage> => CodecInfo { id: "musli/storage", format: "Müsli storage", ..MUSLI },
        Owned<Wire> => CodecInfo { id: "musli/wire", format: "Müsli wire", ..MUSLI },
        Owned<Descriptive> => CodecInfo {
            id: "musli/descriptive",
            format: "Müsli descriptive",
            ..MUSLI
        },
    ],
}
