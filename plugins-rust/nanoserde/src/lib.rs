//! nanoserde's own binary format.

use nanoserde::{DeBin, SerBin};
use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec, abi};

serbench_plugin::datasets!();

struct Nanoserde;

impl<T: SerBin + DeBin> OwnedCodec<T> for Nanoserde {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        value.ser_bin(out);
        Ok(())
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(T::deserialize_bin(input)?)
    }
}

serbench_plugin::plugin! {
    id: "nanoserde",
    datasets: Datasets,
    codecs: [
        Owned<Nanoserde> => CodecInfo {
            id: "nanoserde",
            format: "nanoserde",
            library: "nanoserde",
            library_version: env!("SERBENCH_LIBRARY_VERSION_NANOSERDE"),
            notes: "allocates as much as a length in the input asks for",
            ..CodecInfo::SCHEMA
        }
        .with(abi::CAP_UNBOUNDED),
    ],
}
