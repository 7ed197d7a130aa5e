// The values are given, not random: only the tensor is too long to be written out.

use super::types::*;
use crate::entries::support::Tensor;
use crate::rng::Rng;

pub const SEED: u64 = 0;

/// `scale` values, all the same.
pub fn generate(_rng: &mut Rng, scale: u64, emit: &mut dyn FnMut(&Root)) {
    let value = TensorStruct(
        42,
        3.14159,
        "hello world".to_owned(),
        [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        Tensor {
            shape: vec![1, 2048],
            data: vec![3.0; 2048],
        },
    );
    (0..scale).for_each(|_| emit(&value));
}
