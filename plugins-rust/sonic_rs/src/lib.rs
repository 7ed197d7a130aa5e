//! JSON by `sonic-rs`.

use serbench_plugin::{
    Borrowable, Borrowed, BorrowedCodec, CodecInfo, Error, Owned, OwnedCodec, Yields,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Sonic;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Sonic {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(sonic_rs::to_writer(out, value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(sonic_rs::from_slice(input)?)
    }
}

impl<T> BorrowedCodec<T> for Sonic
where
    T: Serialize + DeserializeOwned + Borrowable,
    for<'a> T::Borrowed<'a>: Deserialize<'a>,
{
    fn deserialize_borrowed(input: &[u8]) -> Result<T::Borrowed<'_>, Error> {
        Ok(sonic_rs::from_slice(input)?)
    }
}

const SONIC: CodecInfo = CodecInfo {
    id: "sonic_rs",
    format: "JSON",
    library: "sonic-rs",
    library_version: env!("SERBENCH_LIBRARY_VERSION_SONIC_RS"),
    ..CodecInfo::TEXT
};

serbench_plugin::plugin! {
    id: "sonic_rs",
    datasets: Datasets,
    codecs: [
        Owned<Sonic> => SONIC,
        Borrowed<Sonic> => CodecInfo {
            id: "sonic_rs/borrow",
            yields: Yields::Borrowed,
            ..SONIC
        },
    ],
}
