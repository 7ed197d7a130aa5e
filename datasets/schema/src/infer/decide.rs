//! From a [`Profile`] to types, each with the reason why.

use super::names;
use super::profile::{Arrays, Elements, Fields, Form, Kind, MAX_WORDS, Numbers, Objects, Profile};
use super::{Guess, profile};
use crate::defaults::int_range;
use crate::model::{Field, Payload, Scalar, Schema, Shape, Tagging, Type, TypeDef, Variant};
use crate::print::type_text;

/// As many numbers show how wide they get; fewer get 32 bits at least.
const NUMBERS_FOR_WIDTH: u64 = 100;
/// As many arrays of one length show that it is fixed.
const ARRAYS_FOR_LENGTH: u64 = 10;
/// The longest arrays whose length is taken for fixed.
const MAX_FIXED: usize = 64;
/// A word is a variant if every one is seen so many times, on the average.
const REPEATS_FOR_ENUM: u64 = 10;
/// As many different keys, most of them absent in most objects, are those of a map.
const KEYS_FOR_MAP: usize = 16;

/// Decides on the types, one place after another.
pub struct Decider {
    pub schema: Schema,
    pub guesses: Vec<Guess>,
}

impl Default for Decider {
    fn default() -> Self {
        let root = Type::Scalar(Scalar::Bool);
        let types = Vec::new();
        Self {
            schema: Schema { types, root },
            guesses: Vec::new(),
        }
    }
}

impl Decider {
    /// The type of a place where a value could have been `chances` times.
    pub fn place(&mut self, mut seen: Profile, chances: u64, path: &str, name: &str) -> Type {
        // The line stands before those of what is inside, and is filled in after them.
        let line = self.guesses.len();
        self.guesses.push(Guess::default());
        let (mut ty, mut why) = self.present(&mut seen, path, name);
        let absent = chances - seen.count;
        if absent + seen.nulls > 0 {
            for (count, what) in [(absent, "absent"), (seen.nulls, "null")] {
                if count > 0 {
                    why += &format!("; {what} in {count} of {chances}");
                }
            }
            if !matches!(self.schema.resolve(&ty), Type::Option(_)) {
                ty = Type::Option(Box::new(ty));
            }
        }
        self.guesses[line] = Guess {
            path: path.to_owned(),
            ty: type_text(&self.schema, &ty),
            why,
        };
        ty
    }

    /// The type of what is neither absent nor null.
    fn present(&mut self, seen: &mut Profile, path: &str, name: &str) -> (Type, String) {
        let kinds = seen.kinds();
        if let [Kind::String, Kind::Object] = kinds[..]
            && let Some(found) = self.external(seen, path, name)
        {
            return found;
        }
        let mixed = match kinds.len() {
            0 | 1 => "",
            _ => "; other kinds of values stand here too, which no type holds",
        };
        let Some(kind) = seen.first else {
            return (Type::String, "nothing but null: a string is assumed".into());
        };
        let (ty, why) = match (kind, &mut seen.arrays, &mut seen.objects) {
            (Kind::Bool, ..) => (Type::Scalar(Scalar::Bool), "true or false".to_owned()),
            (Kind::Number, ..) => {
                let (scalar, why) = number(&seen.numbers);
                (Type::Scalar(scalar), why)
            }
            (Kind::String, ..) => self.string(seen, name),
            (Kind::Array, Some(arrays), _) => self.array(arrays, path, name),
            (Kind::Object, _, Some(_)) => self.object(seen, path, name),
            (Kind::Array | Kind::Object, ..) => unreachable!("the kind was seen"),
        };
        (ty, why + mixed)
    }

    /// Text, or a word of a few.
    fn string(&mut self, seen: &Profile, name: &str) -> (Type, String) {
        let count = seen.strings.count;
        let words = match &seen.strings.words {
            Some(words) if words.len() >= 2 && count >= REPEATS_FOR_ENUM * words.len() as u64 => {
                words
            }
            _ => return (Type::String, "text".to_owned()),
        };
        let variants = words.keys().map(|word| (word.as_str(), Payload::Unit));
        let ty = self.enumeration(name, Tagging::External, variants.collect());
        (
            ty,
            format!("{} different words in {count} strings", words.len()),
        )
    }

    fn array(&mut self, arrays: &mut Arrays, path: &str, name: &str) -> (Type, String) {
        if let Elements::Positions(positions) = &mut arrays.elements
            && is_mixed(positions)
        {
            let positions = std::mem::take(positions);
            let why = format!("arrays of {} values of different kinds", positions.len());
            let types = positions.into_iter().enumerate();
            let types = types.map(|(index, seen)| {
                let (path, name) = (format!("{path}[{index}]"), format!("{name}_{index}"));
                self.place(seen, arrays.count, &path, &name)
            });
            let types = types.collect();
            return (self.define(name, Shape::Tuple(types)), why);
        }
        let seen = std::mem::take(arrays.elements.any());
        if seen.count == 0 {
            let list = Type::List(Box::new(Type::String));
            return (
                list,
                "empty everywhere: of strings, it is assumed".to_owned(),
            );
        }
        let (count, element_path) = (seen.count, format!("{path}[*]"));
        let element = self.place(seen, count, &element_path, &names::singular(name));
        let len = arrays.longest;
        let fixed = arrays.shortest == len && arrays.count >= ARRAYS_FOR_LENGTH;
        let plain = matches!(element, Type::Scalar(_) | Type::Array(..));
        if fixed && plain && (2..=MAX_FIXED).contains(&len) {
            let why = format!("{len} elements in all of {} arrays", arrays.count);
            return (Type::Array(Box::new(element), len as u32), why);
        }
        let why = match arrays.shortest == len {
            true => format!("arrays of {len}"),
            false => format!("arrays of {} to {len}", arrays.shortest),
        };
        (Type::List(Box::new(element)), why)
    }

    fn object(&mut self, seen: &mut Profile, path: &str, name: &str) -> (Type, String) {
        if let Some(found) = self.external(seen, path, name) {
            return found;
        }
        let objects = seen.objects.as_mut().expect("the caller has seen some");
        if let Some(found) = self.internal(&mut objects.form, path, name) {
            return found;
        }
        objects.form.untag();
        if let Some(why) = why_map(objects) {
            let (entries, value) = objects.form.as_map();
            if entries == 0 {
                return (Type::Map(Box::new(Type::String)), why);
            }
            let value = self.place(
                value,
                entries,
                &format!("{path}[key]"),
                &names::singular(name),
            );
            return (Type::Map(Box::new(value)), why);
        }
        let Form::Plain(fields) = &mut objects.form else {
            unreachable!("other forms were dealt with above")
        };
        let fields = self.fields(std::mem::take(fields), objects.count, path, name);
        let why = match fields.len() {
            1 => "1 field".to_owned(),
            count => format!("{count} fields"),
        };
        (self.define(name, Shape::Struct(fields)), why)
    }

    fn fields(&mut self, fields: Fields, chances: u64, path: &str, owner: &str) -> Vec<Field> {
        let mut out: Vec<Field> = Vec::new();
        // No field has an empty name; reading the data says where one was.
        for (key, seen) in fields.into_iter().filter(|(key, _)| !key.is_empty()) {
            let name = names::field(&key);
            let name = names::unique(name, "_", |name| out.iter().any(|f| f.name == name));
            let type_name = match names::ty(&key).as_str() {
                "Value" | "Data" | "Item" => format!("{owner}_{key}"),
                _ => key.clone(),
            };
            let ty = self.place(seen, chances, &format!("{path}.{key}"), &type_name);
            out.push(Field {
                name,
                wire_name: key,
                ty,
                default: None,
                skip_default: false,
            });
        }
        out
    }

    /// `{"Variant": content}` for one of several variants, and `"Variant"` for those without.
    fn external(&mut self, seen: &mut Profile, path: &str, name: &str) -> Option<(Type, String)> {
        let objects = seen.objects.as_mut()?;
        let Form::Plain(fields) = &mut objects.form else {
            return None;
        };
        let units = match (seen.strings.count, &seen.strings.words) {
            (0, _) => Vec::new(),
            (_, Some(words)) => words.keys().cloned().collect(),
            (_, None) => return None,
        };
        let capital = |key: &String| key.starts_with(|c: char| c.is_ascii_uppercase());
        let clear = !units.is_empty() || (fields.len() >= 2 && fields.keys().all(capital));
        let words = fields.keys().all(|key| profile::is_word(key));
        let apart = units.iter().all(|unit| !fields.contains_key(unit));
        let count = fields.len() + units.len();
        if !(objects.single && clear && words && apart && count <= MAX_WORDS) {
            return None;
        }
        let mut variants: Vec<_> = units
            .into_iter()
            .map(|unit| (unit, Payload::Unit))
            .collect();
        for (key, seen) in std::mem::take(fields) {
            let count = seen.count;
            let ty = self.place(seen, count, &format!("{path}.{key}"), &key);
            variants.push((key, Payload::Newtype(ty)));
        }
        let variants = variants
            .iter()
            .map(|(key, payload)| (key.as_str(), payload.clone()));
        let ty = self.enumeration(name, Tagging::External, variants.collect());
        Some((
            ty,
            format!("objects of one key, which is one of {count} variants"),
        ))
    }

    /// Objects whose other fields depend on a tag.
    fn internal(&mut self, form: &mut Form, path: &str, name: &str) -> Option<(Type, String)> {
        let Form::Tagged { tag, variants, .. } = form else {
            return None;
        };
        // One variant always has a field that another one never has.
        let differ = variants.values().any(|(count, fields)| {
            let always = fields.iter().filter(|(_, seen)| seen.count == *count);
            let mut always = always.map(|(key, _)| key);
            always.any(|key| variants.values().any(|(_, other)| !other.contains_key(key)))
        });
        if !differ {
            return None;
        }
        let why = format!(
            "the other fields depend on {tag:?}, which is one of {} variants",
            variants.len()
        );
        let mut found = Vec::new();
        for (word, (count, fields)) in std::mem::take(variants) {
            let path = format!("{path}<{word}>");
            let fields = self.fields(fields, count, &path, name);
            let payload = match fields.is_empty() {
                true => Payload::Unit,
                false => Payload::Struct(fields),
            };
            found.push((word, payload));
        }
        let found = found
            .iter()
            .map(|(word, payload)| (word.as_str(), payload.clone()));
        let ty = self.enumeration(name, Tagging::Internal(tag.clone()), found.collect());
        Some((ty, why))
    }

    fn enumeration(&mut self, name: &str, tagging: Tagging, found: Vec<(&str, Payload)>) -> Type {
        let mut variants: Vec<Variant> = Vec::new();
        for (word, payload) in found {
            let taken = |name: &str| variants.iter().any(|variant| variant.name == name);
            variants.push(Variant {
                name: names::unique(names::variant(word), "", taken),
                wire_name: word.to_owned(),
                payload,
            });
        }
        self.define(name, Shape::Enum { tagging, variants })
    }

    /// The type of that shape: the one there is already, or a new one.
    fn define(&mut self, name: &str, shape: Shape) -> Type {
        let types = &mut self.schema.types;
        if let Some(index) = types.iter().position(|def| def.shape == shape) {
            return Type::Named(index);
        }
        let taken = |name: &str| types.iter().any(|def| def.name == name);
        let name = names::unique(names::ty(name), "", taken);
        types.push(TypeDef { name, shape });
        Type::Named(types.len() - 1)
    }
}

/// Whether arrays have elements of different kinds in different positions.
fn is_mixed(positions: &[Profile]) -> bool {
    let kinds = positions.iter().map(Profile::kinds);
    let mut kinds: Vec<_> = kinds.filter(|kinds| !kinds.is_empty()).collect();
    // Strings and objects may be the variants of an enum.
    let alone = |kinds: &Vec<_>| kinds.len() == 1 || *kinds == [Kind::String, Kind::Object];
    let clear = kinds.iter().all(alone);
    kinds.dedup();
    clear && kinds.len() > 1
}

/// Why objects are maps, if they are.
fn why_map(objects: &Objects) -> Option<String> {
    let fields = match &objects.form {
        Form::Plain(fields) => fields,
        _ => return Some("objects with very many different keys".to_owned()),
    };
    if fields.is_empty() {
        return Some("an empty object everywhere: of strings, it is assumed".to_owned());
    }
    if fields.contains_key("") {
        return Some("an empty key, which is the name of no field".to_owned());
    }
    let mut kinds: Vec<_> = fields.values().flat_map(Profile::kinds).collect();
    kinds.sort_by_key(|kind| *kind as u8);
    kinds.dedup();
    if kinds.len() > 1 {
        return None;
    }
    let names = fields.keys().filter(|key| is_name(key)).count();
    if names * 2 < fields.len() {
        return Some("keys that are no names".to_owned());
    }
    let entries: u64 = fields.values().map(|seen| seen.count).sum();
    let sparse = entries * 4 < fields.len() as u64 * objects.count;
    (fields.len() >= KEYS_FOR_MAP && sparse).then(|| {
        format!(
            "{} different keys, of which an object has {} on the average",
            fields.len(),
            entries.div_ceil(objects.count)
        )
    })
}

/// Whether a key reads as the name of a field.
fn is_name(key: &str) -> bool {
    let key = key.trim_start_matches(['_', '$', '@']);
    let rest = |c: char| c.is_alphanumeric() || "_- ".contains(c);
    key.len() <= 40 && key.starts_with(char::is_alphabetic) && key.chars().all(rest)
}

/// The type of numbers.
fn number(numbers: &Numbers) -> (Scalar, String) {
    let Numbers {
        ints,
        floats,
        min,
        max,
    } = *numbers;
    let exact = -(1 << 53)..=1 << 53;
    let lossy = ints > 0 && !(exact.contains(&min) && exact.contains(&max));
    let note = match lossy {
        true => "; whole ones beyond 2^53 lose their last digits",
        false => "",
    };
    if floats > 0 {
        return (
            Scalar::F64,
            format!(
                "{floats} of {} have a fraction or exponent{note}",
                ints + floats
            ),
        );
    }
    let seen = match min == max {
        true => format!("always {min}"),
        false => format!("whole numbers from {min} to {max}"),
    };
    match width(min, max, ints) {
        Some(scalar) => (scalar, seen),
        None => (
            Scalar::F64,
            format!("{seen}, for which 64 bits do not suffice{note}"),
        ),
    }
}

/// The narrowest integer type that holds twice what was seen, or of which the very limit was seen.
fn width(min: i128, max: i128, count: u64) -> Option<Scalar> {
    let signed = [Scalar::I8, Scalar::I16, Scalar::I32, Scalar::I64];
    let unsigned = [Scalar::U8, Scalar::U16, Scalar::U32, Scalar::U64];
    let scalars = if min < 0 { signed } else { unsigned };
    let narrowest = if count < NUMBERS_FOR_WIDTH { 2 } else { 0 };
    let fits = |scalar: &Scalar| {
        let range = int_range(*scalar);
        let holds = |min, max| range.contains(&min) && range.contains(&max);
        let at_limit = max == *range.end() || (min < 0 && min == *range.start());
        holds(min, max) && (scalar.size() == 8 || at_limit || holds(2 * min, 2 * max))
    };
    scalars[narrowest..].iter().copied().find(fits)
}
