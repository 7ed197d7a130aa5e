//! What one instance owes by itself.

use std::time::{Duration, Instant};

use serbench_plugin::abi;

use super::{Bench, effects::Effects, wrong};
use crate::loader::Plugin;
use crate::protocol::{Failure, Mode, Stage};
use crate::worker::instance::Instance;
use crate::worker::verify::{same_checksum, same_value};

/// How long output is watched.
const WATCHED: Duration = Duration::from_millis(20);

/// Every bit that this version of the ABI has; a later one may have more.
const CAPABILITIES: u64 = 2 * abi::CAP_LENIENT - 1;

/// What is not as it should be in a descriptor that the loader has let pass.
pub fn descriptor(plugin: &Plugin) -> Vec<String> {
    let mut faults = Vec::new();
    let info = &plugin.info;
    let texts = [
        ("version", &info.version),
        ("license", &info.license),
        ("language", &info.language),
        ("compiler", &info.compiler),
    ];
    for (name, text) in texts {
        if text.trim().is_empty() {
            faults.push(format!("the plugin's {name} is empty"));
        }
    }
    for (number, (name, fingerprint)) in info.datasets.iter().enumerate() {
        if info.datasets[..number]
            .iter()
            .any(|(known, _)| known == name)
        {
            faults.push(format!("the dataset {name} is listed twice"));
        }
        let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if fingerprint.len() != 32 || !fingerprint.bytes().all(is_hex) {
            faults.push(format!(
                "the fingerprint of the dataset {name}, {fingerprint:?}, is not of 32 hex digits"
            ));
        }
    }
    for codec in &plugin.codecs {
        let id = &codec.info.id;
        let texts = [
            ("format", &codec.info.format),
            ("library", &codec.info.library),
            ("library_version", &codec.info.library_version),
        ];
        for (name, text) in texts {
            if text.trim().is_empty() {
                faults.push(format!("the {name} of the codec {id} is empty"));
            }
        }
        let unknown = codec.capabilities & !CAPABILITIES;
        let is_later = info.abi.1 > abi::ABI_MINOR;
        if unknown != 0 && !is_later {
            faults.push(format!(
                "the codec {id} has the capability bits {unknown:#x}, which the ABI does not have"
            ));
        }
        let known_faults = codec.capabilities & (abi::CAP_UNBOUNDED | abi::CAP_LENIENT);
        if known_faults != 0 && codec.info.notes.trim().is_empty() {
            faults.push(format!(
                "the codec {id} declares a fault of its library, of which its notes do not tell"
            ));
        }
        if codec.capabilities & (abi::CAP_REUSES_OUTPUT | abi::CAP_FRESH_OUTPUT) == 0 {
            faults.push(format!(
                "the codec {id} can neither keep its output buffer nor make a new one"
            ));
        }
    }
    faults
}

impl Bench<'_> {
    /// Every value there and back, in every mode.
    pub(super) fn round_trip(&self) -> Result<(), Failure> {
        self.each_decoded(|instance, value| {
            let expected = instance.values.value(value);
            same_value(
                &self.schema,
                value,
                expected,
                self.exported(instance, value)?,
            )
        })
    }

    /// The checksum of every value, in every mode.
    pub(super) fn checksum(&self) -> Result<(), Failure> {
        self.each_decoded(|instance, value| {
            let checksum = self.read(&instance.calls, value)?;
            same_checksum(&self.schema, value, instance.values.value(value), checksum)
        })
    }

    fn each_decoded(
        &self,
        check: impl Fn(&Instance, usize) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        for mode in self.modes() {
            let instance = self.open(mode)?;
            let messages = self.messages(&instance)?;
            let arena = Self::arena(&messages, mode)?;
            for (value, input) in arena.inputs().iter().enumerate() {
                self.deserialize(&instance.calls, value, *input)?;
                check(&instance, value).map_err(|failure| in_mode(failure, mode))?;
            }
        }
        Ok(())
    }

    /// There is nothing to read before the first value; reading and exporting change nothing.
    pub(super) fn export(&self) -> Result<(), Failure> {
        let instance = self.open(Mode::default())?;
        let calls = &instance.calls;
        let empty = "succeeded though nothing has been deserialized yet";
        if self.read(calls, 0).is_ok() {
            return Err(wrong(Stage::Read, 0, empty));
        }
        if self.exported(&instance, 0).is_ok() {
            return Err(wrong(Stage::Export, 0, empty));
        }
        let arena = Self::arena(&self.messages(&instance)?, Mode::default())?;
        for (value, input) in arena.inputs().iter().enumerate() {
            self.deserialize(calls, value, *input)?;
            let first = self.exported(&instance, value)?.to_vec();
            let sums = [self.read(calls, value)?, self.read(calls, value)?];
            if self.exported(&instance, value)? != first {
                return Err(wrong(
                    Stage::Export,
                    value,
                    "gave other bytes the second time",
                ));
            }
            if sums[0] != sums[1] {
                return Err(wrong(
                    Stage::Read,
                    value,
                    "gave another checksum the second time",
                ));
            }
        }
        Ok(())
    }

    /// A value is written alike the second time, in another order, after other calls, and by another
    /// instance.
    pub(super) fn determinism(&self) -> Result<(), Failure> {
        let instance = self.open(Mode::default())?;
        let messages = self.messages(&instance)?;
        let arena = Self::arena(&messages, Mode::default())?;
        let alike = |instance: &Instance, value: usize, when: &str| match self
            .serialize(instance, value)?
            == messages[value]
        {
            true => Ok(()),
            false => {
                let message = format!("the value is written in another way {when}");
                Err(wrong(Stage::Serialize, value, message))
            }
        };
        for value in (0..messages.len()).rev() {
            alike(&instance, value, "the second time")?;
            self.deserialize(&instance.calls, value, arena.inputs()[value])?;
            alike(&instance, value, "after it has been read")?;
        }
        for mode in self.modes() {
            let other = self.open(mode)?;
            (0..messages.len())
                .try_for_each(|value| alike(&other, value, "by another instance"))?;
        }
        Ok(())
    }

    /// A mode that a later version may add is not taken for one of today's.
    pub(super) fn modes_to_come(&self) -> Result<(), Failure> {
        self.progress.stage(Stage::Open);
        let bits = 1 << 63;
        if Instance::opens_with(self.codec, self.dataset, self.values()?, bits)? {
            let message = format!("succeeded in the mode {bits:#x}, which no version has");
            return Err(super::fault(Stage::Open, message));
        }
        Ok(())
    }

    /// Nobody writes into the output once the call has ended.
    pub(super) fn output(&self) -> Result<(), Failure> {
        let instance = self.open(Mode::default())?;
        let output = std::ptr::from_ref(self.serialize(&instance, 0)?);
        // SAFETY: the output stays as it is until the next call, as is tested here.
        let look = || unsafe { std::slice::from_raw_parts(output.cast::<u8>(), output.len()) };
        let before = look().to_vec();
        let start = Instant::now();
        while start.elapsed() < WATCHED {
            std::thread::sleep(WATCHED / 20);
            if std::hint::black_box(look()) != before {
                let message = "the output has changed since the call, without another call";
                return Err(wrong(Stage::Serialize, 0, message));
            }
        }
        Ok(())
    }

    /// The process is after everything as it was before.
    pub(super) fn side_effects(&self) -> Result<(), Failure> {
        let before = Effects::now();
        let mode = Mode::default();
        let instance = self.open(mode)?;
        let arena = Self::arena(&self.messages(&instance)?, mode)?;
        for (value, input) in arena.inputs().iter().enumerate() {
            self.deserialize(&instance.calls, value, *input)?;
            self.read(&instance.calls, value)?;
            if self.gives_values_back() {
                self.exported(&instance, value)?;
            }
        }
        self.progress.stage(Stage::Close);
        drop(instance);
        match before.changes().as_slice() {
            [] => Ok(()),
            changes => Err(super::fault(Stage::Close, changes.join("; "))),
        }
    }
}

fn in_mode(failure: Failure, mode: Mode) -> Failure {
    let name = match mode {
        Mode {
            fresh_output: true, ..
        } => " (output buffer fresh)",
        Mode {
            misaligned_input: true,
            ..
        } => " (input misaligned)",
        _ => "",
    };
    Failure {
        message: failure.message + name,
        ..failure
    }
}
