//! What plugins share whose library has message classes of its own.

use std::marker::PhantomData;

use serbench_canonical::{Canonical, Decoded};

use crate::{Codec, Error, OpenArgs};

/// A dataset's type that has a message of the library that codec `C` is for.
/// `serbench_datasets::build::conversions` generates the implementations, for the plugin's
/// `crate::Library`.
pub trait Native<C>: Canonical + PartialEq + Send + 'static {
    /// What a reader of a row must know about how the message differs from the type.
    const NOTE: &'static str;
    /// The message.
    type Message: Decoded + Send + 'static;
    /// Makes the message.
    fn to_message(&self) -> Self::Message;
    /// The value that the message stands for, if it is one.
    fn from_message(message: Self::Message) -> Result<Self, Error>;
}

/// A library with message classes. Register [`Messages<Library>`](Messages), which starts from a
/// message, and [`Converted<Library>`](Converted), which starts from the plain struct.
pub trait MessageCodec<T: Native<Self>>: Sized + 'static {
    /// Appends `message` to `out`, which is empty but may have capacity.
    fn encode(message: &T::Message, out: &mut Vec<u8>) -> Result<(), Error>;
    /// Reads one message.
    fn decode(input: &[u8]) -> Result<T::Message, Error>;
}

/// From message to message.
pub struct Messages<C>(PhantomData<C>);

impl<C: MessageCodec<T>, T: Native<C>> Codec<T> for Messages<C> {
    type Value = T::Message;
    type Buffer = Vec<u8>;
    type Scratch = ();
    type Decoded<'a> = T::Message;

    fn note(_args: &OpenArgs<'_>) -> String {
        T::NOTE.to_owned()
    }

    fn prepare(value: T) -> Result<T::Message, Error> {
        carried::<C, T>(&value)?;
        Ok(value.to_message())
    }

    fn serialize<'a>(message: &'a T::Message, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
        buffer.clear();
        C::encode(message, buffer)?;
        Ok(buffer)
    }

    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<T::Message, Error> {
        C::decode(input)
    }
}

/// From plain struct to plain struct.
pub struct Converted<C>(PhantomData<C>);

impl<C: MessageCodec<T>, T: Native<C>> Codec<T> for Converted<C> {
    type Value = T;
    type Buffer = Vec<u8>;
    type Scratch = ();
    type Decoded<'a> = T;

    fn note(_args: &OpenArgs<'_>) -> String {
        T::NOTE.to_owned()
    }

    fn prepare(value: T) -> Result<T, Error> {
        carried::<C, T>(&value)?;
        Ok(value)
    }

    fn serialize<'a>(value: &'a T, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
        buffer.clear();
        C::encode(&value.to_message(), buffer)?;
        Ok(buffer)
    }

    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<T, Error> {
        T::from_message(C::decode(input)?)
    }
}

fn carried<C: MessageCodec<T>, T: Native<C>>(value: &T) -> Result<(), Error> {
    let mut bytes = Vec::new();
    C::encode(&value.to_message(), &mut bytes)?;
    keeps_negative_zeros(value, &T::from_message(C::decode(&bytes)?)?)
}

/// For the `prepare` of a library that does not keep the sign of a zero: *unsupported*, if `back`,
/// which `value` became on its way there and back, differs from it in nothing but that. What differs
/// in more is for the host to find.
pub fn keeps_negative_zeros<T: Canonical + PartialEq>(value: &T, back: &T) -> Result<(), Error> {
    let (mut expected, mut actual) = (Vec::new(), Vec::new());
    value.encode(&mut expected);
    back.encode(&mut actual);
    match expected != actual && value == back {
        false => Ok(()),
        true => Err(Error::unsupported(
            "the library does not keep the sign of -0.0, which would come back as 0.0",
        )),
    }
}
