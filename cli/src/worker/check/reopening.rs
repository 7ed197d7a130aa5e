//! Opening and closing, over and over: what is not given back adds up.

use serbench_plugin::abi;

use super::{Bench, fault, mapped};
use crate::protocol::{Failure, Mode, Stage};
use crate::worker::instance::Instance;

/// The least that a leak of one block takes each time.
const HEAP_GROWTH: u64 = 8;
/// A page, by which everything grows that does not come from the heap …
const MAPPED_GROWTH: u64 = 4096;
/// … and what the allocator itself may take in the meantime.
const MAPPED_SLACK: u64 = 8 << 20;

impl Bench<'_> {
    /// Opens, uses and closes an instance on the smallest value so many times. The first tenth is
    /// for what a library sets up once and keeps.
    pub(super) fn reopening(&self, times: u64) -> Result<(), Failure> {
        let counters = self.counters()?;
        let sizes = self.dataset.sizes.iter().enumerate();
        let (smallest, _) = sizes.min_by_key(|(_, size)| **size).unwrap_or((0, &0));
        let mode = Mode::default();
        let first = self.open_on(self.values()?.pick(&[smallest]), mode)?;
        let arena = Self::arena(&self.messages(&first)?, mode)?;
        let input = arena.inputs()[0];
        self.use_once(&first, input)?;
        let open = descriptors()?;
        let state = || (counters.live(), mapped());
        let mut before = state();
        for time in 0..times {
            if time == times / 10 {
                before = state();
            }
            self.use_once(&first, input)?;
        }
        let after = state();
        let counted = times - times / 10;
        let grown = |what: &str, by: u64| {
            let each = by as f64 / counted as f64;
            Err(fault(
                Stage::Close,
                format!("{what} grew by {by} in {counted} times of open and close, {each:.1} each"),
            ))
        };
        let heap = (after.0 - before.0).max(0).unsigned_abs();
        if heap >= HEAP_GROWTH * counted {
            return grown("the bytes held from the heap", heap);
        }
        let pages = after.1.saturating_sub(before.1);
        if pages >= MAPPED_SLACK.max(MAPPED_GROWTH * counted) {
            return grown("the bytes mapped", pages);
        }
        match descriptors()?.saturating_sub(open) {
            0 => Ok(()),
            more => grown("the number of open file descriptors", more),
        }
    }

    fn use_once(&self, first: &Instance, input: abi::Bytes) -> Result<(), Failure> {
        let again = first.again(self.codec)?;
        self.progress.value(Stage::Serialize, 0);
        again
            .calls
            .serialize(0, first.values.value(0).len() as u64)?;
        self.deserialize(&again.calls, 0, input)?;
        self.read(&again.calls, 0)?;
        self.progress.stage(Stage::Close);
        Ok(())
    }
}

fn descriptors() -> Result<u64, Failure> {
    let found = std::fs::read_dir("/proc/self/fd").map_err(|e| {
        let message = format!("the open file descriptors cannot be counted any more: {e}");
        fault(Stage::Close, message)
    })?;
    Ok(found.count() as u64)
}
