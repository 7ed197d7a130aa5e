//! Pot by `pot`.

use serbench_plugin::{Borrowed, CodecInfo, Error, Owned, SerdeCodec, Yields, abi};
use serde::{Deserialize, Serialize};

serbench_plugin::datasets!();

struct Pot;

impl SerdeCodec for Pot {
    fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(pot::to_writer(value, out)?)
    }

    fn read<'a, T: Deserialize<'a>>(input: &'a [u8]) -> Result<T, Error> {
        Ok(pot::from_slice(input)?)
    }
}

const POT: CodecInfo = CodecInfo {
    id: "pot",
    format: "Pot",
    library: "pot",
    library_version: env!("SERBENCH_LIBRARY_VERSION_POT"),
    notes: "what a list announces is believed, and gone through beyond the end of the input",
    ..CodecInfo::SELF_DESCRIBING
}
.with(abi::CAP_UNBOUNDED);

serbench_plugin::plugin! {
    id: "pot",
    datasets: Datasets,
    codecs: [
        Owned<Pot> => POT,
        Borrowed<Pot> => CodecInfo {
            id: "pot/borrow",
            yields: Yields::Borrowed,
            ..POT
        },
    ],
}
