//! 1,000 updates that a game server sends: small integers, short lists, much that is predictable.

pub type Root = Updates;

pub struct Updates {
    pub updates: Vec<Update>,
}

pub struct Update {
    pub contacts: Vec<Contact>,
    pub score: u32,
    pub world_radius: f32,
    pub terrain_updates: Vec<TerrainUpdate>,
}

pub struct Contact {
    pub damage: u8,
    pub entity_id: u32,
    pub entity_type: Option<EntityType>,
    pub guidance: Guidance,
    pub player_id: Option<u16>,
    pub reloads: Vec<bool>,
    pub transform: Transform,
    pub turret_angles: Vec<u16>,
}

pub enum EntityType {
    ArleighBurke,
    Bismarck,
    Clemenceau,
    Fletcher,
    G5,
    Iowa,
    Kolkata,
    Osa,
    Yasen,
    Zubr,
}

pub struct Guidance {
    pub angle: u16,
    pub submerge: bool,
    pub velocity: i16,
}

pub struct Transform {
    pub altitude: i8,
    pub angle: u16,
    pub position: [f32; 2],
    pub velocity: i16,
}

pub struct TerrainUpdate {
    pub chunk_id: [i8; 2],
    pub data: Vec<u8>,
}
