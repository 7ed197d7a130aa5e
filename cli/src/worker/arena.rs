//! The serialized values, laid out as the header promises them to `deserialize`.

use std::io;

use memmap2::{Mmap, MmapMut, RemapOptions};
use serbench_plugin::abi;

use crate::protocol::Mode;

/// Where an arena begins to grow from.
const FIRST_ROOM: usize = 1 << 16;

/// Read-only memory that holds every value's bytes: each starts on [`abi::INPUT_ALIGN`], or one
/// byte off, and is followed by [`abi::INPUT_PADDING`] zero bytes. A codec that writes into its
/// input is stopped by the memory itself.
#[derive(Debug)]
pub struct Arena {
    inputs: Vec<abi::Bytes>,
    /// What `inputs` point into.
    _memory: Mmap,
}

impl Arena {
    /// Lays out these values.
    pub fn of<'a>(values: impl IntoIterator<Item = &'a [u8]>, mode: Mode) -> io::Result<Self> {
        let mut builder = Builder::new(mode)?;
        values.into_iter().try_for_each(|v| builder.push(v))?;
        builder.finish()
    }

    /// Where each value's bytes stand.
    pub fn inputs(&self) -> &[abi::Bytes] {
        &self.inputs
    }

    /// The bytes of each value.
    pub fn values(&self) -> impl Iterator<Item = &[u8]> {
        // SAFETY: the memory lives as long as `self`, and nobody can write to it.
        self.inputs.iter().map(|input| unsafe { input.as_slice() })
    }

    /// The size of each value.
    pub fn sizes(&self) -> Vec<u64> {
        self.inputs.iter().map(|input| input.size).collect()
    }
}

/// An arena that takes one value after another, so that they stand in memory once.
#[derive(Debug)]
pub struct Builder {
    memory: MmapMut,
    places: Vec<(usize, usize)>,
    end: usize,
    shift: usize,
}

impl Builder {
    /// Begins an empty arena.
    pub fn new(mode: Mode) -> io::Result<Self> {
        Ok(Self {
            memory: MmapMut::map_anon(FIRST_ROOM)?,
            places: Vec::new(),
            end: 0,
            shift: usize::from(mode.misaligned_input),
        })
    }

    /// Adds a value.
    pub fn push(&mut self, value: &[u8]) -> io::Result<()> {
        let start = self.end.next_multiple_of(abi::INPUT_ALIGN) + self.shift;
        let end = start + value.len() + abi::INPUT_PADDING;
        if end > self.memory.len() {
            let room = end.max(self.memory.len() * 2);
            // SAFETY: the memory is anonymous and private, so that it can grow; nothing points into
            // it yet. What is added is zero, and takes no memory until it is written.
            unsafe {
                self.memory
                    .remap(room, RemapOptions::new().may_move(true))?
            };
        }
        self.memory[start..][..value.len()].copy_from_slice(value);
        self.places.push((start, value.len()));
        self.end = end;
        Ok(())
    }

    /// The arena.
    pub fn finish(self) -> io::Result<Arena> {
        let memory = self.memory.make_read_only()?;
        let inputs = self
            .places
            .iter()
            .map(|(start, size)| abi::Bytes::from(&memory[*start..][..*size]))
            .collect();
        Ok(Arena {
            inputs,
            _memory: memory,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_stand_as_the_header_promises() {
        // The last one takes more than the room that an arena begins with.
        let values: Vec<Vec<u8>> = [3, 0, 64, 1, 200, 3 * FIRST_ROOM]
            .iter()
            .map(|size| (0..*size).map(|b| b as u8 | 1).collect())
            .collect();
        for misaligned_input in [false, true] {
            let mode = Mode {
                misaligned_input,
                ..Mode::default()
            };
            let arena = Arena::of(values.iter().map(Vec::as_slice), mode).expect("memory");
            assert_eq!(arena.inputs().len(), values.len());
            for (input, value) in arena.inputs().iter().zip(&values) {
                assert_eq!(input.size, value.len() as u64);
                assert_eq!(
                    input.data as usize % abi::INPUT_ALIGN,
                    usize::from(misaligned_input)
                );
                // SAFETY: the arena holds the value and its padding.
                let found = unsafe {
                    std::slice::from_raw_parts(input.data, value.len() + abi::INPUT_PADDING)
                };
                assert_eq!(&found[..value.len()], &value[..]);
                assert!(found[value.len()..].iter().all(|b| *b == 0));
            }
        }
    }
}
