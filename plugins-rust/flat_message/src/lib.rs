//! FlatMessage by `flat_message`: flat structs without the stored name, and nested structs packed
//! or as messages of their own; each by `deserialize_from` and `deserialize_from_unchecked`.
//!
//! Both are trusted. `deserialize_from` checks lengths and text, but makes slices of numbers wherever
//! an offset in the input points, which is undefined behaviour where that is not aligned.

use flat_message::{Config, ConfigBuilder, FlatMessageOwned, Storage};
use serbench_plugin::{Canonical, Codec, CodecInfo, Error, Validation};

serbench_plugin::datasets!();
serbench_plugin::datasets!(packed, nested);

/// The largest message that the library may write; its default is 16 MiB.
fn config() -> Config {
    ConfigBuilder::new().max_size(u32::MAX).build()
}

/// Messages live in a `Storage`. `deserialize` has to fill one from the bytes it is given.
struct FlatMessage<const CHECKED: bool>;

impl<T, const CHECKED: bool> Codec<T> for FlatMessage<CHECKED>
where
    T: FlatMessageOwned + Canonical + Send + 'static,
{
    type Value = T;
    type Buffer = Storage;
    type Scratch = Storage;
    type Decoded<'a> = T;

    fn prepare(value: T) -> Result<T, Error> {
        Ok(value)
    }

    fn serialize<'a>(value: &'a T, out: &'a mut Storage) -> Result<&'a [u8], Error> {
        value
            .serialize_to(out, config())
            .map_err(|e| Error::internal(format_args!("{e:?}")))?;
        Ok(out.as_slice())
    }

    fn deserialize<'a>(input: &'a [u8], storage: &'a mut Storage) -> Result<T, Error> {
        storage.resize_zero(input.len());
        storage.as_mut_slice().copy_from_slice(input);
        let value = if CHECKED {
            T::deserialize_from(storage)
        } else {
            // SAFETY: the codec declares that it trusts its input.
            unsafe { T::deserialize_from_unchecked(storage) }
        };
        value.map_err(|e| Error::malformed(format_args!("{e:?}")))
    }
}

const UNCHECKED: &str = "checks nothing; deserialize includes copying the bytes into a Storage";

const FLAT: CodecInfo = CodecInfo {
    id: "flat_message",
    format: "FlatMessage",
    library: "flat_message",
    library_version: env!("SERBENCH_LIBRARY_VERSION_FLAT_MESSAGE"),
    notes: "checks lengths and text, not the alignment of lists; the name is not stored; \
            deserialize includes copying the bytes into a Storage",
    validation: Validation::Trusted,
    ..CodecInfo::SELF_DESCRIBING
};

const PACKED: CodecInfo = CodecInfo {
    id: "flat_message/packed",
    notes: "checks lengths and text, not the alignment of lists; nested structs packed; \
            deserialize includes copying the bytes into a Storage",
    ..FLAT
};

const STRUCT: CodecInfo = CodecInfo {
    id: "flat_message/struct",
    notes: "checks lengths and text, not the alignment of lists; nested structs as messages; \
            deserialize includes copying the bytes into a Storage",
    ..FLAT
};

serbench_plugin::plugin! {
    id: "flat_message",
    datasets: Datasets,
    codecs: [
        FlatMessage<true> => FLAT,
        FlatMessage<false> => CodecInfo {
            id: "flat_message/unchecked",
            notes: UNCHECKED,
            ..FLAT
        },
        FlatMessage<true>, packed::Datasets => PACKED,
        FlatMessage<false>, packed::Datasets => CodecInfo {
            id: "flat_message/packed_unchecked",
            notes: UNCHECKED,
            ..PACKED
        },
        FlatMessage<true>, nested::Datasets => STRUCT,
        FlatMessage<false>, nested::Datasets => CodecInfo {
            id: "flat_message/struct_unchecked",
            notes: UNCHECKED,
            ..STRUCT
        },
    ],
}
