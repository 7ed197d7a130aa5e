//! JSON by `sonic-rs`.

use serbench_plugin::{
    Borrowable, Borrowed, BorrowedCodec, Canonical, CodecInfo, Error, Owned, OwnedCodec, Yields,
    keeps_negative_zeros,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Sonic;

impl<T: Serialize + DeserializeOwned + Canonical + PartialEq> OwnedCodec<T> for Sonic {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(sonic_rs::to_writer(out, value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(sonic_rs::from_slice(input)?)
    }

    /// Its reader takes -0.0 for 0.0.
    fn accept(value: &T) -> Result<(), Error> {
        let back = sonic_rs::from_slice(&sonic_rs::to_vec(value)?)?;
        keeps_negative_zeros(value, &back)
    }
}

impl<T> BorrowedCodec<T> for Sonic
where
    T: Serialize + DeserializeOwned + Canonical + PartialEq + Borrowable,
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
