//! Postcard by `postcard`.

use serbench_plugin::{
    Borrowable, Borrowed, BorrowedCodec, CodecInfo, Error, Owned, OwnedCodec, Yields,
};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Postcard;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Postcard {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        *out = postcard::to_extend(value, std::mem::take(out))?;
        Ok(())
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(postcard::from_bytes(input)?)
    }
}

impl<T> BorrowedCodec<T> for Postcard
where
    T: Serialize + DeserializeOwned + Borrowable,
    for<'a> T::Borrowed<'a>: Deserialize<'a>,
{
    fn deserialize_borrowed(input: &[u8]) -> Result<T::Borrowed<'_>, Error> {
        Ok(postcard::from_bytes(input)?)
    }
}

const POSTCARD: CodecInfo = CodecInfo {
    id: "postcard",
    format: "Postcard",
    library: "postcard",
    library_version: env!("SERBENCH_LIBRARY_VERSION_POSTCARD"),
    ..CodecInfo::SCHEMA
};

serbench_plugin::plugin! {
    id: "postcard",
    datasets: Datasets,
    codecs: [
        Owned<Postcard> => POSTCARD,
        Borrowed<Postcard> => CodecInfo {
            id: "postcard/borrow",
            yields: Yields::Borrowed,
            ..POSTCARD
        },
    ],
}
