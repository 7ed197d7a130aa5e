//! Generates the types of every dataset that Avro can express, and their schemas.

use std::collections::HashSet;

use serbench_datasets::build::{RustPlugin, conversions};
use serbench_datasets::schema::Schema;
use serbench_datasets::schema::codegen::rust::ident;
use serbench_datasets::schema::model::{Field, Payload, Scalar, Shape, Type, Variant};
use serde_json::{Value, json};

fn main() {
    RustPlugin::new()
        .serde()
        .type_attrs(|_, def| match &def.shape {
            // Else it would be a record of one field.
            Shape::Newtype(_) => "#[serde(transparent)]".to_owned(),
            _ => String::new(),
        })
        .supports(|schema| Avro::new(schema).root().map(drop))
        .library("apache-avro")
        .generate();
    conversions(|dataset, schema| match Avro::new(schema).root() {
        Ok(avro) => format!(
            "impl crate::Described for crate::datasets::{}::Root {{
    const SCHEMA: &'static str = {:?};
}}
",
            ident(dataset),
            avro.to_string()
        ),
        Err(_) => String::new(),
    });
}

/// Makes the Avro schema of a dataset, by the library's rules for what serde calls tuples and enums.
struct Avro<'a> {
    schema: &'a Schema,
    /// Named types are defined where they are first used.
    defined: HashSet<String>,
    tuples: usize,
}

impl<'a> Avro<'a> {
    fn new(schema: &'a Schema) -> Self {
        Self {
            schema,
            defined: HashSet::new(),
            tuples: 0,
        }
    }

    fn root(mut self) -> Result<Value, String> {
        if self.schema.needs_self_describing() {
            return Err("a record of Avro has all of its fields, and a union no tag".to_owned());
        }
        self.ty(&self.schema.root)
    }

    fn ty(&mut self, ty: &Type) -> Result<Value, String> {
        Ok(match ty {
            Type::Scalar(scalar) => self.scalar(*scalar),
            Type::String => json!("string"),
            Type::Bytes => json!("bytes"),
            Type::List(element) => json!({"type": "array", "items": self.ty(element)?}),
            Type::Map(element) => json!({"type": "map", "values": self.ty(element)?}),
            Type::Option(some) => match self.ty(some)? {
                Value::Array(_) => return Err("Avro has no union in a union".to_owned()),
                some => json!(["null", some]),
            },
            Type::Array(element, 1) => self.ty(element)?,
            Type::Array(element, len) => {
                let elements = (0..*len).map(|_| self.ty(element));
                let elements = elements.collect::<Result<_, _>>()?;
                self.tuple(elements)
            }
            Type::Tensor(_) => {
                let shape = json!({"type": "array", "items": "long"});
                self.tuple(vec![json!("int"), shape, json!("bytes")])
            }
            Type::Named(index) => self.named(*index)?,
        })
    }

    fn scalar(&mut self, scalar: Scalar) -> Value {
        json!(match scalar {
            Scalar::Bool => "boolean",
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::U8 | Scalar::U16 => "int",
            Scalar::I64 | Scalar::U32 => "long",
            Scalar::F32 => "float",
            Scalar::F64 => "double",
            Scalar::U64 => {
                return self
                    .define("org.apache.avro.rust.u64", |_, name| {
                        Ok(json!({"type": "fixed", "name": name, "size": 8}))
                    })
                    .unwrap_or_default();
            }
        })
    }

    /// A named type, or only its name where it is defined already.
    fn define(
        &mut self,
        name: &str,
        definition: impl FnOnce(&mut Self, &str) -> Result<Value, String>,
    ) -> Result<Value, String> {
        match self.defined.insert(name.to_owned()) {
            true => definition(self, name),
            false => Ok(json!(name)),
        }
    }

    fn tuple(&mut self, elements: Vec<Value>) -> Value {
        self.tuples += 1;
        json!({
            "type": "record",
            "name": format!("tuple.T{}", self.tuples),
            "org.apache.avro.rust.tuple": true,
            "fields": unnamed(elements),
        })
    }

    fn named(&mut self, index: usize) -> Result<Value, String> {
        let def = self.schema.def(index);
        let name = format!("types.{}", plain(&def.name)?);
        match &def.shape {
            Shape::Newtype(inner) => self.ty(inner),
            Shape::Struct(fields) => self.define(&name, |avro, name| {
                Ok(json!({"type": "record", "name": name, "fields": avro.fields(fields)?}))
            }),
            Shape::Tuple(types) => self.define(&name, |avro, name| {
                let elements = types.iter().map(|ty| avro.ty(ty));
                let elements = unnamed(elements.collect::<Result<_, _>>()?);
                Ok(json!({"type": "record", "name": name, "fields": elements}))
            }),
            Shape::Enum { variants, .. } if variants.iter().all(is_unit) => {
                let symbols = variants.iter().map(|variant| plain(&variant.wire_name));
                let symbols: Vec<&str> = symbols.collect::<Result<_, _>>()?;
                self.define(&name, |_, name| {
                    Ok(json!({"type": "enum", "name": name, "symbols": symbols}))
                })
            }
            Shape::Enum { variants, .. } => {
                let records = variants.iter().map(|variant| self.variant(&name, variant));
                Ok(Value::Array(records.collect::<Result<_, _>>()?))
            }
        }
    }

    /// A variant of a union, in a namespace of the enum's own: it may be called what it carries is.
    fn variant(&mut self, owner: &str, variant: &Variant) -> Result<Value, String> {
        let name = format!("{owner}.{}", plain(&variant.wire_name)?);
        self.define(&name, |avro, name| {
            Ok(match &variant.payload {
                Payload::Unit => json!({"type": "record", "name": name, "fields": []}),
                Payload::Newtype(inner) => json!({
                    "type": "record",
                    "name": name,
                    "org.apache.avro.rust.union_of_records": true,
                    "fields": unnamed(vec![avro.ty(inner)?]),
                }),
                Payload::Struct(fields) => {
                    json!({"type": "record", "name": name, "fields": avro.fields(fields)?})
                }
            })
        })
    }

    fn fields(&mut self, fields: &[Field]) -> Result<Vec<Value>, String> {
        let field = |field: &Field| {
            Ok(json!({"name": plain(&field.wire_name)?, "type": self.ty(&field.ty)?}))
        };
        fields.iter().map(field).collect()
    }
}

fn unnamed(types: Vec<Value>) -> Vec<Value> {
    let fields = types.into_iter().enumerate();
    fields
        .map(|(i, ty)| json!({"name": format!("field_{i}"), "type": ty}))
        .collect()
}

fn is_unit(variant: &Variant) -> bool {
    variant.payload == Payload::Unit
}

fn plain(name: &str) -> Result<&str, String> {
    let letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match name.chars().all(letter) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        true => Ok(name),
        false => Err(format!("{name:?} is no name in Avro")),
    }
}
