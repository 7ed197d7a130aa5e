//! The `rename_all` rules, which give the same names as serde's.

/// How `rename_all` spells a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

/// The rules by the name that the attribute gives them.
pub const CASES: [(&str, Case); 8] = [
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
    ("PascalCase", Case::Pascal),
    ("camelCase", Case::Camel),
    ("snake_case", Case::Snake),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
    ("kebab-case", Case::Kebab),
    ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
];

impl Case {
    /// The wire name of a field, whose Rust name is in snake case.
    pub fn field(self, name: &str) -> String {
        match self {
            Case::Lower | Case::Snake => name.to_owned(),
            Case::Upper | Case::ScreamingSnake => name.to_ascii_uppercase(),
            Case::Pascal => name.split('_').map(capitalised).collect(),
            Case::Camel => uncapitalised(&Case::Pascal.field(name)),
            Case::Kebab => name.replace('_', "-"),
            Case::ScreamingKebab => Case::Upper.field(name).replace('_', "-"),
        }
    }

    /// The wire name of a variant, whose Rust name is in Pascal case.
    pub fn variant(self, name: &str) -> String {
        match self {
            Case::Pascal => name.to_owned(),
            Case::Lower => name.to_ascii_lowercase(),
            Case::Upper => name.to_ascii_uppercase(),
            Case::Camel => uncapitalised(name),
            Case::Snake => snake(name),
            _ => self.field(&snake(name)),
        }
    }
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

fn uncapitalised(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_ascii_lowercase());
    first.into_iter().chain(chars).collect()
}

/// An underscore before every capital but the first, and all in lower case.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for (index, c) in name.char_indices() {
        if index > 0 && c.is_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::CASES;

    #[test]
    fn every_rule_spells_as_serde_does() {
        let fields: Vec<_> = CASES.iter().map(|(_, c)| c.field("i_scene_id2")).collect();
        assert_eq!(
            fields,
            [
                "i_scene_id2",
                "I_SCENE_ID2",
                "ISceneId2",
                "iSceneId2",
                "i_scene_id2",
                "I_SCENE_ID2",
                "i-scene-id2",
                "I-SCENE-ID2"
            ]
        );
        let variants: Vec<_> = CASES.iter().map(|(_, c)| c.variant("PushEvent")).collect();
        assert_eq!(
            variants,
            [
                "pushevent",
                "PUSHEVENT",
                "PushEvent",
                "pushEvent",
                "push_event",
                "PUSH_EVENT",
                "push-event",
                "PUSH-EVENT"
            ]
        );
    }
}
