//! savefile, without the schema that it can put in front of the data.

use savefile::{Deserialize, Serialize};
use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec, Validation};

serbench_plugin::datasets!();

/// That of the data, which never changes.
const VERSION: u32 = 0;

struct Savefile;

impl<T: Serialize + Deserialize> OwnedCodec<T> for Savefile {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(savefile::save_noschema(out, VERSION, value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(savefile::load_noschema(&mut &input[..], VERSION)?)
    }
}

serbench_plugin::plugin! {
    id: "savefile",
    datasets: Datasets,
    codecs: [
        Owned<Savefile> => CodecInfo {
            id: "savefile",
            format: "savefile",
            library: "savefile",
            library_version: env!("SERBENCH_LIBRARY_VERSION_SAVEFILE"),
            notes: "without its schema header; takes lengths and packed bools as they stand in the \
                    input",
            validation: Validation::Trusted,
            ..CodecInfo::SCHEMA
        },
    ],
}
