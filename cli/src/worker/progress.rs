//! The progress page: a few words of memory, shared through a file, in which a worker keeps what
//! it is doing. When the worker dies or hangs, the coordinator reads there where it was.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use memmap2::{MmapOptions, MmapRaw};

use crate::protocol::Stage;

/// The words of the page.
const COUNTER: usize = 0;
const STAGE: usize = 1;
const VALUE: usize = 2;
const WORDS: usize = 3;

/// What stands for no value.
const NONE: u64 = u64::MAX;

/// One side's view of the page.
#[derive(Debug)]
pub struct Progress(MmapRaw);

impl Progress {
    /// Sizes the file and maps it: the coordinator's part, before the worker starts.
    pub fn create(file: &File) -> io::Result<Self> {
        file.set_len((WORDS * size_of::<AtomicU64>()) as u64)?;
        let page = Self::open(file)?;
        page.words()[VALUE].store(NONE, Relaxed);
        Ok(page)
    }

    /// Maps the file: the worker's part.
    pub fn open(file: &File) -> io::Result<Self> {
        MmapOptions::new()
            .len(WORDS * size_of::<AtomicU64>())
            .map_raw(file)
            .map(Self)
    }

    /// Notes a stage in which no value is worked on.
    pub fn stage(&self, stage: Stage) {
        self.note(stage, NONE);
    }

    /// Notes a stage and the value that is worked on.
    #[inline]
    pub fn value(&self, stage: Stage, value: usize) {
        self.note(stage, value as u64);
    }

    /// Plain stores: the worker is the only writer.
    #[inline]
    fn note(&self, stage: Stage, value: u64) {
        let words = self.words();
        words[COUNTER].store(words[COUNTER].load(Relaxed).wrapping_add(1), Relaxed);
        words[STAGE].store(u64::from(stage as u32), Relaxed);
        words[VALUE].store(value, Relaxed);
    }

    /// A number that differs whenever there was progress.
    pub fn counter(&self) -> u64 {
        self.words()[COUNTER].load(Relaxed)
    }

    /// Where the worker is.
    pub fn position(&self) -> (Stage, Option<u64>) {
        let stage = self.words()[STAGE].load(Relaxed) as usize;
        let value = self.words()[VALUE].load(Relaxed);
        let stage = Stage::ALL.get(stage).copied().unwrap_or(Stage::Start);
        (stage, (value != NONE).then_some(value))
    }

    fn words(&self) -> &[AtomicU64; WORDS] {
        // SAFETY: the mapping is as long as this, begins on a page, lives as long as `self`, and
        // is only ever accessed through atomics.
        unsafe { &*self.0.as_ptr().cast() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_sides_see_one_page() {
        let file = tempfile::tempfile().expect("a temporary file");
        let (ours, theirs) = (
            Progress::create(&file).unwrap(),
            Progress::open(&file).unwrap(),
        );
        assert_eq!(ours.position(), (Stage::Start, None));
        for stage in Stage::ALL {
            let before = ours.counter();
            theirs.value(stage, 7);
            assert_eq!(ours.position(), (stage, Some(7)));
            theirs.stage(stage);
            assert_eq!(ours.position(), (stage, None));
            assert_ne!(ours.counter(), before);
        }
    }
}
