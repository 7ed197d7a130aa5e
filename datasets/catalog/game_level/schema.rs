//! A level of a tile-based game. Every field is always written.

pub type Root = Level;

pub enum Level {
    V1(LevelV1),
}

pub struct LevelV1 {
    pub size: UVec3,
    pub cells: Vec<Cell>,
    pub scene_assets: Vec<String>,
}

pub struct Cell {
    pub position: UVec3,
    pub floors: Vec<Floor>,
}

pub struct Floor {
    pub i_scene: u64,
    pub transform: Transform,
}

pub struct Transform {
    pub translation: Vec3,
    pub rotation: Quat,
    #[schema(default = [1.0, 1.0, 1.0])]
    pub scale: Vec3,
}

pub struct UVec3([u32; 3]);

pub struct Vec3([f32; 3]);

pub struct Quat([f32; 4]);
