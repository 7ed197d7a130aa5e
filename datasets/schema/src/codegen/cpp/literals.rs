//! Default values as C++ expressions.

use super::names::Names;
use super::types::{is_unit, spell};
use crate::model::{Literal, Scalar, Schema, Shape, Type};

/// A string literal with exactly the bytes of `text`.
pub fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for byte in text.bytes() {
        match byte {
            b'"' | b'\\' => out.extend(['\\', byte as char]),
            // A question mark could begin a trigraph.
            b' '..=b'~' if byte != b'?' => out.push(byte as char),
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out + "\""
}

/// `literal` as an expression of type `ty`.
pub fn expression(schema: &Schema, names: &Names, ty: &Type, literal: &Literal) -> String {
    let spelled = spell(names, ty);
    let all = |types: &mut dyn Iterator<Item = &Type>, elements: &[Literal]| {
        let elements = types
            .zip(elements)
            .map(|(ty, e)| expression(schema, names, ty, e));
        elements.collect::<Vec<_>>().join(", ")
    };
    match (schema.resolve(ty), literal) {
        (Type::Scalar(scalar), _) => self::scalar(*scalar, literal),
        (Type::String, Literal::Str(text)) => {
            format!("std::string({}, {})", string(text), text.len())
        }
        (Type::Option(inner), _) => {
            format!("{spelled}({})", expression(schema, names, inner, literal))
        }
        (Type::List(element), Literal::Seq(elements)) => {
            format!(
                "{spelled}{{{}}}",
                all(&mut std::iter::repeat(&**element), elements)
            )
        }
        (Type::Array(element, _), Literal::Seq(elements)) => {
            format!(
                "{spelled}{{{{{}}}}}",
                all(&mut std::iter::repeat(&**element), elements)
            )
        }
        (Type::Named(index), literal) => match (&schema.def(*index).shape, literal) {
            (Shape::Tuple(types), Literal::Seq(elements)) => {
                format!("{spelled}{{{}}}", all(&mut types.iter(), elements))
            }
            (Shape::Enum { variants, .. }, Literal::Str(name)) => {
                let position = variants.iter().position(|variant| variant.name == *name);
                let position = position.unwrap_or_default();
                match is_unit(variants) {
                    true => format!("{spelled}::{}", Names::enumerators(variants)[position]),
                    false => format!(
                        "{spelled}{{decltype({spelled}::value)(std::in_place_index<{position}>)}}"
                    ),
                }
            }
            _ => format!("{spelled}{{}}"),
        },
        _ => format!("{spelled}{{}}"),
    }
}

fn scalar(scalar: Scalar, literal: &Literal) -> String {
    match (scalar, literal) {
        (_, Literal::Bool(value)) => value.to_string(),
        (Scalar::F32, Literal::Float(bits)) => {
            // Rust writes the shortest digits that read back as the same number; so does C++ read.
            format!("{:?}f", f64::from_bits(*bits) as f32)
        }
        (_, Literal::Float(bits)) => format!("{:?}", f64::from_bits(*bits)),
        // The least value of i64 has no literal of its own in C++.
        (Scalar::I64, Literal::Int(value)) if *value == i128::from(i64::MIN) => {
            format!("{}LL - 1", value + 1)
        }
        (Scalar::I64, Literal::Int(value)) => format!("{value}LL"),
        (Scalar::I32, Literal::Int(value)) if *value == i128::from(i32::MIN) => {
            format!("{} - 1", value + 1)
        }
        (Scalar::U64, Literal::Int(value)) => format!("{value}ULL"),
        (Scalar::U32, Literal::Int(value)) => format!("{value}U"),
        (_, Literal::Int(value)) => value.to_string(),
        _ => "{}".to_owned(),
    }
}
