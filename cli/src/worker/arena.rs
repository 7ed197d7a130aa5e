//! The serialized values, laid out as the header promises them to `deserialize`.

use std::io;

use memmap2::{Mmap, MmapMut};
use serbench_plugin::abi;

use crate::protocol::Mode;

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
    /// Lays out values of these sizes, which stand in `bytes` one after another.
    pub fn new(bytes: &[u8], sizes: &[u64], mode: Mode) -> io::Result<Self> {
        let shift = usize::from(mode.misaligned_input);
        let mut starts = Vec::with_capacity(sizes.len());
        let mut end = 0usize;
        for size in sizes {
            let start = end.next_multiple_of(abi::INPUT_ALIGN) + shift;
            starts.push(start);
            end = start + *size as usize + abi::INPUT_PADDING;
        }
        // Fresh anonymous memory is zero, and a mapping begins on a page.
        let mut memory = MmapMut::map_anon(end.max(1))?;
        let mut rest = bytes;
        for (start, size) in starts.iter().zip(sizes) {
            let (value, after) = rest.split_at(*size as usize);
            memory[*start..][..value.len()].copy_from_slice(value);
            rest = after;
        }
        let memory = memory.make_read_only()?;
        let inputs = starts
            .iter()
            .zip(sizes)
            .map(|(start, size)| abi::Bytes {
                data: memory[*start..].as_ptr(),
                size: *size,
            })
            .collect();
        Ok(Self {
            inputs,
            _memory: memory,
        })
    }

    /// The bytes of each value.
    pub fn inputs(&self) -> &[abi::Bytes] {
        &self.inputs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_stand_as_the_header_promises() {
        let sizes = [3, 0, 64, 1, 200];
        let bytes: Vec<u8> = (1..=sizes.iter().sum::<u64>())
            .map(|b| b as u8 | 1)
            .collect();
        for misaligned_input in [false, true] {
            let mode = Mode {
                misaligned_input,
                ..Mode::default()
            };
            let arena = Arena::new(&bytes, &sizes, mode).expect("memory");
            let mut rest = &bytes[..];
            for (input, size) in arena.inputs().iter().zip(sizes) {
                let (value, after) = rest.split_at(size as usize);
                rest = after;
                assert_eq!(
                    input.data as usize % abi::INPUT_ALIGN,
                    usize::from(misaligned_input)
                );
                // SAFETY: the arena holds the value and its padding.
                let found = unsafe {
                    std::slice::from_raw_parts(input.data, value.len() + abi::INPUT_PADDING)
                };
                assert_eq!(&found[..value.len()], value);
                assert!(found[value.len()..].iter().all(|b| *b == 0));
            }
        }
    }
}
