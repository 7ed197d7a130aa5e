//! Reading canonical bytes.

use std::fmt;

/// Bytes that are not the canonical encoding of the type that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecodeError {
    /// How many bytes into the input the fault was noticed.
    pub offset: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for DecodeError {}

/// A cursor over canonical bytes.
#[derive(Debug)]
pub struct Reader<'a> {
    input: &'a [u8],
    offset: usize,
}

impl<'a> Reader<'a> {
    /// Starts at the first byte of `input`.
    pub fn new(input: &'a [u8]) -> Self {
        Self { input, offset: 0 }
    }

    /// How many bytes have been read.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// What has not been read yet.
    pub fn rest(&self) -> &'a [u8] {
        &self.input[self.offset..]
    }

    /// An error at the present offset.
    pub fn error(&self, message: impl Into<String>) -> DecodeError {
        DecodeError {
            offset: self.offset,
            message: message.into(),
        }
    }

    /// Out of line: every field of every type can fail so.
    #[cold]
    #[inline(never)]
    fn short(&self, count: usize) -> DecodeError {
        let left = self.rest().len();
        self.error(format!("{count} bytes expected, {left} left"))
    }

    /// The next `count` bytes.
    pub fn take(&mut self, count: usize) -> Result<&'a [u8], DecodeError> {
        let rest = &self.input[self.offset..];
        if count > rest.len() {
            return Err(self.short(count));
        }
        self.offset += count;
        Ok(&rest[..count])
    }

    /// The next `N` bytes as an array.
    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        Ok(self.take(N)?.try_into().expect("take returns N bytes"))
    }

    /// A length whose elements take at least `min_size` bytes each, so that a length that cannot
    /// be true is refused before anything is allocated for it.
    pub fn len(&mut self, min_size: usize) -> Result<usize, DecodeError> {
        let len = u32::from_le_bytes(self.array()?) as usize;
        let left = self.input.len() - self.offset;
        if len.saturating_mul(min_size) > left {
            return Err(self.error(format!("a length of {len} with {left} bytes left")));
        }
        Ok(len)
    }

    /// A byte string: length, then contents.
    pub fn blob(&mut self) -> Result<&'a [u8], DecodeError> {
        let len = self.len(1)?;
        self.take(len)
    }

    /// A string, which must be UTF-8.
    pub fn str(&mut self) -> Result<&'a str, DecodeError> {
        let bytes = self.blob()?;
        std::str::from_utf8(bytes).map_err(|e| self.error(format!("invalid UTF-8: {e}")))
    }

    /// Succeeds at the end of the input only.
    pub fn finish(&self) -> Result<(), DecodeError> {
        match self.input.len() - self.offset {
            0 => Ok(()),
            left => Err(self.error(format!("{left} bytes left over"))),
        }
    }
}
