//! Brief by `serde-brief`.

use serbench_plugin::{Borrowed, CodecInfo, Error, Owned, SerdeCodec, Yields};
use serde::{Deserialize, Serialize};

serbench_plugin::datasets!();

struct Brief;

impl SerdeCodec for Brief {
    fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut serializer = serde_brief::Serializer::new(std::mem::take(out));
        value.serialize(&mut serializer)?;
        *out = serializer.into_output();
        Ok(())
    }

    fn read<'a, T: Deserialize<'a>>(input: &'a [u8]) -> Result<T, Error> {
        Ok(serde_brief::from_slice(input)?)
    }
}

const SERDE_BRIEF: CodecInfo = CodecInfo {
    id: "serde_brief",
    format: "Brief",
    library: "serde-brief",
    library_version: env!("SERBENCH_LIBRARY_VERSION_SERDE_BRIEF"),
    ..CodecInfo::SELF_DESCRIBING
};

serbench_plugin::plugin! {
    id: "serde_brief",
    datasets: Datasets,
    codecs: [
        Owned<Brief> => SERDE_BRIEF,
        Borrowed<Brief> => CodecInfo {
            id: "serde_brief/borrow",
            yields: Yields::Borrowed,
            ..SERDE_BRIEF
        },
    ],
}
