//! What zstd makes of a codec's output.

use std::io;

use crate::results::ZstdSizes;

/// The sizes at one level of `values`, which stand one after another with these `sizes`.
pub fn compressed(values: &[u8], sizes: &[u64], level: i32) -> io::Result<ZstdSizes> {
    let mut compressor = zstd::bulk::Compressor::new(level)?;
    let mut separate = 0;
    let mut rest = values;
    for size in sizes {
        let size = usize::try_from(*size).map_err(io::Error::other)?;
        let (value, behind) = rest
            .split_at_checked(size)
            .ok_or_else(|| io::Error::other("fewer bytes than the sizes say"))?;
        separate += compressor.compress(value)?.len() as u64;
        rest = behind;
    }
    let together = match sizes.len() {
        1 => separate,
        _ => compressor.compress(values)?.len() as u64,
    };
    Ok(ZstdSizes {
        level,
        separate,
        together,
    })
}

/// The version of the library, which is part of this program.
pub fn version() -> String {
    zstd::zstd_safe::version_string().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn separate_and_together() {
        let values = b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa".repeat(4);
        let sizes = [64, 0, 64];
        let found = compressed(&values, &sizes, 3).unwrap();
        let of = |bytes: &[u8]| zstd::bulk::compress(bytes, 3).unwrap().len() as u64;
        assert_eq!(found.separate, 2 * of(&values[..64]) + of(b""));
        assert_eq!(found.together, of(&values));

        let one = compressed(&values, &[128], 22).unwrap();
        assert_eq!(one.separate, one.together);
        assert!(compressed(&values, &[129], 3).is_err());
    }
}
