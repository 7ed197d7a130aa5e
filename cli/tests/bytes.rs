//! The bytes of one format are the same language to every codec of it, whatever they are written
//! in: what one writes, every other one reads, and JSON documents are equal as values.

#[path = "../../plugin-abi/tests/driver/mod.rs"]
mod driver;
mod support;

use std::collections::BTreeMap;

use driver::{Codec, Plugin};
use serbench_datasets::Dataset;
use serbench_plugin::abi;
use serde_json::Value;

/// Codecs that write a format alike. Those of a plugin that is left out are left out here.
struct Group {
    rust: &'static [&'static str],
    cpp: &'static [&'static str],
}

const JSON: Group = Group {
    rust: &["serde_json", "simd_json", "sonic_rs"],
    cpp: &["nlohmann_json", "rapidjson", "rapidjson/insitu", "jansson"],
};
const MESSAGE_PACK_MAPS: Group = Group {
    rust: &["rmp/named"],
    cpp: &["msgpack_c/map", "msgpack_cxx/map", "nlohmann_json/msgpack"],
};
const MESSAGE_PACK_ARRAYS: Group = Group {
    rust: &["rmp"],
    cpp: &["msgpack_c", "msgpack_cxx"],
};
// Without cbor4ii, which reads no floats of 16 bits, as ciborium writes them.
const CBOR: Group = Group {
    rust: &["ciborium", "serde_cbor"],
    cpp: &["libcbor", "nlohmann_json/cbor"],
};
// Without quick_protobuf, which writes ten bytes for a sint32 beyond 30 bits: `protobuf` reads no
// such thing.
const PROTOCOL_BUFFERS: Group = Group {
    rust: &["prost", "protobuf"],
    cpp: &["protobuf_cpp", "protobuf_c", "nanopb"],
};

/// Values of a dataset that are compared; of one with thousands, the first are as good as all.
const VALUES: usize = 40;

/// Every codec of every bundled plugin, by its id.
fn codecs() -> BTreeMap<String, Codec> {
    let mut codecs = BTreeMap::new();
    for entry in std::fs::read_dir(support::bundled()).unwrap() {
        let path = entry.unwrap().path();
        // Leaked, as the host does it: a plugin is never unloaded.
        let library = unsafe { libloading::Library::new(&path) };
        let library = Box::leak(Box::new(library.unwrap()));
        let entry = unsafe { library.get::<abi::Entry>(abi::ENTRY_SYMBOL) };
        for codec in Plugin::enter(*entry.unwrap()).codecs() {
            codecs.insert(driver::text(codec.0.id), codec);
        }
    }
    codecs
}

impl Group {
    /// The codecs that there are: of each language, one at least.
    fn present(&self, all: &BTreeMap<String, Codec>) -> Vec<(&'static str, Codec)> {
        let present = |ids: &[&'static str]| -> Vec<_> {
            let found = ids.iter().filter_map(|id| Some((*id, *all.get(*id)?)));
            found.collect()
        };
        let (rust, cpp) = (present(self.rust), present(self.cpp));
        assert!(!rust.is_empty(), "none of {:?}", self.rust);
        assert!(!cpp.is_empty(), "none of {:?}", self.cpp);
        [rust, cpp].concat()
    }
}

/// What a codec writes for each value: nothing where it cannot carry the value.
type Written = Vec<Option<Vec<u8>>>;

fn write(id: &str, codec: Codec, dataset: &Dataset, values: &[Vec<u8>]) -> Option<Written> {
    let at = (dataset.name.as_str(), dataset.fingerprint.as_str());
    let mut instance = match codec.open(at, 0, values) {
        Ok(instance) => instance,
        Err(failure) if failure.status == abi::UNSUPPORTED => return None,
        Err(failure) => panic!("{id} on {}: {failure:?}", dataset.name),
    };
    let written = (0..values.len() as u64).map(|index| match instance.serialize(index) {
        Ok(bytes) => Some(bytes),
        Err(failure) if failure.status == abi::UNSUPPORTED => None,
        Err(failure) => panic!("{id} on {}, value {index}: {failure:?}", dataset.name),
    });
    Some(written.collect())
}

/// Panics unless `reader` finds in what `writer` wrote the values that it can carry itself.
fn read(
    (reader, codec, own): (&str, Codec, &Written),
    (writer, written): (&str, &Written),
    dataset: &Dataset,
    values: &[Vec<u8>],
) {
    let at = (dataset.name.as_str(), dataset.fingerprint.as_str());
    let mut instance = codec.open(at, 0, &[]).unwrap();
    for (index, (bytes, own)) in written.iter().zip(own).enumerate() {
        let (Some(bytes), Some(_)) = (bytes, own) else {
            continue;
        };
        let what = format!(
            "{reader} reads {writer}, {}, value {index}: {}",
            dataset.name,
            String::from_utf8_lossy(&bytes[..bytes.len().min(200)])
        );
        if let Err(failure) = instance.deserialize(bytes) {
            panic!("{what}: {failure:?}");
        }
        assert_eq!(instance.export().expect(&what), values[index], "{what}");
    }
}

/// Calls `check` with what each codec of the group writes for each dataset, having seen that every
/// one of them reads it.
fn exchange(group: &Group, check: impl Fn(&str, &[(&str, Written)])) {
    let all = codecs();
    let present = group.present(&all);
    let mut exchanged = 0;
    for dataset in serbench_datasets::catalog() {
        let values = dataset.values(1).unwrap();
        let values: Vec<Vec<u8>> = values.iter().take(VALUES).map(<[u8]>::to_vec).collect();
        let (able, written): (Vec<_>, Vec<_>) = present
            .iter()
            .filter_map(|(id, codec)| {
                let written = write(id, *codec, dataset, &values)?;
                Some(((*id, *codec), (*id, written)))
            })
            .unzip();
        for ((reader, codec), (_, own)) in able.iter().zip(&written) {
            for (writer, bytes) in &written {
                read((reader, *codec, own), (writer, bytes), dataset, &values);
                exchanged += usize::from(writer != reader);
            }
        }
        check(&dataset.name, &written);
    }
    assert!(exchanged > 0, "no two codecs carry the same dataset");
}

/// Whether two JSON values are equal. Some write the digits of an f32, some those of the double that
/// it becomes; that no digit is missing was seen when the bytes were read.
fn equal(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| equal(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            let same = |(key, a)| b.get(key).is_some_and(|b| equal(a, b));
            a.len() == b.len() && a.iter().all(same)
        }
        (Value::Number(a), Value::Number(b)) if a.is_f64() && b.is_f64() => {
            a.as_f64().map(|a| a as f32) == b.as_f64().map(|b| b as f32)
        }
        _ => a == b,
    }
}

#[test]
fn json() {
    exchange(&JSON, |dataset, written| {
        let Some(((first, expected), others)) = written.split_first() else {
            return;
        };
        for (id, bytes) in others {
            for (index, (a, b)) in expected.iter().zip(bytes).enumerate() {
                let (Some(a), Some(b)) = (a, b) else { continue };
                let [a, b]: [Value; 2] = [a, b].map(|json| serde_json::from_slice(json).unwrap());
                assert!(
                    equal(&a, &b),
                    "{dataset}, value {index}: {first} writes {a:.200}, {id} {b:.200}"
                );
            }
        }
    });
}

#[test]
fn message_pack_with_names() {
    exchange(&MESSAGE_PACK_MAPS, |_, _| {});
}

#[test]
fn message_pack_without_names() {
    exchange(&MESSAGE_PACK_ARRAYS, |_, _| {});
}

#[test]
fn cbor() {
    exchange(&CBOR, |_, _| {});
}

#[test]
fn protocol_buffers() {
    exchange(&PROTOCOL_BUFFERS, |_, _| {});
}

/// The checksum of what zerialize's own writer makes of the first values of each dataset that has
/// a blob, built beside this project: reading back does not show where the bytes of a blob stand.
const ZERA: [(&str, u64); 4] = [
    ("messages", 0xb66dff326ed9b5ee),
    ("medium_tensor", 0x079cbaec577e908b),
    ("small_tensor_as_vector", 0xe9ea54e3a47e53d6),
    ("large_tensor", 0xc631dd8345f0c8ad),
];

#[test]
fn zera() {
    let codec = codecs()["zera"];
    let written = |name| {
        let dataset = serbench_datasets::find(name).unwrap();
        let values = dataset.values(1).unwrap();
        let values: Vec<Vec<u8>> = values.iter().take(2000).map(<[u8]>::to_vec).collect();
        let mut sum = serbench_canonical::Checksum::new();
        for byte in write("zera", codec, dataset, &values)
            .unwrap()
            .iter()
            .flatten()
            .flatten()
        {
            sum.word(u64::from(*byte));
        }
        sum.finish()
    };
    assert_eq!(ZERA.map(|(name, _)| (name, written(name))), ZERA);
}
