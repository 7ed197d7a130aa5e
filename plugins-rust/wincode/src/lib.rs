//! Wincode by `wincode`, which writes what bincode 1 does.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use wincode::config::DefaultConfig;
use wincode::io::Cursor;
use wincode::{SchemaRead, SchemaWrite};

serbench_plugin::datasets!();

struct Wincode;

impl<T: SchemaWrite<DefaultConfig, Src = T> + for<'a> SchemaRead<'a, DefaultConfig, Dst = T>>
    OwnedCodec<T> for Wincode
{
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(wincode::serialize_into(Cursor::new(out), value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(wincode::deserialize(input)?)
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
