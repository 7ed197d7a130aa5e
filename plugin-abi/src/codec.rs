//! The traits that a codec implements, once, for every dataset.

use std::collections::BTreeMap;
use std::marker::PhantomData;

use serbench_canonical::Checksum;

use crate::{Canonical, Decoded, Error, OpenArgs};

/// A codec, for values of type `T`.
///
/// Implement it generically (`impl<T: Serialize + …> Codec<T> for MyCodec`), so that it serves
/// every dataset. Where `serialize` fills a `Vec<u8>` and `deserialize` yields a `T`, implement the
/// shorter [`OwnedCodec`] and register [`Owned<MyCodec>`](Owned).
///
/// Everything is [`Send`], since a host may use an instance from any thread, one at a time.
pub trait Codec<T>: Sized + 'static {
    /// What an application that uses this library holds, and `serialize` starts from: `T`, unless
    /// the library has message classes of its own.
    type Value: Send + 'static;
    /// Where `serialize` writes. In *reused* mode one is kept for all calls, in *fresh* mode each
    /// call gets a new one.
    type Buffer: Default + Send + 'static;
    /// What `deserialize` keeps between calls, or lets the decoded value borrow from.
    type Scratch: Default + Send + 'static;
    /// What `deserialize` yields: `T`, a struct that borrows, or a view.
    type Decoded<'a>: View + Send;

    /// What a reader of the row for this dataset must know, or nothing.
    fn note(_args: &OpenArgs<'_>) -> String {
        String::new()
    }

    /// Turns a value of the dataset into what `serialize` starts from. Never timed.
    fn prepare(value: T) -> Result<Self::Value, Error>;

    /// Serializes `value` and returns the bytes, which usually lie in `buffer`. The buffer is as the
    /// last call left it: clearing it is part of the work.
    fn serialize<'a>(
        value: &'a Self::Value,
        buffer: &'a mut Self::Buffer,
    ) -> Result<&'a [u8], Error>;

    /// Deserializes one value, which may borrow from `input` and from `scratch`.
    fn deserialize<'a>(
        input: &'a [u8],
        scratch: &'a mut Self::Scratch,
    ) -> Result<Self::Decoded<'a>, Error>;
}

/// What `deserialize` yields. Every [`Decoded`] value is one, the generated types first of all.
/// Implement it for the views of a library that notices malformed input only while it is read.
pub trait View {
    /// Visits every field and folds it into `sum` by the documented rule.
    fn read(&self, sum: &mut Checksum) -> Result<(), Error>;

    /// Appends the canonical encoding of the value to `out`.
    fn export(&self, out: &mut Vec<u8>) -> Result<(), Error>;
}

impl<T: Decoded> View for T {
    #[inline(always)]
    fn read(&self, sum: &mut Checksum) -> Result<(), Error> {
        self.fold(sum);
        Ok(())
    }

    fn export(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        self.encode(out);
        Ok(())
    }
}

/// A type with a sibling whose strings borrow from the input. Generated for every type of a dataset
/// where the build script asks for `.borrowed(…)`.
pub trait Borrowable {
    /// The sibling; the type itself where it has nothing to borrow.
    type Borrowed<'a>: Decoded + Send;
}

impl<T: Borrowable> Borrowable for Vec<T> {
    type Borrowed<'a> = Vec<T::Borrowed<'a>>;
}

impl<T: Borrowable> Borrowable for Option<T> {
    type Borrowed<'a> = Option<T::Borrowed<'a>>;
}

impl<T: Borrowable, const N: usize> Borrowable for [T; N] {
    type Borrowed<'a> = [T::Borrowed<'a>; N];
}

impl<T: Borrowable> Borrowable for BTreeMap<String, T> {
    type Borrowed<'a> = BTreeMap<String, T::Borrowed<'a>>;
}

macro_rules! owned {
    ($($type:ty)*) => {$(
        impl Borrowable for $type {
            type Borrowed<'a> = $type;
        }
    )*};
}

// A dataset whose values are bare strings would own them.
owned! { bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 String }

/// A codec of the usual kind: it appends to a `Vec<u8>` and decodes into the plain struct.
pub trait OwnedCodec<T>: 'static {
    /// Appends `value` to `out`, which is empty but may have capacity.
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error>;
    /// Deserializes one value.
    fn deserialize(input: &[u8]) -> Result<T, Error>;

    /// What a reader of the row for this dataset must know, or nothing.
    fn note(_args: &OpenArgs<'_>) -> String {
        String::new()
    }

    /// Refuses a value that the library cannot carry, where `serialize` would not notice. Never timed.
    fn accept(_value: &T) -> Result<(), Error> {
        Ok(())
    }
}

/// Makes an [`OwnedCodec`] a [`Codec`].
pub struct Owned<C>(PhantomData<C>);

impl<C, T> Codec<T> for Owned<C>
where
    C: OwnedCodec<T>,
    T: Canonical + Send + 'static,
{
    type Value = T;
    type Buffer = Vec<u8>;
    type Scratch = ();
    type Decoded<'a> = T;

    fn note(args: &OpenArgs<'_>) -> String {
        C::note(args)
    }

    fn prepare(value: T) -> Result<T, Error> {
        C::accept(&value)?;
        Ok(value)
    }

    #[inline(always)]
    fn serialize<'a>(value: &'a T, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
        buffer.clear();
        C::serialize(value, buffer)?;
        Ok(buffer)
    }

    #[inline(always)]
    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<T, Error> {
        C::deserialize(input)
    }
}

/// An [`OwnedCodec`] that can also decode into structs whose strings borrow from the input.
pub trait BorrowedCodec<T: Borrowable>: OwnedCodec<T> {
    /// Deserializes one value.
    fn deserialize_borrowed(input: &[u8]) -> Result<T::Borrowed<'_>, Error>;
}

/// Makes a [`BorrowedCodec`] a [`Codec`] that borrows.
pub struct Borrowed<C>(PhantomData<C>);

impl<C, T> Codec<T> for Borrowed<C>
where
    C: BorrowedCodec<T>,
    T: Canonical + Borrowable + Send + 'static,
{
    type Value = T;
    type Buffer = Vec<u8>;
    type Scratch = ();
    type Decoded<'a> = T::Borrowed<'a>;

    fn note(args: &OpenArgs<'_>) -> String {
        C::note(args)
    }

    fn prepare(value: T) -> Result<T, Error> {
        C::accept(&value)?;
        Ok(value)
    }

    #[inline(always)]
    fn serialize<'a>(value: &'a T, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
        <Owned<C> as Codec<T>>::serialize(value, buffer)
    }

    #[inline(always)]
    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<T::Borrowed<'a>, Error> {
        C::deserialize_borrowed(input)
    }
}
