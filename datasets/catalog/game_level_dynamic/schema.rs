//! A level of a tile-based game. Fields that equal their default are left out.

pub type Root = Level;

pub enum Level {
    V1(LevelV1),
}

pub struct LevelV1 {
    pub size: UVec3,
    #[schema(skip_default)]
    pub cells: Vec<Cell>,
    #[schema(skip_default)]
    pub scene_assets: Vec<String>,
}

pub struct Cell {
    pub position: UVec3,
    #[schema(skip_default)]
    pub floors: Vec<Floor>,
}

pub struct Floor {
    pub i_scene: u64,
    #[schema(skip_default)]
    pub transform: Transform,
}

pub struct Transform {
    #[schema(skip_default)]
    pub translation: Vec3,
    #[schema(skip_default)]
    pub rotation: Quat,
    #[schema(skip_default, default = [1.0, 1.0, 1.0])]
    pub scale: Vec3,
}

pub struct UVec3([u32; 3]);

pub struct Vec3([f32; 3]);

pub struct Quat([f32; 4]);
