//! The plugins of a run, each in a worker process of its own.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::lane::Ending;
use super::progress::Progress;
use crate::process::{Worker, WorkerOptions};
use crate::protocol::{CodecInfo, Instruments, PluginInfo, Request, Response};
use crate::results::Refused;

/// How many plugins are started at a time, as long as nothing is timed.
const STARTED_AT_ONCE: usize = 4;

/// Every plugin that could be described.
pub struct Fleet {
    /// One for each plugin, and perhaps a second one for one of them behind these.
    hosts: Vec<Host>,
    /// How many plugins there are.
    plugins: usize,
    options: WorkerOptions,
    /// The plugins that could not, and why.
    pub refused: Vec<Refused>,
}

/// A plugin and its process.
struct Host {
    info: PluginInfo,
    worker: Option<Worker>,
    /// Counts the processes, since instances die with theirs.
    generation: u32,
}

/// A codec that can be asked for.
#[derive(Debug, Clone)]
pub struct Codec {
    /// Its plugin, by its number in the fleet.
    pub plugin: usize,
    /// Its descriptor.
    pub info: CodecInfo,
    /// Why it cannot be run, when another codec has the same id.
    pub conflict: Option<String>,
}

impl Fleet {
    /// Starts a worker for each file, and asks it to describe its plugin.
    pub fn start(files: &[PathBuf], options: WorkerOptions, progress: &Progress) -> Self {
        progress.phase("", "starting the plugins");
        let mut fleet = Self {
            hosts: Vec::new(),
            plugins: 0,
            options,
            refused: Vec::new(),
        };
        for (file, started) in files.iter().zip(start_all(files, &fleet.options)) {
            match started {
                Ok(host) => fleet.hosts.push(host),
                Err(ending) => fleet.refused.push(Refused {
                    path: file.clone(),
                    reason: ending.reason,
                }),
            }
        }
        fleet.plugins = fleet.hosts.len();
        fleet
    }

    /// Starts a second process for a plugin, and answers the number by which it can be called as if
    /// it were another plugin. The one that was started so before is ended.
    pub fn second(&mut self, plugin: usize) -> Result<usize, Ending> {
        self.hosts.truncate(self.plugins);
        self.hosts
            .push(start(&self.hosts[plugin].info.path, &self.options)?);
        Ok(self.plugins)
    }

    /// Ends a plugin's process. The next call starts another.
    pub fn renew(&mut self, plugin: usize) {
        let host = &mut self.hosts[plugin];
        host.worker = None;
        host.generation += 1;
    }

    /// The descriptors of the plugins, by their numbers.
    pub fn plugins(&self) -> Vec<PluginInfo> {
        let hosts = &self.hosts[..self.plugins];
        hosts.iter().map(|host| host.info.clone()).collect()
    }

    /// Every codec, in the order of their ids. Where several have one id, none of them can be run,
    /// since nobody could tell which of them a row means: it stands here once, with the conflict.
    pub fn codecs(&self) -> Vec<Codec> {
        let mut codecs = Vec::<Codec>::new();
        for (plugin, host) in self.hosts[..self.plugins].iter().enumerate() {
            for info in &host.info.codecs {
                match codecs.iter_mut().find(|known| known.info.id == info.id) {
                    Some(known) => {
                        let first = &self.hosts[known.plugin].info.path;
                        known.conflict = Some(conflict(&info.id, first, &host.info.path));
                    }
                    None => codecs.push(Codec {
                        plugin,
                        info: info.clone(),
                        conflict: None,
                    }),
                }
            }
        }
        codecs.sort_by(|a, b| a.info.id.cmp(&b.info.id));
        codecs
    }

    /// What the workers measure with, as the first of them says.
    pub fn instruments(&mut self) -> Option<Instruments> {
        (0..self.hosts.len()).find_map(|plugin| match self.call(plugin, &Request::Probe) {
            Ok(Response::Probed(instruments)) => Some(instruments),
            _ => None,
        })
    }

    /// A further worker for a plugin, which counts what is taken from the heap.
    pub fn counting_worker(&self, plugin: usize) -> Result<Worker, Ending> {
        let path = &self.hosts[plugin].info.path;
        Ok(Worker::spawn_counting(path, &self.options)?)
    }

    /// A further worker for a plugin, which counts, and does in copies of itself what may end it.
    pub fn forking_worker(&self, plugin: usize) -> Result<Worker, Ending> {
        let path = &self.hosts[plugin].info.path;
        Ok(Worker::spawn_forking(path, &self.options)?)
    }

    /// Which of its processes the plugin is in: an instance opened in an earlier one is gone.
    pub fn generation(&self, plugin: usize) -> u32 {
        self.hosts[plugin].generation
    }

    /// Where a plugin's worker may write; nothing while there is no worker.
    pub fn folder(&self, plugin: usize) -> Option<&Path> {
        self.hosts[plugin].worker.as_ref().map(Worker::folder)
    }

    /// Asks a plugin's worker, and starts a new one first where the last one has died.
    pub fn call(&mut self, plugin: usize, request: &Request) -> Result<Response, Ending> {
        let host = &mut self.hosts[plugin];
        let worker = match &mut host.worker {
            Some(worker) => worker,
            gone => gone.insert(Worker::spawn(&host.info.path, &self.options)?),
        };
        match worker.call(request) {
            Ok(Response::Failed(failure)) => Err(failure.into()),
            Ok(response) => Ok(response),
            Err(error) => {
                host.worker = None;
                host.generation += 1;
                Err(error.into())
            }
        }
    }
}

fn conflict(id: &str, first: &Path, second: &Path) -> String {
    if first == second {
        return format!("{} has two codecs with the id {id}", first.display());
    }
    format!(
        "two plugins have a codec with the id {id}, so neither is run: {} and {}; leave one out",
        first.display(),
        second.display()
    )
}

/// Starts several at a time; nothing is timed yet.
fn start_all(files: &[PathBuf], options: &WorkerOptions) -> Vec<Result<Host, Ending>> {
    let next = Mutex::new(files.iter().enumerate());
    let started = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..STARTED_AT_ONCE.min(files.len()) {
            scope.spawn(|| {
                while let Some((number, file)) = next.lock().unwrap().next() {
                    let host = start(file, options);
                    started.lock().unwrap().push((number, host));
                }
            });
        }
    });
    let mut started = started.into_inner().unwrap();
    started.sort_by_key(|(number, _)| *number);
    started.into_iter().map(|(_, host)| host).collect()
}

fn start(file: &Path, options: &WorkerOptions) -> Result<Host, Ending> {
    let mut worker = Worker::spawn(file, options)?;
    match worker.call(&Request::Describe)? {
        Response::Described(info) => Ok(Host {
            info,
            worker: Some(worker),
            generation: 0,
        }),
        Response::Failed(failure) => Err(failure.into()),
        other => Err(Ending::out_of_turn(&other)),
    }
}
