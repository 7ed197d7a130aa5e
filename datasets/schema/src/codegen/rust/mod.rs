//! Rust types for a schema, with their canonical encoding, checksum and defaults.

mod borrowed;
mod impls;
mod support;
mod types;
mod values;

pub use borrowed::{Borrowed, Strings};
pub use support::{Uses, support};
pub use types::types;
pub use values::function_names as default_functions;

use crate::model::{Field, Schema, TypeDef, Variant};

/// The lints that generated modules must allow: names are the schema's, code may go unused.
pub const LINTS: &str = "bindings_with_variant_name, dead_code, missing_docs, non_snake_case, \
                         non_camel_case_types, unused_parens, clippy::all";

type TypeHook = Box<dyn Fn(&Schema, &TypeDef) -> String>;
type FieldHook = Box<dyn Fn(&Schema, &TypeDef, &Field, usize) -> String>;
type ElementHook = Box<dyn Fn(&Schema, &TypeDef, usize) -> String>;
type VariantHook = Box<dyn Fn(&Schema, &TypeDef, &Variant, usize) -> String>;

/// Types that a derive makes beside ours, with the same fields and variants, such as the archived
/// types of rkyv: `fold` and `encode` are generated for them, too.
pub struct Mirror {
    /// The path of a trait like `Decoded`, which the plugin implements for the built-in types.
    pub walk: String,
    /// The name of the type that mirrors the one of that name.
    pub name: Box<dyn Fn(&str) -> String>,
}

/// What the generated types look like.
pub struct Options {
    /// The derives beside `Clone`, `Debug` and `PartialEq`.
    pub derives: Vec<String>,
    /// The plugin implements for the types of [`support`] what it derives for the others.
    pub support_by_hand: bool,
    /// The canonical encoding is what the plugin measures. Elsewhere it is never timed, and is
    /// compiled as cold code: it took a seventh of the build of postcard's plugin.
    pub canonical_is_timed: bool,
    /// Derive serde's traits, with the attributes that give the wire names and defaults.
    pub serde: bool,
    /// The path of the crate `serbench_canonical` in the generated code.
    pub canonical: String,
    /// The path of the module made by [`support`] from within that of a dataset.
    pub support: String,
    /// What stands at the head of every module, such as imports that a derive relies on.
    pub prelude: String,
    /// Types that borrow from the input, beside ours.
    pub borrowed: Option<Borrowed>,
    /// Types that mirror ours.
    pub mirror: Option<Mirror>,
    /// Further attributes of a type.
    pub type_attrs: Option<TypeHook>,
    /// Further attributes of a field, which may be a struct's or a struct variant's; by the type,
    /// the field and its index.
    pub field_attrs: Option<FieldHook>,
    /// Further attributes of an unnamed element: of a tuple, of a newtype, or what a newtype variant
    /// carries; by the type and the position.
    pub element_attrs: Option<ElementHook>,
    /// Further attributes of a variant; by the enum, the variant and its index.
    pub variant_attrs: Option<VariantHook>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            derives: Vec::new(),
            support_by_hand: false,
            canonical_is_timed: false,
            serde: false,
            prelude: String::new(),
            borrowed: None,
            mirror: None,
            canonical: "::serbench_plugin::canonical".to_owned(),
            support: "super::support".to_owned(),
            type_attrs: None,
            field_attrs: None,
            element_attrs: None,
            variant_attrs: None,
        }
    }
}

impl Options {
    /// The `#[derive(…)]` of a type of the schema, or of one of [`support`], for which serde's traits
    /// are written by hand.
    fn derive(&self, support: bool) -> String {
        let mut all = vec!["Clone", "Debug", "PartialEq"];
        if self.serde && !support {
            all.extend(["serde::Serialize", "serde::Deserialize"]);
        }
        let lists = self
            .derives
            .iter()
            .filter(|_| !(support && self.support_by_hand));
        for derive in lists.flat_map(|list| list.split(',')) {
            let derive = derive.trim();
            let by_hand = self.serde && derive.starts_with("serde::");
            if !derive.is_empty() && !by_hand && !all.contains(&derive) {
                all.push(derive);
            }
        }
        format!("#[derive({})]\n", all.join(", "))
    }
}

/// A name as Rust has it: keywords are raw.
pub fn ident(name: &str) -> String {
    match syn::parse_str::<syn::Ident>(name) {
        Ok(_) if name != "gen" => name.to_owned(),
        _ => format!("r#{name}"),
    }
}
