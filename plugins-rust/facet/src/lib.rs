//! JSON and MessagePack by `facet-json` and `facet-msgpack`, which work by reflection.

use facet::Facet;
use serbench_plugin::{Canonical, CodecInfo, Error, Owned, OwnedCodec, keeps_negative_zeros};

serbench_plugin::datasets!();

struct Json;

impl<T: Facet<'static> + Canonical + PartialEq> OwnedCodec<T> for Json {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(facet_json::to_writer_std(out, value)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(facet_json::from_slice(input)?)
    }

    fn accept(value: &T) -> Result<(), Error> {
        let back = facet_json::from_slice(&facet_json::to_vec(value)?)?;
        keeps_negative_zeros(value, &back)
    }
}

/// Its writer fills a new `Vec` all the same.
struct MsgPack;

impl<T: Facet<'static>> OwnedCodec<T> for MsgPack {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        *out = facet_msgpack::to_vec(value)?;
        Ok(())
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(facet_msgpack::from_slice(input)?)
    }
}

serbench_plugin::plugin! {
    id: "facet",
    datasets: Datasets,
    codecs: [
        Owned<Json> => CodecInfo {
            id: "facet_json",
            format: "JSON",
            library: "facet-json",
            library_version: env!("SERBENCH_LIBRARY_VERSION_FACET_JSON"),
            notes: "byte strings and tensors are lists of numbers",
            ..CodecInfo::TEXT
        },
        Owned<MsgPack> => CodecInfo {
            id: "facet_msgpack",
            format: "MessagePack",
            library: "facet-msgpack",
            library_version: env!("SERBENCH_LIBRARY_VERSION_FACET_MSGPACK"),
            notes: "structs as maps; byte strings and tensors are lists of numbers",
            ..CodecInfo::SELF_DESCRIBING
        }.always_fresh(),
    ],
}
