//! The canonical encoding and the checksum of the generated types.

use std::fmt::Write;

use super::ident;
use super::types::Writer;
use crate::model::{Payload, Shape, TypeDef, Variant};

/// `Decoded` and `Canonical` for one type.
pub fn canonical(writer: &Writer<'_>, def: &TypeDef) -> String {
    let path = &writer.options.canonical;
    let name = ident(&def.name);
    let (fold, encode, decode) = match &def.shape {
        Shape::Newtype(_) => members(path, &["0".to_owned()]),
        Shape::Tuple(types) => {
            members(path, &(0..types.len()).map(|i| i.to_string()).collect::<Vec<_>>())
        }
        Shape::Struct(fields) => {
            members(path, &fields.iter().map(|f| ident(&f.name)).collect::<Vec<_>>())
        }
        Shape::Enum { variants, .. } => enumeration(path, &def.name, variants),
    };
    format!(
        "impl {path}::Decoded for {name} {{
    #[inline]
    fn fold(&self, sum: &mut {path}::Checksum) {{
{fold}    }}
    fn encode(&self, out: &mut ::std::vec::Vec<u8>) {{
{encode}    }}
}}
impl {path}::Canonical for {name} {{
    fn decode(
        input: &mut {path}::Reader<'_>,
    ) -> ::std::result::Result<Self, {path}::DecodeError> {{
{decode}    }}
}}
"
    )
}

/// The three bodies for a struct, by the names or positions of its fields.
fn members(path: &str, names: &[String]) -> (String, String, String) {
    let each = |call: &dyn Fn(&String) -> String| names.iter().map(call).collect::<String>();
    (
        each(&|name| format!("        {path}::Decoded::fold(&self.{name}, sum);\n")),
        each(&|name| format!("        {path}::Decoded::encode(&self.{name}, out);\n")),
        format!(
            "        ::std::result::Result::Ok(Self {{\n{}        }})\n",
            each(&|name| format!("            {name}: {path}::Canonical::decode(input)?,\n"))
        ),
    )
}

/// The three bodies for an enum.
fn enumeration(path: &str, name: &str, variants: &[Variant]) -> (String, String, String) {
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
        let pattern: String = numbered().map(|(i, name)| format!("{name}: f{i}, ")).collect();
        let folds: String =
            numbered().map(|(i, _)| format!(" {path}::Decoded::fold(f{i}, sum);")).collect();
        let encodes: String =
            numbered().map(|(i, _)| format!(" {path}::Decoded::encode(f{i}, out);")).collect();
        let decodes: String = numbered()
            .map(|(_, name)| format!("{name}: {path}::Canonical::decode(input)?, "))
            .collect();
        let head = format!("            Self::{variant_name} {{ {pattern}}} =>");
        let _ = writeln!(fold, "{head} {{ sum.word({index});{folds} }}");
        let _ = writeln!(encode, "{head} {{ {path}::encode_len({index}, out);{encodes} }}");
        let built = format!("Self::{variant_name} {{ {decodes}}}");
        let _ = writeln!(decode, "            {index} => ::std::result::Result::Ok({built}),");
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
