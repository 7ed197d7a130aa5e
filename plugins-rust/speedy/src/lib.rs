//! Speedy by `speedy`.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use speedy::{LittleEndian, Readable, Writable};

serbench_plugin::datasets!();

struct Speedy;

impl<T: Writable<LittleEndian> + for<'a> Readable<'a, LittleEndian>> OwnedCodec<T> for Speedy {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(value.write_to_stream(out)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(T::read_from_buffer(input)?)
    }
}

serbench_plugin::plugin! {
    id: "speedy",
    datasets: Datasets,
    codecs: [
        Owned<Speedy> => CodecInfo {
            id: "speedy",
            format: "Speedy",
            library: "speedy",
            library_version: env!("SERBENCH_LIBRARY_VERSION_SPEEDY"),
            ..CodecInfo::SCHEMA
        },
    ],
}
