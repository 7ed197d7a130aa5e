//! Values in a file, mapped into memory.

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;
use serbench_plugin::abi;

use super::check::Guarded;

/// Values that stand one after another in a file.
#[derive(Debug)]
pub struct Values {
    bytes: Vec<abi::Bytes>,
    /// What `bytes` point into.
    _memory: Memory,
}

/// Where values stand.
#[derive(Debug)]
enum Memory {
    File { _mapped: Mmap },
    Guarded { _pages: Guarded },
}

impl Values {
    /// Maps the file, which must hold values of just these sizes. The error is a message.
    pub fn map(path: &Path, sizes: &[u64]) -> Result<Self, String> {
        let unreadable = |e: std::io::Error| format!("cannot map {}: {e}", path.display());
        let file = File::open(path).map_err(unreadable)?;
        // SAFETY: the file is written once, before its name is given to a worker.
        let file = unsafe { Mmap::map(&file) }.map_err(unreadable)?;
        let misfit = || {
            format!(
                "{} does not hold {} values of the sizes given",
                path.display(),
                sizes.len()
            )
        };
        let mut bytes = Vec::with_capacity(sizes.len());
        let mut rest = &file[..];
        for size in sizes {
            let (value, after) = usize::try_from(*size)
                .ok()
                .and_then(|size| rest.split_at_checked(size))
                .ok_or_else(misfit)?;
            bytes.push(abi::Bytes {
                data: value.as_ptr(),
                size: *size,
            });
            rest = after;
        }
        if bytes.is_empty() || !rest.is_empty() {
            return Err(misfit());
        }
        Ok(Self {
            bytes,
            _memory: Memory::File { _mapped: file },
        })
    }

    /// Only the values of these numbers.
    pub fn pick(mut self, numbers: &[usize]) -> Self {
        self.bytes = numbers.iter().map(|number| self.bytes[*number]).collect();
        self
    }

    /// One value, behind whose last byte there is nothing.
    pub fn guarded(value: &[u8]) -> std::io::Result<Self> {
        let mut pages = Guarded::new(value.len())?;
        let bytes = vec![pages.place_exactly(value)?];
        Ok(Self {
            bytes,
            _memory: Memory::Guarded { _pages: pages },
        })
    }

    /// Where each value stands, for as long as `self` lives.
    pub fn bytes(&self) -> &[abi::Bytes] {
        &self.bytes
    }

    /// One value.
    pub fn value(&self, number: usize) -> &[u8] {
        let bytes = self.bytes[number];
        // SAFETY: it points into the mapping, which lives as long as `self`.
        unsafe { std::slice::from_raw_parts(bytes.data, bytes.size as usize) }
    }
}
