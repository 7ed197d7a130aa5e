//! A run on one dataset: open and verify every codec, time them all in rounds, verify them again.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serbench_datasets::{Dataset, Values};
use serbench_schema::canonical::data_size;

use super::fleet::{Codec, Fleet};
use super::interrupt;
use super::lane::{Ending, Lane};
use super::progress::Progress;
use super::recent::Recent;
use super::rounds::Rounds;
use crate::error::Error;
use crate::protocol::{DatasetFile, Op, Request, Response, Slot};
use crate::results::{Alias, DatasetResult, Ended, Settings};

/// With more data than this there is no second self of a codec: each holds all of it several times.
const ALIASED_BYTES: u64 = 64 << 20;

/// What starting a process takes, its clock included.
const STARTING: Duration = Duration::from_millis(30);

/// How to go about it.
pub struct Plan<'a> {
    /// What the results file keeps of it.
    pub settings: &'a Settings,
    /// The codec to compare with, where the user named one.
    pub reference: Option<&'a str>,
    /// The zstd levels that the user named.
    pub zstd: &'a [i32],
    /// Whether zstd is timed.
    pub zstd_time: bool,
    /// Whether allocations are counted.
    pub allocs: bool,
    /// Whether damaged messages are handed over.
    pub robustness: bool,
    /// A folder for this run's files.
    pub folder: &'a Path,
}

/// The run on one dataset.
pub struct Session<'a> {
    pub(super) fleet: &'a mut Fleet,
    pub(super) plan: &'a Plan<'a>,
    pub(super) progress: &'a Progress,
    pub(super) lanes: Vec<Lane>,
    pub(super) file: DatasetFile,
    data_bytes: u64,
    /// What the slices of late have told of the core.
    pub(super) recent: Recent,
    /// How long it takes to open and verify every codec in a new process.
    pub(super) opening: Duration,
    pub(super) codecs: &'a [Codec],
}

impl<'a> Session<'a> {
    /// Puts the dataset where the workers can map it into memory, and lets go of its values: they may
    /// be large.
    pub fn new(
        fleet: &'a mut Fleet,
        plan: &'a Plan<'a>,
        progress: &'a Progress,
        codecs: &'a [Codec],
        dataset: &Dataset,
        values: Values,
    ) -> Result<Self, Error> {
        let path = plan.folder.join("values");
        fs::write(&path, values.bytes()).map_err(|error| cannot_write(&path, &error))?;
        let lanes = (0..)
            .zip(codecs)
            .map(|(slot, codec)| Lane::new(codec, slot))
            .collect();
        Ok(Self {
            fleet,
            plan,
            progress,
            lanes,
            data_bytes: data_bytes(dataset, &values),
            recent: Recent::default(),
            opening: Duration::ZERO,
            file: DatasetFile {
                name: dataset.name.clone(),
                fingerprint: dataset.fingerprint.clone(),
                schema: dataset.schema.to_json(),
                path,
                sizes: values.sizes().to_vec(),
            },
            codecs,
        })
    }

    /// Does it all. Nothing when the user stopped it before there was anything to show.
    pub fn run(mut self, dataset: &Dataset) -> Result<Option<DatasetResult>, Error> {
        self.examine()?;
        if interrupt::asked() {
            self.close();
            return Ok(None);
        }
        let rounds = Rounds::run(&mut self);
        self.verify_again();
        self.close();
        if self.plan.allocs && !interrupt::asked() {
            self.count_heap();
        }
        if self.plan.robustness && !interrupt::asked() {
            self.attack();
        }
        if rounds.ended == Ended::Interrupted && rounds.count == 0 {
            return Ok(None);
        }
        let alias = self.lanes.pop_if(|lane| lane.alias).map(|lane| Alias {
            timings: lane.timings(),
            codec: lane.row.codec,
        });
        self.gather_zstd();
        Ok(Some(DatasetResult {
            name: dataset.name.clone(),
            summary: dataset.summary.clone(),
            fingerprint: dataset.fingerprint.clone(),
            values: self.file.sizes.len() as u64,
            canonical_bytes: self.file.sizes.iter().sum(),
            data_bytes: self.data_bytes,
            rounds: rounds.count,
            ended: rounds.ended,
            processes: rounds.processes,
            elapsed_ns: nanoseconds(rounds.elapsed),
            reference: rounds.reference,
            alias,
            rows: self.lanes.into_iter().map(Lane::into_row).collect(),
        }))
    }

    /// Opens an instance and puts every value through it.
    fn open(&mut self, lane: usize) -> Result<(), Ending> {
        self.open_instance(lane)?;
        self.verify(lane, None).map(drop)
    }

    /// The same; answers the sizes of what it wrote, and the file that it is in.
    pub(super) fn open_spooling(&mut self, lane: usize) -> Result<(Vec<u64>, PathBuf), Ending> {
        let start = Instant::now();
        self.open_instance(lane)?;
        let folder = self.fleet.folder(self.lanes[lane].row.plugin);
        let spool = folder.unwrap_or(self.plan.folder).join("output");
        let sizes = self.verify(lane, Some(spool.clone()))?;
        self.opening += STARTING + start.elapsed();
        Ok((sizes, spool))
    }

    fn open_instance(&mut self, lane: usize) -> Result<(), Ending> {
        let plugin = self.lanes[lane].row.plugin;
        let open = self.request_to_open(&self.lanes[lane]);
        match self.fleet.call(plugin, &open)? {
            Response::Opened { note } => self.lanes[lane].row.note = note,
            other => return Err(Ending::out_of_turn(&other)),
        }
        self.lanes[lane].opened_in = Some(self.fleet.generation(plugin));
        Ok(())
    }

    fn verify(&mut self, lane: usize, spool: Option<PathBuf>) -> Result<Vec<u64>, Ending> {
        let (plugin, slot) = (self.lanes[lane].row.plugin, self.lanes[lane].slot);
        match self.fleet.call(plugin, &Request::Verify { slot, spool })? {
            Response::Verified(verified) => Ok(verified.sizes),
            other => Err(Ending::out_of_turn(&other)),
        }
    }

    pub(super) fn request_to_open(&self, lane: &Lane) -> Request {
        match lane.zstd.clone() {
            None => Request::Open {
                slot: lane.slot,
                codec: lane.row.codec.clone(),
                dataset: self.file.clone(),
                mode: self.plan.settings.mode,
            },
            Some(messages) => Request::OpenZstd {
                slot: lane.slot,
                level: messages.level,
                path: messages.path,
                sizes: messages.sizes,
            },
        }
    }

    /// Asks something of a lane's instance, which is opened again where another codec's crash has
    /// taken it along. A failure ends the lane.
    fn ask(&mut self, lane: usize, request: impl FnOnce(Slot) -> Request) -> Option<Response> {
        let Lane { slot, row, .. } = &self.lanes[lane];
        let (slot, plugin) = (*slot, row.plugin);
        let answer = if self.lanes[lane].opened_in == Some(self.fleet.generation(plugin)) {
            self.fleet.call(plugin, &request(slot))
        } else {
            self.open(lane)
                .and_then(|()| self.fleet.call(plugin, &request(slot)))
        };
        answer.map_err(|ending| self.lanes[lane].end(ending)).ok()
    }

    /// Whether the data may be in a worker's memory twice.
    pub(super) fn has_room_for_alias(&self) -> bool {
        self.data_bytes <= ALIASED_BYTES
    }

    /// Adds a second self of a lane, to see the noise: in a process of its own, since that is where
    /// a codec is lucky or not, as in how its memory lies. Where it cannot be opened, there is none.
    pub(super) fn add_alias(&mut self, lane: usize) {
        let slot = self.lanes.len() as Slot;
        let mut alias = self.lanes[lane].alias(slot);
        match self.fleet.second(alias.row.plugin) {
            Ok(plugin) => {
                alias.row.plugin = plugin;
                self.lanes.push(alias);
                self.open_added();
            }
            Err(ending) => {
                alias.end(ending);
                self.lanes.push(alias);
            }
        }
    }

    /// Opens every codec once more, each plugin in a new process: a process may be lucky or not, as in
    /// how its memory lies, for as long as it lives.
    pub(super) fn renew(&mut self) {
        let start = Instant::now();
        let open = (0..self.lanes.len()).filter(|lane| self.lanes[*lane].is_open());
        let open = open.collect::<Vec<_>>();
        let plugins = open.iter().map(|lane| self.lanes[*lane].row.plugin);
        for plugin in plugins.collect::<BTreeSet<_>>() {
            self.fleet.renew(plugin);
        }
        for lane in open {
            if interrupt::asked() {
                return;
            }
            if let Err(ending) = self.open(lane) {
                self.lanes[lane].end(ending);
            }
        }
        self.opening = start.elapsed();
    }

    /// Opens the lane that was added last.
    pub(super) fn open_added(&mut self) {
        let lane = self.lanes.len() - 1;
        if let Err(ending) = self.open(lane) {
            self.lanes[lane].end(ending);
        }
    }

    pub(super) fn dataset_name(&self) -> &str {
        &self.file.name
    }

    pub(super) fn dataset_file(&self) -> &DatasetFile {
        &self.file
    }

    /// Times one operation of a lane for a slice.
    pub(super) fn slice(&mut self, lane: usize, op: Op, round: u32) {
        let Settings {
            warmup_ns,
            slice_ns,
            ..
        } = *self.plan.settings;
        let batch = self.lanes[lane].batch(op);
        let patience_ns = self.recent.patience_ns();
        let undisturbed_ps = self.recent.fastest_ps();
        let start = Instant::now();
        let answer = self.ask(lane, |slot| Request::Slice {
            slot,
            op,
            warmup_ns,
            measure_ns: slice_ns,
            batch,
            patience_ns,
            undisturbed_ps,
        });
        self.lanes[lane].spent += start.elapsed();
        let recorded = match answer {
            None => return,
            Some(Response::Measured(slice)) => {
                self.recent.add(&slice);
                self.lanes[lane].record(op, round, &slice)
            }
            Some(other) => Err(Ending::out_of_turn(&other)),
        };
        if let Err(ending) = recorded {
            self.lanes[lane].end(ending);
        }
    }

    /// What wrote the right bytes before the timing must still do so after it.
    fn verify_again(&mut self) {
        self.progress.phase(&self.file.name, "checking once more");
        for lane in 0..self.lanes.len() {
            if !self.lanes[lane].is_open() {
                continue;
            }
            let answer = self.ask(lane, |slot| Request::Verify { slot, spool: None });
            match answer {
                None | Some(Response::Verified(_)) => {}
                Some(other) => self.lanes[lane].end(Ending::out_of_turn(&other)),
            }
        }
    }

    /// Closes every instance. A codec that cannot even be closed has failed.
    fn close(&mut self) {
        for lane in 0..self.lanes.len() {
            let Lane { row, slot, .. } = &self.lanes[lane];
            let (slot, plugin) = (*slot, row.plugin);
            if self.lanes[lane].opened_in != Some(self.fleet.generation(plugin)) {
                continue;
            }
            let closed = self.fleet.call(plugin, &Request::Close { slot });
            if let Err(ending) = closed
                && self.lanes[lane].is_open()
            {
                self.lanes[lane].end(ending);
            }
        }
    }
}

/// The size of all values in memory. The values have been checked against the schema.
fn data_bytes(dataset: &Dataset, values: &Values) -> u64 {
    let size = |value| data_size(&dataset.schema, value).unwrap_or_default();
    values.iter().map(size).sum()
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

pub(super) fn cannot_write(path: &Path, error: &std::io::Error) -> Error {
    Error::failed(format!(
        "cannot write to {}: {error}; TMPDIR names another folder for temporary files",
        path.display()
    ))
}
