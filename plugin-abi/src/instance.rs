//! One codec opened on one dataset.

use crate::{Canonical, Codec, Error, OpenArgs, abi};

/// An instance, ready to be handed to the host.
#[derive(Debug)]
pub struct Opened(pub(crate) *const abi::Instance);

/// Opens codec `C` on values of type `T`.
pub fn open<C: Codec<T>, T: Canonical>(_args: &OpenArgs<'_>) -> Result<Opened, Error> {
    Err(Error::internal("not built yet"))
}
