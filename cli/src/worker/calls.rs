//! The functions of an opened instance, checked once and then called without further ado.

use std::ffi::{CStr, c_char, c_void};

use serbench_plugin::abi;

use crate::loader::Adopt;
use crate::protocol::{Failure, FailureKind, Stage};

/// The longest message of a plugin that is passed on.
const MAX_MESSAGE: usize = 2000;

/// More than any format makes of a value: a size beyond it is no size.
const MAX_EXPANSION: u64 = 4096;
/// What even the smallest value may take.
const MIN_LIMIT: u64 = 1 << 30;

/// What every call of an instance goes through. The timed ones are public: timing wants nothing
/// between the clock and the call.
#[derive(Debug, Clone, Copy)]
pub struct Calls {
    /// The instance's own pointer.
    pub this: *mut c_void,
    /// Value number to bytes.
    pub serialize: unsafe extern "C" fn(*mut c_void, u64, *mut abi::Bytes) -> i32,
    /// Bytes to the decoded value.
    pub deserialize: unsafe extern "C" fn(*mut c_void, abi::Bytes) -> i32,
    /// Decoded value to checksum.
    pub read: unsafe extern "C" fn(*mut c_void, *mut u64) -> i32,
    /// Takes the input into the library's own container, untimed, before each `deserialize`.
    pub adopt: Option<Adopt>,
    /// Decoded value to canonical bytes.
    pub export_value: unsafe extern "C" fn(*mut c_void, *mut abi::Bytes) -> i32,
    /// What went wrong in the last failed call.
    pub last_error: unsafe extern "C" fn(*mut c_void) -> *const c_char,
    /// Frees the instance.
    pub close: unsafe extern "C" fn(*mut c_void),
}

/// No bytes: what an output is before the plugin sets it.
pub const EMPTY: abi::Bytes = abi::Bytes {
    data: std::ptr::null(),
    size: 0,
};

impl Calls {
    /// Looks at everything an instance consists of; says what is missing.
    pub fn check(raw: &abi::Instance, adopt: Option<Adopt>) -> Result<Self, String> {
        fn present<F>(function: Option<F>, name: &str) -> Result<F, String> {
            function.ok_or_else(|| {
                format!("the instance's function `{name}` is a null pointer; correct the plugin")
            })
        }
        Ok(Self {
            this: raw.self_,
            serialize: present(raw.serialize, "serialize")?,
            deserialize: present(raw.deserialize, "deserialize")?,
            read: present(raw.read, "read")?,
            adopt,
            export_value: present(raw.export_value, "export_value")?,
            last_error: present(raw.last_error, "last_error")?,
            close: present(raw.close, "close")?,
        })
    }

    /// Serializes a value whose canonical encoding has `canonical_size` bytes. The result is the
    /// plugin's and stands until the next call.
    pub fn serialize(&self, value: usize, canonical_size: u64) -> Result<&[u8], Failure> {
        let mut out = EMPTY;
        // SAFETY: the instance is open, and this thread is the only one that uses it.
        let status = unsafe { (self.serialize)(self.this, value as u64, &raw mut out) };
        self.expect_ok(status, Stage::Serialize, value)?;
        self.output(out, canonical_size, Stage::Serialize, value)
    }

    /// Hands the input over, first to `adopt` where the codec has it.
    pub fn deserialize(&self, value: usize, input: abi::Bytes) -> Result<(), Failure> {
        if let Some(adopt) = self.adopt {
            // SAFETY: as for `serialize`; the arena keeps the input.
            let status = unsafe { adopt(self.this, input) };
            self.expect_ok(status, Stage::Deserialize, value)?;
        }
        // SAFETY: as for `serialize`; the arena keeps the input.
        let status = unsafe { (self.deserialize)(self.this, input) };
        self.expect_ok(status, Stage::Deserialize, value)
    }

    /// The checksum of the decoded value.
    pub fn read(&self, value: usize) -> Result<u64, Failure> {
        let mut checksum = 0;
        // SAFETY: as for `serialize`.
        let status = unsafe { (self.read)(self.this, &raw mut checksum) };
        self.expect_ok(status, Stage::Read, value)?;
        Ok(checksum)
    }

    /// The decoded value in the canonical encoding, until the next call.
    pub fn export(&self, value: usize, canonical_size: u64) -> Result<&[u8], Failure> {
        let mut out = EMPTY;
        // SAFETY: as for `serialize`.
        let status = unsafe { (self.export_value)(self.this, &raw mut out) };
        self.expect_ok(status, Stage::Export, value)?;
        self.output(out, canonical_size, Stage::Export, value)
    }

    /// The failure behind a status that is not [`abi::OK`].
    pub fn failure(&self, status: i32, stage: Stage, value: usize) -> Failure {
        // SAFETY: as for `serialize`; the message stands until the next call.
        let message = unsafe { text((self.last_error)(self.this)) };
        refusal(status, &message, stage, Some(value as u64))
    }

    fn expect_ok(&self, status: i32, stage: Stage, value: usize) -> Result<(), Failure> {
        match status {
            abi::OK => Ok(()),
            status => Err(self.failure(status, stage, value)),
        }
    }

    /// Checks an output before it is looked at.
    fn output(
        &self,
        out: abi::Bytes,
        canonical_size: u64,
        stage: Stage,
        value: usize,
    ) -> Result<&[u8], Failure> {
        let refuse = |message: String| Failure {
            kind: FailureKind::Error,
            stage,
            value: Some(value as u64),
            message,
        };
        let limit = canonical_size.saturating_mul(MAX_EXPANSION).max(MIN_LIMIT);
        match out {
            abi::Bytes { size: 0, .. } => Ok(&[]),
            abi::Bytes { data, size } if data.is_null() => Err(refuse(format!(
                "gave a null pointer with a length of {size} bytes; correct the plugin"
            ))),
            abi::Bytes { size, .. } if size > limit => Err(refuse(format!(
                "gave a length of {size} bytes for a value of {canonical_size} canonical bytes; \
                 correct the plugin"
            ))),
            // SAFETY: the plugin says so; if it lies, the worker dies and the run goes on.
            abi::Bytes { data, size } => {
                Ok(unsafe { std::slice::from_raw_parts(data, size as usize) })
            }
        }
    }
}

/// The failure behind a status that is not [`abi::OK`], with the plugin's message.
pub fn refusal(status: i32, message: &str, stage: Stage, value: Option<u64>) -> Failure {
    let (kind, cause) = match status {
        abi::UNSUPPORTED => (FailureKind::Unsupported, String::new()),
        abi::MALFORMED => (FailureKind::Error, "malformed input: ".to_owned()),
        abi::OUT_OF_MEMORY => (FailureKind::Error, "out of memory: ".to_owned()),
        abi::INTERNAL => (FailureKind::Error, String::new()),
        other => (
            FailureKind::Error,
            format!("status {other}, which the ABI does not have: "),
        ),
    };
    Failure {
        kind,
        stage,
        value,
        message: format!("{cause}{message}"),
    }
}

/// A plugin's message, on one line.
///
/// # Safety
/// `pointer` is null or a string that ends in a zero byte.
pub unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return "no message (a null pointer)".to_owned();
    }
    // SAFETY: as this function's own.
    let text = unsafe { CStr::from_ptr(pointer) }.to_string_lossy();
    match text.trim() {
        "" => "no message".to_owned(),
        text => text
            .chars()
            .take(MAX_MESSAGE)
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect(),
    }
}
