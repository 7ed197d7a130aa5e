//! Protocol Buffers by `protobuf` 3 (pure Rust): starting from its message structs, and from the plain structs.

use protobuf::Message;
use serbench_plugin::{CodecInfo, Converted, Error, MessageCodec, Messages, Native, abi};

serbench_plugin::datasets!();

/// The messages of each dataset, and the conversions, as the build script generated them.
mod conversions {
    include!(concat!(env!("OUT_DIR"), "/conversions.rs"));
}

/// The messages, as `protobuf-codegen` generated them.
mod protos {
    include!(concat!(env!("OUT_DIR"), "/protos/mod.rs"));
}

/// The codec, which the generated conversions name.
struct Library;

impl<T: Native<Self, Message: Message>> MessageCodec<T> for Library {
    fn encode(message: &T::Message, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(message.write_to_vec(out)?)
    }

    fn decode(input: &[u8]) -> Result<T::Message, Error> {
        Ok(T::Message::parse_from_bytes(input)?)
    }
}

const PROTOBUF: CodecInfo = CodecInfo {
    id: "protobuf",
    format: "Protocol Buffers",
    library: "protobuf",
    library_version: env!("SERBENCH_LIBRARY_VERSION_PROTOBUF"),
    notes: "sets aside up to 38 MiB for a list that announces as much",
    ..CodecInfo::SCHEMA
}
// A map is hashed with a seed of its own, and written in that order.
.with(abi::CAP_NONDETERMINISTIC | abi::CAP_UNBOUNDED);

serbench_plugin::plugin! {
    id: "protobuf",
    datasets: Datasets,
    codecs: [
        // The format knows neither what must be there nor how long a list is; the messages of this
        // row are walked as they are, those of the other one are converted, which checks both.
        Messages<Library> => CodecInfo {
            notes: "sets aside up to 38 MiB for a list that announces as much; a message that lacks a \
                    part, or a fixed array of another length, is no error",
            ..PROTOBUF
        }
        .with(abi::CAP_LENIENT),
        Converted<Library> => CodecInfo { id: "protobuf+convert", ..PROTOBUF }.with(abi::CAP_CONVERTS),
    ],
}
