//! `serbench check`, the worker's side: puts a codec to the test on one dataset, one promise of the
//! contract at a time. A codec that ends the process ends one trial: the coordinator goes on.

mod apart;
mod bounds;
mod company;
mod damage;
mod effects;
mod guard;
mod hostile;
mod plain;
mod reopening;

use serbench_plugin::abi;
use serbench_schema::Schema;

use self::effects::Effects;
pub use self::guard::Guarded;
use super::arena::Arena;
use super::calls::Calls;
use super::heap::Counters;
use super::instance::Instance;
use super::progress::Progress;
use super::values::Values;
use crate::loader::{Codec, Plugin};
use crate::protocol::{
    Attack, Attacked, Carried, DatasetFile, Failure, FailureKind, Inspected, Mode, Response, Stage,
    Trial,
};

/// A codec and a dataset on the bench.
pub struct Bench<'a> {
    plugin: &'a Plugin,
    codec: &'a Codec,
    dataset: &'a DatasetFile,
    schema: Schema,
    progress: &'a Progress,
}

/// Loads a plugin by `load`, and tells what is wrong with it and what loading it changed.
pub fn inspect<'a>(
    load: impl FnOnce() -> Result<&'a Plugin, Failure>,
) -> Result<Inspected, Failure> {
    let before = Effects::now();
    let plugin = load()?;
    let effects = before.changes();
    Ok(Inspected {
        descriptor: plain::descriptor(plugin),
        effects,
    })
}

impl<'a> Bench<'a> {
    pub fn new(
        plugin: &'a Plugin,
        codec: &str,
        dataset: &'a DatasetFile,
        progress: &'a Progress,
    ) -> Result<Self, Failure> {
        let codec = plugin
            .codec(codec)
            .ok_or_else(|| fault(Stage::Open, format!("the plugin has no codec {codec:?}")))?;
        let schema = Schema::from_json(&dataset.schema)
            .map_err(|e| fault(Stage::Open, format!("the schema of {}: {e}", dataset.name)))?;
        Ok(Self {
            plugin,
            codec,
            dataset,
            schema,
            progress,
        })
    }

    /// Tests one promise.
    pub fn hold(&self, trial: Trial) -> Result<Response, Failure> {
        match trial {
            Trial::RoundTrip => self.round_trip(),
            Trial::Checksum => self.checksum(),
            Trial::Export => self.export(),
            Trial::Determinism => self.determinism(),
            Trial::SecondInstance => self.second_instance(),
            Trial::Threads => self.threads(),
            Trial::Reopening(times) => self.reopening(times),
            Trial::Modes => self.modes_to_come(),
            Trial::Output => self.output(),
            Trial::Bounds => self.bounds(),
            Trial::SideEffects => self.side_effects(),
        }
        .map(|()| Response::Kept)
    }

    /// Which values can be carried: where not all of them can, each is tried alone.
    pub fn carry(&self) -> Result<Carried, Failure> {
        let count = self.dataset.sizes.len();
        let mut carried = Carried {
            values: Vec::new(),
            reason: None,
        };
        let mut refuse = |failure: Failure| match failure.kind {
            FailureKind::Unsupported => {
                carried.reason = Some(failure.message);
                Ok(())
            }
            _ => Err(failure),
        };
        match self.open(Mode::default()) {
            Ok(instance) => {
                for value in 0..count {
                    match self.serialize(&instance, value) {
                        Ok(_) => carried.values.push(value),
                        Err(failure) => refuse(failure)?,
                    }
                }
            }
            Err(failure) => {
                refuse(failure)?;
                for value in 0..count {
                    let opened = self.open_on(self.values()?.pick(&[value]), Mode::default());
                    match opened.and_then(|one| self.serialize(&one, 0).map(|_| ())) {
                        Ok(()) => carried.values.push(value),
                        Err(failure) => refuse(failure)?,
                    }
                }
            }
        }
        Ok(carried)
    }

    /// Hands damaged messages to the codec, and counts what comes of them.
    pub fn attack(&self, attack: &Attack) -> Result<Attacked, Failure> {
        let counters = self.counters()?;
        hostile::attack(self, attack, counters)
    }

    fn counters(&self) -> Result<&'static Counters, Failure> {
        Counters::find().ok_or_else(|| {
            fault(
                Stage::Start,
                "this worker does not count what is taken from the heap".to_owned(),
            )
        })
    }

    /// The modes that the codec has.
    fn modes(&self) -> impl Iterator<Item = Mode> {
        let fresh = self.codec.capabilities & abi::CAP_FRESH_OUTPUT != 0;
        [(false, false), (true, false), (false, true)]
            .into_iter()
            .map(|(fresh_output, misaligned_input)| Mode {
                fresh_output,
                misaligned_input,
            })
            .filter(move |mode| fresh || !mode.fresh_output)
    }

    fn values(&self) -> Result<Values, Failure> {
        Values::map(&self.dataset.path, &self.dataset.sizes).map_err(|e| fault(Stage::Open, e))
    }

    fn open(&self, mode: Mode) -> Result<Instance, Failure> {
        self.open_on(self.values()?, mode)
    }

    fn open_on(&self, values: Values, mode: Mode) -> Result<Instance, Failure> {
        self.progress.stage(Stage::Open);
        Instance::open_on(self.plugin, &self.codec.info.id, self.dataset, values, mode)
    }

    fn serialize<'i>(&self, instance: &'i Instance, value: usize) -> Result<&'i [u8], Failure> {
        self.progress.value(Stage::Serialize, value);
        let canonical_size = instance.values.value(value).len() as u64;
        instance.calls.serialize(value, canonical_size)
    }

    fn deserialize(&self, calls: &Calls, value: usize, input: abi::Bytes) -> Result<(), Failure> {
        self.progress.value(Stage::Deserialize, value);
        calls.deserialize(value, input)
    }

    fn read(&self, calls: &Calls, value: usize) -> Result<u64, Failure> {
        self.progress.value(Stage::Read, value);
        calls.read(value)
    }

    fn exported<'i>(&self, instance: &'i Instance, value: usize) -> Result<&'i [u8], Failure> {
        self.progress.value(Stage::Export, value);
        let canonical_size = instance.values.value(value).len() as u64;
        instance.calls.export(value, canonical_size)
    }

    /// Every value as the codec writes it.
    fn messages(&self, instance: &Instance) -> Result<Vec<Vec<u8>>, Failure> {
        (0..instance.values.bytes().len())
            .map(|value| self.serialize(instance, value).map(<[u8]>::to_vec))
            .collect()
    }

    /// Messages as an instance of this mode may be handed them.
    fn arena(messages: &[Vec<u8>], mode: Mode) -> Result<Arena, Failure> {
        Arena::of(messages.iter().map(Vec::as_slice), mode)
            .map_err(|e| fault(Stage::Deserialize, format!("no memory for the input: {e}")))
    }

    /// Whether the codec does any work at all.
    fn gives_values_back(&self) -> bool {
        self.codec.capabilities & abi::CAP_NO_ROUND_TRIP == 0
    }
}

fn fault(stage: Stage, message: String) -> Failure {
    Failure {
        kind: FailureKind::Error,
        stage,
        value: None,
        message,
    }
}

fn wrong(stage: Stage, value: usize, message: impl Into<String>) -> Failure {
    Failure {
        kind: FailureKind::Wrong,
        stage,
        value: Some(value as u64),
        message: message.into(),
    }
}

/// How many bytes of addresses the process has in use.
fn mapped() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm
        .split(' ')
        .next()
        .and_then(|pages| pages.parse::<u64>().ok());
    // SAFETY: a plain question.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as u64;
    pages.unwrap_or_default() * page
}
