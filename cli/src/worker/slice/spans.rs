//! Where the recorded times of a slice wait to be told.

/// The spans of a slice, in ticks.
#[derive(Debug, Default)]
pub struct Spans {
    /// Those of which it is not known yet whether the core was undisturbed.
    pub piece: Vec<u64>,
    /// The first ones, for as long as was asked for.
    pub plain: Vec<u64>,
    /// Those on an undisturbed core.
    pub undisturbed: Vec<u64>,
}

impl Spans {
    /// Forgets them; their room is kept.
    pub fn clear(&mut self) {
        self.piece.clear();
        self.plain.clear();
        self.undisturbed.clear();
    }

    /// Puts the piece where it belongs.
    pub fn keep(&mut self, is_plain: bool, is_undisturbed: bool) {
        if is_plain {
            self.plain.extend(&self.piece);
        }
        if is_undisturbed {
            self.undisturbed.extend(&self.piece);
        }
        self.piece.clear();
    }
}
