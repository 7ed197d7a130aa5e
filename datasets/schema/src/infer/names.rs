//! Names of types, fields and variants, made of the keys and words of a document.

/// Names that Rust reserves even from raw identifiers.
const NEVER_RAW: [&str; 5] = ["self", "Self", "super", "crate", "_"];
/// Names of types that the language, or code around it, has a meaning for.
const TAKEN: [&str; 20] = [
    "String", "Bytes", "Vec", "Option", "Map", "Tensor", "Root", "Self", "Some", "None", "Ok",
    "Err", "Result", "Box", "Default", "Clone", "Iterator", "Send", "Sync", "Drop",
];

/// The name of a field: `firstName`, `First name` and `first-name` are `first_name`.
pub fn field(key: &str) -> String {
    let name = words(key).join("_").to_ascii_lowercase();
    match name.chars().next() {
        None => "field".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("field_{name}"),
        _ if NEVER_RAW.contains(&name.as_str()) => format!("{name}_"),
        _ => name,
    }
}

/// The name of a variant: `push_event` is `PushEvent`.
pub fn variant(word: &str) -> String {
    let name = pascal(word);
    match name.chars().next() {
        None => "Variant".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("Variant{name}"),
        _ if NEVER_RAW.contains(&name.as_str()) => format!("{name}Variant"),
        _ => name,
    }
}

/// The name of a type.
pub fn ty(key: &str) -> String {
    let name = pascal(key);
    match name.chars().next() {
        None => "Value".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("Type{name}"),
        _ if TAKEN.contains(&name.as_str()) => format!("{name}Type"),
        _ => name,
    }
}

/// One of several: `lines` are each a `line`.
pub fn singular(key: &str) -> String {
    let strip = |end: &str| key.strip_suffix(end);
    match (strip("ies"), strip("s")) {
        (Some(stem), _) if stem.len() > 1 => format!("{stem}y"),
        (_, Some(stem)) if stem.len() > 1 && !stem.ends_with(['s', 'u', 'i']) => stem.to_owned(),
        _ => key.to_owned(),
    }
}

/// The first of `name`, `name_2`, … that is not taken.
pub fn unique(name: String, separator: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}{separator}{number}"));
    let mut names = std::iter::once(name.clone()).chain(numbered);
    names
        .find(|name| !taken(name))
        .expect("there is always another number")
}

fn pascal(text: &str) -> String {
    let capitalised = |word: &String| {
        let (first, rest) = word.split_at(1);
        first.to_ascii_uppercase() + &rest.to_ascii_lowercase()
    };
    words(text).iter().map(capitalised).collect()
}

/// The words in a name, which are of ASCII letters and digits, by any convention.
fn words(text: &str) -> Vec<String> {
    let chars: Vec<char> = text.chars().collect();
    let mut words = vec![String::new()];
    for (index, c) in chars.iter().copied().enumerate() {
        let before = index.checked_sub(1).map(|index| chars[index]);
        let begins = c.is_ascii_uppercase()
            && before.is_some_and(|before| {
                let ends_capitals = || chars.get(index + 1).is_some_and(char::is_ascii_lowercase);
                before.is_ascii_lowercase()
                    || before.is_ascii_digit()
                    || (before.is_ascii_uppercase() && ends_capitals())
            });
        if begins || !c.is_ascii_alphanumeric() {
            words.push(String::new());
        }
        if c.is_ascii_alphanumeric() {
            words.last_mut().expect("there is one at least").push(c);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_convention() {
        for key in [
            "firstName",
            "FirstName",
            "first-name",
            "First name",
            "first_name",
        ] {
            assert_eq!(
                (field(key), ty(key)),
                ("first_name".into(), "FirstName".into())
            );
        }
        let fields = [
            "HTTPServer2Id",
            "2nd",
            "",
            "ä",
            "self",
            "type",
            "_id",
            "@type",
        ]
        .map(field);
        let expected = [
            "http_server2_id",
            "field_2nd",
            "field",
            "field",
            "self_",
            "type",
            "id",
            "type",
        ];
        assert_eq!(fields, expected);
        assert_eq!(
            ["option", "3d", "-"].map(ty),
            ["OptionType", "Type3d", "Value"]
        );
        assert_eq!(
            ["self", "IN_USE", "1"].map(variant),
            ["SelfVariant", "InUse", "Variant1"]
        );
        let one = ["lines", "categories", "status", "address", "is", "data"].map(singular);
        assert_eq!(one, ["line", "category", "status", "address", "is", "data"]);
        assert_eq!(unique("a".into(), "_", |name| name == "a"), "a_2");
    }
}
