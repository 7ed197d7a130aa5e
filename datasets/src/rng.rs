//! Random numbers that are the same on every machine and in every release: the generator is
//! specified (PCG XSL 128/64), and everything made of its output here is integer arithmetic, but for
//! one exact multiplication by a power of two.

use rand_core::Rng as _;
use rand_pcg::Pcg64Mcg;

/// A seeded source of random values for generators.
pub(crate) struct Rng(Pcg64Mcg);

#[allow(dead_code, reason = "a tool box for the generators of the catalog")]
impl Rng {
    pub fn new(seed: u64) -> Self {
        // The state must be odd and should have bits everywhere.
        let low = u128::from(seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self(Pcg64Mcg::new(low << 64 | low | 1))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number below `count`, which is not 0.
    pub fn below(&mut self, count: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(count)) >> 64) as u64
    }

    /// A number from `low` to `high`, both possible.
    pub fn within(&mut self, low: i64, high: i64) -> i64 {
        low.wrapping_add(self.below(high.wrapping_sub(low) as u64 + 1) as i64)
    }

    /// True in `percent` of 100 cases.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// A number from 0 to 1, 1 excluded.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 * (1.0 / (1_u64 << 53) as f64)
    }

    /// A number from 0 to 1, 1 excluded, with as many bits as an `f32` has there at least.
    pub fn unit_f32(&mut self) -> f32 {
        (self.bits() >> 40) as f32 * (1.0 / (1_u32 << 24) as f32)
    }

    /// One of `choices`, each equally likely.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len() as u64) as usize]
    }

    /// The index of one of `weights`, each as likely as it is heavy.
    pub fn weighted(&mut self, weights: &[u64]) -> usize {
        let mut left = self.below(weights.iter().sum());
        for (index, weight) in weights.iter().enumerate() {
            match left.checked_sub(*weight) {
                Some(rest) => left = rest,
                None => return index,
            }
        }
        unreachable!("what is below the sum lies within some weight")
    }

    /// `len` characters of `alphabet`, which is ASCII.
    pub fn text(&mut self, alphabet: &[u8], len: usize) -> String {
        (0..len).map(|_| char::from(*self.pick(alphabet))).collect()
    }
}
