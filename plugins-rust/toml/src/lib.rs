//! TOML by `toml`.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Toml;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Toml {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        // It carries tables only, without nulls in lists, and no u64 above i64::MAX.
        *out = toml::to_string(value).map_err(Error::unsupported)?.into();
        Ok(())
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(toml::from_slice(input)?)
    }
}

serbench_plugin::plugin! {
    id: "toml",
    datasets: Datasets,
    codecs: [
        Owned<Toml> => CodecInfo {
            id: "toml",
            format: "TOML",
            library: "toml",
            library_version: env!("SERBENCH_LIBRARY_VERSION_TOML"),
            ..CodecInfo::TEXT
        }.always_fresh(),
    ],
}
