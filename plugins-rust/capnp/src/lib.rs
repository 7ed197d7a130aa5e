//! Cap'n Proto by `capnp`: starting from a built message, and from the plain structs.

use std::marker::PhantomData;

use capnp::Word;
use capnp::message::{
    Allocator, Builder, HeapAllocator, Reader, ReaderOptions, ReaderSegments,
    ScratchSpaceHeapAllocator,
};
use capnp::serialize::{self, BufferSegments};
use serbench_plugin::canonical::{Checksum, Encoder, Sink};
use serbench_plugin::{Canonical, Codec, CodecInfo, Error, OpenArgs, View, Yields, abi};

serbench_plugin::datasets!();

/// What `capnpc` made of each dataset's schema.
#[allow(missing_docs, unreachable_pub, clippy::all)]
mod schemas {
    include!(concat!(env!("OUT_DIR"), "/schemas.rs"));
}

/// The conversions of each dataset, as the build script generated them.
mod conversions {
    include!(concat!(env!("OUT_DIR"), "/conversions.rs"));
}

/// A dataset's type that has a schema.
pub trait Native: Canonical + Send + 'static {
    /// What a reader of a row must know about how the message differs from the type.
    const NOTE: &'static str;
    /// Builds the message.
    fn build<A: Allocator>(&self, message: &mut Builder<A>);
    /// The value that the message stands for, if it is one.
    fn read<S: ReaderSegments>(message: &Reader<S>) -> Result<Self, Error>;
    /// Visits every field of the message.
    fn walk<S: ReaderSegments>(message: &Reader<S>, sink: &mut impl Sink) -> Result<(), Error>;
}

/// The library's own guard against messages that take longer to read, or more memory, than their
/// size suggests, as several pointers to one place do. An honest reading follows each pointer once.
/// The default, 64 MiB, would let a message of 32 bytes pass for eight million records.
fn limits(input: &[u8]) -> ReaderOptions {
    const TIMES: usize = 4;
    const SLACK: usize = 1024;
    let words = input.len() / size_of::<Word>();
    let mut options = ReaderOptions::new();
    options.traversal_limit_in_words(Some(TIMES * words + SLACK));
    options
}

/// A message that is read where it lies.
struct Message<'a, T> {
    segments: BufferSegments<&'a [u8]>,
    limits: ReaderOptions,
    of: PhantomData<T>,
}

impl<T> Message<'_, T> {
    /// Each reading counts against a limit of its own, as one message is read many times here.
    fn reader(&self) -> Reader<&BufferSegments<&[u8]>> {
        Reader::new(&self.segments, self.limits)
    }
}

impl<T: Native> View for Message<'_, T> {
    fn read(&self, sum: &mut Checksum) -> Result<(), Error> {
        T::walk(&self.reader(), sum)
    }

    fn export(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        T::walk(&self.reader(), &mut Encoder(out))
    }
}

/// From built message to view.
struct Capnp;

impl<T: Native> Codec<T> for Capnp {
    type Value = Builder<HeapAllocator>;
    type Buffer = Vec<u8>;
    type Scratch = ();
    type Decoded<'a> = Message<'a, T>;

    fn note(_args: &OpenArgs<'_>) -> String {
        T::NOTE.to_owned()
    }

    fn prepare(value: T) -> Result<Self::Value, Error> {
        let mut message = Builder::new_default();
        value.build(&mut message);
        Ok(message)
    }

    fn serialize<'a>(value: &'a Self::Value, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
        buffer.clear();
        serialize::write_message(&mut *buffer, value)?;
        Ok(buffer)
    }

    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<Message<'a, T>, Error> {
        let limits = limits(input);
        Ok(Message {
            segments: BufferSegments::new(input, limits)?,
            limits,
            of: PhantomData,
        })
    }
}

/// What is kept between calls of `Convert`: the output, and the memory that messages are built in,
/// which grows to what the largest of them took.
#[derive(Default)]
struct Workspace {
    scratch: Vec<Word>,
    wanted_words: usize,
    out: Vec<u8>,
}

/// From plain struct to plain struct.
struct Convert;

impl<T: Native> Codec<T> for Convert {
    type Value = T;
    type Buffer = Workspace;
    type Scratch = ();
    type Decoded<'a> = T;

    fn note(_args: &OpenArgs<'_>) -> String {
        T::NOTE.to_owned()
    }

    fn prepare(value: T) -> Result<T, Error> {
        Ok(value)
    }

    fn serialize<'a>(value: &'a T, buffer: &'a mut Workspace) -> Result<&'a [u8], Error> {
        if buffer.wanted_words > buffer.scratch.len() {
            buffer.scratch = Word::allocate_zeroed_vec(buffer.wanted_words);
        }
        let scratch = Word::words_to_bytes_mut(&mut buffer.scratch);
        let mut message = Builder::new(ScratchSpaceHeapAllocator::new(scratch));
        value.build(&mut message);
        buffer.out.clear();
        serialize::write_message(&mut buffer.out, &message)?;
        buffer.wanted_words = buffer.wanted_words.max(message.size_in_words());
        drop(message);
        Ok(&buffer.out)
    }

    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<T, Error> {
        let limits = limits(input);
        T::read(&Reader::new(BufferSegments::new(input, limits)?, limits))
    }
}

const CAPNP: CodecInfo = CodecInfo {
    id: "capnp",
    format: "Cap'n Proto",
    library: "capnp",
    library_version: env!("SERBENCH_LIBRARY_VERSION_CAPNP"),
    ..CodecInfo::SCHEMA
};

serbench_plugin::plugin! {
    id: "capnp",
    datasets: Datasets,
    codecs: [
        Capnp => CodecInfo { yields: Yields::View, ..CAPNP },
        // The memory that is kept decides how many segments a message has.
        Convert => CodecInfo { id: "capnp+convert", ..CAPNP }
            .with(abi::CAP_CONVERTS | abi::CAP_NONDETERMINISTIC),
    ],
}
