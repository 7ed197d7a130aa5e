// What players of a naval game see of each other: how many ships of which kind, how often hidden,
// damaged or under way, is as in the original.

use super::types::*;
use crate::emit::{Emit, long_list};
use crate::rng::Rng;

pub const SEED: u64 = 1;

const UPDATES: u64 = 1_000;

/// A kind of ship.
struct Kind {
    entity_type: EntityType,
    /// How common it is, in hundredths.
    weight: u64,
    turrets: usize,
    weapons: usize,
}

const fn kind(entity_type: EntityType, weight: u64, turrets: usize, weapons: usize) -> Kind {
    Kind {
        entity_type,
        weight,
        turrets,
        weapons,
    }
}

static KINDS: [Kind; 10] = [
    kind(EntityType::ArleighBurke, 214, 1, 20),
    kind(EntityType::Bismarck, 52, 4, 10),
    kind(EntityType::Clemenceau, 97, 4, 16),
    kind(EntityType::Fletcher, 146, 4, 18),
    kind(EntityType::G5, 1316, 0, 2),
    kind(EntityType::Iowa, 155, 3, 28),
    kind(EntityType::Kolkata, 83, 1, 15),
    kind(EntityType::Osa, 725, 2, 6),
    kind(EntityType::Yasen, 406, 0, 14),
    kind(EntityType::Zubr, 1292, 3, 11),
];

/// One series of updates; `scale` makes it that many times as long.
pub fn generate(rng: &mut Rng, scale: u64, emit: &mut dyn FnMut(&dyn Emit)) {
    emit(&long_list(UPDATES * scale, || update(rng)));
}

fn update(rng: &mut Rng) -> Update {
    let players = 200 + rng.below(200);
    let world_radius = (players as f32 * 15_000.0).sqrt() + rng.unit_f32() * 100.0 - 50.0;
    let chunks = (world_radius / 1600.0) as i64 + 1;
    // The fourth power: most scores are low, a few very high.
    let luck = rng.unit_f32();
    Update {
        contacts: (0..20 + rng.below(20))
            .map(|_| contact(rng, players))
            .collect(),
        score: (luck * luck * luck * luck * 5000.0) as u32 + rng.below(50) as u32,
        world_radius,
        terrain_updates: (0..3 + rng.below(7))
            .map(|_| terrain_update(rng, chunks))
            .collect(),
    }
}

fn contact(rng: &mut Rng, players: u64) -> Contact {
    let kind = &KINDS[rng.weighted(&KINDS.each_ref().map(|kind| kind.weight))];
    let is_submarine = matches!(kind.entity_type, EntityType::Yasen);
    let visible = rng.percent(70);
    let intact = visible && rng.percent(60);
    let (mut reloads, mut turret_angles) = (Vec::new(), Vec::new());
    if visible {
        let ready = rng.below(101);
        reloads = (0..kind.weapons).map(|_| rng.percent(ready)).collect();
        turret_angles = angles(rng, kind.turrets);
    }
    Contact {
        damage: if intact { 0 } else { rng.below(200) as u8 },
        entity_id: rng.below(players * 20) as u32,
        entity_type: visible.then(|| kind.entity_type.clone()),
        guidance: Guidance {
            angle: rng.bits() as u16,
            submerge: is_submarine && rng.percent(90),
            velocity: velocity(rng),
        },
        player_id: visible.then(|| rng.below(players) as u16),
        reloads,
        transform: Transform {
            altitude: match is_submarine && rng.percent(90) {
                true => rng.within(-120, -36) as i8,
                false => 0,
            },
            angle: rng.bits() as u16,
            position: [
                rng.unit_f32() * 1500.0 - 750.0,
                rng.unit_f32() * 1500.0 - 750.0,
            ],
            velocity: velocity(rng),
        },
        turret_angles,
    }
}

/// Most turrets of a ship point about the same way.
fn angles(rng: &mut Rng, count: usize) -> Vec<u16> {
    let base = rng.bits() as u16;
    let angle = |_| match rng.percent(75) {
        true => base.wrapping_add_signed(rng.within(-200, 199) as i16),
        false => rng.bits() as u16,
    };
    (0..count).map(angle).collect()
}

fn velocity(rng: &mut Rng) -> i16 {
    match rng.below(10) {
        0..=7 => rng.within(140, 899) as i16,
        8 => 0,
        _ => rng.within(-225, -36) as i16,
    }
}

/// A small change of a chunk; rarely a whole new chunk.
fn terrain_update(rng: &mut Rng, chunks: i64) -> TerrainUpdate {
    let len = match rng.percent(2) {
        true => 900 + rng.below(200),
        false => 3 + rng.below(6),
    };
    TerrainUpdate {
        chunk_id: [
            rng.within(-chunks, chunks - 1) as i8,
            rng.within(-chunks, chunks - 1) as i8,
        ],
        data: (0..len).map(|_| rng.bits() as u8).collect(),
    }
}
