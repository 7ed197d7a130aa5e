//! A mesh of 125,000 triangles: nothing but floats.

pub type Root = Mesh;

pub struct Mesh {
    pub triangles: Vec<Triangle>,
}

pub struct Triangle {
    pub v0: Vector3,
    pub v1: Vector3,
    pub v2: Vector3,
    pub normal: Vector3,
}

pub struct Vector3 {
    pub x: f32,
    pub y: f32,
    pub z: f32,
}
