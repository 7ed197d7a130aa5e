//! What the fuzz targets hold the program to. The tests do the same with the committed corpora.

mod loader;
mod results;

pub use loader::check as loader;
pub use results::check as results;

#[cfg(test)]
#[path = "../../../datasets/fuzz/checks/replay.rs"]
mod replay;

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn replay(target: &str, mutants: usize, check: fn(&[u8])) {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
        replay::replay(&folder.join(target), mutants, check);
    }

    #[test]
    fn the_corpus_of_the_loader() {
        // In Miri, which is slow.
        let mutants = if cfg!(miri) { 100 } else { 20_000 };
        replay("loader", mutants, loader);
    }

    #[test]
    fn the_corpus_of_the_results_reader() {
        replay("results", 20_000, results);
    }
}
