//! What a codec says when it cannot do what it was asked.

use std::any::Any;
use std::ffi::CString;
use std::fmt::{Debug, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::abi;

/// A failed call: what kind of failure, and a message for a person.
///
/// Every [`std::error::Error`] turns into one by `?`, as what the failing call makes likely: bytes
/// that cannot be deserialized are malformed, anything else is internal. It is not an
/// [`std::error::Error`] itself, or that conversion could not be.
#[derive(Clone, PartialEq, Eq)]
pub struct Error {
    kind: Option<i32>,
    message: String,
}

impl Error {
    /// The format or the library cannot carry this dataset or value. Not a fault.
    pub fn unsupported(reason: impl Display) -> Self {
        Self::new(abi::UNSUPPORTED, reason)
    }

    /// The input bytes are not a valid message.
    pub fn malformed(message: impl Display) -> Self {
        Self::new(abi::MALFORMED, message)
    }

    /// There was no memory for it.
    pub fn out_of_memory(message: impl Display) -> Self {
        Self::new(abi::OUT_OF_MEMORY, message)
    }

    /// Anything else that went wrong inside the plugin.
    pub fn internal(message: impl Display) -> Self {
        Self::new(abi::INTERNAL, message)
    }

    /// The dataset is not among those that the plugin was built with.
    pub fn unknown_dataset(name: &str) -> Self {
        Self::unsupported(format_args!(
            "the plugin was not built with dataset {name}; give it to `serbench sdk`, or to \
             SERBENCH_DATASETS, and rebuild the plugin"
        ))
    }

    fn new(status: i32, message: impl Display) -> Self {
        Self {
            kind: Some(status),
            message: message.to_string(),
        }
    }

    /// A panic that was caught. Dropping a payload that is no message may panic once more.
    #[cold]
    pub(crate) fn panicked(payload: Box<dyn Any + Send>) -> Self {
        let payload = match payload.downcast::<&'static str>() {
            Ok(message) => return Self::internal(format_args!("panicked: {message}")),
            Err(payload) => payload,
        };
        match payload.downcast::<String>() {
            Ok(message) => Self::internal(format_args!("panicked: {message}")),
            Err(payload) => {
                catch_unwind(AssertUnwindSafe(|| drop(payload))).unwrap_or_else(std::mem::forget);
                Self::internal("panicked")
            }
        }
    }

    /// The status to return, given what an unclassified error means in the failing call.
    pub(crate) fn status(&self, unclassified: i32) -> i32 {
        self.kind.unwrap_or(unclassified)
    }

    /// The message.
    pub fn message(&self) -> &str {
        &self.message
    }
}

impl Debug for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl<E: std::error::Error> From<E> for Error {
    fn from(error: E) -> Self {
        Self {
            kind: None,
            message: error.to_string(),
        }
    }
}

/// The text as C has it; a zero byte in it becomes a space.
pub(crate) fn c_string(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}
