//! What the generated conversions between the native types and a library's messages stand on.

use std::collections::HashMap;

use crate::Error;

/// The value of a field that is always there.
pub fn required<T>(value: Option<T>, what: &str) -> Result<T, Error> {
    value.ok_or_else(|| missing(what))
}

/// A field that is always there is not.
#[cold]
pub fn missing(what: &str) -> Error {
    Error::malformed(format_args!("{what} is missing"))
}

/// A number that stands for no variant of an enum.
#[cold]
pub fn unknown(what: &str, number: impl std::fmt::Display) -> Error {
    Error::malformed(format_args!("{what} has no variant {number}"))
}

/// The elements of a fixed array.
pub fn array<T, const N: usize>(elements: Vec<T>, what: &str) -> Result<[T; N], Error> {
    let found = elements.len();
    elements
        .try_into()
        .map_err(|_| wrong_length(what, found, N))
}

/// The same, of elements that stay where they are.
pub fn array_of<T: Copy, const N: usize>(elements: &[T], what: &str) -> Result<[T; N], Error> {
    elements
        .try_into()
        .map_err(|_| wrong_length(what, elements.len(), N))
}

/// A tensor has as many elements as its shape says.
pub fn expect_elements<T>(shape: &[u32], elements: &[T]) -> Result<(), Error> {
    let mut dims = shape.iter().map(|dim| *dim as usize);
    match dims.try_fold(size_of::<T>(), usize::checked_mul) {
        Some(size) if size == size_of_val(elements) => Ok(()),
        _ => Err(wrong_shape(shape, elements.len())),
    }
}

#[cold]
fn wrong_shape(shape: &[u32], found: usize) -> Error {
    Error::malformed(format_args!(
        "a tensor of the shape {shape:?} has {found} elements"
    ))
}

#[cold]
fn wrong_length(what: &str, found: usize, expected: usize) -> Error {
    Error::malformed(format_args!("{what} has {found} elements, not {expected}"))
}

/// The entries of a hashed map in ascending order of their keys.
pub fn sorted<K: Ord, V>(map: &HashMap<K, V>) -> Vec<(&K, &V)> {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    entries
}

#[cfg(test)]
mod tests {
    use super::expect_elements;

    #[test]
    fn tensors_have_as_many_elements_as_their_shape_says() {
        let zeros = [0_u16; 6];
        let fits = |shape: &[u32], count: usize| expect_elements(shape, &zeros[..count]).is_ok();
        assert!(fits(&[2, 3], 6) && fits(&[], 1) && fits(&[4, 0], 0));
        assert!(!fits(&[2, 3], 5) && !fits(&[], 0) && !fits(&[0], 1));
        // 2^64 elements are not none.
        assert!(!fits(&[1 << 31, 1 << 31, 4], 0));
    }
}
