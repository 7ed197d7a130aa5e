//! The canonical encoding and the checksum of the generated types.

use std::fmt::Write;

use super::types::Writer;
use super::{Mirror, ident};
use crate::model::{Payload, Shape, TypeDef, Variant};

/// `Decoded` and `Canonical` for one type.
pub fn canonical(writer: &Writer<'_>, def: &TypeDef) -> String {
    let path = &writer.options.canonical;
    let name = ident(&def.name);
    let (_, _, decode) = bodies(path, "", def);
    format!(
        "{}impl {path}::Canonical for {name} {{
    {}fn decode(
        input: &mut {path}::Reader<'_>,
    ) -> ::std::result::Result<Self, {path}::DecodeError> {{
{decode}    }}
}}
",
        decoded(writer, def, &name),
        untimed(writer)
    )
}

/// `Decoded` for a type with the fields of `def`.
pub fn decoded(writer: &Writer<'_>, def: &TypeDef, name: &str) -> String {
    let walk = format!("{}::Decoded", writer.options.canonical);
    walks(writer, def, &walk, name)
}

/// The same walks over what mirrors the type: a type of that name with the same fields.
pub fn mirror(writer: &Writer<'_>, def: &TypeDef, mirror: &Mirror) -> String {
    walks(writer, def, &mirror.walk, &(mirror.name)(&def.name))
}

/// `fold` and `encode` of the trait `walk`, which every field implements, for a type of that name
/// with the fields of `def`.
fn walks(writer: &Writer<'_>, def: &TypeDef, walk: &str, name: &str) -> String {
    let path = &writer.options.canonical;
    let (fold, encode, _) = bodies(path, walk, def);
    format!(
        "impl {walk} for {name} {{
    #[inline]
    fn fold(&self, sum: &mut {path}::Checksum) {{
{fold}    }}
    {}fn encode(&self, out: &mut ::std::vec::Vec<u8>) {{
{encode}    }}
}}
",
        untimed(writer)
    )
}

/// What makes the compiler spend no time on a function whose time nobody takes.
fn untimed(writer: &Writer<'_>) -> &'static str {
    match writer.options.canonical_is_timed {
        true => "",
        false => "#[cold] ",
    }
}

/// The bodies of `fold`, `encode` and `decode`; `walk` is the trait that has the first two.
fn bodies(path: &str, walk: &str, def: &TypeDef) -> (String, String, String) {
    match &def.shape {
        Shape::Newtype(_) => members(path, walk, &["0".to_owned()]),
        Shape::Tuple(types) => members(
            path,
            walk,
            &(0..types.len()).map(|i| i.to_string()).collect::<Vec<_>>(),
        ),
        Shape::Struct(fields) => members(
            path,
            walk,
            &fields.iter().map(|f| ident(&f.name)).collect::<Vec<_>>(),
        ),
        Shape::Enum { variants, .. } => enumeration(path, walk, &def.name, variants),
    }
}

/// The three bodies for a struct, by the names or positions of its fields.
fn members(path: &str, walk: &str, names: &[String]) -> (String, String, String) {
    let each = |call: &dyn Fn(&String) -> String| names.iter().map(call).collect::<String>();
    (
        each(&|name| format!("        {walk}::fold(&self.{name}, sum);\n")),
        each(&|name| format!("        {walk}::encode(&self.{name}, out);\n")),
        format!(
            "        ::std::result::Result::Ok(Self {{\n{}        }})\n",
            each(&|name| format!("            {name}: {path}::Canonical::decode(input)?,\n"))
        ),
    )
}

/// The three bodies for an enum.
fn enumeration(
    path: &str,
    walk: &str,
    name: &str,
    variants: &[Variant],
) -> (String, String, String) {
    let (mut fold, mut encode) = ("        match self {\n".to_owned(), String::new());
    let mut decode = "        match <u32 as ".to_owned();
    let _ = writeln!(decode, "{path}::Canonical>::decode(input)? {{");
    encode += &fold;
    for (index, variant) in variants.iter().enumerate() {
        let variant_name = ident(&variant.name);
        // Positions as bindings cannot clash with the names of fields or parameters.
        let names: Vec<String> = match &variant.payload {
            Payload::Unit => Vec::new(),
            Payload::Newtype(_) => vec!["0".to_owned()],
            Payload::Struct(fields) => fields.iter().map(|field| ident(&field.name)).collect(),
        };
        let numbered = || names.iter().enumerate();
        let pattern: String = numbered()
            .map(|(i, name)| format!("{name}: f{i}, "))
            .collect();
        let folds: String = numbered()
            .map(|(i, _)| format!(" {walk}::fold(f{i}, sum);"))
            .collect();
        let encodes: String = numbered()
            .map(|(i, _)| format!(" {walk}::encode(f{i}, out);"))
            .collect();
        let decodes: String = numbered()
            .map(|(_, name)| format!("{name}: {path}::Canonical::decode(input)?, "))
            .collect();
        let head = format!("            Self::{variant_name} {{ {pattern}}} =>");
        let _ = writeln!(fold, "{head} {{ sum.word({index});{folds} }}");
        let _ = writeln!(
            encode,
            "{head} {{ {path}::encode_len({index}, out);{encodes} }}"
        );
        let built = format!("Self::{variant_name} {{ {decodes}}}");
        let _ = writeln!(
            decode,
            "            {index} => ::std::result::Result::Ok({built}),"
        );
    }
    fold += "        }\n";
    encode += "        }\n";
    let _ = writeln!(
        decode,
        "            other => ::std::result::Result::Err(input.error(::std::format!(
                \"{name} has no variant {{other}}\"
            ))),
        }}"
    );
    (fold, encode, decode)
}
