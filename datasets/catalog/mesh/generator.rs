// Triangles anywhere in the unit cube.

use super::types::*;
use crate::emit::{Emit, long_list};
use crate::rng::Rng;

pub const SEED: u64 = 1;

const TRIANGLES: u64 = 125_000;

/// One mesh; `scale` gives it that many times as many triangles.
pub fn generate(rng: &mut Rng, scale: u64, emit: &mut dyn FnMut(&dyn Emit)) {
    let triangle = || Triangle {
        v0: vector(rng),
        v1: vector(rng),
        v2: vector(rng),
        normal: vector(rng),
    };
    emit(&long_list(TRIANGLES * scale, triangle));
}

fn vector(rng: &mut Rng) -> Vector3 {
    Vector3 {
        x: rng.unit_f32(),
        y: rng.unit_f32(),
        z: rng.unit_f32(),
    }
}
