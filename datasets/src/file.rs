//! The text of a file that may be large.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;
use std::path::Path;

use memmap2::Mmap;

/// What a file holds. A regular one is mapped: however large it is, it takes no memory of its own.
pub struct FileText(Content);

enum Content {
    Mapped(Mmap),
    Read(Vec<u8>),
}

impl FileText {
    /// Opens a file, or reads a pipe to its end.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        if file.metadata()?.is_file() {
            // SAFETY: nobody is expected to change or cut the file meanwhile, as with any input that
            // is read twice; what is made of it is checked all the same.
            return Ok(Self(Content::Mapped(unsafe { Mmap::map(&file)? })));
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        Ok(Self(Content::Read(text)))
    }
}

impl Deref for FileText {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match &self.0 {
            Content::Mapped(map) => map,
            Content::Read(text) => text,
        }
    }
}
