//! JSON by `simd-json`.

use serbench_plugin::{Borrowable, Canonical, Codec, CodecInfo, Error, Yields};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use simd_json::Buffers;

serbench_plugin::datasets!();

/// What decoding reuses. The parser writes into its input, which is not ours to write to, so each
/// call copies it first.
#[derive(Default)]
struct Scratch {
    input: Vec<u8>,
    buffers: Buffers,
}

fn write<'a, T: Serialize>(value: &T, out: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
    out.clear();
    simd_json::to_writer(&mut *out, value)?;
    Ok(out)
}

fn read<'a, T: Deserialize<'a>>(input: &[u8], scratch: &'a mut Scratch) -> Result<T, Error> {
    let Scratch {
        input: copy,
        buffers,
    } = scratch;
    copy.clear();
    copy.extend_from_slice(input);
    Ok(simd_json::serde::from_slice_with_buffers(copy, buffers)?)
}

struct SimdJson;

impl<T: Serialize + DeserializeOwned + Canonical + Send + 'static> Codec<T> for SimdJson {
    type Value = T;
    type Buffer = Vec<u8>;
    type Scratch = Scratch;
    type Decoded<'a> = T;

    fn prepare(value: T) -> Result<T, Error> {
        Ok(value)
    }

    fn serialize<'a>(value: &'a T, out: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
        write(value, out)
    }

    fn deserialize<'a>(input: &'a [u8], scratch: &'a mut Scratch) -> Result<T, Error> {
        read(input, scratch)
    }
}

/// With strings that borrow from the copy.
struct Borrow;

impl<T> Codec<T> for Borrow
where
    T: Serialize + Borrowable + Send + 'static,
    for<'a> T::Borrowed<'a>: Deserialize<'a>,
{
    type Value = T;
    type Buffer = Vec<u8>;
    type Scratch = Scratch;
    type Decoded<'a> = T::Borrowed<'a>;

    fn prepare(value: T) -> Result<T, Error> {
        Ok(value)
    }

    fn serialize<'a>(value: &'a T, out: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
        write(value, out)
    }

    fn deserialize<'a>(
        input: &'a [u8],
        scratch: &'a mut Scratch,
    ) -> Result<T::Borrowed<'a>, Error> {
        read(input, scratch)
    }
}

const SIMD_JSON: CodecInfo = CodecInfo {
    id: "simd_json",
    format: "JSON",
    library: "simd-json",
    library_version: env!("SERBENCH_LIBRARY_VERSION_SIMD_JSON"),
    notes: "parses in place: deserialize includes a copy of the input",
    ..CodecInfo::TEXT
};

serbench_plugin::plugin! {
    id: "simd_json",
    datasets: Datasets,
    codecs: [
        SimdJson => SIMD_JSON,
        Borrow => CodecInfo {
            id: "simd_json/borrow",
            yields: Yields::Borrowed,
            ..SIMD_JSON
        },
    ],
}
