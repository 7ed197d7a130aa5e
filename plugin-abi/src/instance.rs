//! One codec opened on one dataset: the functions behind `serbench_instance`.

use std::ffi::{CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

use serbench_canonical::Checksum;

use crate::error::c_string;
use crate::{Canonical, Codec, Error, OpenArgs, View, abi};

/// An instance, ready to be handed to the host, which closes it.
#[derive(Debug)]
#[must_use]
pub struct Opened(pub(crate) *const abi::Instance);

/// Opens codec `C` on values of type `T`.
pub fn open<C: Codec<T>, T: Canonical>(args: &OpenArgs<'_>) -> Result<Opened, Error> {
    let mut values = Vec::with_capacity(args.values.len());
    for (index, bytes) in args.values.iter().enumerate() {
        let value = T::from_canonical(bytes)
            .map_err(|e| Error::internal(format_args!("value {index} is not canonical: {e}")))?;
        values.push(C::prepare(value)?);
    }
    Ok(Instance::<C, T>::publish(values, &C::note(args), args.mode))
}

/// What an instance owns. The host sees the first field.
#[repr(C)]
struct Instance<C: Codec<T>, T> {
    abi: abi::Instance,
    values: Vec<C::Value>,
    buffer: C::Buffer,
    /// The last decoded value. It borrows from `scratch` and from the host's input, and is always
    /// dropped before either may change; `'static` stands for "until then".
    decoded: Option<C::Decoded<'static>>,
    /// From a `Box`; behind a raw pointer, so that moving or borrowing the instance asserts nothing
    /// about it while `decoded` borrows it.
    scratch: NonNull<C::Scratch>,
    exported: Vec<u8>,
    error: CString,
}

impl<C: Codec<T>, T: Canonical> Instance<C, T> {
    fn publish(values: Vec<C::Value>, note: &str, mode: u64) -> Opened {
        let serialize = if mode & abi::MODE_FRESH_OUTPUT != 0 {
            Self::serialize_fresh
        } else {
            Self::serialize_reused
        };
        let instance = Box::into_raw(Box::new(Self {
            abi: abi::Instance {
                struct_size: size_of::<abi::Instance>() as u64,
                self_: std::ptr::null_mut(),
                note: c_string(note).into_raw(),
                serialize: Some(serialize),
                deserialize: Some(Self::deserialize),
                read: Some(Self::read),
                export_value: Some(Self::export_value),
                last_error: Some(Self::last_error),
                close: Some(Self::close),
            },
            values,
            buffer: C::Buffer::default(),
            decoded: None,
            scratch: NonNull::from(Box::leak(Box::default())),
            exported: Vec::new(),
            error: CString::default(),
        }));
        // SAFETY: `instance` was allocated just now, and nobody else knows of it.
        unsafe { (*instance).abi.self_ = instance.cast() };
        Opened(instance.cast())
    }

    /// Does `work` on the instance and turns its outcome, or its panic, into a status.
    ///
    /// # Safety
    /// `this` is the `self` of an instance of this type, and no other call on it is under way.
    #[inline(always)]
    unsafe fn call(
        this: *mut c_void,
        unclassified: i32,
        work: impl FnOnce(&mut Self) -> Result<(), Error>,
    ) -> i32 {
        // SAFETY: `publish` made `this` from a box of this type, which lives until `close`.
        let instance = unsafe { &mut *this.cast::<Self>() };
        // A panic leaves whatever it interrupted valid, though perhaps half done: the buffer is
        // cleared by the next call, and there is no decoded value.
        match catch_unwind(AssertUnwindSafe(|| work(instance))) {
            Ok(Ok(())) => abi::OK,
            Ok(Err(error)) => instance.fail(&error, unclassified),
            Err(panic) => instance.fail(&Error::panicked(panic), abi::INTERNAL),
        }
    }

    #[cold]
    fn fail(&mut self, error: &Error, unclassified: i32) -> i32 {
        self.error = c_string(error.message());
        error.status(unclassified)
    }

    #[inline(always)]
    fn serialize(&mut self, index: u64) -> Result<abi::Bytes, Error> {
        let value = usize::try_from(index)
            .ok()
            .and_then(|index| self.values.get(index))
            .ok_or_else(|| Error::internal(format_args!("there is no value {index}")))?;
        C::serialize(value, &mut self.buffer).map(abi::Bytes::from)
    }

    unsafe extern "C" fn serialize_reused(
        this: *mut c_void,
        index: u64,
        out: *mut abi::Bytes,
    ) -> i32 {
        // SAFETY: the contract of `serbench_instance.serialize`, for `this` and for `out`.
        unsafe {
            Self::call(this, abi::INTERNAL, |instance| {
                *out = instance.serialize(index)?;
                Ok(())
            })
        }
    }

    unsafe extern "C" fn serialize_fresh(
        this: *mut c_void,
        index: u64,
        out: *mut abi::Bytes,
    ) -> i32 {
        // SAFETY: the contract of `serbench_instance.serialize`, for `this` and for `out`.
        unsafe {
            Self::call(this, abi::INTERNAL, |instance| {
                instance.buffer = C::Buffer::default();
                *out = instance.serialize(index)?;
                Ok(())
            })
        }
    }

    unsafe extern "C" fn deserialize(this: *mut c_void, input: abi::Bytes) -> i32 {
        // SAFETY: the contract of `serbench_instance.deserialize`.
        unsafe {
            Self::call(this, abi::MALFORMED, |instance| {
                // The value before goes first: it borrows from the scratch that is lent out next.
                instance.decoded = None;
                // SAFETY: the host keeps the input valid and unchanged until the next call of
                // this function or of `close` returns, and both drop the decoded value first.
                let input: &'static [u8] = input.as_slice();
                // SAFETY: the box lives until the instance is dropped, which drops the decoded
                // value first; and nothing else borrows it, since `decoded` is `None`.
                let scratch: &'static mut C::Scratch = &mut *instance.scratch.as_ptr();
                instance.decoded = Some(C::deserialize(input, scratch)?);
                Ok(())
            })
        }
    }

    fn decoded(&self) -> Result<&C::Decoded<'static>, Error> {
        self.decoded
            .as_ref()
            .ok_or_else(|| Error::internal("there is no decoded value"))
    }

    unsafe extern "C" fn read(this: *mut c_void, checksum: *mut u64) -> i32 {
        // SAFETY: the contract of `serbench_instance.read`, for `this` and for `checksum`.
        unsafe {
            Self::call(this, abi::MALFORMED, |instance| {
                let mut sum = Checksum::new();
                instance.decoded()?.read(&mut sum)?;
                *checksum = sum.finish();
                Ok(())
            })
        }
    }

    unsafe extern "C" fn export_value(this: *mut c_void, out: *mut abi::Bytes) -> i32 {
        // SAFETY: the contract of `serbench_instance.export_value`, for `this` and for `out`.
        unsafe {
            Self::call(this, abi::MALFORMED, |instance| {
                let mut bytes = std::mem::take(&mut instance.exported);
                bytes.clear();
                instance.decoded()?.export(&mut bytes)?;
                // What was decoded may break a rule that the format does not know of, such as that
                // a tensor has as many elements as its shape says. No value is empty: the null codec
                // exports nothing.
                if !bytes.is_empty() {
                    T::from_canonical(&bytes)?;
                }
                instance.exported = bytes;
                *out = instance.exported.as_slice().into();
                Ok(())
            })
        }
    }

    unsafe extern "C" fn last_error(this: *mut c_void) -> *const c_char {
        // SAFETY: the contract of `serbench_instance.last_error`.
        unsafe { (*this.cast::<Self>()).error.as_ptr() }
    }

    unsafe extern "C" fn close(this: *mut c_void) {
        // SAFETY: `this` comes from a box, and the host never uses it again.
        let instance = unsafe { Box::from_raw(this.cast::<Self>()) };
        // Whatever panics while it is dropped has printed its message; there is no status to return.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| drop(instance))) {
            Error::panicked(panic);
        }
    }
}

impl<C: Codec<T>, T> Drop for Instance<C, T> {
    fn drop(&mut self) {
        // If this panics there is no value any more, and the rest is freed all the same.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| self.decoded = None)) {
            Error::panicked(panic);
        }
        // SAFETY: the scratch came from a box, and what borrowed from it is gone.
        drop(unsafe { Box::from_raw(self.scratch.as_ptr()) });
        // SAFETY: `publish` made the note, and the host writes to nothing of ours.
        drop(unsafe { CString::from_raw(self.abi.note.cast_mut()) });
    }
}

impl From<&[u8]> for abi::Bytes {
    #[inline(always)]
    fn from(bytes: &[u8]) -> Self {
        Self {
            data: bytes.as_ptr(),
            size: bytes.len() as u64,
        }
    }
}

impl abi::Bytes {
    /// The bytes that are meant.
    ///
    /// # Safety
    /// `data` is valid for reads of `size` bytes, which stay as they are for as long as `'a`; or
    /// `size` is 0.
    #[inline(always)]
    pub unsafe fn as_slice<'a>(&self) -> &'a [u8] {
        if self.size == 0 {
            return &[];
        }
        // SAFETY: the caller's promise. A size that is held in memory fits a `usize`.
        unsafe { std::slice::from_raw_parts(self.data, self.size as usize) }
    }
}
