//! Protocol Buffers by `protobuf` 3 (pure Rust): starting from its message structs, and from the plain structs.

use protobuf::Message;
use serbench_plugin::{Canonical, Codec, CodecInfo, Decoded, Error, OpenArgs, abi};

serbench_plugin::datasets!();

/// The messages of each dataset, and the conversions, as the build script generated them.
mod conversions {
    include!(concat!(env!("OUT_DIR"), "/conversions.rs"));
}

/// The messages, as `protobuf-codegen` generated them.
mod protos {
    include!(concat!(env!("OUT_DIR"), "/protos/mod.rs"));
}

/// A dataset's type that has a message.
pub trait Native: Canonical + Send + 'static {
    /// What a reader of a row must know about how the message differs from the type.
    const NOTE: &'static str;
    /// The message.
    type Message: Message + Decoded;
    /// Makes the message.
    fn to_message(&self) -> Self::Message;
    /// The value that the message stands for, if it is one.
    fn from_message(message: Self::Message) -> Result<Self, Error>;
}

/// From message to message.
struct Protobuf;

impl<T: Native> Codec<T> for Protobuf {
    type Value = T::Message;
    type Buffer = Vec<u8>;
    type Scratch = ();
    type Decoded<'a> = T::Message;

    fn note(_args: &OpenArgs<'_>) -> String {
        T::NOTE.to_owned()
    }

    fn prepare(value: T) -> Result<T::Message, Error> {
        Ok(value.to_message())
    }

    fn serialize<'a>(value: &'a T::Message, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
        buffer.clear();
        value.write_to_vec(buffer)?;
        Ok(buffer)
    }

    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<T::Message, Error> {
        Ok(T::Message::parse_from_bytes(input)?)
    }
}

/// From plain struct to plain struct.
struct Convert;

impl<T: Native> Codec<T> for Convert {
    type Value = T;
    type Buffer = Vec<u8>;
    type Scratch = ();
    type Decoded<'a> = T;

    fn note(_args: &OpenArgs<'_>) -> String {
        T::NOTE.to_owned()
    }

    fn prepare(value: T) -> Result<T, Error> {
        Ok(value)
    }

    fn serialize<'a>(value: &'a T, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
        buffer.clear();
        value.to_message().write_to_vec(buffer)?;
        Ok(buffer)
    }

    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<T, Error> {
        T::from_message(T::Message::parse_from_bytes(input)?)
    }
}

const PROTOBUF: CodecInfo = CodecInfo {
    id: "protobuf",
    format: "Protocol Buffers",
    library: "protobuf",
    library_version: env!("SERBENCH_LIBRARY_VERSION_PROTOBUF"),
    ..CodecInfo::SCHEMA
}
// A map is hashed with a seed of its own, and written in that order.
.with(abi::CAP_NONDETERMINISTIC);

serbench_plugin::plugin! {
    id: "protobuf",
    datasets: Datasets,
    codecs: [
        Protobuf => PROTOBUF,
        Convert => CodecInfo { id: "protobuf+convert", ..PROTOBUF }.with(abi::CAP_CONVERTS),
    ],
}
