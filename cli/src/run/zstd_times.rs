//! How long zstd takes on what the codecs write: lanes of their own in the same rounds.

use std::fs;
use std::path::Path;

use super::lane::{Lane, Messages};
use super::session::{Session, cannot_write};
use crate::error::Error;
use crate::protocol::{Op, Slot};
use crate::results::ZstdTimings;

impl Session<'_> {
    /// Adds lanes for zstd on what a codec has spooled: at every level, each value by itself, and
    /// where there are several, all of them together.
    pub(super) fn add_zstd(
        &mut self,
        codec: usize,
        spool: &Path,
        sizes: &[u64],
        levels: &[i32],
    ) -> Result<(), Error> {
        let path = self.plan.folder.join(format!("messages-{codec}"));
        fs::copy(spool, &path).map_err(|error| cannot_write(&path, &error))?;
        let ways: &[bool] = if sizes.len() > 1 {
            &[false, true]
        } else {
            &[false]
        };
        for level in levels {
            for together in ways.iter().copied() {
                let messages = Messages {
                    level: *level,
                    together,
                    path: path.clone(),
                    sizes: match together {
                        true => vec![sizes.iter().sum()],
                        false => sizes.to_vec(),
                    },
                };
                let lane = self.lanes[codec].zstd(self.lanes.len() as Slot, messages);
                self.lanes.push(lane);
                self.open_added();
            }
        }
        Ok(())
    }

    /// Puts what was timed into the rows of the codecs.
    pub(super) fn gather_zstd(&mut self) {
        let is_zstd = |lane: &mut Lane| lane.zstd.is_some();
        for lane in self.lanes.extract_if(.., is_zstd).collect::<Vec<_>>() {
            let mut timings = lane.timings();
            let compress = timings.remove(&Op::Serialize);
            let decompress = timings.remove(&Op::Deserialize);
            let row = self
                .lanes
                .iter_mut()
                .find(|of| of.is_open() && of.row.codec == lane.row.codec);
            if let (Some(compress), Some(decompress)) = (compress, decompress)
                && let (Some(of), Some(messages)) = (row, lane.zstd)
            {
                of.row.zstd_timings.push(ZstdTimings {
                    level: messages.level,
                    together: messages.together,
                    compress,
                    decompress,
                });
            }
        }
    }
}
