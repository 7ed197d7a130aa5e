//! The serbench plugin of @NAME@.

use serbench_plugin::{CodecInfo, Error, Owned, SerdeCodec};
use serde::{Deserialize, Serialize};

serbench_plugin::datasets!();

struct Library;

impl SerdeCodec for Library {
    fn write<T: Serialize>(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        postcard::to_io(value, out)?;
        Ok(())
    }

    fn read<'a, T: Deserialize<'a>>(input: &'a [u8]) -> Result<T, Error> {
        Ok(postcard::from_bytes(input)?)
    }
}

serbench_plugin::plugin! {
    id: "@NAME@",
    datasets: Datasets,
    codecs: [
        Owned<Library> => CodecInfo {
            id: "@NAME@",
            format: "Postcard",
            library: "postcard",
            library_version: env!("SERBENCH_LIBRARY_VERSION_POSTCARD"),
            ..CodecInfo::SCHEMA
        },
    ],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Order {
        id: u64,
        lines: Vec<(u32, f64)>,
        note: Option<String>,
    }

    fn order() -> Order {
        Order {
            id: u64::MAX,
            lines: vec![(7, -0.5), (0, 1e300)],
            note: Some("ring twice".to_owned()),
        }
    }

    fn written() -> Vec<u8> {
        let mut out = Vec::new();
        Library::write(&order(), &mut out).unwrap();
        out
    }

    #[test]
    fn a_value_comes_back() {
        assert_eq!(Library::read::<Order>(&written()).unwrap(), order());
    }

    #[test]
    fn what_is_cut_short_is_refused() {
        let out = written();
        for length in 0..out.len() {
            assert!(Library::read::<Order>(&out[..length]).is_err(), "{length}");
        }
    }
}
