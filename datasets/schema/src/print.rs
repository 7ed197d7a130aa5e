//! A schema as the text of a `schema.rs`, which [`parse`](crate::parse) reads back.

use std::fmt::Write;

use crate::codegen::rust::ident;
use crate::model::{Field, Literal, Payload, Schema, Shape, Tagging, Type, TypeDef, Variant};
use crate::parse::{CASES, Case, lines};

/// The text, the root's type first and each type before those that it uses.
pub fn print(schema: &Schema, summary: &str) -> String {
    let mut out = String::new();
    for line in lines(summary) {
        let _ = writeln!(out, "//! {line}");
    }
    if !summary.is_empty() {
        out.push('\n');
    }
    let _ = writeln!(out, "pub type Root = {};", type_text(schema, &schema.root));
    for def in schema.types.iter().rev() {
        out.push('\n');
        definition(schema, def, &mut out);
    }
    out
}

/// A type as the language spells it.
pub fn type_text(schema: &Schema, ty: &Type) -> String {
    let inner = |ty: &Type| type_text(schema, ty);
    match ty {
        Type::Scalar(scalar) => scalar.name().to_owned(),
        Type::String => "String".to_owned(),
        Type::Bytes => "Bytes".to_owned(),
        Type::List(element) => format!("Vec<{}>", inner(element)),
        Type::Array(element, len) => format!("[{}; {len}]", inner(element)),
        Type::Option(some) => format!("Option<{}>", inner(some)),
        Type::Map(value) => format!("Map<{}>", inner(value)),
        Type::Tensor(scalar) => format!("Tensor<{}>", scalar.name()),
        Type::Named(index) => ident(&schema.def(*index).name),
    }
}

fn definition(schema: &Schema, def: &TypeDef, out: &mut String) {
    let name = ident(&def.name);
    match &def.shape {
        Shape::Newtype(ty) => {
            let _ = writeln!(out, "pub struct {name}({});", type_text(schema, ty));
        }
        Shape::Tuple(types) => {
            let types: Vec<_> = types.iter().map(|ty| type_text(schema, ty)).collect();
            let _ = writeln!(out, "pub struct {name}({});", types.join(", "));
        }
        Shape::Struct(list) => {
            let names = list.iter().map(|f| (f.name.as_str(), f.wire_name.as_str()));
            let rule = rule(names, |case, name| case.field(name));
            if let Some((rule, _)) = rule {
                let _ = writeln!(out, "#[schema(rename_all = {rule:?})]");
            }
            let _ = writeln!(out, "pub struct {name} {{");
            let spelt = |name: &str| rule.map_or_else(|| name.to_owned(), |(_, c)| c.field(name));
            fields(schema, list, "    pub ", &spelt, out);
            out.push_str("}\n");
        }
        Shape::Enum { tagging, variants } => {
            let names = variants
                .iter()
                .map(|v| (v.name.as_str(), v.wire_name.as_str()));
            let rule = rule(names, |case, name| case.variant(name));
            let mut attributes = Vec::new();
            if let Some((rule, _)) = rule {
                attributes.push(format!("rename_all = {rule:?}"));
            }
            if let Tagging::Internal(tag) = tagging {
                attributes.push(format!("tag = {tag:?}"));
            }
            attribute(&attributes, "", out);
            let _ = writeln!(out, "pub enum {name} {{");
            let spelt = |name: &str| rule.map_or_else(|| name.to_owned(), |(_, c)| c.variant(name));
            for v in variants {
                variant(schema, v, &spelt, out);
            }
            out.push_str("}\n");
        }
    }
}

fn variant(schema: &Schema, variant: &Variant, spelt: &dyn Fn(&str) -> String, out: &mut String) {
    if variant.wire_name != spelt(&variant.name) {
        attribute(&[format!("rename = {:?}", variant.wire_name)], "    ", out);
    }
    let name = ident(&variant.name);
    match &variant.payload {
        Payload::Unit => {
            let _ = writeln!(out, "    {name},");
        }
        Payload::Newtype(ty) => {
            let _ = writeln!(out, "    {name}({}),", type_text(schema, ty));
        }
        Payload::Struct(list) => {
            let _ = writeln!(out, "    {name} {{");
            fields(schema, list, "        ", &str::to_owned, out);
            out.push_str("    },\n");
        }
    }
}

fn fields(
    schema: &Schema,
    fields: &[Field],
    before: &str,
    spelt: &dyn Fn(&str) -> String,
    out: &mut String,
) {
    let indent = &before[..before.len() - before.trim_start().len()];
    for field in fields {
        let mut attributes = Vec::new();
        if field.wire_name != spelt(&field.name) {
            attributes.push(format!("rename = {:?}", field.wire_name));
        }
        if let Some(default) = &field.default {
            attributes.push(format!("default = {}", literal(default)));
        }
        if field.skip_default {
            attributes.push("skip_default".to_owned());
        }
        attribute(&attributes, indent, out);
        let ty = type_text(schema, &field.ty);
        let _ = writeln!(out, "{before}{}: {ty},", ident(&field.name));
    }
}

fn attribute(attributes: &[String], indent: &str, out: &mut String) {
    if !attributes.is_empty() {
        let _ = writeln!(out, "{indent}#[schema({})]", attributes.join(", "));
    }
}

/// The rule of `rename_all` that gives most of the names, where some are not the plain ones and it
/// spares more attributes than it takes.
fn rule<'a>(
    names: impl Iterator<Item = (&'a str, &'a str)> + Clone,
    spell: impl Fn(Case, &str) -> String,
) -> Option<(&'static str, Case)> {
    let plain = names.clone().filter(|(name, wire)| name == wire).count();
    let given = |case| {
        let names = names.clone();
        names
            .filter(|(name, wire)| spell(case, name) == *wire)
            .count()
    };
    // Of equals the first: the rules stand in the order of how simple they are.
    let best = CASES
        .into_iter()
        .rev()
        .max_by_key(|(_, case)| given(*case))?;
    (given(best.1) > plain + 1 || (given(best.1) > plain && plain == 0)).then_some(best)
}

fn literal(literal: &Literal) -> String {
    match literal {
        Literal::Bool(b) => b.to_string(),
        Literal::Int(n) => n.to_string(),
        Literal::Float(bits) => format!("{:?}", f64::from_bits(*bits)),
        Literal::Str(text) => format!("{text:?}"),
        Literal::Seq(elements) => {
            let elements: Vec<_> = elements.iter().map(self::literal).collect();
            format!("[{}]", elements.join(", "))
        }
    }
}
