// The values of game_level: only the schema differs.

include!("../game_level/generator.rs");
