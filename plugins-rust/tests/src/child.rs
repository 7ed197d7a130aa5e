//! In the process of one plugin: the checks.

use std::process::ExitCode;

use nix::sys::resource::{Resource, setrlimit};
use serbench_datasets::Dataset;
use serbench_plugin::abi;
use serbench_schema::canonical;

use crate::Args;
use crate::hostile;
use crate::plugin::{self, Codec, Failure, Identity, Instance};
use crate::protocol::{Line, Outcome};
use crate::random::Random;

/// How many values of a dataset are taken, and how many are drawn at random.
const VALUES: usize = 24;
const DRAWN: usize = 24;
/// Every so many values one is damaged.
const DAMAGED: usize = 8;
/// What a plugin may map: a length in a message must not make it ask for more.
const MEMORY: u64 = 4 << 30;

const MODES: [(u64, &str); 3] = [
    (0, "reused"),
    (abi::MODE_FRESH_OUTPUT, "fresh"),
    (abi::MODE_MISALIGNED_INPUT, "misaligned"),
];

/// Checks every pair of the plugin but those that are `done`.
pub fn run(args: &Args, done: usize) -> ExitCode {
    if let Err(error) = setrlimit(Resource::RLIMIT_AS, MEMORY, MEMORY) {
        Line::Refused(format!("the memory cannot be limited: {error}")).tell();
        return ExitCode::FAILURE;
    }
    let codecs = match plugin::load(&args.plugins[0]) {
        Ok(codecs) => codecs,
        Err(reason) => {
            Line::Refused(reason).tell();
            return ExitCode::FAILURE;
        }
    };
    let (codec_glob, dataset_glob) = (args.codec.compile_matcher(), args.dataset.compile_matcher());
    let codecs = codecs
        .iter()
        .filter(|codec| codec_glob.is_match(codec.id()));
    let pairs = codecs.flat_map(|codec| {
        let datasets = serbench_datasets::catalog().iter();
        let wanted = datasets.filter(|dataset| dataset_glob.is_match(&dataset.name));
        wanted.map(move |dataset| (codec, dataset))
    });
    for (codec, dataset) in pairs.skip(done) {
        Line::Begin {
            codec: codec.id(),
            dataset: dataset.name.clone(),
        }
        .tell();
        Line::End(check(codec, dataset)).tell();
    }
    ExitCode::SUCCESS
}

fn check(codec: &Codec, dataset: &Dataset) -> Outcome {
    let pair = Pair {
        codec: *codec,
        dataset,
        identity: Identity::new(dataset),
    };
    let mut tally = Tally::default();
    match pair.check_all(&mut tally) {
        Err(failure) => Outcome::Failed(failure),
        Ok(()) if tally.values == 0 => Outcome::Unsupported(tally.reason),
        Ok(()) => Outcome::Passed {
            values: tally.values,
            unsupported: tally.unsupported,
            reason: tally.reason,
        },
    }
}

/// What became of the values so far.
#[derive(Default)]
struct Tally {
    values: usize,
    unsupported: usize,
    reason: String,
}

impl Tally {
    fn refuse(&mut self, reason: String) {
        self.unsupported += 1;
        self.reason = reason;
    }
}

/// A codec on a dataset.
struct Pair<'a> {
    codec: Codec,
    dataset: &'a Dataset,
    identity: Identity,
}

impl Pair<'_> {
    fn check_all(&self, tally: &mut Tally) -> Result<(), String> {
        let all = self.dataset.values(1).map_err(|e| e.to_string())?;
        let step = all.len().div_ceil(VALUES).max(1);
        let own: Vec<&[u8]> = all.iter().step_by(step).collect();
        let mut random = Random(7);
        let drawn: Vec<Vec<u8>> = (0..DRAWN)
            .map(|_| random.root(&self.dataset.schema))
            .collect();
        let drawn: Vec<&[u8]> = drawn.iter().map(Vec::as_slice).collect();
        for mode in MODES {
            self.check_values(&own, mode, tally)?;
            self.check_values(&drawn, mode, tally)
                .map_err(|failure| format!("values drawn at random, {failure}"))?;
        }
        Ok(())
    }

    /// Opens the codec on values; on each of them alone where it cannot carry all of them.
    fn check_values(
        &self,
        values: &[&[u8]],
        mode: (u64, &str),
        tally: &mut Tally,
    ) -> Result<(), String> {
        Line::Step(format!("open, {}", mode.1)).tell();
        match self.codec.open(&self.identity, mode.0, values) {
            Ok(instance) => self.check_instance(instance, values, mode, tally),
            Err(failure) if !failure.is_unsupported() => Err(fault("open", mode.1, &failure)),
            Err(failure) => match values {
                [_] => {
                    tally.refuse(failure.message);
                    Ok(())
                }
                _ => values
                    .chunks(1)
                    .try_for_each(|one| self.check_values(one, mode, tally)),
            },
        }
    }

    fn check_instance(
        &self,
        mut instance: Instance,
        values: &[&[u8]],
        mode: (u64, &str),
        tally: &mut Tally,
    ) -> Result<(), String> {
        let mut random = Random(11);
        // Where the output goes has no part in how input is read.
        let damages = mode.0 & abi::MODE_FRESH_OUTPUT == 0;
        for (index, value) in values.iter().enumerate() {
            Line::Step(format!("value {index}, {}", mode.1)).tell();
            let wire = match instance.serialize(index) {
                Ok(wire) => wire,
                Err(failure) if failure.is_unsupported() => {
                    tally.refuse(failure.message);
                    continue;
                }
                Err(failure) => return Err(fault(&format!("value {index}"), mode.1, &failure)),
            };
            let failed = |what: String| format!("value {index}, {}: {what}", mode.1);
            self.check_value(&mut instance, index, value, &wire)
                .map_err(failed)?;
            tally.values += 1;
            if self.codec.is_checked() && damages && index % DAMAGED == 0 {
                hostile::announce(index, mode.1);
                hostile::attack(&mut instance, &self.dataset.schema, &wire, &mut random)
                    .map_err(failed)?;
                self.check_value(&mut instance, index, value, &wire)
                    .map_err(|what| failed(format!("after damaged input: {what}")))?;
            }
        }
        Ok(())
    }

    /// One value there and back.
    fn check_value(
        &self,
        instance: &mut Instance,
        index: usize,
        value: &[u8],
        wire: &[u8],
    ) -> Result<(), String> {
        let said =
            |what: &'static str| move |failure: Failure| format!("{what}: {}", failure.message);
        if !self.codec.has(abi::CAP_NONDETERMINISTIC)
            && instance.serialize(index).map_err(said("serialize"))? != wire
        {
            return Err("it is serialized in another way the second time".to_owned());
        }
        instance.deserialize(wire).map_err(said("deserialize"))?;
        let checksum = instance.read().map_err(said("read"))?;
        let exported = instance.export().map_err(said("export"))?;
        if self.codec.has(abi::CAP_NO_ROUND_TRIP) {
            return Ok(());
        }
        let schema = &self.dataset.schema;
        if let Some(difference) = canonical::first_difference(schema, value, &exported) {
            return Err(format!("it came back changed: {difference}"));
        }
        match canonical::checksum(schema, value) {
            Ok(right) if right == checksum => Ok(()),
            Ok(right) => Err(format!("read gave {checksum:#x}, not {right:#x}")),
            Err(error) => Err(format!("the value itself is not canonical: {error}")),
        }
    }
}

fn fault(what: &str, mode: &str, failure: &Failure) -> String {
    format!(
        "{what}, {mode}: status {}: {}",
        failure.status, failure.message
    )
}
