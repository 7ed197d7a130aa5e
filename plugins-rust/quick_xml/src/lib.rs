//! XML by `quick-xml`.

use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

struct QuickXml;

impl<T: Serialize + DeserializeOwned> OwnedCodec<T> for QuickXml {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        // Lists, numbers and some enums have no place in XML without a field to stand in.
        let mut text = String::from_utf8(std::mem::take(out)).unwrap_or_default();
        let written = quick_xml::se::to_writer_with_root(&mut text, "root", value);
        *out = text.into_bytes();
        written.map(drop).map_err(Error::unsupported)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(quick_xml::de::from_reader(input)?)
    }
}

serbench_plugin::plugin! {
    id: "quick_xml",
    datasets: Datasets,
    codecs: [
        Owned<QuickXml> => CodecInfo {
            id: "quick_xml",
            format: "XML",
            library: "quick-xml",
            library_version: env!("SERBENCH_LIBRARY_VERSION_QUICK_XML"),
            ..CodecInfo::TEXT
        },
    ],
}
