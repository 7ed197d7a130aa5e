//! JSON by `sonic-rs`.

use serbench_plugin::{Borrowed, CodecInfo, Error, Owned, SerdeCodec, Yields};
use serde::{Deserialize, Serialize};

serbench_plugin::datasets!();

struct Sonic;

impl SerdeCodec for Sonic {
    fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(sonic_rs::to_writer(out, value)?)
    }

    fn read<'a, T: Deserialize<'a>>(input: &'a [u8]) -> Result<T, Error> {
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
