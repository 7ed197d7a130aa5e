//! Avro by `apache-avro`: single values without a container, straight from and into structs.

use std::marker::PhantomData;

use apache_avro::Schema;
use apache_avro::reader::datum::GenericDatumReader;
use apache_avro::writer::datum::GenericDatumWriter;
use serbench_plugin::{Canonical, Codec, CodecInfo, Error, abi, shared};
use serde::{Serialize, de::DeserializeOwned};

serbench_plugin::datasets!();

/// The schemas of the datasets, as the build script generated them.
mod schemas {
    include!(concat!(env!("OUT_DIR"), "/conversions.rs"));
}

/// A dataset's type that Avro can express.
trait Described {
    /// Its schema, in JSON.
    const SCHEMA: &'static str;
}

/// The writer and the reader of a type, which hold its resolved schema.
struct Datum<T> {
    writer: GenericDatumWriter<'static>,
    reader: GenericDatumReader<'static>,
    of: PhantomData<fn() -> T>,
}

impl<T: Described> Datum<T> {
    fn new() -> Result<Self, Error> {
        let schema: &'static Schema = Box::leak(Box::new(Schema::parse_str(T::SCHEMA)?));
        let writer = GenericDatumWriter::builder(schema).human_readable(false);
        let reader = GenericDatumReader::builder(schema).human_readable(false);
        Ok(Self {
            writer: writer.build()?,
            reader: reader.build()?,
            of: PhantomData,
        })
    }
}

struct Avro;

impl<T> Codec<T> for Avro
where
    T: Described + Serialize + DeserializeOwned + Canonical + Send + 'static,
{
    type Value = (&'static Datum<T>, T);
    type Buffer = Vec<u8>;
    type Scratch = Option<&'static Datum<T>>;
    type Decoded<'a> = T;

    fn prepare(value: T) -> Result<Self::Value, Error> {
        Ok((shared(Datum::new)?, value))
    }

    fn serialize<'a>(
        (datum, value): &'a Self::Value,
        out: &'a mut Vec<u8>,
    ) -> Result<&'a [u8], Error> {
        out.clear();
        datum.writer.write_ser(out, value)?;
        Ok(out)
    }

    fn deserialize<'a>(input: &'a [u8], scratch: &'a mut Self::Scratch) -> Result<T, Error> {
        let datum = match scratch {
            Some(datum) => datum,
            None => scratch.insert(shared(Datum::new)?),
        };
        Ok(datum.reader.read_deser(&mut &input[..])?)
    }
}

serbench_plugin::plugin! {
    id: "apache_avro",
    datasets: Datasets,
    codecs: [
        Avro => CodecInfo {
            id: "apache_avro",
            format: "Avro",
            library: "apache-avro",
            library_version: env!("SERBENCH_LIBRARY_VERSION_APACHE_AVRO"),
            // Its limit is one for the process and for all messages: one that stops the least of
            // bombs would stop long strings, too.
            notes: "u64 is a fixed of 8 bytes, a fixed array a record of as many fields; allocates \
                    what a length in the input asks for, up to 512 MiB",
            ..CodecInfo::SCHEMA.with(abi::CAP_UNBOUNDED)
        },
    ],
}
