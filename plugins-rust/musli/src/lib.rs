//! Müsli by `musli`: its binary formats, from the most compact to the most flexible.

use musli::alloc::Global;
use musli::mode::Binary;
use musli::{Decode, Encode};
use serbench_plugin::{
    Borrowable, Borrowed, BorrowedCodec, CodecInfo, Error, Owned, OwnedCodec, Yields,
};

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

impl<T> BorrowedCodec<T> for Storage
where
    T: Encode<Binary> + for<'a> Decode<'a, Binary, Global> + Borrowable,
    for<'a> T::Borrowed<'a>: Decode<'a, Binary, Global>,
{
    fn deserialize_borrowed(input: &[u8]) -> Result<T::Borrowed<'_>, Error> {
        Ok(musli::storage::from_slice(input)?)
    }
}

const MUSLI: CodecInfo = CodecInfo {
    library: "musli",
    library_version: env!("SERBENCH_LIBRARY_VERSION_MUSLI"),
    ..CodecInfo::SCHEMA
};

const STORAGE: CodecInfo = CodecInfo {
    id: "musli/storage",
    format: "Müsli storage",
    ..MUSLI
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
        Owned<Storage> => STORAGE,
        Borrowed<Storage> => CodecInfo {
            id: "musli/storage_borrow",
            yields: Yields::Borrowed,
            ..STORAGE
        },
        Owned<Wire> => CodecInfo { id: "musli/wire", format: "Müsli wire", ..MUSLI },
        Owned<Descriptive> => CodecInfo {
            id: "musli/descriptive",
            format: "Müsli descriptive",
            ..MUSLI
        },
    ],
}
