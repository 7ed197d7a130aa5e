//! Names that are safe in every interface language and in the code generated from it.
//!
//! An interface language writes names in its own case (`snake_case` fields, `CamelCase` types), and
//! what is generated from it derives more names (`get_x`, `x_size`, `has_x`). So names are split
//! into words, made unique in their strictest form, and moved out of the way of keywords.

use std::collections::BTreeSet;

/// Words that are reserved, or clash with something generated, in Rust, C, C++, Protocol Buffers,
/// Cap'n Proto, FlatBuffers or Thrift, or that are macros of the C library.
const RESERVED: &str = "\
    abstract add alignas alignof and and_eq annotation any args as asm assert async at attribute \
    auto await base become begin binary bitand bitor bool box break bufsiz builder byte bytes case \
    catch char char16_t char32_t char8_t class clear clone co_await co_return co_yield compl \
    compute_size concept const const_cast consteval constexpr constinit continue crate decltype \
    def default default_instance del delete descriptor do double dyn dynamic_cast elif else end \
    enum eof errno except explicit export extend extends extensions extern f32 f64 fail false \
    file_extension file_identifier final finally finish fixed float fn follow for foreach friend \
    from func function gen get global goto group i32 i386 i64 if impl implements import in include \
    inf infinity inline int interface internal into is is_initialized iter lambda let linux long \
    loop macro main major map match max merge message min minor mod module move mut mutable \
    namespace nan native new nil noexcept none not not_eq null nullptr object_type of offsetof on \
    oneof operator option optional or or_eq override package parse_from pass print priv private \
    protected pub public pure raise reader reborrow ref register reinterpret_cast repeated \
    required requires reserved restrict return returns root_type rpc rpc_service self service set \
    short signals signed sizeof slots some special_fields stack static static_assert static_cast \
    stderr stdin stdout str stream string struct super swap switch synchronized syntax table \
    template this thread_local throw throws to total_size trait true try type typedef typeid \
    typename typeof u32 u64 u8 union unix unsafe unsigned unsized use using virtual void volatile \
    wchar_t weak where which while with xor xor_eq yield";

/// Type names that mean something else in an interface language or in generated code.
const RESERVED_TYPES: &str = "\
    AnyPointer Bool Box Builder Bytes Copy Cow Data Default Err Error Float32 Float64 From HashMap \
    Int16 Int32 Int64 Int8 KVMap Kind List Message MessageInfo MessageRead MessageWrite None Ok \
    Option Reader Result Root Self Some String Table Tensor Text UInt16 UInt32 UInt64 UInt8 Vec \
    Vector Verifier Void Which Write Writer WriterBackend";

fn has_word(words: &str, word: &str) -> bool {
    words.split(' ').any(|other| other == word)
}

/// What generated code puts before or after a field's name.
const PREFIXES: &[&str] = &[
    "add_", "clear_", "get_", "has_", "init_", "mut_", "mutable_", "release_", "set_", "take_",
    "which_",
];
const SUFFIXES: &[&str] = &["_case", "_count", "_size", "_type"];

/// The name in `snake_case`, ASCII letters and digits only, a letter first.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut after_lower = false;
    for c in name.chars() {
        match c {
            '_' => {
                if !out.is_empty() && !out.ends_with('_') {
                    out.push('_');
                }
            }
            c if c.is_ascii_alphanumeric() => {
                if c.is_ascii_uppercase() && after_lower {
                    out.push('_');
                }
                out.push(c.to_ascii_lowercase());
            }
            other => out.push_str(&format!("u{:x}", u32::from(other))),
        }
        after_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
    }
    let out = out.trim_end_matches('_');
    match out.chars().next() {
        None => "x".to_owned(),
        Some(c) if c.is_ascii_digit() => format!("x{out}"),
        _ => out.to_owned(),
    }
}

/// `snake_case` as `CamelCase`.
pub fn pascal(snake: &str) -> String {
    snake.split('_').map(capitalised).collect()
}

/// `snake_case` as `camelCase`.
pub fn camel(snake: &str) -> String {
    let mut words = snake.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| name + &capitalised(word))
}

fn capitalised(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// `CamelCase` with its capitals kept: `UVec3` stays as it is.
pub fn type_name(name: &str) -> String {
    let name = match name.chars().all(|c| c.is_ascii_alphanumeric()) {
        true => capitalised(name),
        false => pascal(&snake(name)),
    };
    match name.starts_with(|c: char| c.is_ascii_uppercase()) {
        true => name,
        false => format!("X{name}"),
    }
}

/// The names of the members of one message: in `snake_case`, safe, and distinct even in
/// `camelCase`.
pub fn members<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let snakes: Vec<String> = names.into_iter().map(snake).collect();
    let plain: BTreeSet<&str> = snakes.iter().map(String::as_str).collect();
    let mut used = BTreeSet::new();
    snakes
        .iter()
        .map(|name| {
            let safe = match has_word(RESERVED, name) || is_derived(name, &plain) {
                true => format!("{name}_field"),
                false => name.clone(),
            };
            let unique = numbered(&safe, |candidate| {
                !used.contains(&camel(candidate))
                    && (candidate == safe || !plain.contains(candidate))
            });
            used.insert(camel(&unique));
            unique
        })
        .collect()
}

/// Whether generated code makes this name out of that of another member.
fn is_derived(name: &str, all: &BTreeSet<&str>) -> bool {
    let from_prefix = PREFIXES
        .iter()
        .filter_map(|prefix| name.strip_prefix(prefix));
    let from_suffix = SUFFIXES
        .iter()
        .filter_map(|suffix| name.strip_suffix(suffix));
    from_prefix
        .chain(from_suffix)
        .any(|rest| all.contains(rest))
}

/// The names of the types of one file.
#[derive(Debug, Default)]
pub struct TypeNames(BTreeSet<String>);

impl TypeNames {
    /// `wish`, or something near it that is safe and not taken yet.
    pub fn take(&mut self, wish: &str) -> String {
        let name = type_name(wish);
        let clashes = has_word(RESERVED_TYPES, &name)
            || [
                "Args", "Builder", "Kind", "Reader", "Ref", "Traits", "Union",
            ]
            .iter()
            .any(|suffix| name.ends_with(suffix));
        let safe = if clashes { format!("{name}Item") } else { name };
        let unique = numbered(&safe, |candidate| {
            !self.0.contains(&candidate.to_lowercase())
        });
        self.0.insert(unique.to_lowercase());
        unique
    }
}

/// `name`, or `name` with the first number from 2 that makes it free.
fn numbered(name: &str, is_free: impl Fn(&str) -> bool) -> String {
    if is_free(name) {
        return name.to_owned();
    }
    (2..)
        .map(|number| format!("{name}{number}"))
        .find(|candidate| is_free(candidate))
        .expect("there are numbers enough")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_words() {
        assert_eq!(snake("field_of_type_u32"), "field_of_type_u32");
        assert_eq!(snake("_myField2"), "my_field2");
        assert_eq!(snake("2d"), "x2d");
        assert_eq!(snake("größe"), "gruf6udfe");
        assert_eq!(camel("i_scene_1"), "iScene1");
        assert_eq!(type_name("UVec3"), "UVec3");
        assert_eq!(type_name("my_type"), "MyType");
    }

    #[test]
    fn members_are_safe_and_distinct() {
        let names = [
            "class",
            "class_field",
            "a_b",
            "aB",
            "x",
            "x_size",
            "has_x",
            "a_b2",
        ];
        assert_eq!(
            members(names),
            [
                "class_field",
                "class_field2",
                "a_b",
                "a_b3",
                "x",
                "x_size_field",
                "has_x_field",
                "a_b2"
            ]
        );
    }

    #[test]
    fn type_names_are_safe_and_distinct() {
        let mut names = TypeNames::default();
        let taken: Vec<_> = ["Level", "LEVEL", "Text", "Cow", "TreeBuilder"]
            .iter()
            .map(|name| names.take(name))
            .collect();
        assert_eq!(
            taken,
            ["Level", "LEVEL2", "TextItem", "CowItem", "TreeBuilderItem"]
        );
    }
}
