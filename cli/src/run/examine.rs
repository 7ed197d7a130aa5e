//! Before the rounds: every codec is opened and verified, and the sizes of what it writes are found.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

use sha2::{Digest, Sha256};

use super::interrupt;
use super::session::Session;
use super::zstd_sizes::compressed_apart;
use crate::error::Error;
use crate::results::{Sizes, ULTRA_BYTES, ZSTD_LEVELS, ZstdSizes};

/// From this level on zstd itself asks for a further flag: it is that slow.
const FIRST_ULTRA: i32 = 20;

/// What a codec has written.
struct Output {
    lane: usize,
    sizes: Vec<u64>,
    path: PathBuf,
}

/// What has been compressed already, by a hash of the messages: many codecs write the same.
type Known = Mutex<HashMap<[u8; 32], Vec<ZstdSizes>>>;

impl Session<'_> {
    /// Examines every codec. While nothing is timed all cores may compress.
    pub(super) fn examine(&mut self) -> Result<(), Error> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let known = Known::default();
        let lanes = (0..self.codecs.len()).collect::<Vec<_>>();
        for some in lanes.chunks(cores) {
            let mut outputs = Vec::new();
            for lane in some {
                outputs.extend(self.verified(*lane)?);
                if interrupt::asked() {
                    return Ok(());
                }
            }
            let levels = self.levels();
            let names = outputs.iter().map(|output| self.codec(output.lane));
            let what = format!("compressing {}", names.collect::<Vec<_>>().join(", "));
            self.progress.phase(&self.file.name, &what);
            for (output, zstd) in compress_all(outputs, &levels, &known) {
                let zstd = zstd.unwrap_or_else(|error| {
                    self.lanes[output.lane].remark(&format!("zstd failed: {error}"));
                    Vec::new()
                });
                self.lanes[output.lane].row.sizes = Some(Sizes {
                    total: output.sizes.iter().sum(),
                    zstd,
                });
                if self.plan.zstd_time {
                    self.add_zstd(output.lane, &output.path, &output.sizes, &levels)?;
                }
                // It goes with its folder otherwise.
                let _ = fs::remove_file(&output.path);
            }
        }
        Ok(())
    }

    /// Opens and verifies a codec; a failure ends its lane.
    fn verified(&mut self, lane: usize) -> Result<Option<Output>, Error> {
        if !self.lanes[lane].is_open() {
            return Ok(None);
        }
        let what = format!("checking {}", self.codec(lane));
        self.progress.phase(&self.file.name, &what);
        match self.open_spooling(lane) {
            Err(ending) => {
                self.lanes[lane].end(ending);
                Ok(None)
            }
            Ok((sizes, path)) => Ok(Some(Output { lane, sizes, path })),
        }
    }

    fn codec(&self, lane: usize) -> &str {
        &self.codecs[lane].info.id
    }

    /// The levels to compress at. The slowest ones are left out where they would take minutes and
    /// nobody has asked for them.
    fn levels(&self) -> Vec<i32> {
        let is_large = self.file.sizes.iter().sum::<u64>() > ULTRA_BYTES;
        match self.plan.zstd {
            [] if is_large => ZSTD_LEVELS
                .into_iter()
                .filter(|l| *l < FIRST_ULTRA)
                .collect(),
            [] => ZSTD_LEVELS.to_vec(),
            named => named.to_vec(),
        }
    }
}

/// Compresses each output on a core of its own.
fn compress_all(
    outputs: Vec<Output>,
    levels: &[i32],
    known: &Known,
) -> Vec<(Output, io::Result<Vec<ZstdSizes>>)> {
    thread::scope(|scope| {
        let started = outputs.into_iter().map(|output| {
            scope.spawn(move || {
                let zstd = compress(&output, levels, known);
                (output, zstd)
            })
        });
        let running = started.collect::<Vec<_>>();
        let ended = running.into_iter().map(|thread| thread.join());
        ended
            .map(|result| result.expect("compressing does not panic"))
            .collect()
    })
}

fn compress(output: &Output, levels: &[i32], known: &Known) -> io::Result<Vec<ZstdSizes>> {
    let hash = hash_of(output)?;
    let find = || known.lock().unwrap().get(&hash).cloned();
    if let Some(found) = find() {
        return Ok(found);
    }
    let all = compressed_apart(&output.path, &output.sizes, levels)?;
    known.lock().unwrap().insert(hash, all.clone());
    Ok(all)
}

/// A hash of the messages, read part by part: what codecs write of large data would be most of the
/// coordinator's memory.
fn hash_of(output: &Output) -> io::Result<[u8; 32]> {
    let mut hash = Sha256::new();
    for size in &output.sizes {
        hash.update(size.to_le_bytes());
    }
    let mut file = BufReader::new(File::open(&output.path)?);
    loop {
        let part = file.fill_buf()?;
        if part.is_empty() {
            return Ok(hash.finalize().into());
        }
        hash.update(part);
        let read = part.len();
        file.consume(read);
    }
}
