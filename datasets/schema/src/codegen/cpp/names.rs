//! Identifiers of C++ for names of the schema.

use crate::model::{Schema, Shape, Variant};

/// What cannot be a member's or a type's name: the keywords of C++17 and C++20, and macros that
/// common headers or GNU modes define.
const RESERVED: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch \
    char char16_t char32_t char8_t class co_await co_return co_yield compl concept const \
    const_cast consteval constexpr constinit continue decltype default delete do double \
    dynamic_cast else enum explicit export extern false float for friend goto if inline int long \
    mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public \
    register reinterpret_cast requires return short signed sizeof static static_assert \
    static_cast struct switch template this thread_local throw true try typedef typeid typename \
    union unsigned using virtual void volatile wchar_t while xor xor_eq \
    BUFSIZ EOF NAN NULL INFINITY assert errno linux major minor offsetof stderr stdin stdout \
    unix std serbench Root Dataset";

/// An identifier for `name` that is no reserved word and not `taken`: underscores are appended
/// until it is.
pub fn identifier(name: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut out: String = name
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, '_');
    }
    while RESERVED.split_whitespace().any(|word| word == out) || taken(&out) {
        out.push('_');
    }
    out
}

/// The identifiers of a schema's types.
pub struct Names {
    /// For each type: its own name, then those of its variants' payload structs.
    types: Vec<(String, Vec<String>)>,
}

impl Names {
    /// Chooses a distinct identifier for every type.
    pub fn new(schema: &Schema) -> Self {
        let mut used: Vec<String> = Vec::new();
        let mut choose = |name: &str| {
            let chosen = identifier(name, |candidate| used.iter().any(|u| u == candidate));
            used.push(chosen.clone());
            chosen
        };
        let own: Vec<_> = schema.types.iter().map(|def| choose(&def.name)).collect();
        let types = schema.types.iter().zip(own).map(|(def, own)| {
            let payloads = match &def.shape {
                Shape::Enum { variants, .. } => variants
                    .iter()
                    .map(|variant| choose(&format!("{}_{}", def.name, variant.name)))
                    .collect(),
                _ => Vec::new(),
            };
            (own, payloads)
        });
        Self {
            types: types.collect(),
        }
    }

    /// The name of type number `index`.
    pub fn of(&self, index: usize) -> &str {
        &self.types[index].0
    }

    /// The name of the struct that variant number `variant` of type number `index` carries.
    pub fn payload(&self, index: usize, variant: usize) -> &str {
        &self.types[index].1[variant]
    }

    /// The names of members, in order. None is that of a type, which it would hide.
    pub fn members<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for name in names {
            let member = identifier(name, |c| {
                out.iter().any(|other| other == c)
                    || self
                        .types
                        .iter()
                        .any(|(own, more)| own == c || more.iter().any(|m| m == c))
            });
            out.push(member);
        }
        out
    }

    /// The names of the enumerators of an enum without payloads.
    pub fn enumerators(variants: &[Variant]) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for variant in variants {
            let name = identifier(&variant.name, |c| out.iter().any(|other| other == c));
            out.push(name);
        }
        out
    }
}
