//! For `tests/typed.rs`: Rust types of the whole catalog and of schemas drawn at random, with
//! serde's traits. Run by the build script.

#[path = "../../schema/tests/random/mod.rs"]
#[allow(dead_code)]
mod random;

use std::fmt::Write;

use serbench_schema::Schema;
use serbench_schema::codegen::rust::{self, Options, Uses};

const RANDOM_SCHEMAS: u64 = 32;

/// The text of the file: a module for each schema, and two functions that go through them.
pub fn text<'a>(catalog: impl Iterator<Item = (&'a str, &'a Schema)>) -> String {
    let drawn: Vec<_> = (0..RANDOM_SCHEMAS)
        .map(|seed| (format!("random_{seed}"), random::Random::new(seed).schema()))
        .collect();
    let drawn = drawn.iter().map(|(name, schema)| (name.as_str(), schema));
    let options = Options {
        serde: true,
        canonical: "::serbench_canonical".to_owned(),
        ..Options::default()
    };
    let mut uses = Uses::default();
    let mut out = String::new();
    group(catalog, "catalog", &options, &mut uses, &mut out);
    group(drawn, "random", &options, &mut uses, &mut out);
    let support = rust::support(uses, &options);
    format!(
        "#[allow({})]\nmod support {{\n{support}}}\n{out}",
        rust::LINTS
    )
}

/// The modules of some schemas, and a function that shows the root of each to a `See`.
fn group<'a>(
    schemas: impl Iterator<Item = (&'a str, &'a Schema)>,
    group: &str,
    options: &Options,
    uses: &mut Uses,
    out: &mut String,
) {
    let mut calls = String::new();
    for (name, schema) in schemas {
        uses.add(schema);
        let types = rust::types(schema, options);
        let module = rust::ident(name);
        let _ = writeln!(out, "#[allow({})]\nmod {module} {{\n{types}}}", rust::LINTS);
        let json = schema.to_json();
        let _ = writeln!(calls, "    see.see::<{module}::Root>({name:?}, {json:?});");
    }
    let _ = writeln!(
        out,
        "#[allow(dead_code)]\nfn {group}(see: &mut impl See) {{\n{calls}}}"
    );
}
