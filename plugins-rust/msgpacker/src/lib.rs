//! MessagePack by `msgpacker`: its own derive, which writes the fields of a struct one after another,
//! and serde.

use msgpacker::{Packable, Unpackable};
use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec, SerdeCodec, abi};
use serde::{Deserialize, Serialize};

serbench_plugin::datasets!();
serbench_plugin::datasets!(serde_types);

/// Its derive.
struct Derive;

impl<T: Packable + Unpackable> OwnedCodec<T> for Derive
where
    Error: From<T::Error>,
{
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        value.pack(out);
        Ok(())
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(T::unpack(input)?)
    }
}

/// By serde.
struct Serde;

impl SerdeCodec for Serde {
    fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        msgpacker::serde::to_buffer(out, value);
        Ok(())
    }

    fn read<'a, T: Deserialize<'a>>(input: &'a [u8]) -> Result<T, Error> {
        Ok(msgpacker::serde::from_slice(input)?)
    }
}

const MSGPACKER: CodecInfo = CodecInfo {
    id: "msgpacker",
    format: "MessagePack",
    library: "msgpacker",
    library_version: env!("SERBENCH_LIBRARY_VERSION_MSGPACKER"),
    notes: "the fields of a struct stand one after another, without a frame",
    ..CodecInfo::SCHEMA
};

serbench_plugin::plugin! {
    id: "msgpacker",
    datasets: Datasets,
    codecs: [
        Owned<Derive> => CodecInfo {
            notes: "the fields of a struct stand one after another, without a frame; allocates what \
                    a length in the input asks for",
            ..MSGPACKER
        }
        .with(abi::CAP_UNBOUNDED),
        Owned<Serde>, serde_types::Datasets => CodecInfo {
            id: "msgpacker/serde",
            ..MSGPACKER
        },
    ],
}
