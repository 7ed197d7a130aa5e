//! A corpus as a test: every input that is committed, and others made of them, the same ones each
//! time. So much fuzzing needs no nightly compiler.

use std::fs;
use std::ops::Range;
use std::panic::{catch_unwind, resume_unwind};
use std::path::Path;

/// Puts the inputs in the folder to the test, and so many mutants of them.
pub fn replay(folder: &Path, mutants: usize, check: fn(&[u8])) {
    let files = fs::read_dir(folder).unwrap();
    let mut files = files.map(|file| file.unwrap().path()).collect::<Vec<_>>();
    files.sort();
    assert!(files.len() > 10, "{} inputs: {folder:?}", files.len());
    let mut corpus = Vec::new();
    for file in files {
        println!("{}", file.display());
        let input = fs::read(file).unwrap();
        hold(check, &input);
        corpus.push(input);
    }
    let mut random = Random(0);
    for _ in 0..mutants {
        hold(check, &random.mutant(&corpus));
    }
}

/// Shows what the check does not survive.
fn hold(check: fn(&[u8]), input: &[u8]) {
    if let Err(panic) = catch_unwind(|| check(input)) {
        println!("b\"{}\"", input.escape_ascii());
        resume_unwind(panic);
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % bound as u64) as usize
    }

    fn range(&mut self, len: usize, most: usize) -> Range<usize> {
        let start = self.below(len + 1);
        start..start + self.below((len - start).min(most) + 1)
    }

    /// One of the corpus, with pieces of others in the place of some of its own, every other piece with
    /// a bit flipped.
    fn mutant(&mut self, corpus: &[Vec<u8>]) -> Vec<u8> {
        let mut input = corpus[self.below(corpus.len())].clone();
        for _ in 0..=self.below(4) {
            let other = &corpus[self.below(corpus.len())];
            let mut piece = other[self.range(other.len(), 24)].to_vec();
            let bit = self.below(16);
            if let (Some(byte), 0..8) = (piece.first_mut(), bit) {
                *byte ^= 1 << bit;
            }
            input.splice(self.range(input.len(), 8), piece);
        }
        input
    }
}
