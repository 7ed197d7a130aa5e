//! `$OUT_DIR/datasets.rs` of a Rust plugin.

use std::env;
use std::fmt::Write;
use std::path::PathBuf;
use std::process::exit;

use serbench_schema::Schema;
use serbench_schema::codegen::rust::{
    self, Borrowed, LINTS, Mirror, Options, Strings, Uses, ident,
};
use serbench_schema::model::{Field, TypeDef, Variant};

use super::cargo;
use crate::Dataset;

/// What the build script of a Rust plugin asks for.
///
/// ```no_run
/// serbench_datasets::build::RustPlugin::new()
///     .serde()
///     .library("postcard")
///     .generate();
/// ```
///
/// The plugin then has `include!(concat!(env!("OUT_DIR"), "/datasets.rs"));`: a module for each
/// dataset with its types and `Root`, and `Datasets`, which the `plugin!` macro takes.
#[derive(Default)]
pub struct RustPlugin {
    options: Options,
    libraries: Vec<String>,
    supports: Option<SupportsHook>,
    file: Option<String>,
}

type SupportsHook = Box<dyn Fn(&Schema) -> Result<(), String>>;

impl RustPlugin {
    /// Plain types.
    pub fn new() -> Self {
        Self::default()
    }

    /// Writes `$OUT_DIR/<file>.rs` instead, for a plugin with several sets of types.
    pub fn file(mut self, file: &str) -> Self {
        self.file = Some(file.to_owned());
        self
    }

    /// Text for the head of the module of each dataset: imports that a derive relies on.
    pub fn prelude(mut self, prelude: &str) -> Self {
        self.options.prelude = prelude.to_owned();
        self
    }

    /// Further derives, separated by commas, for every type.
    pub fn derive(mut self, derives: &str) -> Self {
        self.options.derives.push(derives.to_owned());
        self
    }

    /// Derives serde's traits, with the attributes that give the wire names, tags and defaults.
    /// Byte strings and tensors write themselves as blobs.
    pub fn serde(mut self) -> Self {
        self.options.serde = true;
        self
    }

    /// Sets `SERBENCH_LIBRARY_VERSION_<NAME>` for `env!`, from Cargo.lock; the name in upper case
    /// with `_` for `-`, `@` and `.`. Where the plugin depends on several versions of the library,
    /// `library` is `name@1` or `name@0.12`.
    pub fn library(mut self, library: &str) -> Self {
        self.libraries.push(library.to_owned());
        self
    }

    /// Beside each type one called `<Name>Ref<'a>`, with these derives, whose strings and byte strings
    /// borrow from the input; the trait `Borrowable` leads from one to the other.
    pub fn borrowed(mut self, derives: &str, strings: Strings) -> Self {
        self.options.borrowed = Some(Borrowed {
            derives: derives.to_owned(),
            strings,
        });
        self
    }

    /// The derives make a type beside each of ours, called `name` of its name, with the same fields
    /// and variants: generates an implementation of the plugin's trait `walk` for each. It has the
    /// functions of `Decoded`, and the plugin implements it for the built-in types.
    pub fn mirror(mut self, walk: &str, name: impl Fn(&str) -> String + 'static) -> Self {
        self.options.mirror = Some(Mirror {
            walk: walk.to_owned(),
            name: Box::new(name),
        });
        self
    }

    /// Further attributes of each type, as text.
    pub fn type_attrs(mut self, attrs: impl Fn(&Schema, &TypeDef) -> String + 'static) -> Self {
        self.options.type_attrs = Some(Box::new(attrs));
        self
    }

    /// Further attributes of each field of structs and struct variants, as text.
    pub fn field_attrs(
        mut self,
        attrs: impl Fn(&Schema, &TypeDef, &Field, usize) -> String + 'static,
    ) -> Self {
        self.options.field_attrs = Some(Box::new(attrs));
        self
    }

    /// Further attributes of each unnamed element, as text: of tuples, of newtypes, and of what newtype
    /// variants carry.
    pub fn element_attrs(
        mut self,
        attrs: impl Fn(&Schema, &TypeDef, usize) -> String + 'static,
    ) -> Self {
        self.options.element_attrs = Some(Box::new(attrs));
        self
    }

    /// Derives nothing for `support::Bytes` and `support::Tensor`: the plugin implements the
    /// library's traits for them, to write them as its format writes blobs.
    pub fn support_by_hand(mut self) -> Self {
        self.options.support_by_hand = true;
        self
    }

    /// Further attributes of each variant, as text.
    pub fn variant_attrs(
        mut self,
        attrs: impl Fn(&Schema, &TypeDef, &Variant, usize) -> String + 'static,
    ) -> Self {
        self.options.variant_attrs = Some(Box::new(attrs));
        self
    }

    /// The canonical encoding is what the plugin measures, so that it must be as fast as it can be.
    pub fn canonical_is_timed(mut self) -> Self {
        self.options.canonical_is_timed = true;
        self
    }

    /// Which datasets the library can express. One that it cannot gets no types, and the codecs
    /// answer *unsupported* with the reason.
    pub fn supports(mut self, supports: impl Fn(&Schema) -> Result<(), String> + 'static) -> Self {
        self.supports = Some(Box::new(supports));
        self
    }

    /// Writes `$OUT_DIR/datasets.rs` and sets the variables. Ends the build script with one message
    /// where that is not possible.
    pub fn generate(self) {
        if let Err(message) = self.try_generate() {
            println!("cargo::error={message}");
            exit(1);
        }
    }

    fn try_generate(&self) -> Result<(), String> {
        println!("cargo::rerun-if-changed=build.rs");
        for library in &self.libraries {
            let name = library.to_uppercase().replace(['-', '@', '.'], "_");
            let version = cargo::library_version(library)?;
            println!("cargo::rustc-env=SERBENCH_LIBRARY_VERSION_{name}={version}");
        }
        println!("cargo::rustc-env=SERBENCH_COMPILER={}", cargo::compiler());
        println!("cargo::rustc-env=SERBENCH_FLAGS={}", cargo::flags());
        let datasets = super::datasets().map_err(|error| error.to_string())?;
        let out = env::var_os("OUT_DIR").ok_or("OUT_DIR is not set: this is for build scripts")?;
        let file = self.file.as_deref().unwrap_or("datasets");
        let path = PathBuf::from(out).join(file).with_extension("rs");
        super::write(path, &self.source(&datasets)).map_err(|error| error.to_string())?;
        Ok(())
    }

    /// The text of `datasets.rs` for these datasets.
    pub fn source(&self, datasets: &[Dataset]) -> String {
        // Where nothing is ever refused, the shared types are there whether or not some dataset uses
        // them, so that a plugin can implement traits for them.
        let all = self.supports.is_none();
        let mut uses = Uses {
            bytes: all,
            tensor: all,
            long_array: false,
        };
        let (mut modules, mut list) = (String::new(), String::new());
        let (mut bounds, mut arms) = (String::new(), String::new());
        for dataset in datasets {
            let refused = self
                .supports
                .as_ref()
                .and_then(|hook| hook(&dataset.schema).err());
            let Dataset {
                name,
                summary,
                schema,
                fingerprint,
                ..
            } = dataset;
            let _ = writeln!(
                list,
                "        ::serbench_plugin::Dataset {{
            name: {name:?},
            fingerprint: {fingerprint:?},
            needs_self_describing: {},
            refused: {},
        }},",
                schema.needs_self_describing(),
                option_text(refused.as_deref())
            );
            if refused.is_some() {
                continue;
            }
            uses.add(schema);
            let module = ident(name);
            let types = rust::types(schema, &self.options);
            let _ = writeln!(
                modules,
                "#[doc = {summary:?}]
#[allow({LINTS})]
pub mod {module} {{\n{types}}}"
            );
            let _ = writeln!(bounds, "    C: ::serbench_plugin::Codec<{module}::Root>,");
            let _ = writeln!(
                arms,
                "            {name:?} => ::serbench_plugin::open::<C, {module}::Root>(args),"
            );
        }
        let support = rust::support(uses, &self.options);
        format!(
            "/// Types that the datasets share.
#[allow({LINTS})]
pub mod support {{\n{support}}}
{modules}
/// The datasets of this plugin.
pub struct Datasets;

impl ::serbench_plugin::DatasetList for Datasets {{
    const DATASETS: &'static [::serbench_plugin::Dataset] = &[\n{list}    ];
}}

impl<C> ::serbench_plugin::Registry<C> for Datasets
where
{bounds}{{
    fn open(
        args: &::serbench_plugin::OpenArgs<'_>,
    ) -> ::std::result::Result<::serbench_plugin::Opened, ::serbench_plugin::Error> {{
        match args.name {{
{arms}            other => ::std::result::Result::Err(
                ::serbench_plugin::Error::unknown_dataset(other),
            ),
        }}
    }}
}}
"
        )
    }
}

fn option_text(text: Option<&str>) -> String {
    match text {
        Some(text) => format!("::std::option::Option::Some({text:?})"),
        None => "::std::option::Option::None".to_owned(),
    }
}
