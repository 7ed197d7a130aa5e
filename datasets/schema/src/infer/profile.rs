//! What is seen of the values at one place of the documents, added up over all of them. Its size
//! depends on how many different fields there are, not on how many values.

use indexmap::IndexMap;

/// What is seen at one place.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Profile {
    /// How many values, nulls included.
    pub count: u64,
    pub nulls: u64,
    pub bools: u64,
    pub numbers: Numbers,
    pub strings: Strings,
    pub arrays: Option<Box<Arrays>>,
    pub objects: Option<Box<Objects>>,
    /// The kind of the first value that is not null.
    pub first: Option<Kind>,
}

/// The kinds of JSON values, but for null.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Bool,
    Number,
    String,
    Array,
    Object,
}

/// The numbers at one place.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Numbers {
    /// Whole ones of up to 64 bits.
    pub ints: u64,
    pub floats: u64,
    pub min: i128,
    pub max: i128,
}

/// The strings at one place.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Strings {
    pub count: u64,
    /// The different ones and how often each was seen; none once some string is no word or there are
    /// too many.
    pub words: Option<IndexMap<String, u64>>,
}

/// The arrays at one place.
#[derive(Debug, Clone, PartialEq)]
pub struct Arrays {
    pub count: u64,
    pub shortest: usize,
    pub longest: usize,
    pub elements: Elements,
}

/// The elements of arrays.
#[derive(Debug, Clone, PartialEq)]
pub enum Elements {
    /// By their position, as long as all arrays are short and of one length.
    Positions(Vec<Profile>),
    /// All alike.
    Any(Profile),
}

/// The objects at one place.
#[derive(Debug, Clone, PartialEq)]
pub struct Objects {
    pub count: u64,
    /// Whether every one of them has one key and no more.
    pub single: bool,
    pub form: Form,
}

/// The fields of objects, in the order in which they were first seen.
pub type Fields = IndexMap<String, Profile>;

/// The contents of objects.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    Plain(Fields),
    /// By the string in the field `tag`, as long as every object has it: how many objects there are
    /// of each, and their other fields. In the first object the tag stood behind `before` others.
    Tagged {
        tag: String,
        before: usize,
        variants: IndexMap<String, (u64, Fields)>,
    },
    /// Too many different keys to be fields: how many entries there are.
    Map {
        entries: u64,
        value: Profile,
    },
}

/// The most words that are told apart.
pub const MAX_WORDS: usize = 32;
/// The longest array that may be a tuple.
const MAX_TUPLE: usize = 16;
/// The most keys of objects that are told apart.
const MAX_KEYS: usize = 1000;
/// The fields that may say which variant an object is.
const TAGS: [&str; 8] = [
    "type",
    "kind",
    "tag",
    "variant",
    "event",
    "@type",
    "$type",
    "__typename",
];

impl Profile {
    pub fn null() -> Self {
        Self {
            count: 1,
            nulls: 1,
            ..Self::default()
        }
    }

    pub fn of(kind: Kind) -> Self {
        Self {
            count: 1,
            first: Some(kind),
            ..Self::default()
        }
    }

    pub fn int(n: i128) -> Self {
        let numbers = Numbers {
            ints: 1,
            floats: 0,
            min: n,
            max: n,
        };
        Self {
            numbers,
            ..Self::of(Kind::Number)
        }
    }

    pub fn string(text: &str) -> Self {
        let words = is_word(text).then(|| IndexMap::from([(text.to_owned(), 1)]));
        Self {
            strings: Strings { count: 1, words },
            ..Self::of(Kind::String)
        }
    }

    /// The kinds that were seen.
    pub fn kinds(&self) -> Vec<Kind> {
        let seen = [
            (Kind::Bool, self.bools > 0),
            (Kind::Number, self.numbers.ints + self.numbers.floats > 0),
            (Kind::String, self.strings.count > 0),
            (Kind::Array, self.arrays.is_some()),
            (Kind::Object, self.objects.is_some()),
        ];
        let seen = seen.into_iter().filter(|(_, seen)| *seen);
        seen.map(|(kind, _)| kind).collect()
    }

    /// Adds what was seen elsewhere.
    pub fn add(&mut self, other: Profile) {
        if self.count == 0 {
            *self = other;
            return;
        }
        self.count += other.count;
        self.nulls += other.nulls;
        self.bools += other.bools;
        self.first = self.first.or(other.first);
        self.numbers.add(other.numbers);
        self.strings.add(other.strings);
        match (&mut self.arrays, other.arrays) {
            (Some(arrays), Some(other)) => arrays.add(*other),
            (none @ None, other) => *none = other,
            _ => {}
        }
        match (&mut self.objects, other.objects) {
            (Some(objects), Some(other)) => objects.add(*other),
            (none @ None, other) => *none = other,
            _ => {}
        }
    }
}

impl Numbers {
    fn add(&mut self, other: Self) {
        if self.ints == 0 {
            (self.min, self.max) = (other.min, other.max);
        } else if other.ints > 0 {
            self.min = self.min.min(other.min);
            self.max = self.max.max(other.max);
        }
        self.ints += other.ints;
        self.floats += other.floats;
    }
}

impl Strings {
    fn add(&mut self, other: Self) {
        if self.count == 0 {
            *self = other;
            return;
        }
        self.count += other.count;
        if other.count == 0 {
            return;
        }
        match (&mut self.words, other.words) {
            (Some(words), Some(other)) => {
                for (word, count) in other {
                    *words.entry(word).or_default() += count;
                }
                if words.len() > MAX_WORDS {
                    self.words = None;
                }
            }
            (words, _) => *words = None,
        }
    }
}

impl Arrays {
    pub fn new() -> Self {
        Self {
            count: 1,
            shortest: 0,
            longest: 0,
            elements: Elements::Positions(Vec::new()),
        }
    }

    /// One more element of the one array.
    pub fn push(&mut self, element: Profile) {
        self.shortest += 1;
        self.longest += 1;
        match &mut self.elements {
            Elements::Positions(positions) if positions.len() < MAX_TUPLE => {
                positions.push(element);
            }
            elements => elements.any().add(element),
        }
    }

    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.shortest = self.shortest.min(other.shortest);
        self.longest = self.longest.max(other.longest);
        match (&mut self.elements, other.elements) {
            (Elements::Positions(positions), Elements::Positions(other))
                if positions.len() == other.len() =>
            {
                let pairs = positions.iter_mut().zip(other);
                pairs.for_each(|(position, other)| position.add(other));
            }
            (elements, mut other) => elements.any().add(std::mem::take(other.any())),
        }
    }
}

impl Elements {
    /// All of them as one, from now on.
    pub fn any(&mut self) -> &mut Profile {
        if let Self::Positions(positions) = self {
            let mut any = Profile::default();
            positions.drain(..).for_each(|position| any.add(position));
            *self = Self::Any(any);
        }
        match self {
            Self::Any(any) => any,
            Self::Positions(_) => unreachable!("they were put together above"),
        }
    }
}

impl Objects {
    /// One object.
    pub fn new(fields: Fields) -> Self {
        let single = fields.len() == 1;
        let mut form = Form::Plain(fields);
        form.limit();
        Self {
            count: 1,
            single,
            form: form.tagged(),
        }
    }

    fn add(&mut self, other: Self) {
        self.count += other.count;
        self.single &= other.single;
        self.form.add(other.form);
    }
}

impl Form {
    /// By the tag, where the fields of one object have one.
    fn tagged(mut self) -> Self {
        let Self::Plain(fields) = &mut self else {
            return self;
        };
        for tag in TAGS {
            let Some((before, _, field)) = fields.get_full(tag) else {
                continue;
            };
            let words = field.strings.words.as_ref();
            if let Some(word) = words.and_then(|words| words.keys().next()).cloned() {
                fields.shift_remove(tag);
                return Self::Tagged {
                    tag: tag.to_owned(),
                    before,
                    variants: IndexMap::from([(word, (1, std::mem::take(fields)))]),
                };
            }
        }
        self
    }

    fn add(&mut self, other: Self) {
        match (&mut *self, other) {
            (
                Self::Tagged { tag, variants, .. },
                Self::Tagged {
                    tag: other_tag,
                    variants: others,
                    ..
                },
            ) if *tag == other_tag => {
                for (word, (count, fields)) in others {
                    let variant = variants.entry(word).or_default();
                    variant.0 += count;
                    add_fields(&mut variant.1, fields);
                }
                if variants.len() > MAX_WORDS {
                    self.untag();
                }
            }
            (Self::Plain(fields), Self::Plain(other)) => add_fields(fields, other),
            (Self::Map { entries, value }, mut other) => {
                let (more, other) = other.as_map();
                *entries += more;
                value.add(other);
            }
            (Self::Plain(_) | Self::Tagged { .. }, mut other) => {
                self.untag();
                other.untag();
                match (&mut *self, other) {
                    (Self::Plain(fields), Self::Plain(other)) => add_fields(fields, other),
                    (_, other) => {
                        let (entries, value) = self.as_map();
                        *self = Self::Map { entries, value };
                        self.add(other);
                    }
                }
            }
        }
        self.limit();
    }

    /// The tag becomes a field like the others.
    pub fn untag(&mut self) {
        let Self::Tagged {
            tag,
            before,
            variants,
        } = self
        else {
            return;
        };
        let mut all = Fields::from([(tag.clone(), Profile::default())]);
        for (word, (count, fields)) in variants.drain(..) {
            let mut tag = Profile::string(&word);
            tag.count = count;
            tag.strings.count = count;
            if let Some(words) = &mut tag.strings.words {
                words[&word] = count;
            }
            all[0].add(tag);
            add_fields(&mut all, fields);
        }
        all.move_index(0, (*before).min(all.len() - 1));
        *self = Self::Plain(all);
        self.limit();
    }

    /// The entries of a map: how many there are, and their values.
    pub fn as_map(&mut self) -> (u64, Profile) {
        self.untag();
        match self {
            Self::Map { entries, value } => (*entries, std::mem::take(value)),
            Self::Plain(fields) => {
                let mut all = Profile::default();
                fields.drain(..).for_each(|(_, field)| all.add(field));
                (all.count, all)
            }
            Self::Tagged { .. } => unreachable!("the tag was taken away"),
        }
    }

    fn limit(&mut self) {
        if matches!(self, Self::Plain(fields) if fields.len() > MAX_KEYS) {
            let (entries, value) = self.as_map();
            *self = Self::Map { entries, value };
        }
    }
}

fn add_fields(fields: &mut Fields, other: Fields) {
    for (key, field) in other {
        fields.entry(key).or_default().add(field);
    }
}

/// Whether a string may be the name of a variant.
pub fn is_word(text: &str) -> bool {
    let rest = |c: char| c.is_ascii_alphanumeric() || "_-.:/".contains(c);
    text.len() <= 40
        && text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.chars().all(rest)
}
