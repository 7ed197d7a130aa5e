//! Protocol Buffers by `quick-protobuf`: starting from its messages, which borrow from the input,
//! and from the plain structs.

use std::borrow::Cow;

use quick_protobuf::{BytesReader, MessageRead, MessageWrite, Writer};
use serbench_plugin::{
    Canonical, Codec, CodecInfo, Decoded, Error, OpenArgs, Yields, abi, keeps_negative_zeros,
};

serbench_plugin::datasets!();

/// The conversions of each dataset, as the build script generated them.
mod conversions {
    include!(concat!(env!("OUT_DIR"), "/conversions.rs"));
}

/// The messages, as `pb-rs` generated them.
#[allow(warnings, clippy::all)]
mod protos {
    include!(concat!(env!("OUT_DIR"), "/protos/mod.rs"));
}

/// A dataset's type that has a message.
trait Native: Canonical + PartialEq + Send + 'static {
    /// What a reader of a row must know about how the message differs from the type.
    const NOTE: &'static str;
    /// The message.
    type Message<'m>: MessageRead<'m> + MessageWrite + Decoded + Send;
    /// Makes the message.
    fn to_message<'n, 'm, S: Take<'n, 'm>>(&'n self) -> Self::Message<'m>;
    /// The value that the message stands for, if it is one.
    fn from_message(message: Self::Message<'_>) -> Result<Self, Error>;
}

/// How a message takes the strings of a native value.
trait Take<'n, 'm> {
    fn text(text: &'n str) -> Cow<'m, str>;
    fn bytes(bytes: &'n [u8]) -> Cow<'m, [u8]>;
}

/// It borrows them.
struct Borrow;

impl<'n> Take<'n, 'n> for Borrow {
    fn text(text: &'n str) -> Cow<'n, str> {
        Cow::Borrowed(text)
    }

    fn bytes(bytes: &'n [u8]) -> Cow<'n, [u8]> {
        Cow::Borrowed(bytes)
    }
}

/// It gets copies.
struct Own;

impl<'n> Take<'n, 'static> for Own {
    fn text(text: &'n str) -> Cow<'static, str> {
        Cow::Owned(text.to_owned())
    }

    fn bytes(bytes: &'n [u8]) -> Cow<'static, [u8]> {
        Cow::Owned(bytes.to_vec())
    }
}

fn write<'a>(message: &impl MessageWrite, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
    buffer.clear();
    // As `serialize_into_vec` does, which puts the message's length in front of it.
    if buffer.capacity() == 0 {
        buffer.reserve(message.get_size());
    }
    message.write_message(&mut Writer::new(&mut *buffer))?;
    Ok(buffer)
}

fn read<'a, M: MessageRead<'a>>(input: &'a [u8]) -> Result<M, Error> {
    Ok(M::from_reader(&mut BytesReader::from_bytes(input), input)?)
}

/// Refuses a value that does not survive.
fn carried<T: Native>(value: &T) -> Result<(), Error> {
    let mut buffer = Vec::new();
    let bytes = write(&value.to_message::<Borrow>(), &mut buffer)?;
    keeps_negative_zeros(value, &T::from_message(read(bytes)?)?)
}

/// From message to message.
struct Messages;

impl<T: Native> Codec<T> for Messages {
    type Value = T::Message<'static>;
    type Buffer = Vec<u8>;
    type Scratch = ();
    type Decoded<'a> = T::Message<'a>;

    fn note(_args: &OpenArgs<'_>) -> String {
        T::NOTE.to_owned()
    }

    fn prepare(value: T) -> Result<Self::Value, Error> {
        carried(&value)?;
        Ok(value.to_message::<Own>())
    }

    fn serialize<'a>(message: &'a Self::Value, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
        write(message, buffer)
    }

    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<T::Message<'a>, Error> {
        read(input)
    }
}

/// From plain struct to plain struct, by messages that borrow.
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
        carried(&value)?;
        Ok(value)
    }

    fn serialize<'a>(value: &'a T, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
        write(&value.to_message::<Borrow>(), buffer)
    }

    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<T, Error> {
        T::from_message(read(input)?)
    }
}

const QUICK_PROTOBUF: CodecInfo = CodecInfo {
    id: "quick_protobuf",
    format: "Protocol Buffers",
    library: "quick-protobuf",
    library_version: env!("SERBENCH_LIBRARY_VERSION_QUICK_PROTOBUF"),
    notes: "no release since 2022; crafted bytes can make it loop for ever; what a message lacks is \
            noticed by +convert alone; lists of floats are declared as bytes, the same on the wire, \
            since it would read them through misaligned references; an i32 beyond 2^30 either way \
            takes ten bytes",
    yields: Yields::Borrowed,
    ..CodecInfo::SCHEMA
}
// A map is hashed with a seed of its own, and written in that order.
.with(abi::CAP_NONDETERMINISTIC | abi::CAP_UNBOUNDED);

serbench_plugin::plugin! {
    id: "quick_protobuf",
    datasets: Datasets,
    codecs: [
        Messages => QUICK_PROTOBUF.with(abi::CAP_LENIENT),
        Convert => CodecInfo {
            id: "quick_protobuf+convert",
            yields: Yields::Owned,
            ..QUICK_PROTOBUF
        }
        .with(abi::CAP_CONVERTS),
    ],
}
