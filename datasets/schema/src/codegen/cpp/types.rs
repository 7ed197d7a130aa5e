//! Declarations of types, and what `serbench::Meta` says of them.

use std::fmt::Write;

use super::literals;
use super::names::Names;
use crate::model::{Field, Payload, Scalar, Schema, Shape, Tagging, Type, Variant};

/// Whether no variant carries anything.
pub fn is_unit(variants: &[Variant]) -> bool {
    variants
        .iter()
        .all(|variant| variant.payload == Payload::Unit)
}

/// The C++ type for `ty`, as it is named inside the dataset's namespace.
pub fn spell(names: &Names, ty: &Type) -> String {
    let inner = |ty: &Type| spell(names, ty);
    match ty {
        Type::Scalar(scalar) => self::scalar(*scalar).to_owned(),
        Type::String => "std::string".to_owned(),
        Type::Bytes => "::serbench::Bytes".to_owned(),
        Type::List(element) => format!("std::vector<{}>", inner(element)),
        Type::Array(element, len) => format!("std::array<{}, {len}>", inner(element)),
        Type::Option(some) => format!("std::optional<{}>", inner(some)),
        Type::Map(value) => format!("::serbench::Map<{}>", inner(value)),
        Type::Tensor(element) => format!("::serbench::Tensor<{}>", self::scalar(*element)),
        Type::Named(index) => names.of(*index).to_owned(),
    }
}

fn scalar(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "bool",
        Scalar::I8 => "std::int8_t",
        Scalar::I16 => "std::int16_t",
        Scalar::I32 => "std::int32_t",
        Scalar::I64 => "std::int64_t",
        Scalar::U8 => "std::uint8_t",
        Scalar::U16 => "std::uint16_t",
        Scalar::U32 => "std::uint32_t",
        Scalar::U64 => "std::uint64_t",
        Scalar::F32 => "float",
        Scalar::F64 => "double",
    }
}

/// One member of an aggregate.
struct Member<'a> {
    ident: String,
    ty: &'a Type,
    /// Absent for the elements of a tuple.
    field: Option<&'a Field>,
}

fn members_of_struct<'a>(names: &Names, fields: &'a [Field]) -> Vec<Member<'a>> {
    let idents = names.members(fields.iter().map(|field| field.name.as_str()));
    let members = fields.iter().zip(idents);
    members
        .map(|(field, ident)| Member {
            ident,
            ty: &field.ty,
            field: Some(field),
        })
        .collect()
}

fn members_of_tuple(types: &[Type]) -> Vec<Member<'_>> {
    let members = types.iter().enumerate();
    members
        .map(|(index, ty)| Member {
            ident: format!("_{index}"),
            ty,
            field: None,
        })
        .collect()
}

/// Appends the declaration of type number `index`.
pub fn declare(schema: &Schema, names: &Names, index: usize, out: &mut String) {
    let name = names.of(index);
    match &schema.def(index).shape {
        Shape::Newtype(inner) => {
            put(out, &format!("using {name} = {};\n\n", spell(names, inner)));
        }
        Shape::Struct(fields) => {
            aggregate(schema, names, name, &members_of_struct(names, fields), out);
        }
        Shape::Tuple(types) => aggregate(schema, names, name, &members_of_tuple(types), out),
        Shape::Enum { variants, .. } if is_unit(variants) => {
            let list = Names::enumerators(variants).join(", ");
            put(
                out,
                &format!("enum class {name} : std::uint32_t {{ {list} }};\n\n"),
            );
        }
        Shape::Enum { variants, .. } => {
            for (position, variant) in variants.iter().enumerate() {
                if let Payload::Struct(fields) = &variant.payload {
                    let name = names.payload(index, position);
                    aggregate(schema, names, name, &members_of_struct(names, fields), out);
                }
            }
            let list: Vec<_> = variants
                .iter()
                .enumerate()
                .map(|(position, variant)| match &variant.payload {
                    Payload::Unit => "std::monostate".to_owned(),
                    Payload::Newtype(ty) => spell(names, ty),
                    Payload::Struct(_) => names.payload(index, position).to_owned(),
                })
                .collect();
            let list = list.join(", ");
            put(
                out,
                &format!("struct {name} {{\n  std::variant<{list}> value;\n}};\n\n"),
            );
        }
    }
}

fn aggregate(schema: &Schema, names: &Names, name: &str, members: &[Member<'_>], out: &mut String) {
    put(out, &format!("struct {name} {{\n"));
    for Member { ident, ty, field } in members {
        let spelled = spell(names, ty);
        let default = field.and_then(|field| field.default.as_ref());
        let value = match default {
            Some(literal) => format!(" = {}", literals::expression(schema, names, ty, literal)),
            None => "{}".to_owned(),
        };
        put(out, &format!("  {spelled} {ident}{value};\n"));
    }
    put(out, "};\n\n");
}

/// Appends the specialisations of `Meta` for type number `index`, for namespace `serbench`.
pub fn describe(schema: &Schema, names: &Names, space: &str, index: usize, out: &mut String) {
    let qualified = |name: &str| format!("data::{space}::{name}");
    let def = schema.def(index);
    let own = qualified(names.of(index));
    match &def.shape {
        Shape::Newtype(_) => {}
        Shape::Struct(fields) => {
            meta_of_members(
                &own,
                &def.name,
                "record",
                &members_of_struct(names, fields),
                out,
            );
        }
        Shape::Tuple(types) => {
            meta_of_members(&own, &def.name, "tuple", &members_of_tuple(types), out);
        }
        Shape::Enum { tagging, variants } => {
            for (position, variant) in variants.iter().enumerate() {
                if let Payload::Struct(fields) = &variant.payload {
                    let own = qualified(names.payload(index, position));
                    let members = members_of_struct(names, fields);
                    meta_of_members(&own, &variant.name, "record", &members, out);
                }
            }
            meta_of_enum(&own, &def.name, tagging, variants, out);
        }
    }
}

fn open_meta(own: &str, name: &str, kind: &str, out: &mut String) {
    let name = literals::string(name);
    put(
        out,
        &format!(
            "template <>\nstruct Meta<{own}> {{\n\
             \x20 static constexpr Kind kind = Kind::{kind};\n\
             \x20 static constexpr std::string_view name = {name};\n"
        ),
    );
}

fn meta_of_members(own: &str, name: &str, kind: &str, members: &[Member<'_>], out: &mut String) {
    open_meta(own, name, kind, out);
    for (index, Member { ident, field, .. }) in members.iter().enumerate() {
        let skip = if field.is_some_and(|field| field.skip_default) {
            ", true"
        } else {
            ""
        };
        let wire_name = literals::string(field.map_or("", |field| &field.wire_name));
        put(
            out,
            &format!(
                "  struct F{index} : Field<{index}, &{own}::{ident}{skip}> {{\n\
                 \x20   static constexpr std::string_view name = {wire_name};\n\
                 \x20 }};\n"
            ),
        );
    }
    let list: Vec<_> = (0..members.len())
        .map(|index| format!("F{index}"))
        .collect();
    put(
        out,
        &format!("  using Fields = TypeList<{}>;\n}};\n\n", list.join(", ")),
    );
}

fn meta_of_enum(own: &str, name: &str, tagging: &Tagging, variants: &[Variant], out: &mut String) {
    open_meta(
        own,
        name,
        if is_unit(variants) {
            "unit"
        } else {
            "variants"
        },
        out,
    );
    let tag = literals::string(match tagging {
        Tagging::External => "",
        Tagging::Internal(tag) => tag,
    });
    let names: Vec<_> = variants
        .iter()
        .map(|v| literals::string(&v.wire_name))
        .collect();
    put(
        out,
        &format!(
            "  static constexpr std::string_view tag = {tag};\n\
             \x20 static constexpr std::array<std::string_view, {}> variants = {{{{{}}}}};\n}};\n\n",
            names.len(),
            names.join(", ")
        ),
    );
}

fn put(out: &mut String, text: &str) {
    out.write_str(text).expect("writing to a String");
}
