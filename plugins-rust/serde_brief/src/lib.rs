//! Brief by `serde-brief`.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct Brief;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for Brief {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut serializer = serde_brief::Serializer::new(std::mem::take(out));
        value.serialize(&mut serializer)?;
        *out = serializer.into_output();
        Ok(())
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(serde_brief::from_slice(input)?)
    }
}

serbench_plugin::plugin! {
    id: "serde_brief",
    datasets: Datasets,
    codecs: [
        Owned<Brief> => CodecInfo {
            id: "serde_brief",
            format: "Brief",
            library: "serde-brief",
            library_version: env!("SERBENCH_LIBRARY_VERSION_SERDE_BRIEF"),
            ..CodecInfo::SELF_DESCRIBING
        },
    ],
}
