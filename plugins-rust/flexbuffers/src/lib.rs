//! FlexBuffers by `flexbuffers`.

use flexbuffers::FlexbufferSerializer;
use serbench_plugin::{Canonical, Codec, CodecInfo, Error, abi};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Flexbuffers;

impl<T: Serialize + DeserializeOwned + Canonical + Send + 'static> Codec<T> for Flexbuffers {
    type Value = T;
    type Buffer = FlexbufferSerializer;
    type Scratch = ();
    type Decoded<'a> = T;

    fn prepare(value: T) -> Result<T, Error> {
        Ok(value)
    }

    fn serialize<'a>(value: &'a T, out: &'a mut FlexbufferSerializer) -> Result<&'a [u8], Error> {
        out.reset();
        value.serialize(&mut *out)?;
        Ok(out.view())
    }

    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<T, Error> {
        Ok(flexbuffers::from_slice(input)?)
    }
}

serbench_plugin::plugin! {
    id: "flexbuffers",
    datasets: Datasets,
    codecs: [
        Flexbuffers => CodecInfo {
            id: "flexbuffers",
            format: "FlexBuffers",
            library: "flexbuffers",
            library_version: env!("SERBENCH_LIBRARY_VERSION_FLEXBUFFERS"),
            notes: "lists of numbers of one type become typed vectors, which take less room than \
                    the untyped ones of the C++ builder; a vector is as long as it says, and one that \
                    holds itself is followed until the stack ends",
            ..CodecInfo::SELF_DESCRIBING.with(abi::CAP_UNBOUNDED)
        },
    ],
}
