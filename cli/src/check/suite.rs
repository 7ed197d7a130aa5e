//! All checks on one plugin, in order. A crash ends a check on one dataset, and nothing else.

use std::path::Path;

use super::exports;
use super::host::{Host, Trouble};
use super::material::{Carried, Material};
use super::promises::{self, PROMISES, Promise, Test};
use super::report::{Fault, Line, Report, count};
use crate::args::Globs;
use crate::error::Error;
use crate::process::WorkerOptions;
use crate::protocol::{
    Attack, Attacked, CodecInfo, Mode, Outcomes, PluginInfo, Request, Response, Trial,
};
use crate::run::{Progress, interrupt};

/// How often an instance is opened and closed: on the dataset with the smallest value, and on the
/// others.
const REOPENED: u64 = 10_000;
const REOPENED_ELSEWHERE: u64 = 500;
/// How many damaged messages of each kind are handed over on a dataset, and how many bytes.
const INPUTS: u64 = 1024;
const BYTES: u64 = 2 << 20;

/// How plugins are checked.
pub struct Suite<'a> {
    pub materials: &'a [Material],
    pub codecs: &'a Globs,
    pub options: &'a WorkerOptions,
    pub progress: &'a Progress,
}

/// A check under way.
struct Check<'a> {
    suite: &'a Suite<'a>,
    host: Host<'a>,
    report: Report,
    width: usize,
    tell: &'a mut dyn FnMut(&str) -> Result<(), Error>,
}

impl Suite<'_> {
    /// Checks a plugin; each line is told as it comes.
    pub fn check(
        &self,
        path: &Path,
        tell: &mut dyn FnMut(&str) -> Result<(), Error>,
    ) -> Result<Report, Error> {
        let mut check = Check {
            suite: self,
            host: Host::new(path, self.options),
            report: Report {
                path: path.to_owned(),
                plugin: None,
                codecs: Vec::new(),
                checks: Vec::new(),
            },
            width: 0,
            tell,
        };
        check.plugin(path)?;
        Ok(check.report)
    }
}

impl Check<'_> {
    fn plugin(&mut self, path: &Path) -> Result<(), Error> {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        self.suite.progress.phase(&file, "loading");
        (self.tell)(&format!("{}\n", path.display()))?;
        let inspected = match self.host.ask(false, &Request::Inspect) {
            Ok(Response::Inspected(inspected)) => inspected,
            Ok(_) => return self.refuse(&Trouble::out_of_turn()),
            Err(trouble) => return self.refuse(&trouble),
        };
        let info = match self.host.ask(false, &Request::Describe) {
            Ok(Response::Described(info)) => info,
            Ok(_) => return self.refuse(&Trouble::out_of_turn()),
            Err(trouble) => return self.refuse(&trouble),
        };
        let widths = info.codecs.iter().map(|codec| codec.id.len());
        self.width = widths.chain([info.id.len()]).max().unwrap_or_default();
        self.report.plugin = Some(info.id.clone());
        self.report.codecs = info.codecs.iter().map(|codec| codec.id.clone()).collect();
        let faults = |found: Vec<String>| found.into_iter().map(|f| Fault::new(None, f)).collect();
        let detail = count(info.codecs.len(), "codec");
        self.add(Line::made(
            None,
            promises::DESCRIPTOR,
            0,
            detail,
            faults(inspected.descriptor),
        ))?;
        let others = exported(path);
        self.add(Line::made(
            None,
            promises::EXPORTS,
            0,
            "the entry alone",
            others,
        ))?;
        let detail = "changes nothing in the process";
        self.add(Line::made(
            None,
            promises::LOADING,
            0,
            detail,
            faults(inspected.effects),
        ))?;
        self.codecs(&info)
    }

    fn codecs(&mut self, info: &PluginInfo) -> Result<(), Error> {
        for codec in &info.codecs {
            if self.suite.codecs.pass(&codec.id) && !interrupt::asked() {
                self.codec(codec)?;
            }
        }
        Ok(())
    }

    fn refuse(&mut self, trouble: &Trouble) -> Result<(), Error> {
        let fault = Fault::new(None, trouble.told(|value| format!("value {value}")));
        self.add(Line::made(None, promises::DESCRIPTOR, 0, "", vec![fault]))
    }

    fn add(&mut self, line: Line) -> Result<(), Error> {
        self.suite.progress.clear();
        let plugin = self.report.plugin.as_deref().unwrap_or("plugin");
        (self.tell)(&line.text(plugin, self.width))?;
        self.report.checks.push(line);
        Ok(())
    }

    fn codec(&mut self, codec: &CodecInfo) -> Result<(), Error> {
        let carried = self.carried(codec)?;
        for promise in &PROMISES {
            if interrupt::asked() {
                return Ok(());
            }
            if let Some(why) = promise.exemption(codec) {
                self.add(Line::exempt(&codec.id, promise.name, why))?;
            } else if !carried.is_empty() {
                self.promise(codec, promise, &carried)?;
            }
        }
        Ok(())
    }

    /// Finds out which datasets the codec carries, and which values of them.
    fn carried(&mut self, codec: &CodecInfo) -> Result<Vec<(usize, Carried)>, Error> {
        let mut carried = Vec::new();
        let (mut faults, mut refused) = (Vec::new(), Vec::new());
        for (number, material) in self.suite.materials.iter().enumerate() {
            self.phase(codec, promises::CARRIES.0, &material.name);
            let request = Request::Carry {
                codec: codec.id.clone(),
                dataset: material.all.clone(),
            };
            match self.host.ask(false, &request) {
                Ok(Response::Carried(found)) if found.values.is_empty() => {
                    let why = found.reason.unwrap_or_default();
                    refused.push(format!("not {}: {why}", material.name));
                }
                Ok(Response::Carried(found)) => {
                    let missing = material.len() - found.values.len();
                    if let Some(why) = found.reason.filter(|_| missing > 0) {
                        let lacks = count(missing, "value");
                        refused.push(format!("without {lacks} of {}: {why}", material.name));
                    }
                    let folder = &self.suite.options.temp_dir;
                    carried.push((number, material.carried(found.values, folder)?));
                }
                Ok(_) => faults.push(fault(material, &Trouble::out_of_turn())),
                Err(trouble) if trouble.unsupported => {
                    refused.push(format!("not {}: {}", material.name, trouble.message));
                }
                Err(trouble) => faults.push(fault(material, &trouble)),
            }
        }
        let all = self.suite.materials.len();
        let mut detail = format!("{} of {all}", carried.len());
        if let Some((first, more)) = refused.split_first() {
            let more = match more.len() {
                0 => String::new(),
                more => format!(" (and {more} more)"),
            };
            detail += &format!("; {first}{more}");
        }
        let line = match carried.is_empty() && faults.is_empty() {
            true => Line::exempt(&codec.id, promises::CARRIES.0, detail),
            false => {
                // Where none could even be opened, something was put to the test all the same.
                let tried = carried.len() + faults.len();
                Line::made(Some(&codec.id), promises::CARRIES, tried, detail, faults)
            }
        };
        self.add(line)?;
        Ok(carried)
    }

    fn promise(
        &mut self,
        codec: &CodecInfo,
        promise: &Promise,
        carried: &[(usize, Carried)],
    ) -> Result<(), Error> {
        let smallest =
            |(_, carried): &&(usize, Carried)| carried.all.file.sizes.iter().min().copied();
        let smallest = carried
            .iter()
            .min_by_key(smallest)
            .map(|(number, _)| *number);
        let (mut faults, mut known, mut inputs) = (Vec::new(), Vec::new(), 0);
        let (mut tried, mut hangs) = (0, Attack::HANGS);
        if promise.test == Test::Trial(Trial::SideEffects) {
            // What has been changed already would not be seen to change.
            self.host.renew();
        }
        for (number, carried) in carried {
            if hangs == 0 {
                // Each of them takes its time, and tells no more than those before.
                break;
            }
            tried += 1;
            let material = &self.suite.materials[*number];
            self.phase(codec, promise.name, &material.name);
            let tested = self.test(
                codec,
                promise,
                carried,
                smallest == Some(*number),
                &mut hangs,
            );
            if tested.is_err() {
                // What it has left behind must not fail the next.
                self.host.renew();
            }
            match tested {
                Ok(tried) => {
                    inputs += tried.inputs;
                    let found = tried.known.into_iter();
                    known.extend(found.map(|what| Fault::new(Some(&material.name), what)));
                }
                Err(Broken::InWords(message)) => {
                    faults.push(Fault::new(Some(&material.name), message));
                }
                Err(Broken::Trouble(trouble)) => {
                    let selection = carried.for_test(promise.test);
                    let message = trouble.told(|value| material.value_name(selection, value));
                    faults.push(Fault::new(Some(&material.name), message));
                }
            }
            if interrupt::asked() {
                return Ok(());
            }
        }
        let mut detail = count(tried, "dataset");
        if inputs > 0 {
            detail += &format!(", {inputs} inputs");
        }
        let check = (promise.name, promise.hint);
        let line = Line::made(Some(&codec.id), check, tried, detail, faults);
        self.add(line.with_known(known, &codec.notes))
    }

    /// Tests a promise on one dataset, with so many hangs at most.
    fn test(
        &mut self,
        codec: &CodecInfo,
        promise: &Promise,
        carried: &Carried,
        smallest: bool,
        hangs: &mut u64,
    ) -> Result<Tried, Broken> {
        let dataset = carried.for_test(promise.test).file.clone();
        let info = codec;
        let codec = info.id.clone();
        let request = match promise.test {
            Test::Trial(Trial::Reopening(_)) => Request::Try {
                codec,
                dataset,
                trial: Trial::Reopening(if smallest {
                    REOPENED
                } else {
                    REOPENED_ELSEWHERE
                }),
            },
            Test::Trial(trial) => Request::Try {
                codec,
                dataset,
                trial,
            },
            Test::Damage(damage) => Request::Attack {
                codec,
                dataset,
                attack: Attack {
                    damages: vec![damage],
                    modes: [false, true]
                        .map(|misaligned_input| Mode {
                            misaligned_input,
                            ..Mode::default()
                        })
                        .to_vec(),
                    inputs: INPUTS,
                    bytes: BYTES,
                    hangs: *hangs,
                },
            },
        };
        match self.host.ask(promise.needs_forking(), &request) {
            Ok(Response::Kept) => Ok(Tried::default()),
            Ok(Response::Attacked(Attacked {
                outcomes,
                first_fault,
            })) => {
                let inputs = outcomes.inputs;
                *hangs = hangs.saturating_sub(outcomes.hung);
                let Some(first) = first_fault else {
                    return Ok(Tried {
                        inputs,
                        known: None,
                    });
                };
                let found = format!("{}; the first: {first}", counted(&outcomes));
                match Promise::declared(info, &outcomes) {
                    Some(fault) => Ok(Tried {
                        inputs,
                        known: Some(format!("{fault}, as declared: {found}")),
                    }),
                    None => Err(Broken::InWords(found)),
                }
            }
            Ok(_) => Err(Broken::Trouble(Trouble::out_of_turn())),
            Err(trouble) => Err(Broken::Trouble(trouble)),
        }
    }

    fn phase(&self, codec: &CodecInfo, check: &str, dataset: &str) {
        let what = format!("{check}, {dataset}");
        self.suite.progress.phase(&codec.id, &what);
    }
}

/// What came of a test that no undeclared fault was found by.
#[derive(Debug, Default)]
struct Tried {
    /// How many damaged messages were handed over.
    inputs: u64,
    /// A fault that the codec has declared.
    known: Option<String>,
}

/// How a promise was broken.
enum Broken {
    InWords(String),
    Trouble(Trouble),
}

impl Carried {
    /// The values on which a promise is tested.
    fn for_test(&self, test: Test) -> &super::material::Selection {
        match test {
            Test::Trial(Trial::RoundTrip | Trial::Checksum) => &self.all,
            _ => &self.small,
        }
    }
}

fn fault(material: &Material, trouble: &Trouble) -> Fault {
    let message = trouble.told(|value| format!("value {value}"));
    Fault::new(Some(&material.name), message)
}

fn exported(path: &Path) -> Vec<Fault> {
    match exports::others(path) {
        Ok(names) if names.is_empty() => Vec::new(),
        Ok(names) => vec![Fault::new(
            None,
            format!("besides the entry: {}", names.join(", ")),
        )],
        Err(message) => vec![Fault::new(None, message)],
    }
}

/// "2 crashed, 1 hung of 300 inputs".
fn counted(outcomes: &Outcomes) -> String {
    let kinds = [
        (outcomes.wrong, "wrong"),
        (outcomes.crashed, "crashed"),
        (outcomes.hung, "hung"),
        (outcomes.out_of_bounds, "out of bounds"),
        (outcomes.over_allocated, "over-allocated"),
    ];
    let kinds = kinds.iter().filter(|(number, _)| *number > 0);
    let kinds: Vec<_> = kinds
        .map(|(number, what)| format!("{number} {what}"))
        .collect();
    format!("{} of {} inputs", kinds.join(", "), outcomes.inputs)
}
