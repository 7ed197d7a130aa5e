//! Wincode by `wincode`, which writes what bincode 1 does.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use wincode::config::Configuration;
use wincode::io::Cursor;
use wincode::{SchemaRead, SchemaWrite};

serbench_plugin::datasets!();

/// As it is by default, but for lists of up to 1 GiB in memory in place of 4 MiB.
type Config = Configuration<true, { 1 << 30 }>;

const CONFIG: Config = Configuration::default().with_preallocation_size_limit();

struct Wincode;

impl<T: SchemaWrite<Config, Src = T> + for<'a> SchemaRead<'a, Config, Dst = T>> OwnedCodec<T>
    for Wincode
{
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(wincode::config::serialize_into(
            Cursor::new(out),
            value,
            CONFIG,
        )?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(wincode::config::deserialize(input, CONFIG)?)
    }
}

serbench_plugin::plugin! {
    id: "wincode",
    datasets: Datasets,
    codecs: [
        Owned<Wincode> => CodecInfo {
            id: "wincode",
            format: "Bincode 1",
            library: "wincode",
            library_version: env!("SERBENCH_LIBRARY_VERSION_WINCODE"),
            ..CodecInfo::SCHEMA
        },
    ],
}
