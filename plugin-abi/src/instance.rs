//! One codec opened on one dataset: the functions behind `serbench_instance`.

use std::any::Any;
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
    for index in 0..args.values.len() {
        values.push(C::prepare(value(args, index)?)?);
    }
    let shared = Shared::new::<C, T>(&C::note(args), args.mode);
    Ok(Instance::<C, T>::publish(shared, values))
}

/// Out of line, and so compiled once for all codecs of a plugin.
#[inline(never)]
fn value<T: Canonical>(args: &OpenArgs<'_>, index: usize) -> Result<T, Error> {
    T::from_canonical(args.values[index])
        .map_err(|e| Error::internal(format_args!("value {index} is not canonical: {e}")))
}

/// What an instance owns. The host sees the first field of the first field.
///
/// A plugin has one for every codec and dataset, so whatever depends on neither is in [`Shared`].
#[repr(C)]
struct Instance<C: Codec<T>, T> {
    shared: Shared,
    values: Vec<C::Value>,
    buffer: C::Buffer,
    /// The last decoded value. It borrows from `scratch` and from the host's input, and is always
    /// dropped before either may change; `'static` stands for "until then". Fields are dropped in
    /// the order in which they stand here, also when one of them panics.
    decoded: Option<C::Decoded<'static>>,
    scratch: Scratch<C::Scratch>,
}

/// From a `Box`; behind a raw pointer, so that moving or borrowing the instance asserts nothing
/// about it while `decoded` borrows it.
struct Scratch<S>(NonNull<S>);

impl<S: Default> Default for Scratch<S> {
    fn default() -> Self {
        Self(NonNull::from(Box::leak(Box::default())))
    }
}

impl<S> Drop for Scratch<S> {
    fn drop(&mut self) {
        // SAFETY: it came from a box, and what borrowed from it is gone.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

/// What is the same in every instance.
#[repr(C)]
struct Shared {
    abi: abi::Instance,
    /// Whether each value is serialized into a new buffer.
    fresh: bool,
    exported: Vec<u8>,
    error: CString,
}

impl Shared {
    fn new<C: Codec<T>, T: Canonical>(note: &str, mode: u64) -> Self {
        Self {
            abi: abi::Instance {
                struct_size: size_of::<abi::Instance>() as u64,
                self_: std::ptr::null_mut(),
                // Raw: to move a `CString` is to say that nothing else points to its text.
                note: c_string(note).into_raw(),
                serialize: Some(Instance::<C, T>::serialize),
                deserialize: Some(Instance::<C, T>::deserialize),
                read: Some(Instance::<C, T>::read),
                export_value: Some(Instance::<C, T>::export_value),
                last_error: Some(Self::last_error),
                close: Some(Instance::<C, T>::close),
            },
            fresh: mode & abi::MODE_FRESH_OUTPUT != 0,
            exported: Vec::new(),
            error: CString::default(),
        }
    }

    /// Keeps what went wrong for `last_error`, and returns its status.
    #[cold]
    #[inline(never)]
    fn fail(&mut self, error: Error, unclassified: i32) -> i32 {
        self.error = c_string(error.message());
        error.status(unclassified)
    }

    #[cold]
    #[inline(never)]
    fn fail_by_panic(&mut self, panic: Box<dyn Any + Send>) -> i32 {
        self.fail(Error::panicked(panic), abi::INTERNAL)
    }

    unsafe extern "C" fn last_error(this: *mut c_void) -> *const c_char {
        // SAFETY: the contract of `serbench_instance.last_error`; every instance begins with this.
        unsafe { (*this.cast::<Self>()).error.as_ptr() }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // SAFETY: `new` made it so, and the host never looks at it again.
        drop(unsafe { CString::from_raw(self.abi.note.cast_mut()) });
    }
}

#[cold]
#[inline(never)]
fn no_value(index: u64) -> Error {
    Error::internal(format_args!("there is no value {index}"))
}

#[cold]
#[inline(never)]
fn nothing_decoded() -> Error {
    Error::internal("there is no decoded value")
}

impl<C: Codec<T>, T: Canonical> Instance<C, T> {
    fn publish(shared: Shared, values: Vec<C::Value>) -> Opened {
        let instance = Box::into_raw(Box::new(Self {
            shared,
            values,
            buffer: C::Buffer::default(),
            decoded: None,
            scratch: Scratch::default(),
        }));
        // SAFETY: `instance` was allocated just now, and nobody else knows of it.
        unsafe { (*instance).shared.abi.self_ = instance.cast() };
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
            Ok(Err(error)) => instance.shared.fail(error, unclassified),
            Err(panic) => instance.shared.fail_by_panic(panic),
        }
    }

    unsafe extern "C" fn serialize(this: *mut c_void, index: u64, out: *mut abi::Bytes) -> i32 {
        // SAFETY: the contract of `serbench_instance.serialize`, for `this` and for `out`.
        unsafe {
            Self::call(this, abi::INTERNAL, |instance| {
                let value = usize::try_from(index)
                    .ok()
                    .and_then(|index| instance.values.get(index))
                    .ok_or_else(|| no_value(index))?;
                // Decided here rather than by a function for each mode: a branch that never
                // changes costs nothing, a second copy of every codec's code takes long to compile.
                if instance.shared.fresh {
                    instance.buffer = C::Buffer::default();
                }
                *out = C::serialize(value, &mut instance.buffer)?.into();
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
                let scratch: &'static mut C::Scratch = &mut *instance.scratch.0.as_ptr();
                instance.decoded = Some(C::deserialize(input, scratch)?);
                Ok(())
            })
        }
    }

    fn decoded(&self) -> Result<&C::Decoded<'static>, Error> {
        self.decoded.as_ref().ok_or_else(nothing_decoded)
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
                let mut bytes = std::mem::take(&mut instance.shared.exported);
                bytes.clear();
                instance.decoded()?.export(&mut bytes)?;
                // What was decoded may break a rule that the format does not know of, such as that
                // a tensor has as many elements as its shape says. No value is empty: the null codec
                // exports nothing.
                if !bytes.is_empty() {
                    check::<T>(&bytes)?;
                }
                instance.shared.exported = bytes;
                *out = instance.shared.exported.as_slice().into();
                Ok(())
            })
        }
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

/// Out of line, and so compiled once for all codecs of a plugin.
#[inline(never)]
fn check<T: Canonical>(bytes: &[u8]) -> Result<(), Error> {
    T::from_canonical(bytes)?;
    Ok(())
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
