//! JSON by `simd-json`.

use serbench_plugin::{Canonical, Codec, CodecInfo, Error};
use serde::{Serialize, de::DeserializeOwned};
use simd_json::Buffers;

serbench_plugin::datasets!();

struct SimdJson;

/// What decoding reuses. The parser writes into its input, which is not ours to write to, so each
/// call copies it first.
#[derive(Default)]
struct Scratch {
    input: Vec<u8>,
    buffers: Buffers,
}

impl<T: Serialize + DeserializeOwned + Canonical + Send + 'static> Codec<T> for SimdJson {
    type Value = T;
    type Buffer = Vec<u8>;
    type Scratch = Scratch;
    type Decoded<'a> = T;

    fn prepare(value: T) -> Result<T, Error> {
        Ok(value)
    }

    fn serialize<'a>(value: &'a T, out: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
        out.clear();
        simd_json::to_writer(&mut *out, value)?;
        Ok(out)
    }

    fn deserialize<'a>(input: &'a [u8], scratch: &'a mut Scratch) -> Result<T, Error> {
        scratch.input.clear();
        scratch.input.extend_from_slice(input);
        Ok(simd_json::serde::from_slice_with_buffers(
            &mut scratch.input,
            &mut scratch.buffers,
        )?)
    }
}

serbench_plugin::plugin! {
    id: "simd_json",
    datasets: Datasets,
    codecs: [
        SimdJson => CodecInfo {
            id: "simd_json",
            format: "JSON",
            library: "simd-json",
            library_version: env!("SERBENCH_LIBRARY_VERSION_SIMD_JSON"),
            notes: "parses in place: deserialize includes a copy of the input",
            ..CodecInfo::TEXT
        },
    ],
}
