//! rkyv by `rkyv`: views of the archive, checked and trusted, and the deserialized struct.

mod walk;

use rkyv::api::high::{HighDeserializer, HighSerializer, HighValidator};
use rkyv::bytecheck::CheckBytes;
use rkyv::rancor;
use rkyv::ser::allocator::ArenaHandle;
use rkyv::util::AlignedVec;
use rkyv::{Archive, Deserialize, Portable, Serialize};
use serbench_plugin::canonical::Checksum;
use serbench_plugin::{Canonical, Codec, CodecInfo, Error, Validation, View, Yields};

use walk::Walk;

serbench_plugin::datasets!();

/// What the codecs ask of a dataset's type: all that its derives make.
trait Data:
    Canonical
    + Send
    + for<'a> Serialize<HighSerializer<AlignedVec, ArenaHandle<'a>, rancor::Error>>
    + Archive<
        Archived: Walk
                      + Portable
                      + Sync
                      + for<'a> CheckBytes<HighValidator<'a, rancor::Error>>
                      + Deserialize<Self, HighDeserializer<rancor::Error>>,
    > + 'static
{
}

impl<T> Data for T where
    T: Canonical
        + Send
        + for<'a> Serialize<HighSerializer<AlignedVec, ArenaHandle<'a>, rancor::Error>>
        + Archive<
            Archived: Walk
                          + Portable
                          + Sync
                          + for<'a> CheckBytes<HighValidator<'a, rancor::Error>>
                          + Deserialize<T, HighDeserializer<rancor::Error>>,
        > + 'static
{
}

fn write<'a, T: Data>(value: &T, buffer: &'a mut AlignedVec) -> Result<&'a [u8], Error> {
    buffer.clear();
    *buffer = rkyv::api::high::to_bytes_in(value, std::mem::take(buffer))?;
    Ok(buffer)
}

/// The input, where an archive can be read: misaligned input is copied first.
fn aligned<'a>(input: &'a [u8], copy: &'a mut AlignedVec) -> &'a [u8] {
    if input
        .as_ptr()
        .addr()
        .is_multiple_of(AlignedVec::<16>::ALIGNMENT)
    {
        return input;
    }
    copy.clear();
    copy.extend_from_slice(input);
    copy
}

/// The archive as it is, validated or not.
struct Views<const CHECKED: bool>;

struct Archived<'a, A>(&'a A);

impl<A: Walk> View for Archived<'_, A> {
    #[inline]
    fn read(&self, sum: &mut Checksum) -> Result<(), Error> {
        self.0.fold(sum);
        Ok(())
    }

    fn export(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        self.0.encode(out);
        Ok(())
    }
}

impl<T: Data, const CHECKED: bool> Codec<T> for Views<CHECKED> {
    type Value = T;
    type Buffer = AlignedVec;
    type Scratch = AlignedVec;
    type Decoded<'a> = Archived<'a, T::Archived>;

    fn prepare(value: T) -> Result<T, Error> {
        Ok(value)
    }

    fn serialize<'a>(value: &'a T, buffer: &'a mut AlignedVec) -> Result<&'a [u8], Error> {
        write(value, buffer)
    }

    fn deserialize<'a>(
        input: &'a [u8],
        copy: &'a mut AlignedVec,
    ) -> Result<Self::Decoded<'a>, Error> {
        let input = aligned(input, copy);
        if CHECKED {
            return Ok(Archived(rkyv::access::<_, rancor::Error>(input)?));
        }
        // SAFETY: the codec declares that it trusts its input to be an archive of this type.
        Ok(Archived(unsafe { rkyv::access_unchecked(input) }))
    }
}

/// The validated archive, turned back into the struct.
struct Struct;

impl<T: Data> Codec<T> for Struct {
    type Value = T;
    type Buffer = AlignedVec;
    type Scratch = AlignedVec;
    type Decoded<'a> = T;

    fn prepare(value: T) -> Result<T, Error> {
        Ok(value)
    }

    fn serialize<'a>(value: &'a T, buffer: &'a mut AlignedVec) -> Result<&'a [u8], Error> {
        write(value, buffer)
    }

    fn deserialize<'a>(input: &'a [u8], copy: &'a mut AlignedVec) -> Result<T, Error> {
        Ok(rkyv::from_bytes::<T, rancor::Error>(aligned(input, copy))?)
    }
}

const RKYV: CodecInfo = CodecInfo {
    id: "rkyv",
    format: "rkyv",
    library: "rkyv",
    library_version: env!("SERBENCH_LIBRARY_VERSION_RKYV"),
    notes: "misaligned input is copied within deserialize",
    yields: Yields::View,
    ..CodecInfo::SCHEMA
};

serbench_plugin::plugin! {
    id: "rkyv",
    datasets: Datasets,
    codecs: [
        Views<true> => RKYV,
        Views<false> => CodecInfo {
            id: "rkyv/unchecked",
            validation: Validation::Trusted,
            ..RKYV
        },
        Struct => CodecInfo { id: "rkyv/owned", yields: Yields::Owned, ..RKYV },
    ],
}
