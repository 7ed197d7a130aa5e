//! Protocol Buffers by Google's `protobuf` 4, on upb: starting from its messages, and from the plain
//! structs.

use protobuf::{Message, Parse, Serialize};
use serbench_plugin::{CodecInfo, Converted, Error, MessageCodec, Messages, Native, abi};

serbench_plugin::datasets!();

/// The conversions of each dataset, as the build script generated them.
mod conversions {
    include!(concat!(env!("OUT_DIR"), "/conversions.rs"));
}

/// The messages, as `protoc` generated them.
#[allow(missing_docs, ambiguous_glob_reexports, clippy::all)]
mod protos {
    include!(concat!(env!("OUT_DIR"), "/protobuf_generated/generated.rs"));
}

// The library marks each binary that it is in by this function, and rustc exports what has a name. A
// plugin exports its entry alone, and upb and protobuf's C++ do not meet in one: each plugin has its
// own copy of either, hidden (see build.rs).
core::arch::global_asm!(".hidden __Disallow_Upb_And_Cpp_In_Same_Binary");

/// The codec, which the generated conversions name.
struct Library;

impl<T: Native<Self, Message: Message>> MessageCodec<T> for Library {
    fn encode(message: &T::Message, out: &mut Vec<u8>) -> Result<(), Error> {
        *out = message.serialize()?;
        Ok(())
    }

    fn decode(input: &[u8]) -> Result<T::Message, Error> {
        Ok(T::Message::parse(input)?)
    }
}

const PROTOBUF: CodecInfo = CodecInfo {
    id: "protobuf/upb",
    format: "Protocol Buffers",
    library: "protobuf",
    library_version: env!("SERBENCH_LIBRARY_VERSION_PROTOBUF"),
    ..CodecInfo::SCHEMA
}
.always_fresh()
// A map is written in the order of its table.
.with(abi::CAP_NONDETERMINISTIC);

serbench_plugin::plugin! {
    id: "protobuf_upb",
    datasets: Datasets,
    codecs: [
        // The format knows neither what must be there nor how long a list is; the messages of this
        // row are walked as they are, those of the other one are converted, which checks both.
        Messages<Library> => CodecInfo {
            notes: "a message that lacks a part, or a fixed array of another length, is no error",
            ..PROTOBUF
        }
        .with(abi::CAP_LENIENT),
        Converted<Library> => CodecInfo { id: "protobuf/upb+convert", ..PROTOBUF }
            .with(abi::CAP_CONVERTS),
    ],
}
