//! The SDK, seen from the other side of the C ABI.

mod driver;

use driver::{Failure, Plugin};
use serbench_plugin::canonical::{Checksum, DecodeError, Reader};
use serbench_plugin::{
    Canonical, Codec, CodecInfo, Dataset, DatasetList, Decoded, Error, OpenArgs, Opened, Owned,
    OwnedCodec, Registry, Yields, abi,
};

// ---- A dataset, as the code generator would write it -----------------------------------------

#[derive(Debug, Clone, PartialEq)]
struct Greeting {
    text: String,
    times: u32,
}

impl Decoded for Greeting {
    fn fold(&self, sum: &mut Checksum) {
        self.text.fold(sum);
        self.times.fold(sum);
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.text.encode(out);
        self.times.encode(out);
    }
}

impl Canonical for Greeting {
    fn decode(input: &mut Reader<'_>) -> Result<Self, DecodeError> {
        Ok(Self {
            text: String::decode(input)?,
            times: u32::decode(input)?,
        })
    }
}

struct Datasets;

const fn dataset(name: &'static str) -> Dataset {
    Dataset {
        name,
        fingerprint: FINGERPRINT,
        needs_self_describing: false,
        refused: None,
    }
}

impl DatasetList for Datasets {
    const DATASETS: &'static [Dataset] = &[
        dataset("greeting"),
        Dataset {
            needs_self_describing: true,
            ..dataset("dynamic")
        },
        Dataset {
            refused: Some("the format has no greetings"),
            ..dataset("refused")
        },
    ];
}

impl<C: Codec<Greeting>> Registry<C> for Datasets {
    fn open(args: &OpenArgs<'_>) -> Result<Opened, Error> {
        match args.name {
            "greeting" | "dynamic" => serbench_plugin::open::<C, Greeting>(args),
            other => Err(Error::unknown_dataset(other)),
        }
    }
}

// ---- Codecs ----------------------------------------------------------------------------------

/// A real codec of the usual kind.
struct Plain;

impl<T: Canonical> OwnedCodec<T> for Plain {
    fn serialize(value: &T, out: &mut Vec<u8>) -> Result<(), Error> {
        value.encode(out);
        Ok(())
    }

    fn note(args: &OpenArgs<'_>) -> String {
        format!("schema {}", args.schema)
    }

    fn deserialize(input: &[u8]) -> Result<T, Error> {
        if input == b"invented" {
            return Err(Error::unsupported("nul \0 in a message"));
        }
        Ok(T::from_canonical(input)?)
    }
}

/// A codec whose decoded value borrows from the input and, mutably, from the scratch.
struct View;

struct Viewed<'a> {
    rest: &'a [u8],
    text: &'a mut String,
}

impl Decoded for Viewed<'_> {
    fn fold(&self, sum: &mut Checksum) {
        self.text.fold(sum);
        sum.word(u64::from(u32::from_le_bytes(self.rest.try_into().unwrap())));
    }

    fn encode(&self, out: &mut Vec<u8>) {
        self.text.encode(out);
        out.extend_from_slice(self.rest);
    }
}

impl Drop for Viewed<'_> {
    fn drop(&mut self) {
        // Touches both borrows, so that a value that outlives either is caught by Miri.
        self.text
            .push_str(if self.rest.is_empty() { "" } else { "!" });
    }
}

impl Codec<Greeting> for View {
    type Value = Vec<u8>;
    type Buffer = Vec<u8>;
    type Scratch = String;
    type Decoded<'a> = Viewed<'a>;

    fn prepare(value: Greeting) -> Result<Vec<u8>, Error> {
        let mut bytes = Vec::new();
        value.encode(&mut bytes);
        Ok(bytes)
    }

    fn serialize<'a>(value: &'a Vec<u8>, calls: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
        if value[4..].starts_with(b"once") && !calls.is_empty() {
            return Err(Error::internal("not a fresh buffer"));
        }
        calls.push(0);
        Ok(value)
    }

    fn deserialize<'a>(input: &'a [u8], text: &'a mut String) -> Result<Viewed<'a>, Error> {
        let mut reader = Reader::new(input);
        text.clear();
        text.push_str(reader.str()?);
        let rest = reader.take(4)?;
        reader.finish()?;
        Ok(Viewed { rest, text })
    }
}

/// Panics where the text says so.
struct Panics;

struct Fragile(Greeting);

impl Decoded for Fragile {
    fn fold(&self, sum: &mut Checksum) {
        assert!(self.0.text != "read", "cannot {}", self.0.text);
        self.0.fold(sum);
    }

    fn encode(&self, out: &mut Vec<u8>) {
        assert!(self.0.text != "export", "cannot export");
        self.0.encode(out);
    }
}

impl Drop for Fragile {
    fn drop(&mut self) {
        assert!(self.0.text != "drop", "cannot drop");
    }
}

impl Codec<Greeting> for Panics {
    type Value = Greeting;
    type Buffer = Vec<u8>;
    type Scratch = ();
    type Decoded<'a> = Fragile;

    fn prepare(value: Greeting) -> Result<Greeting, Error> {
        match value.text.as_str() {
            "prepare" => panic!("cannot prepare"),
            "prepare-any" => std::panic::panic_any(17),
            "prepare-unsupported" => Err(Error::unsupported("no such greeting")),
            _ => Ok(value),
        }
    }

    fn serialize<'a>(value: &'a Greeting, out: &'a mut Vec<u8>) -> Result<&'a [u8], Error> {
        out.clear();
        out.push(1);
        assert!(value.text != "serialize", "cannot serialize");
        out.clear();
        value.encode(out);
        Ok(out)
    }

    fn deserialize<'a>(input: &'a [u8], (): &'a mut ()) -> Result<Fragile, Error> {
        let value = Greeting::from_canonical(input)?;
        assert!(value.text != "deserialize", "cannot deserialize");
        Ok(Fragile(value))
    }
}

serbench_plugin::plugin! {
    id: "greetings",
    datasets: Datasets,
    codecs: [
        Owned<Plain> => CodecInfo {
            id: "plain", format: "Plain", library: "sdk", library_version: "1", ..CodecInfo::SCHEMA
        },
        View => CodecInfo { id: "view", yields: Yields::View, ..CodecInfo::SELF_DESCRIBING },
        Panics => CodecInfo { id: "panics", ..CodecInfo::TEXT.with(abi::CAP_CONVERTS) },
    ],
}

// ---- Tests -----------------------------------------------------------------------------------

const FINGERPRINT: &str = "00112233445566778899aabbccddeeff";
const GREETING: (&str, &str) = ("greeting", FINGERPRINT);

fn plugin() -> Plugin {
    Plugin::enter(entry)
}

unsafe extern "C" fn entry() -> *const abi::Plugin {
    serbench_plugin_entry_v1()
}

fn greeting(text: &str, times: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let value = Greeting {
        text: text.to_owned(),
        times,
    };
    value.encode(&mut bytes);
    bytes
}

fn checksum(canonical: &[u8]) -> u64 {
    let mut sum = Checksum::new();
    Greeting::from_canonical(canonical).unwrap().fold(&mut sum);
    sum.finish()
}

fn failure<T>(result: Result<T, Failure>) -> (i32, String) {
    let failure = result.err().expect("the call fails");
    (failure.status, failure.message)
}

fn internal(message: &str) -> (i32, String) {
    (abi::INTERNAL, message.to_owned())
}

#[test]
fn describes_itself() {
    let plugin = plugin();
    assert_eq!(serbench_plugin_entry_v1(), serbench_plugin_entry_v1());
    assert_eq!(driver::text(plugin.0.id), "greetings");
    assert_eq!(driver::text(plugin.0.language), "Rust");
    assert_eq!(driver::text(plugin.0.version), env!("CARGO_PKG_VERSION"));
    assert_eq!(driver::text(plugin.0.license), env!("CARGO_PKG_LICENSE"));
    assert_eq!(plugin.0.codec_count, 3);
    let names: Vec<_> = plugin
        .datasets()
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    assert_eq!(names, ["greeting", "dynamic", "refused"]);

    let output = abi::CAP_REUSES_OUTPUT | abi::CAP_FRESH_OUTPUT;
    let plain = plugin.codec("plain").0;
    assert_eq!(driver::text(plain.format), "Plain");
    assert_eq!(driver::text(plain.library), "sdk");
    assert_eq!(driver::text(plain.library_version), "1");
    assert_eq!(driver::text(plain.notes), "");
    assert_eq!(plain.capabilities, abi::CAP_SCHEMA | output);
    assert_eq!(
        (plain.yields, plain.validation),
        (abi::YIELDS_OWNED, abi::CHECKED)
    );
    let view = plugin.codec("view").0;
    assert_eq!(view.capabilities, abi::CAP_SELF_DESCRIBING | output);
    assert_eq!(view.yields, abi::YIELDS_VIEW);
    let panics = plugin.codec("panics").0;
    let text = abi::CAP_SELF_DESCRIBING | abi::CAP_TEXT | abi::CAP_CONVERTS;
    assert_eq!(panics.capabilities, text | output);
}

#[test]
fn values_come_back() {
    let values = [
        greeting("hello", 3),
        greeting("", 0),
        greeting("long ago", u32::MAX),
    ];
    for id in ["plain", "view", "panics"] {
        for mode in [0, abi::MODE_FRESH_OUTPUT] {
            let mut instance = plugin().codec(id).open(GREETING, mode, &values).unwrap();
            for round in 0..2 {
                for (index, value) in values.iter().enumerate() {
                    let bytes = instance.serialize(index as u64).unwrap();
                    instance.deserialize(&bytes).unwrap();
                    assert_eq!(
                        instance.read().unwrap(),
                        checksum(value),
                        "{id}, round {round}"
                    );
                    assert_eq!(&instance.export().unwrap(), value);
                    assert_eq!(&instance.export().unwrap(), value);
                }
            }
        }
    }
}

#[test]
fn buffers_are_reused_or_fresh() {
    let values = [greeting(&"long".repeat(1000), 1), greeting("short", 2)];
    let codec = plugin().codec("plain");
    let mut reused = codec.open(GREETING, 0, &values).unwrap();
    let first = reused.serialize_in_place(0).unwrap().as_ptr();
    assert_eq!(reused.serialize_in_place(1).unwrap(), values[1]);
    assert_eq!(reused.serialize_in_place(1).unwrap().as_ptr(), first);

    // This codec counts its calls in the buffer, and refuses the second.
    let counting = plugin().codec("view");
    let mut reused = counting.open(GREETING, 0, &[greeting("once", 1)]).unwrap();
    reused.serialize(0).unwrap();
    assert_eq!(failure(reused.serialize(0)), internal("not a fresh buffer"));
    let fresh = abi::MODE_FRESH_OUTPUT;
    let mut fresh = counting
        .open(GREETING, fresh, &[greeting("once", 1)])
        .unwrap();
    fresh.serialize(0).unwrap();
    fresh.serialize(0).unwrap();
}

#[test]
fn rows_carry_notes() {
    let open = |id| plugin().codec(id).open(GREETING, 0, &[]).unwrap();
    assert_eq!(open("plain").note(), "schema {}");
    assert_eq!(open("view").note(), "");
}

#[test]
fn instances_cross_threads() {
    struct Anywhere<T>(T);
    unsafe impl<T> Send for Anywhere<T> {}

    let value = greeting("hello", 3);
    let instance = Anywhere(
        plugin()
            .codec("view")
            .open(GREETING, 0, std::slice::from_ref(&value))
            .unwrap(),
    );
    std::thread::spawn(move || {
        let mut instance = { instance }.0;
        let bytes = instance.serialize(0).unwrap();
        instance.deserialize(&bytes).unwrap();
        assert_eq!(instance.export().unwrap(), value);
    })
    .join()
    .unwrap();
}

#[test]
fn refuses_to_open_with_a_reason() {
    let open = |codec: &str, name: &str, fingerprint: &str, values: &[Vec<u8>]| {
        failure(plugin().codec(codec).open((name, fingerprint), 0, values))
    };
    let (status, message) = open("plain", "unheard", FINGERPRINT, &[]);
    assert_eq!(status, abi::UNSUPPORTED);
    assert!(
        message.contains("not built with dataset unheard"),
        "{message}"
    );

    let (status, message) = open("plain", "greeting", "f00", &[]);
    assert_eq!(status, abi::INTERNAL);
    assert!(
        message.contains(FINGERPRINT) && message.contains("f00"),
        "{message}"
    );
    assert!(message.contains("greeting"), "{message}");

    let (status, message) = open("plain", "dynamic", FINGERPRINT, &[]);
    assert_eq!(status, abi::UNSUPPORTED);
    assert!(message.contains("names"), "{message}");
    assert!(
        plugin()
            .codec("view")
            .open(("dynamic", FINGERPRINT), 0, &[])
            .is_ok()
    );

    let refused = open("view", "refused", FINGERPRINT, &[]);
    assert_eq!(
        refused,
        (abi::UNSUPPORTED, "the format has no greetings".to_owned())
    );

    let broken = open(
        "plain",
        "greeting",
        FINGERPRINT,
        &[greeting("a", 1), vec![9]],
    );
    assert_eq!(
        broken,
        internal("value 1 is not canonical: at byte 0: 4 bytes expected, 1 left")
    );
}

#[test]
fn every_host_can_open_it() {
    driver::opens_for_every_host(plugin().codec("plain"), GREETING);
}

#[test]
fn panics_and_errors_in_open_are_statuses() {
    let codec = plugin().codec("panics");
    let open = |text| failure(codec.open(GREETING, 0, &[greeting(text, 1)]));
    assert_eq!(open("prepare"), internal("panicked: cannot prepare"));
    assert_eq!(open("prepare-any"), internal("panicked"));
    assert_eq!(
        open("prepare-unsupported"),
        (abi::UNSUPPORTED, "no such greeting".to_owned())
    );
}

#[test]
fn panics_in_calls_are_statuses_and_the_instance_goes_on() {
    let values = [greeting("serialize", 1), greeting("hello", 2)];
    let mut instance = plugin().codec("panics").open(GREETING, 0, &values).unwrap();
    assert_eq!(
        failure(instance.serialize(0)),
        internal("panicked: cannot serialize")
    );
    assert_eq!(instance.serialize(1).unwrap(), values[1]);

    let bytes = greeting("deserialize", 1);
    assert_eq!(
        failure(instance.deserialize(&bytes)),
        internal("panicked: cannot deserialize")
    );
    assert_eq!(
        failure(instance.read()),
        internal("there is no decoded value")
    );

    instance.deserialize(&greeting("read", 1)).unwrap();
    assert_eq!(failure(instance.read()), internal("panicked: cannot read"));
    instance.deserialize(&greeting("export", 1)).unwrap();
    assert_eq!(
        failure(instance.export()),
        internal("panicked: cannot export")
    );

    instance.deserialize(&greeting("drop", 1)).unwrap();
    assert_eq!(
        failure(instance.deserialize(&values[1])),
        internal("panicked: cannot drop")
    );
    instance.deserialize(&values[1]).unwrap();
    assert_eq!(instance.export().unwrap(), values[1]);

    // Closing drops a value that panics.
    instance.deserialize(&greeting("drop", 1)).unwrap();
}

#[test]
fn failures_are_classified() {
    let mut instance = plugin().codec("plain").open(GREETING, 0, &[]).unwrap();
    assert_eq!(
        failure(instance.serialize(0)),
        internal("there is no value 0")
    );
    assert_eq!(
        failure(instance.serialize(u64::MAX)),
        internal(&format!("there is no value {}", u64::MAX))
    );
    assert_eq!(
        failure(instance.read()),
        internal("there is no decoded value")
    );
    assert_eq!(
        failure(instance.export()),
        internal("there is no decoded value")
    );

    let (status, message) = failure(instance.deserialize(b"abc"));
    assert_eq!(status, abi::MALFORMED);
    assert_eq!(message, "at byte 0: 4 bytes expected, 3 left");
    assert_eq!(
        failure(instance.deserialize(b"invented")),
        (abi::UNSUPPORTED, "nul   in a message".to_owned())
    );

    // A failed call leaves no value behind, not even the one before.
    instance.deserialize(&greeting("hello", 1)).unwrap();
    failure(instance.deserialize(&[]));
    assert_eq!(
        failure(instance.read()),
        internal("there is no decoded value")
    );
}
