//! What the process of a plugin tells the one that watches it: a JSON object on a line, behind a mark
//! that no plugin prints by chance.

use serde::{Deserialize, Serialize};

const MARK: &str = "\u{1e}serbench ";

/// What happened to a codec on a dataset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// So many values came back as they went in; the others are unsupported, for that reason.
    Passed {
        values: usize,
        unsupported: usize,
        reason: String,
    },
    /// No value can be carried, for that reason.
    Unsupported(String),
    /// The contract is broken.
    Failed(String),
}

#[derive(Debug, Serialize, Deserialize)]
pub enum Line {
    /// The next pair.
    Begin { codec: String, dataset: String },
    /// What is done next, should nothing more be heard.
    Step(String),
    /// What came of the pair.
    End(Outcome),
    /// The plugin cannot be used at all.
    Refused(String),
}

impl Line {
    /// Tells the watching process, which reads at once.
    pub fn tell(&self) {
        let text = serde_json::to_string(self).expect("lines are plain data");
        println!("{MARK}{text}");
    }

    /// The line, unless it is one that the plugin printed.
    pub fn read(line: &str) -> Option<Self> {
        // A plugin may have left a line of its own unfinished.
        let (_, text) = line.split_once(MARK)?;
        serde_json::from_str(text).ok()
    }
}
