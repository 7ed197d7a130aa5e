//! Fory by `fory`: its native format, for a reader with the same types.

use std::marker::PhantomData;

use fory::{Fory, Reader, Serializer};
use serbench_plugin::{Canonical, Codec, CodecInfo, Error, shared};

serbench_plugin::datasets!();

/// What gives the types of each dataset their numbers, as the build script generated it.
mod registrations {
    include!(concat!(env!("OUT_DIR"), "/conversions.rs"));
}

/// A dataset's type that Fory can express.
trait Registered {
    fn register(fory: &mut Fory) -> Result<(), fory::Error>;
}

/// What knows a dataset's types.
struct Context<T> {
    fory: Fory,
    of: PhantomData<fn() -> T>,
}

impl<T: Registered> Context<T> {
    fn new() -> Result<Self, Error> {
        let mut fory = Fory::builder().xlang(false).compatible(false).build();
        T::register(&mut fory)?;
        Ok(Self {
            fory,
            of: PhantomData,
        })
    }
}

struct Native;

impl<T> Codec<T> for Native
where
    T: Serializer<Target = T> + Registered + Canonical + Send + 'static,
{
    type Value = (&'static Context<T>, T);
    type Buffer = Vec<u8>;
    type Scratch = Option<&'static Context<T>>;
    type Decoded<'a> = T;

    fn prepare(value: T) -> Result<Self::Value, Error> {
        Ok((shared(Context::new)?, value))
    }

    fn serialize<'a>(
        (context, value): &'a Self::Value,
        out: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], Error> {
        out.clear();
        context.fory.serialize_to(out, value)?;
        Ok(out)
    }

    fn deserialize<'a>(input: &'a [u8], scratch: &'a mut Self::Scratch) -> Result<T, Error> {
        let context = match scratch {
            Some(context) => context,
            None => scratch.insert(shared(Context::new)?),
        };
        Ok(context.fory.deserialize_from(&mut Reader::new(input))?)
    }
}

serbench_plugin::plugin! {
    id: "fory",
    datasets: Datasets,
    codecs: [
        Native => CodecInfo {
            id: "fory",
            format: "Fory",
            library: "fory",
            library_version: env!("SERBENCH_LIBRARY_VERSION_FORY"),
            notes: "native mode, for readers with the same types",
            ..CodecInfo::SCHEMA
        },
    ],
}
