//! A codec opened on a dataset, with all that has to live as long as it.

use std::ffi::CString;
use std::path::Path;

use serbench_plugin::abi;
use serbench_schema::Schema;

use super::arena::Arena;
use super::calls::{self, Calls};
use super::slice::Timed;
use super::values::Values;
use super::zstd;
use crate::loader::{Codec, Plugin};
use crate::protocol::{DatasetFile, Failure, FailureKind, Mode, Op, Stage};

/// An opened instance; closed when dropped.
#[derive(Debug)]
pub struct Instance {
    /// Its functions.
    pub calls: Calls,
    /// What a reader of the row must know, or nothing.
    pub note: String,
    /// What has to come back.
    pub promise: Promise,
    /// The values.
    pub values: Values,
    /// How buffers are provided.
    pub mode: Mode,
    /// The serialized values, once they have been verified.
    pub arena: Option<Arena>,
    next: [usize; Op::ALL.len()],
    origin: Option<Origin>,
    /// What a plugin was handed.
    given: Option<Box<Given>>,
}

/// What a verification holds an instance to.
#[derive(Debug)]
pub enum Promise {
    /// The codec does no work, so nothing comes back.
    Nothing,
    /// The bytes that went in.
    Bytes,
    /// The value that went in, in the canonical encoding of this schema, and its checksum.
    Value(Schema),
}

/// What an instance was opened from.
#[derive(Debug)]
struct Origin {
    codec: String,
    dataset: DatasetFile,
}

/// What `open` was handed, which the plugin may use until `close`; the values come on top.
#[derive(Debug)]
struct Given {
    schema: CString,
    name: CString,
    fingerprint: CString,
    args: Option<abi::OpenArgs>,
}

impl Instance {
    /// Opens a codec of `plugin`.
    pub fn open(
        plugin: &Plugin,
        codec: &str,
        dataset: &DatasetFile,
        mode: Mode,
    ) -> Result<Self, Failure> {
        let values = Values::map(&dataset.path, &dataset.sizes).map_err(error)?;
        Self::open_on(plugin, codec, dataset, values, mode)
    }

    /// Opens a codec of `plugin` on values of its own, which are of the dataset.
    pub fn open_on(
        plugin: &Plugin,
        codec: &str,
        dataset: &DatasetFile,
        values: Values,
        mode: Mode,
    ) -> Result<Self, Failure> {
        let codec = plugin
            .codec(codec)
            .ok_or_else(|| error(format!("the plugin has no codec {codec:?}")))?;
        let schema = Schema::from_json(&dataset.schema)
            .map_err(|e| error(format!("the schema of {}: {e}", dataset.name)))?;
        check_dataset(plugin, dataset)?;
        check_ability(codec, &schema, mode)?;

        let given = Given::new(dataset, &values, mode_bits(mode))?;
        let raw = given.open(codec)?;
        let calls = Calls::check(&raw, codec.adopt).map_err(error)?;
        let note = match raw.note.is_null() {
            true => String::new(),
            // SAFETY: the header makes it a string.
            false => unsafe { std::ffi::CStr::from_ptr(raw.note) }
                .to_string_lossy()
                .into_owned(),
        };
        let promise = match codec.capabilities & abi::CAP_NO_ROUND_TRIP {
            0 => Promise::Value(schema),
            _ => Promise::Nothing,
        };
        let origin = Origin {
            codec: codec.info.id.clone(),
            dataset: dataset.clone(),
        };
        Ok(Self {
            calls,
            note,
            promise,
            values,
            mode,
            arena: None,
            next: Default::default(),
            origin: Some(origin),
            given: Some(given),
        })
    }

    /// Whether a codec can be opened in a mode that is given by its bits: otherwise it is
    /// *unsupported*.
    pub fn opens_with(
        codec: &Codec,
        dataset: &DatasetFile,
        values: Values,
        bits: u64,
    ) -> Result<bool, Failure> {
        let given = Given::new(dataset, &values, bits)?;
        match given.open(codec) {
            Ok(raw) => {
                let calls = Calls::check(&raw, codec.adopt).map_err(error)?;
                // SAFETY: the instance is open, and nothing uses it after this.
                unsafe { (calls.close)(calls.this) };
                Ok(true)
            }
            Err(failure) if failure.kind == FailureKind::Unsupported => Ok(false),
            Err(failure) => Err(failure),
        }
    }

    /// Opens zstd on messages that stand in a file.
    pub fn open_zstd(level: i32, path: &Path, sizes: &[u64]) -> Result<Self, Failure> {
        let values = Values::map(path, sizes).map_err(error)?;
        let calls = zstd::open(values.bytes().to_owned(), level)
            .map_err(|e| error(format!("zstd at level {level}: {e}")))?;
        Ok(Self {
            calls,
            note: String::new(),
            promise: Promise::Bytes,
            values,
            mode: Mode::default(),
            arena: None,
            next: Default::default(),
            origin: None,
            given: None,
        })
    }

    /// Opens the same codec on the same data once more, untouched by what this one has done.
    pub fn fresh(&self, plugin: &Plugin) -> Result<Self, Failure> {
        let Origin { codec, dataset } = self
            .origin
            .as_ref()
            .ok_or_else(|| error("only a plugin's codec can be opened afresh".to_owned()))?;
        Self::open(plugin, codec, dataset, self.mode)
    }

    /// Opens `codec`, which this is an instance of, once more on what this one was handed.
    pub fn again(&self, codec: &Codec) -> Result<Again<'_>, Failure> {
        let given = self
            .given
            .as_ref()
            .ok_or_else(|| error("only a plugin's codec can be opened again".to_owned()))?;
        let calls = Calls::check(&given.open(codec)?, codec.adopt).map_err(error)?;
        Ok(Again {
            calls,
            _given: given,
        })
    }

    /// What an op is timed on; only once the values have been verified.
    pub fn timed(&mut self, op: Op) -> Option<Timed<'_>> {
        Some(Timed {
            calls: &self.calls,
            inputs: self.arena.as_ref()?.inputs(),
            next: &mut self.next[op as usize],
        })
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: the instance is open, and nothing uses it after this.
        unsafe { (self.calls.close)(self.calls.this) };
    }
}

/// A further instance on what another one was handed; closed when dropped.
#[derive(Debug)]
pub struct Again<'a> {
    /// Its functions.
    pub calls: Calls,
    _given: &'a Given,
}

impl Drop for Again<'_> {
    fn drop(&mut self) {
        // SAFETY: the instance is open, and nothing uses it after this.
        unsafe { (self.calls.close)(self.calls.this) };
    }
}

impl Given {
    fn new(dataset: &DatasetFile, values: &Values, mode: u64) -> Result<Box<Self>, Failure> {
        let text =
            |text: &str| CString::new(text).map_err(|_| error(format!("a zero byte in {text:?}")));
        let mut given = Box::new(Self {
            schema: text(&dataset.schema)?,
            name: text(&dataset.name)?,
            fingerprint: text(&dataset.fingerprint)?,
            args: None,
        });
        given.args = Some(abi::OpenArgs {
            struct_size: size_of::<abi::OpenArgs>() as u64,
            mode,
            dataset: abi::DatasetId {
                name: given.name.as_ptr(),
                fingerprint: given.fingerprint.as_ptr(),
            },
            schema: given.schema.as_ptr(),
            values: values.bytes().as_ptr(),
            value_count: values.bytes().len() as u64,
        });
        Ok(given)
    }

    fn open(&self, codec: &Codec) -> Result<abi::Instance, Failure> {
        let args = self.args.as_ref().expect("set by `new`");
        let mut instance: *const abi::Instance = std::ptr::null();
        // SAFETY: the arguments live in a box that outlives the instance.
        let status = unsafe { (codec.open)(args, &raw mut instance) };
        if status != abi::OK {
            // SAFETY: `open` has just failed on this thread.
            let message = unsafe { calls::text((codec.open_error)()) };
            return Err(calls::refusal(status, &message, Stage::Open, None));
        }
        if instance.is_null() || !instance.is_aligned() {
            return Err(error(format!(
                "open succeeded with the instance {instance:?}; correct the plugin"
            )));
        }
        // SAFETY: what `open` gave, which is constant until `close`.
        unsafe { abi::read(instance) }.map_err(|size| {
            error(format!(
                "the instance has a struct_size of {size}, expected at least {}; rebuild the \
                 plugin with this version's serbench.h",
                abi::INSTANCE_SIZE_1_0
            ))
        })
    }
}

/// Refuses a dataset that the plugin was not built for, or built for in another version.
fn check_dataset(plugin: &Plugin, dataset: &DatasetFile) -> Result<(), Failure> {
    let known = &plugin.info.datasets;
    let DatasetFile {
        name, fingerprint, ..
    } = dataset;
    match known.iter().find(|(known, _)| known == name) {
        None if known.is_empty() => Ok(()),
        None => Err(unsupported(format!(
            "the plugin was built without the dataset {name}; rebuild it with this version's \
             datasets, or with the dataset's folder"
        ))),
        Some((_, built)) if built != fingerprint => Err(error(format!(
            "the plugin was built for another version of the dataset {name}: fingerprint {built} \
             in the plugin, {fingerprint} in this serbench; rebuild the plugin"
        ))),
        Some(_) => Ok(()),
    }
}

/// Refuses what the codec says it cannot do. Baselines carry any bytes. A library that offers no way
/// to keep its output buffer may run in reused mode all the same: that is how it is used, and the
/// reports say so.
fn check_ability(codec: &Codec, schema: &Schema, mode: Mode) -> Result<(), Failure> {
    let has = |bit| codec.capabilities & bit != 0;
    if schema.needs_self_describing() && !has(abi::CAP_SELF_DESCRIBING | abi::CAP_BASELINE) {
        return Err(unsupported(
            "the format is not self-describing, and the dataset leaves out fields that equal \
             their default, or tags an enum inside its content"
                .to_owned(),
        ));
    }
    if mode.fresh_output && !has(abi::CAP_FRESH_OUTPUT) {
        return Err(unsupported(
            "the codec cannot write into newly allocated memory on every call".to_owned(),
        ));
    }
    Ok(())
}

fn mode_bits(mode: Mode) -> u64 {
    let mut bits = 0;
    if mode.fresh_output {
        bits |= abi::MODE_FRESH_OUTPUT;
    }
    if mode.misaligned_input {
        bits |= abi::MODE_MISALIGNED_INPUT;
    }
    bits
}

fn error(message: String) -> Failure {
    failure(FailureKind::Error, message)
}

fn unsupported(message: String) -> Failure {
    failure(FailureKind::Unsupported, message)
}

fn failure(kind: FailureKind, message: String) -> Failure {
    Failure {
        kind,
        stage: Stage::Open,
        value: None,
        message,
    }
}
