// A level as one would be drawn by hand: rooms of like tiles, a wall or a step here and there.
// `game_level_dynamic` includes this file, so that both have the same values.

use super::types::*;
use crate::rng::Rng;

pub const SEED: u64 = 369;

const WIDTH: u32 = 32;
const DEPTH: u32 = 24;

/// Out of 1000: how often a cell is like the one to its west, and else like the one to its north.
const LIKE_WEST: u64 = 570;
const LIKE_NORTH: u64 = 350;

const SCENES: [&str; 9] = [
    "kenney-prototype/floor-square.glb#Scene0",
    "kenney-prototype/floor-thick.glb#Scene0",
    "kenney-prototype/stairs-small.glb#Scene0",
    "kenney-prototype/wall-low-straight.glb#Scene0",
    "kenney-prototype/wall-doorway-wide.glb#Scene0",
    "kenney-prototype/column-rounded.glb#Scene0",
    "kenney-prototype/shape-slope-big.glb#Scene0",
    "kenney-prototype/crate-color.glb#Scene0",
    "kenney-prototype/ladder-top-half.glb#Scene0",
];
const SCENE_WEIGHTS: [u64; 9] = [40, 3, 4, 40, 3, 3, 3, 2, 2];

const HALF: f32 = 0.7071067;
const ROTATIONS: [[f32; 4]; 8] = [
    [0.0, -0.9999999, 0.0, 0.0],
    [0.0, -HALF, 0.0, HALF],
    [0.0, 0.0, 0.0, 1.0],
    [0.0, HALF, 0.0, HALF],
    [0.0, -0.9999999, 0.0, -0.000000043711385],
    [0.0, HALF, 0.0, -HALF],
    [0.0, -0.3826834, 0.0, 0.9238795],
    [0.0, 0.9238795, 0.0, 0.3826834],
];
const ROTATION_WEIGHTS: [u64; 8] = [40, 25, 20, 8, 3, 2, 1, 1];

/// One level; `scale` makes it that many times as deep.
pub fn generate(rng: &mut Rng, scale: u64, emit: &mut dyn FnMut(&Root)) {
    let depth = DEPTH * u32::try_from(scale).expect("a level has less than 2^32 rows");
    let mut cells: Vec<Cell> = Vec::new();
    let mut north: Vec<Option<Vec<Floor>>> = vec![None; WIDTH as usize];
    for z in 0..depth {
        let mut west: Option<Vec<Floor>> = None;
        for x in 0..WIDTH {
            let kind = rng.below(1000);
            let floors = if kind < LIKE_WEST && x > 0 {
                west.clone()
            } else if kind < LIKE_WEST + LIKE_NORTH && z > 0 {
                north[x as usize].clone()
            } else {
                (!rng.percent(18)).then(|| floors(rng))
            };
            if let Some(floors) = &floors {
                cells.push(Cell {
                    position: UVec3([x, 0, z]),
                    floors: floors.clone(),
                });
            }
            north[x as usize].clone_from(&floors);
            west = floors;
        }
    }
    emit(&Level::V1(LevelV1 {
        size: UVec3([WIDTH, 1, depth]),
        cells,
        scene_assets: SCENES.map(str::to_owned).to_vec(),
    }));
}

/// A floor, and sometimes something that stands on it.
fn floors(rng: &mut Rng) -> Vec<Floor> {
    let upper = rng.weighted(&[481, 144, 6]);
    let mut floors = vec![floor(rng, false)];
    floors.extend((0..upper).map(|_| floor(rng, true)));
    floors
}

fn floor(rng: &mut Rng, upper: bool) -> Floor {
    let mut transform = Transform::default();
    let (translated, rotated) = match upper {
        true => (true, rng.percent(65)),
        false => (false, rng.percent(89)),
    };
    if translated {
        transform.translation = match rng.percent(85) {
            true => Vec3([0.0, 1.0, 0.0]),
            false => Vec3([0.0, 0.5, 0.25]),
        };
    }
    if rotated {
        transform.rotation = Quat(ROTATIONS[rng.weighted(&ROTATION_WEIGHTS)]);
    }
    Floor {
        i_scene: rng.weighted(&SCENE_WEIGHTS) as u64,
        transform,
    }
}
