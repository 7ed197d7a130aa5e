//! The normalised form of a schema, and its fingerprint.

use sha2::{Digest, Sha256};

use crate::model::Schema;

impl Schema {
    /// The schema as JSON. It does not depend on how the source is laid out, commented or ordered.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a schema has string keys only and no fallible part")
    }

    /// Reads what [`Schema::to_json`] wrote.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// 32 hex digits over the normalised form: equal for the same types, and only for those.
    pub fn fingerprint(&self) -> String {
        let hash = Sha256::digest(self.to_json());
        hash[..16]
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }
}
