//! Default values as Rust expressions, and the tests for them.

use std::fmt::Write;

use super::ident;
use super::types::Writer;
use crate::defaults;
use crate::model::{Field, Literal, Payload, Scalar, Shape, Type, TypeDef};

/// `Default` for a type that has one, and for every field that is skipped when default the two
/// functions named by [`function_names`].
pub fn defaults(writer: &Writer<'_>, def: &TypeDef) -> String {
    let index = writer
        .schema
        .types
        .iter()
        .position(|other| std::ptr::eq(other, def));
    let ty = Type::Named(index.unwrap_or_default());
    let name = ident(&def.name);
    let mut out = String::new();
    if defaults::default_bytes(writer.schema, &ty, None).is_some() {
        let body = match &def.shape {
            Shape::Newtype(inner) => format!("Self({})", writer.value(inner, None)),
            Shape::Tuple(types) => {
                format!("Self({})", writer.all(types.iter().map(|ty| (ty, None))))
            }
            Shape::Struct(fields) => {
                let fields = fields.iter().map(|field| {
                    let value = writer.value(&field.ty, field.default.as_ref());
                    format!("{}: {value}, ", ident(&field.name))
                });
                format!("Self {{ {}}}", fields.collect::<String>())
            }
            Shape::Enum { .. } => unreachable!("an enum has no default of its own"),
        };
        let _ = writeln!(
            out,
            "impl ::std::default::Default for {name} {{
    fn default() -> Self {{
        {body}
    }}
}}"
        );
    }
    match &def.shape {
        Shape::Struct(fields) => out += &skips(writer, &def.name, fields),
        Shape::Enum { variants, .. } => {
            for variant in variants {
                if let Payload::Struct(fields) = &variant.payload {
                    let owner = format!("{}_{}", def.name, variant.name);
                    out += &skips(writer, &owner, fields);
                }
            }
        }
        _ => {}
    }
    out
}

/// The functions of a field that is skipped when default: the one that makes its default, and the
/// one that tells whether a value is it.
pub fn function_names(owner: &str, field: &str) -> (String, String) {
    (
        format!("__default_{owner}_{field}"),
        format!("__is_default_{owner}_{field}"),
    )
}

fn skips(writer: &Writer<'_>, owner: &str, fields: &[Field]) -> String {
    let mut out = String::new();
    for field in fields.iter().filter(|field| field.skip_default) {
        let (default, skip) = function_names(owner, &field.name);
        let ty = writer.ty(&field.ty);
        let value = writer.value(&field.ty, field.default.as_ref());
        let test = writer.is(&field.ty, field.default.as_ref(), "value");
        let _ = writeln!(
            out,
            "fn {default}() -> {ty} {{
    {value}
}}
fn {skip}(value: &{ty}) -> bool {{
    {test}
}}"
        );
    }
    out
}

impl Writer<'_> {
    /// An expression for a default.
    fn value(&self, ty: &Type, literal: Option<&Literal>) -> String {
        match (ty, literal) {
            (Type::Scalar(scalar), _) => scalar_value(*scalar, literal),
            (Type::String, Some(Literal::Str(text))) => format!("String::from({text:?})"),
            (Type::List(element), Some(Literal::Seq(elements))) => {
                format!(
                    "::std::vec![{}]",
                    self.all(elements.iter().map(|e| (&**element, Some(e))))
                )
            }
            (Type::Array(element, len), _) => {
                let array = match literal {
                    Some(Literal::Seq(elements)) => {
                        format!(
                            "[{}]",
                            self.all(elements.iter().map(|e| (&**element, Some(e))))
                        )
                    }
                    _ => format!("::std::array::from_fn(|_| {})", self.value(element, None)),
                };
                match self.wraps(*len) {
                    true => format!("{}::Array({array})", self.options.support),
                    false => array,
                }
            }
            (Type::Option(inner), Some(_)) => {
                format!(
                    "::std::option::Option::Some({})",
                    self.value(inner, literal)
                )
            }
            (Type::Named(index), Some(literal)) => {
                let def = self.schema.def(*index);
                let name = ident(&def.name);
                match (&def.shape, literal) {
                    (Shape::Newtype(inner), _) => {
                        format!("{name}({})", self.value(inner, Some(literal)))
                    }
                    (Shape::Tuple(types), Literal::Seq(elements)) => {
                        let pairs = types.iter().zip(elements).map(|(ty, e)| (ty, Some(e)));
                        format!("{name}({})", self.all(pairs))
                    }
                    (Shape::Enum { .. }, Literal::Str(variant)) => {
                        format!("{name}::{}", ident(variant))
                    }
                    _ => "::std::default::Default::default()".to_owned(),
                }
            }
            _ => "::std::default::Default::default()".to_owned(),
        }
    }

    fn all<'t>(&self, values: impl Iterator<Item = (&'t Type, Option<&'t Literal>)>) -> String {
        let values: Vec<_> = values
            .map(|(ty, literal)| self.value(ty, literal))
            .collect();
        values.join(", ")
    }

    /// An expression for whether what `place` refers to has the same bits as the default.
    fn is(&self, ty: &Type, literal: Option<&Literal>, place: &str) -> String {
        let every = |tests: Vec<String>| tests.join(" && ");
        match (ty, literal) {
            (Type::Scalar(Scalar::F32 | Scalar::F64), _) => {
                format!("{place}.to_bits() == {}.to_bits()", self.value(ty, literal))
            }
            (Type::Scalar(_), _) => format!("*{place} == {}", self.value(ty, literal)),
            (Type::String, Some(Literal::Str(text))) => format!("{place}.as_str() == {text:?}"),
            (Type::List(element), Some(Literal::Seq(elements))) => {
                let length = format!("{place}.len() == {}", elements.len());
                let elements = elements.iter().enumerate();
                let tests = elements.map(|(i, e)| self.is(element, Some(e), &at(place, i)));
                every(std::iter::once(length).chain(tests).collect())
            }
            (Type::Array(element, len), _) => {
                let inner = match self.wraps(*len) {
                    true => format!("(&{place}.0)"),
                    false => place.to_owned(),
                };
                match literal {
                    Some(Literal::Seq(elements)) => {
                        let elements = elements.iter().enumerate();
                        let test = |(i, e)| self.is(element, Some(e), &at(&inner, i));
                        every(elements.map(test).collect())
                    }
                    _ => format!(
                        "{inner}.iter().all(|item| {})",
                        self.is(element, None, "item")
                    ),
                }
            }
            (Type::Option(inner), Some(_)) => {
                let test = self.is(inner, literal, "item");
                format!("{place}.as_ref().is_some_and(|item| {test})")
            }
            (Type::Option(_), None) => format!("{place}.is_none()"),
            (Type::Bytes, _) => format!("{place}.0.is_empty()"),
            (Type::Named(index), _) => self.is_named(*index, literal, place),
            (Type::String | Type::List(_) | Type::Map(_) | Type::Tensor(_), _) => {
                format!("{place}.is_empty()")
            }
        }
    }

    fn is_named(&self, index: usize, literal: Option<&Literal>, place: &str) -> String {
        let def = self.schema.def(index);
        let tests: Vec<String> = match (&def.shape, literal) {
            (Shape::Newtype(inner), _) => return self.is(inner, literal, &member(place, "0")),
            (Shape::Struct(fields), _) => fields
                .iter()
                .map(|f| self.is(&f.ty, f.default.as_ref(), &member(place, &ident(&f.name))))
                .collect(),
            (Shape::Tuple(types), _) => types
                .iter()
                .enumerate()
                .map(|(i, ty)| {
                    let element = match literal {
                        Some(Literal::Seq(elements)) => elements.get(i),
                        _ => None,
                    };
                    self.is(ty, element, &member(place, &i.to_string()))
                })
                .collect(),
            (Shape::Enum { .. }, Some(Literal::Str(variant))) => {
                let (name, variant) = (ident(&def.name), ident(variant));
                vec![format!("::std::matches!({place}, {name}::{variant})")]
            }
            (Shape::Enum { .. }, _) => unreachable!("the parser asks for a default here"),
        };
        tests.join(" && ")
    }
}

fn at(place: &str, index: usize) -> String {
    format!("(&{place}[{index}])")
}

fn member(place: &str, name: &str) -> String {
    format!("(&{place}.{name})")
}

fn scalar_value(scalar: Scalar, literal: Option<&Literal>) -> String {
    match (scalar, literal) {
        (_, Some(Literal::Bool(b))) => b.to_string(),
        (_, Some(Literal::Int(n))) => format!("({n}_{})", scalar.name()),
        (Scalar::F32, Some(Literal::Float(bits))) => {
            format!(
                "f32::from_bits({:#x})",
                (f64::from_bits(*bits) as f32).to_bits()
            )
        }
        (_, Some(Literal::Float(bits))) => format!("f64::from_bits({bits:#x})"),
        (Scalar::Bool, _) => "false".to_owned(),
        _ => format!("0_{}", scalar.name()),
    }
}
