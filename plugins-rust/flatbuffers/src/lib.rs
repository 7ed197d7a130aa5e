//! FlatBuffers by `flatbuffers`. It has no message classes: an application holds structs of its
//! own, writes them by the builder, and reads through verified tables.

use flatbuffers::{
    FlatBufferBuilder, Follow, UnionWIPOffset, Verifiable, VerifierOptions, WIPOffset,
};
use serbench_plugin::{
    Canonical, Codec, CodecInfo, Decoded, Error, OpenArgs, Validation, Yields, abi,
    keeps_negative_zeros,
};

serbench_plugin::datasets!();

/// The tables of each dataset, and the conversions, as the build script generated them.
mod conversions {
    include!(concat!(env!("OUT_DIR"), "/conversions.rs"));
}

/// A dataset's type that has a table.
pub trait Native: Canonical + PartialEq + Send + 'static {
    /// What a reader of a row must know about how the table differs from the type.
    const NOTE: &'static str;
    /// The table.
    type Table<'a>: Follow<'a, Inner = Self::Table<'a>> + Verifiable + Decoded + Send + 'a;
    /// Builds the table.
    fn build(&self, builder: &mut FlatBufferBuilder<'_>) -> WIPOffset<UnionWIPOffset>;
    /// The value that the table stands for, if it is one.
    fn read(table: Self::Table<'_>) -> Result<Self, Error>;
}

fn serialize<'a, T: Native>(value: &T, builder: &'a mut FlatBufferBuilder<'static>) -> &'a [u8] {
    builder.reset();
    let root = value.build(builder);
    builder.finish(root, None);
    builder.finished_data()
}

/// Verifies a buffer, with limits that a big value does not reach.
fn verified<T: Native>(input: &[u8]) -> Result<T::Table<'_>, Error> {
    let options = VerifierOptions {
        max_tables: usize::MAX,
        max_apparent_size: usize::MAX,
        ..VerifierOptions::default()
    };
    Ok(flatbuffers::root_with_opts::<T::Table<'_>>(
        &options, input,
    )?)
}

/// What a `Codec` has to make ready: nothing, but some values do not survive.
fn prepare<T: Native>(value: T) -> Result<T, Error> {
    let mut builder = FlatBufferBuilder::new();
    let back = T::read(verified::<T>(serialize(&value, &mut builder))?)?;
    keeps_negative_zeros(&value, &back)?;
    Ok(value)
}

/// From plain struct to table, verified or not.
struct Tables<const CHECKED: bool>;

impl<T: Native, const CHECKED: bool> Codec<T> for Tables<CHECKED> {
    type Value = T;
    type Buffer = FlatBufferBuilder<'static>;
    type Scratch = ();
    type Decoded<'a> = T::Table<'a>;

    fn note(_args: &OpenArgs<'_>) -> String {
        T::NOTE.to_owned()
    }

    fn prepare(value: T) -> Result<T, Error> {
        prepare(value)
    }

    fn serialize<'a>(value: &'a T, buffer: &'a mut Self::Buffer) -> Result<&'a [u8], Error> {
        Ok(serialize(value, buffer))
    }

    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<T::Table<'a>, Error> {
        if CHECKED {
            return verified::<T>(input);
        }
        // SAFETY: the host hands a *trusted* codec nothing but what its own `serialize` wrote.
        Ok(unsafe { flatbuffers::root_unchecked::<T::Table<'_>>(input) })
    }
}

/// From plain struct to plain struct.
struct Convert;

impl<T: Native> Codec<T> for Convert {
    type Value = T;
    type Buffer = FlatBufferBuilder<'static>;
    type Scratch = ();
    type Decoded<'a> = T;

    fn note(_args: &OpenArgs<'_>) -> String {
        T::NOTE.to_owned()
    }

    fn prepare(value: T) -> Result<T, Error> {
        prepare(value)
    }

    fn serialize<'a>(value: &'a T, buffer: &'a mut Self::Buffer) -> Result<&'a [u8], Error> {
        Ok(serialize(value, buffer))
    }

    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<T, Error> {
        T::read(verified::<T>(input)?)
    }
}

const FLATBUFFERS: CodecInfo = CodecInfo {
    id: "flatbuffers",
    format: "FlatBuffers",
    library: "flatbuffers",
    library_version: env!("SERBENCH_LIBRARY_VERSION_FLATBUFFERS"),
    yields: Yields::View,
    ..CodecInfo::SCHEMA
};

serbench_plugin::plugin! {
    id: "flatbuffers",
    datasets: Datasets,
    codecs: [
        Tables<true> => FLATBUFFERS,
        Tables<false> => CodecInfo {
            id: "flatbuffers/unchecked",
            validation: Validation::Trusted,
            ..FLATBUFFERS
        },
        Convert => CodecInfo { id: "flatbuffers+convert", yields: Yields::Owned, ..FLATBUFFERS }
            .with(abi::CAP_CONVERTS),
    ],
}
