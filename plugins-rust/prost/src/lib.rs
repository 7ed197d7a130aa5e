//! Protocol Buffers by `prost`: starting from its message structs, and from the plain structs.

use prost::Message;
use serbench_plugin::{Canonical, Codec, CodecInfo, Decoded, Error, OpenArgs, abi};

serbench_plugin::datasets!();

/// The messages of each dataset, and the conversions, as the build script generated them.
mod conversions {
    include!(concat!(env!("OUT_DIR"), "/conversions.rs"));
}

/// A dataset's type that has a message.
pub trait Native: Canonical + Send + 'static {
    /// What a reader of a row must know about how the message differs from the type.
    const NOTE: &'static str;
    /// The message.
    type Message: Message + Default + Decoded + 'static;
    /// Makes the message.
    fn to_message(&self) -> Self::Message;
    /// The value that the message stands for, if it is one.
    fn from_message(message: Self::Message) -> Result<Self, Error>;
}

/// From message to message.
struct Prost;

impl<T: Native> Codec<T> for Prost {
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
        Message::encode(value, buffer)?;
        Ok(buffer)
    }

    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<T::Message, Error> {
        Ok(T::Message::decode(input)?)
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
        Message::encode(&value.to_message(), buffer)?;
        Ok(buffer)
    }

    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<T, Error> {
        T::from_message(T::Message::decode(input)?)
    }
}

const PROST: CodecInfo = CodecInfo {
    id: "prost",
    format: "Protocol Buffers",
    library: "prost",
    library_version: env!("SERBENCH_LIBRARY_VERSION_PROST"),
    ..CodecInfo::SCHEMA
};

serbench_plugin::plugin! {
    id: "prost",
    datasets: Datasets,
    codecs: [
        Prost => PROST,
        Convert => CodecInfo { id: "prost+convert", ..PROST }.with(abi::CAP_CONVERTS),
    ],
}
