//! The schema parser: any text is refused with a place, or is a schema that can be written and read
//! back.

use std::path::Path;

use serbench_schema::codegen::rust::{self, Options};
use serbench_schema::model::{Payload, Shape};
use serbench_schema::{Schema, parse, print, summary};

/// Reads the text.
pub fn check(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else {
        return;
    };
    let schema = match parse(text, Path::new("schema.rs")) {
        Ok(schema) => schema,
        Err(error) => {
            assert!(error.line <= text.split('\n').count(), "{error}");
            assert!(!error.message.is_empty());
            return;
        }
    };
    assert!(names(&schema).iter().all(|name| !name.is_empty()), "{text}");
    let json = Schema::from_json(&schema.to_json());
    assert_eq!(json.as_ref().ok(), Some(&schema), "{json:?}");
    let printed = print(&schema, &summary(text));
    let again = parse(&printed, Path::new("schema.rs"));
    let again = again.unwrap_or_else(|error| panic!("{error} in\n{printed}"));
    assert_eq!(again, schema, "{printed}");
    assert_eq!(again.fingerprint(), schema.fingerprint());
    assert_eq!(summary(&printed), summary(text));
    rust::types(&schema, &Options::default());
}

/// The names of its fields and variants.
fn names(schema: &Schema) -> Vec<&str> {
    let mut names = Vec::new();
    for def in &schema.types {
        match &def.shape {
            Shape::Newtype(_) | Shape::Tuple(_) => {}
            Shape::Struct(fields) => names.extend(fields.iter().map(|field| &*field.wire_name)),
            Shape::Enum { variants, .. } => {
                for variant in variants {
                    names.push(&variant.wire_name);
                    if let Payload::Struct(fields) = &variant.payload {
                        names.extend(fields.iter().map(|field| &*field.wire_name));
                    }
                }
            }
        }
    }
    names
}
