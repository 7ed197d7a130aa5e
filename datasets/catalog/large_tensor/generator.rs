// The values are given, not random: only the tensor is too long to be written out.

use super::types::*;
use crate::entries::support::Tensor;
use crate::rng::Rng;

pub const SEED: u64 = 0;

/// `scale` values, all the same.
pub fn generate(_rng: &mut Rng, scale: u64, emit: &mut dyn FnMut(&Root)) {
    let value = TensorStruct {
        int_value: 42,
        double_value: 3.14159,
        string_value: "hello world".to_owned(),
        array_value: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
        tensor_value: Tensor {
            shape: vec![3, 1024, 768],
            data: vec![3; 3 * 1024 * 768],
        },
    };
    (0..scale).for_each(|_| emit(&value));
}
