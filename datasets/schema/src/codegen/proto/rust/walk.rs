//! The walk over a message, field by field.

use std::fmt::Write as _;

use super::{Writer, narrowed};
use crate::codegen::idl::{Field, Message, Origin, Ty};
use crate::model::Scalar;

impl Writer<'_> {
    /// The function for a message without a union.
    pub(super) fn walk_fields(
        &self,
        index: usize,
        def: &Message,
        fields: &[Field],
        out: &mut String,
    ) {
        let body: String = match def.origin {
            Origin::Tensor(scalar) => self.walk_tensor(scalar),
            _ => fields
                .iter()
                .map(|field| {
                    format!(
                        "    {};\n",
                        self.walk_field(&field.ty, &format!("message.{}", field.name))
                    )
                })
                .collect(),
        };
        let _ = writeln!(
            out,
            "#[inline]
fn walk_{}<S: Sink>(message: &{}, sink: &mut S) {{
{body}}}",
            self.natives.function(index),
            self.ty(index, self.library.generics().any)
        );
    }

    fn walk_tensor(&self, scalar: Scalar) -> String {
        let (data, item) = match self.library.packed(&Ty::Scalar(scalar)) {
            Some(packed) => (packed.list("message.data"), packed.number("data[i]")),
            None => ("&message.data[..]".to_owned(), "data[i]".to_owned()),
        };
        let item = match scalar {
            Scalar::U8 => item,
            _ => narrowed(scalar, &item),
        };
        format!(
            "    sink.count(message.shape.len());
    for dim in &message.shape {{
        sink.scalar(*dim);
    }}
    let data = {data};
    sink.elements(data.len(), |i| {item});
"
        )
    }

    fn walk_field(&self, ty: &Ty, place: &str) -> String {
        match ty.peel() {
            Ty::Message(_) => {
                let value = self.walk(ty, "(*value)");
                format!("if let Some(value) = {place}.as_ref() {{ {value} }}")
            }
            Ty::Optional(inner) => {
                let value = self.walk(inner, "(*value)");
                format!(
                    "sink.present({place}.is_some()); if let Some(value) = {place}.as_ref() {{ {value} }}"
                )
            }
            _ => self.walk(ty, place),
        }
    }

    /// A single value, or a list or map, at `place`.
    pub(super) fn walk(&self, ty: &Ty, place: &str) -> String {
        match ty.peel() {
            Ty::Scalar(scalar) => format!("sink.scalar({})", narrowed(*scalar, place)),
            Ty::String => format!("sink.blob({place}.as_bytes())"),
            Ty::Bytes => format!("sink.blob(&{place})"),
            Ty::ByteList(len) => format!(
                "{}for item in {place}.iter() {{ sink.scalar(*item); }}",
                count(*len, place)
            ),
            Ty::Enum(_) => format!("sink.variant({} as u32)", self.library.enum_number(place)),
            Ty::Message(index) => format!("walk_{}(&{place}, sink)", self.natives.function(*index)),
            Ty::List(element, len) => {
                let (list, item) = match self.library.packed(element) {
                    Some(packed) => (packed.list(place), packed.number("(*item)")),
                    None => (format!("&{place}"), "(*item)".to_owned()),
                };
                format!(
                    "let list = {list}; {}for item in list {{ {} }}",
                    count(*len, "list"),
                    self.walk(element, &item)
                )
            }
            Ty::Map(inner) => {
                let item = self.walk(inner, "(*item)");
                let entries = self.library.entries(place);
                format!(
                    "sink.count({place}.len()); for (key, item) in {entries} {{ sink.blob(key.as_bytes()); {item} }}"
                )
            }
            Ty::Optional(_) | Ty::Entries(_) | Ty::Newtype(..) => {
                unreachable!("not a single value in protobuf")
            }
        }
    }
}

/// Tells the sink the length of what is not of fixed length.
fn count(len: Option<u32>, place: &str) -> String {
    match len {
        Some(_) => String::new(),
        None => format!("sink.count({place}.len()); "),
    }
}
