//! Wincode by `wincode`, which writes what bincode 1 does.

use serbench_plugin::{
    Borrowable, Borrowed, BorrowedCodec, CodecInfo, Error, Owned, OwnedCodec, Yields, abi,
};
use wincode::config::{Configuration, deserialize, serialize_into};
use wincode::io::Cursor;
use wincode::{SchemaRead, SchemaWrite};

serbench_plugin::datasets!();

/// What one list may take; the default of 4 MiB is less than the longest of a dataset.
const LARGEST_LIST: usize = 256 << 20;

type Config = Configuration<true, LARGEST_LIST>;

const CONFIG: Config = Configuration::default().with_preallocation_size_limit();

struct Wincode;

impl<T: SchemaWrite<Config, Src = T> + for<'a> SchemaRead<'a, Config, Dst = T>> OwnedCodec<T>
    for Wincode
{
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(serialize_into(Cursor::new(out), value, CONFIG)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(deserialize(input, CONFIG)?)
    }
}

impl<T> BorrowedCodec<T> for Wincode
where
    T: SchemaWrite<Config, Src = T> + for<'a> SchemaRead<'a, Config, Dst = T> + Borrowable,
    for<'a> T::Borrowed<'a>: SchemaRead<'a, Config, Dst = T::Borrowed<'a>>,
{
    fn deserialize_borrowed(input: &[u8]) -> Result<T::Borrowed<'_>, Error> {
        Ok(deserialize(input, CONFIG)?)
    }
}

const WINCODE: CodecInfo = CodecInfo {
    id: "wincode",
    format: "Bincode 1",
    library: "wincode",
    library_version: env!("SERBENCH_LIBRARY_VERSION_WINCODE"),
    notes: "lists of up to 256 MiB, where its default is 4 MiB; as much is set aside for a list that \
            announces it",
    ..CodecInfo::SCHEMA
}
.with(abi::CAP_UNBOUNDED);

serbench_plugin::plugin! {
    id: "wincode",
    datasets: Datasets,
    codecs: [
        Owned<Wincode> => WINCODE,
        Borrowed<Wincode> => CodecInfo {
            id: "wincode/borrow",
            yields: Yields::Borrowed,
            ..WINCODE
        },
    ],
}
