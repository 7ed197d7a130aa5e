//! The baselines: what the boundary, moving the bytes, and a codec without a format cost.

use std::marker::PhantomData;

use serbench_plugin::canonical::Checksum;
use serbench_plugin::{
    Canonical, Codec, CodecInfo, Decoded, Error, Owned, OwnedCodec, View, Yields, abi,
};

serbench_plugin::datasets!();

/// Does nothing: the floor of the ABI and of the host's loop.
struct Null;

/// What `Null` decodes: nothing.
struct Nothing;

impl Decoded for Nothing {
    fn fold(&self, _: &mut Checksum) {}

    fn encode(&self, _: &mut Vec<u8>) {}
}

impl<T> Codec<T> for Null {
    type Value = ();
    type Buffer = ();
    type Scratch = ();
    type Decoded<'a> = Nothing;

    fn prepare(_: T) -> Result<(), Error> {
        Ok(())
    }

    fn serialize<'a>((): &'a (), (): &'a mut ()) -> Result<&'a [u8], Error> {
        Ok(&[])
    }

    fn deserialize<'a>(_: &'a [u8], (): &'a mut ()) -> Result<Nothing, Error> {
        Ok(Nothing)
    }
}

/// Copies the canonical encoding, both ways, between buffers that it keeps: the floor of moving
/// the bytes. What it yields is the copy; reading that decodes it, since there is no other way to
/// visit the fields, so only its serialize and deserialize are floors.
struct Memcpy;

struct Copied<'a, T> {
    bytes: &'a [u8],
    of: PhantomData<fn() -> T>,
}

impl<T: Canonical> View for Copied<'_, T> {
    fn read(&self, sum: &mut Checksum) -> Result<(), Error> {
        T::from_canonical(self.bytes)?.fold(sum);
        Ok(())
    }

    fn export(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        T::from_canonical(self.bytes)?;
        out.extend_from_slice(self.bytes);
        Ok(())
    }
}

impl<T: Canonical + 'static> Codec<T> for Memcpy {
    type Value = Vec<u8>;
    type Buffer = Vec<u8>;
    type Scratch = Vec<u8>;
    type Decoded<'a> = Copied<'a, T>;

    fn prepare(value: T) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        value.encode(&mut bytes);
        Ok(bytes)
    }

    fn serialize<'a>(value: &'a Vec<u8>, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
        buffer.clear();
        buffer.extend_from_slice(value);
        Ok(buffer)
    }

    fn deserialize<'a>(input: &'a [u8], copy: &'a mut Vec<u8>) -> Result<Copied<'a, T>, Error> {
        copy.clear();
        copy.extend_from_slice(input);
        Ok(Copied {
            bytes: copy,
            of: PhantomData,
        })
    }
}

/// The canonical encoding, written straight from the struct and read straight into it.
struct Handwritten;

impl<T: Canonical> OwnedCodec<T> for Handwritten {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        value.encode(out);
        Ok(())
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(T::from_canonical(input)?)
    }
}

const BASELINE: CodecInfo = CodecInfo {
    format: "canonical",
    library: "serbench",
    library_version: env!("CARGO_PKG_VERSION"),
    ..CodecInfo::BASELINE
};

serbench_plugin::plugin! {
    id: "baseline",
    datasets: Datasets,
    codecs: [
        Null => CodecInfo {
            id: "null",
            format: "nothing",
            notes: "does nothing: the floor of the boundary and of the loop",
            ..BASELINE.with(abi::CAP_NO_ROUND_TRIP)
        },
        Memcpy => CodecInfo {
            id: "memcpy",
            notes: "copies the canonical encoding; its read decodes the copy, so is no floor",
            yields: Yields::View,
            ..BASELINE
        },
        Owned<Handwritten> => CodecInfo {
            id: "handwritten/rust",
            notes: "the canonical encoding, straight from and into the struct",
            ..BASELINE
        },
    ],
}
