//! CBOR by `minicbor`: its own derive, structs as arrays.

use minicbor::decode::{Decode, Decoder};
use minicbor::encode::{Encode, Encoder, Write};
use serbench_plugin::canonical::Scalar;
use serbench_plugin::{CodecInfo, Error, Owned, OwnedCodec};

use datasets::support::{Bytes, Tensor};

serbench_plugin::datasets!();

struct Minicbor;

impl<T: Encode<()> + for<'a> Decode<'a, ()>> OwnedCodec<T> for Minicbor {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        Ok(minicbor::encode(value, out)?)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        Ok(minicbor::decode(input)?)
    }
}

/// A byte string.
impl<C> Encode<C> for Bytes {
    fn encode<W: Write>(
        &self,
        e: &mut Encoder<W>,
        _: &mut C,
    ) -> Result<(), minicbor::encode::Error<W::Error>> {
        e.bytes(&self.0)?.ok()
    }
}

impl<'b, C> Decode<'b, C> for Bytes {
    fn decode(d: &mut Decoder<'b>, _: &mut C) -> Result<Self, minicbor::decode::Error> {
        Ok(Self(d.bytes()?.to_vec()))
    }
}

/// The element type, the shape, and the elements as a byte string.
impl<C, T: Scalar> Encode<C> for Tensor<T> {
    fn encode<W: Write>(
        &self,
        e: &mut Encoder<W>,
        context: &mut C,
    ) -> Result<(), minicbor::encode::Error<W::Error>> {
        e.array(3)?.u8(T::DTYPE)?;
        self.shape.encode(e, context)?;
        e.bytes(&T::as_le(&self.data))?.ok()
    }
}

impl<'b, C, T: Scalar> Decode<'b, C> for Tensor<T> {
    fn decode(d: &mut Decoder<'b>, context: &mut C) -> Result<Self, minicbor::decode::Error> {
        if (d.array()?, d.u8()?) != (Some(3), T::DTYPE) {
            return Err(minicbor::decode::Error::message(
                "no tensor of this element type",
            ));
        }
        let shape = Vec::decode(d, context)?;
        let elements = d.bytes()?;
        if !elements.len().is_multiple_of(T::SIZE) {
            return Err(minicbor::decode::Error::message(
                "elements of a tensor are cut off",
            ));
        }
        let data = T::from_le(elements);
        Ok(Self { shape, data })
    }
}

serbench_plugin::plugin! {
    id: "minicbor",
    datasets: Datasets,
    codecs: [
        Owned<Minicbor> => CodecInfo {
            id: "minicbor",
            format: "CBOR",
            library: "minicbor",
            library_version: env!("SERBENCH_LIBRARY_VERSION_MINICBOR"),
            notes: "structs as arrays",
            ..CodecInfo::SCHEMA
        },
    ],
}
