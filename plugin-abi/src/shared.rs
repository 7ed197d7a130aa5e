//! What a codec makes once for each type: a parsed schema, a registry of types.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::Error;

/// The one `V` of this plugin, made by the first call. Let `V` name the dataset's type, if only in a
/// `PhantomData`, and call this from `prepare`: in *fresh* mode whatever `Buffer::default` does is
/// timed.
pub fn shared<V: Any + Send + Sync>(
    make: impl FnOnce() -> Result<V, Error>,
) -> Result<&'static V, Error> {
    static MADE: Mutex<BTreeMap<TypeId, &'static (dyn Any + Send + Sync)>> =
        Mutex::new(BTreeMap::new());
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    let value = match made.get(&TypeId::of::<V>()) {
        Some(value) => *value,
        None => {
            let value: &'static V = Box::leak(Box::new(make()?));
            made.insert(TypeId::of::<V>(), value);
            value
        }
    };
    Ok(value.downcast_ref().expect("it is kept by its type"))
}
