// Every number anywhere in the range of its type, every option present in half of the cases, as in
// the original: no field is easier to pack than its type says.

use super::types::*;
use crate::emit::{Emit, long_list};
use crate::rng::Rng;

pub const SEED: u64 = 1;

const PLAYERS: u64 = 500;
const MAX_ITEMS: u64 = 39;
const MAX_ENDER_ITEMS: u64 = 26;
const MAX_RECIPES: u64 = 29;
const MAX_DISPLAYED: u64 = 9;

const DIMENSIONS: [&str; 3] = ["overworld", "nether", "end"];
const ITEMS: [&str; 8] = [
    "apple", "bread", "emerald", "cobble", "lantern", "bucket", "compass", "coal",
];
const ANIMALS: [&str; 8] = [
    "pig", "horse", "wolf", "villager", "slime", "enderman", "squid", "rabbit",
];
const NAMES: [&str; 8] = [
    "biscuit", "thunder", "molly", "george", "dusty", "pickle", "luna", "patience",
];
const RECIPES: [&str; 8] = [
    "ladder",
    "chest",
    "boat",
    "brewing stand",
    "hopper",
    "bread",
    "piston",
    "chain",
];

/// The players of one server; `scale` makes them that many times as many.
pub fn generate(rng: &mut Rng, scale: u64, emit: &mut dyn FnMut(&dyn Emit)) {
    emit(&long_list(PLAYERS * scale, || player(rng)));
}

fn flag(rng: &mut Rng) -> bool {
    rng.below(2) == 1
}

fn word(rng: &mut Rng) -> u32 {
    rng.bits() as u32
}

fn maybe<T>(rng: &mut Rng, some: impl Fn(&mut Rng) -> T) -> Option<T> {
    flag(rng).then(|| some(rng))
}

fn name(rng: &mut Rng, names: &[&str]) -> String {
    (*rng.pick(names)).to_owned()
}

fn list<T>(rng: &mut Rng, max: u64, element: impl Fn(&mut Rng) -> T) -> Vec<T> {
    (0..rng.below(max + 1)).map(|_| element(rng)).collect()
}

fn position(rng: &mut Rng) -> [f64; 3] {
    [rng.unit(), rng.unit(), rng.unit()]
}

fn uuid(rng: &mut Rng) -> [u32; 4] {
    [word(rng), word(rng), word(rng), word(rng)]
}

fn game_type(rng: &mut Rng) -> GameType {
    match rng.below(4) {
        0 => GameType::Survival,
        1 => GameType::Creative,
        2 => GameType::Adventure,
        _ => GameType::Spectator,
    }
}

fn item(rng: &mut Rng) -> Item {
    Item {
        count: rng.bits() as i8,
        slot: rng.bits() as u8,
        id: name(rng, &ITEMS),
    }
}

fn player(rng: &mut Rng) -> Player {
    Player {
        game_type: game_type(rng),
        previous_game_type: game_type(rng),
        score: rng.bits() as i64,
        dimension: name(rng, &DIMENSIONS),
        selected_item_slot: word(rng),
        selected_item: item(rng),
        spawn_dimension: maybe(rng, |rng| name(rng, &DIMENSIONS)),
        spawn_x: rng.bits() as i64,
        spawn_y: rng.bits() as i64,
        spawn_z: rng.bits() as i64,
        spawn_forced: maybe(rng, flag),
        sleep_timer: rng.bits() as u16,
        food_exhaustion_level: rng.unit_f32(),
        food_saturation_level: rng.unit_f32(),
        food_tick_timer: word(rng),
        xp_level: word(rng),
        xp_p: rng.unit_f32(),
        xp_total: word(rng) as i32,
        xp_seed: word(rng) as i32,
        inventory: list(rng, MAX_ITEMS, item),
        ender_items: list(rng, MAX_ENDER_ITEMS, item),
        abilities: abilities(rng),
        entered_nether_position: maybe(rng, position),
        root_vehicle: maybe(rng, |rng| Vehicle(uuid(rng), entity(rng))),
        shoulder_entity_left: maybe(rng, entity),
        shoulder_entity_right: maybe(rng, entity),
        seen_credits: flag(rng),
        recipe_book: recipe_book(rng),
    }
}

fn abilities(rng: &mut Rng) -> Abilities {
    Abilities {
        walk_speed: rng.unit_f32(),
        fly_speed: rng.unit_f32(),
        may_fly: flag(rng),
        flying: flag(rng),
        invulnerable: flag(rng),
        may_build: flag(rng),
        instabuild: flag(rng),
    }
}

fn entity(rng: &mut Rng) -> Entity {
    Entity {
        id: name(rng, &ANIMALS),
        pos: position(rng),
        motion: position(rng),
        rotation: [rng.unit_f32(), rng.unit_f32()],
        fall_distance: rng.unit_f32(),
        fire: rng.bits() as u16,
        air: rng.bits() as u16,
        on_ground: flag(rng),
        no_gravity: flag(rng),
        invulnerable: flag(rng),
        portal_cooldown: word(rng) as i32,
        uuid: uuid(rng),
        custom_name: maybe(rng, |rng| name(rng, &NAMES)),
        custom_name_visible: flag(rng),
        silent: flag(rng),
        glowing: flag(rng),
    }
}

fn recipe_book(rng: &mut Rng) -> RecipeBook {
    RecipeBook {
        recipes: list(rng, MAX_RECIPES, |rng| name(rng, &RECIPES)),
        to_be_displayed: list(rng, MAX_DISPLAYED, |rng| name(rng, &RECIPES)),
        is_filtering_craftable: flag(rng),
        is_gui_open: flag(rng),
        is_furnace_filtering_craftable: flag(rng),
        is_furnace_gui_open: flag(rng),
        is_blasting_furnace_filtering_craftable: flag(rng),
        is_blasting_furnace_gui_open: flag(rng),
        is_smoker_filtering_craftable: flag(rng),
        is_smoker_gui_open: flag(rng),
    }
}
