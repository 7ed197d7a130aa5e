//! The rule by which `read` folds every field of a decoded value into one number.

/// The running checksum of one `read`.
///
/// Folding a word is a rotate, an xor and a multiplication: cheap enough to add little to the
/// cheapest field access, dependent enough that no access can be skipped or reordered away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checksum(u64);

/// An odd constant with well-spread bits: 2^64 divided by pi.
const MULTIPLIER: u64 = 0x517c_c1b7_2722_0a95;

impl Checksum {
    /// An empty checksum.
    pub fn new() -> Self {
        Self::default()
    }

    /// Folds one 64-bit word: an unsigned integer zero-extended, a signed one sign-extended, the
    /// bits of a float zero-extended, a bool as 0 or 1, a length, or a variant index.
    #[inline(always)]
    pub fn word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(MULTIPLIER);
    }

    /// Folds a string or byte string: its length, then its first and last byte if it has any.
    #[inline(always)]
    pub fn blob(&mut self, bytes: &[u8]) {
        self.word(bytes.len() as u64);
        if let (Some(first), Some(last)) = (bytes.first(), bytes.last()) {
            self.word(u64::from(*first));
            self.word(u64::from(*last));
        }
    }

    /// The checksum of everything that was folded.
    #[inline(always)]
    pub fn finish(self) -> u64 {
        self.0
    }
}
