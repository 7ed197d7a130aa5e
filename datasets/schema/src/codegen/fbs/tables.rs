//! The Rust tables and structs of a dataset for the `flatbuffers` crate, as `flatc` writes them.
//! (No release of `flatc` in a Linux distribution matches the crate.)

use std::fmt::Write as _;

use super::layout;
use super::text::enum_size;
use crate::codegen::idl::{Alternative, Body, Field, Message, Model, Payload, Ty, names};

/// Every table and struct of a dataset.
pub(super) fn tables(model: &Model) -> String {
    let mut out = "use ::flatbuffers::{Follow, ForwardsUOffset, InvalidFlatbuffer, Push, Table, \
         Vector, Verifiable, Verifier};\n"
        .to_owned();
    for def in &model.messages {
        match &def.body {
            Body::Fields(fields) if def.fixed => structure(model, def, fields, &mut out),
            Body::Fields(fields) => table(model, def, fields, &mut out),
            Body::Union(alternatives) => union(model, def, alternatives, &mut out),
        }
    }
    out
}

/// The offset of field number `index` in a table's vtable.
pub(super) fn slot(index: usize) -> usize {
    4 + 2 * index
}

fn structure(model: &Model, def: &Message, fields: &[Field], out: &mut String) {
    let layout = layout::of_fields(model, fields);
    let (name, size, align) = (&def.name, layout.size, layout.align);
    let (mut parameters, mut sets, mut getters) = (String::new(), String::new(), String::new());
    for (field, start) in fields.iter().zip(&layout.offsets) {
        let end = start + layout::of(model, &field.ty).size;
        let field_name = &field.name;
        let (ty, set, get) = match field.ty.peel() {
            Ty::Message(index) => {
                let ty = format!("&{}", model.messages[*index].name);
                let get = format!("unsafe {{ ::flatbuffers::follow_cast_ref(&self.0, {start}) }}");
                (ty, format!("&{field_name}.0"), get)
            }
            inner if bool_type(inner) => (
                "bool".to_owned(),
                format!("&[u8::from({field_name})]"),
                format!("self.0[{start}] != 0"),
            ),
            inner => {
                let ty = inline_type(model, inner);
                let bytes = format!("self.0[{start}..{end}].try_into().unwrap()");
                (
                    ty.clone(),
                    format!("&{field_name}.to_le_bytes()"),
                    format!("{ty}::from_le_bytes({bytes})"),
                )
            }
        };
        let _ = write!(parameters, "{field_name}: {ty}, ");
        let _ = writeln!(
            sets,
            "        bytes[{start}..{end}].copy_from_slice({set});"
        );
        let _ = writeln!(
            getters,
            "    #[inline(always)]\n    pub fn {field_name}(&self) -> {ty} {{\n        {get}\n    }}"
        );
    }
    let _ = writeln!(
        out,
        "#[repr(transparent)]
#[derive(Clone, Copy, PartialEq)]
pub struct {name}(pub [u8; {size}]);
impl {name} {{
    #[inline]
    pub fn new({parameters}) -> Self {{
        let mut bytes = [0; {size}];
{sets}        Self(bytes)
    }}
{getters}}}
impl<'a> Follow<'a> for {name} {{
    type Inner = &'a {name};
    #[inline]
    unsafe fn follow(buf: &'a [u8], loc: usize) -> Self::Inner {{
        unsafe {{ ::flatbuffers::follow_cast_ref::<{name}>(buf, loc) }}
    }}
}}
impl Push for {name} {{
    type Output = {name};
    #[inline]
    unsafe fn push(&self, dst: &mut [u8], _written_len: usize) {{
        dst[..{size}].copy_from_slice(&self.0);
    }}
    #[inline]
    fn alignment() -> ::flatbuffers::PushAlignment {{
        ::flatbuffers::PushAlignment::new({align})
    }}
}}
impl Verifiable for {name} {{
    #[inline]
    fn run_verifier(v: &mut Verifier, pos: usize) -> Result<(), InvalidFlatbuffer> {{
        v.in_buffer::<Self>(pos)
    }}
}}
impl ::flatbuffers::SimpleToVerifyInSlice for {name} {{}}"
    );
}

fn bool_type(ty: &Ty) -> bool {
    *ty == Ty::Scalar(crate::model::Scalar::Bool)
}

fn table_type(name: &str, getters: &str, visits: &str, out: &mut String) {
    let _ = writeln!(
        out,
        "#[derive(Clone, Copy)]
pub struct {name}<'a>(pub Table<'a>);
impl<'a> {name}<'a> {{
{getters}}}
impl<'a> Follow<'a> for {name}<'a> {{
    type Inner = {name}<'a>;
    #[inline]
    unsafe fn follow(buf: &'a [u8], loc: usize) -> Self::Inner {{
        Self(unsafe {{ Table::new(buf, loc) }})
    }}
}}
impl Verifiable for {name}<'_> {{
    #[inline]
    fn run_verifier(v: &mut Verifier, pos: usize) -> Result<(), InvalidFlatbuffer> {{
        v.visit_table(pos)?
{visits}            .finish();
        Ok(())
    }}
}}"
    );
}

fn table(model: &Model, def: &Message, fields: &[Field], out: &mut String) {
    let (mut getters, mut visits) = (String::new(), String::new());
    for (index, field) in fields.iter().enumerate() {
        let (name, slot) = (&field.name, slot(index));
        let (inner, optional) = match field.ty.peel() {
            Ty::Optional(inner) => (inner.peel(), true),
            other => (other, false),
        };
        let followed = followed(model, inner, "'a");
        let result = result(model, inner);
        let is_scalar = matches!(inner, Ty::Scalar(_) | Ty::Enum(_));
        // What is required was verified to be there; a scalar has a default.
        let (result, get) = match (optional, is_scalar) {
            (true, _) => (format!("Option<{result}>"), "None)".to_owned()),
            (false, true) => (result, "Some(Default::default())).unwrap()".to_owned()),
            (false, false) => (result, "None).unwrap()".to_owned()),
        };
        let _ = writeln!(
            getters,
            "    #[inline]
    pub fn {name}(&self) -> {result} {{
        unsafe {{ self.0.get::<{followed}>({slot}, {get} }}
    }}"
        );
        let followed = self::followed(model, inner, "'_");
        let required = !optional && !is_scalar;
        let _ = writeln!(
            visits,
            "            .visit_field::<{followed}>(\"{name}\", {slot}, {required})?"
        );
    }
    table_type(&def.name, &getters, &visits, out);
}

fn union(model: &Model, def: &Message, alternatives: &[Alternative], out: &mut String) {
    let (mut getters, mut arms) = (String::new(), String::new());
    let _ = writeln!(
        getters,
        "    #[inline]
    pub fn value_type(&self) -> u8 {{
        unsafe {{ self.0.get::<u8>({}, Some(0)).unwrap() }}
    }}
    #[inline]
    pub fn value<T: Follow<'a> + 'a>(&self) -> T::Inner {{
        unsafe {{ self.0.get::<ForwardsUOffset<T>>({}, None).unwrap() }}
    }}",
        slot(0),
        slot(1)
    );
    for (alternative, number) in alternatives.iter().zip(1..) {
        let ty = &model.messages[alternative_message(&alternative.payload)].name;
        let name = names::pascal(&alternative.name);
        let _ = writeln!(
            arms,
            "                {number} => v.verify_union_variant::<ForwardsUOffset<{ty}<'_>>>(\"{}Union::{name}\", pos),",
            def.name
        );
    }
    let visits = format!(
        "            .visit_union::<u8, _>(\"value_type\", {}, \"value\", {}, true, |key, v, pos| match key {{
{arms}                _ => Ok(()),
            }})?\n",
        slot(0),
        slot(1)
    );
    table_type(&def.name, &getters, &visits, out);
}

/// The table that an alternative of a union is.
pub(super) fn alternative_message(payload: &Payload) -> usize {
    match payload {
        Payload::Unit(Some(message)) | Payload::Fields(message) => *message,
        Payload::Value(ty) => match ty.peel() {
            Ty::Message(message) => *message,
            other => unreachable!("lowering makes {other:?} a table"),
        },
        Payload::Unit(None) => unreachable!("lowering makes every alternative a table"),
    }
}

/// The type of what lies inline and is no struct.
pub(super) fn inline_type(model: &Model, ty: &Ty) -> String {
    match ty.peel() {
        Ty::Scalar(scalar) => scalar.name().to_owned(),
        Ty::Enum(index) => format!("u{}", 8 * enum_size(&model.enums[*index])),
        other => unreachable!("{other:?} is not a scalar"),
    }
}

/// The type that the crate follows to a value.
fn followed(model: &Model, ty: &Ty, lifetime: &str) -> String {
    match ty.peel() {
        Ty::Scalar(_) | Ty::Enum(_) => inline_type(model, ty),
        Ty::String => format!("ForwardsUOffset<&{lifetime} str>"),
        Ty::Bytes => format!("ForwardsUOffset<Vector<{lifetime}, u8>>"),
        Ty::Message(index) => match &model.messages[*index] {
            def if def.fixed => def.name.clone(),
            def => format!("ForwardsUOffset<{}<{lifetime}>>", def.name),
        },
        Ty::List(element, _) => {
            let element = followed(model, element, lifetime);
            format!("ForwardsUOffset<Vector<{lifetime}, {element}>>")
        }
        Ty::Entries(entry) => format!(
            "ForwardsUOffset<Vector<{lifetime}, ForwardsUOffset<{}<{lifetime}>>>>",
            model.messages[*entry].name
        ),
        other => unreachable!("{other:?} is not a value by itself in FlatBuffers"),
    }
}

/// The type that a getter returns.
fn result(model: &Model, ty: &Ty) -> String {
    match ty.peel() {
        Ty::Scalar(_) | Ty::Enum(_) => inline_type(model, ty),
        Ty::String => "&'a str".to_owned(),
        Ty::Message(index) => match &model.messages[*index] {
            def if def.fixed => format!("&'a {}", def.name),
            def => format!("{}<'a>", def.name),
        },
        _ => {
            let followed = followed(model, ty, "'a");
            let inner = followed.strip_prefix("ForwardsUOffset<");
            inner
                .and_then(|inner| inner.strip_suffix('>'))
                .unwrap_or(&followed)
                .to_owned()
        }
    }
}
