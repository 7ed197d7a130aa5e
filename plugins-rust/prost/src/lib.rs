//! Protocol Buffers by `prost`: starting from its message structs, and from the plain structs.

use prost::Message;
use serbench_plugin::{CodecInfo, Converted, Error, MessageCodec, Messages, Native, abi};

serbench_plugin::datasets!();

/// The messages of each dataset, and the conversions, as the build script generated them.
mod conversions {
    include!(concat!(env!("OUT_DIR"), "/conversions.rs"));
}

/// The codec, which the generated conversions name.
struct Library;

impl<T: Native<Self, Message: Message + Default>> MessageCodec<T> for Library {
    fn encode(message: &T::Message, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(Message::encode(message, out)?)
    }

    fn decode(input: &[u8]) -> Result<T::Message, Error> {
        Ok(T::Message::decode(input)?)
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
        // The format knows neither what must be there nor how long a list is; the messages of this
        // row are walked as they are, those of the other one are converted, which checks both.
        Messages<Library> => CodecInfo {
            notes: "a message that lacks a part, or a fixed array of another length, is no error",
            ..PROST
        }
        .with(abi::CAP_LENIENT),
        Converted<Library> => CodecInfo { id: "prost+convert", ..PROST }.with(abi::CAP_CONVERTS),
    ],
}
