//! Speedy by `speedy`.

use serbench_plugin::{
    Borrowable, Borrowed, BorrowedCodec, CodecInfo, Error, Owned, OwnedCodec, Yields,
};
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

impl<T> BorrowedCodec<T> for Speedy
where
    T: Writable<LittleEndian> + for<'a> Readable<'a, LittleEndian> + Borrowable,
    for<'a> T::Borrowed<'a>: Readable<'a, LittleEndian>,
{
    fn deserialize_borrowed(input: &[u8]) -> Result<T::Borrowed<'_>, Error> {
        Ok(T::Borrowed::read_from_buffer(input)?)
    }
}

const SPEEDY: CodecInfo = CodecInfo {
    id: "speedy",
    format: "Speedy",
    library: "speedy",
    library_version: env!("SERBENCH_LIBRARY_VERSION_SPEEDY"),
    ..CodecInfo::SCHEMA
};

serbench_plugin::plugin! {
    id: "speedy",
    datasets: Datasets,
    codecs: [
        Owned<Speedy> => SPEEDY,
        Borrowed<Speedy> => CodecInfo {
            id: "speedy/borrow",
            yields: Yields::Borrowed,
            ..SPEEDY
        },
    ],
}
