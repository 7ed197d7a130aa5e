//! How FlatBuffers lays out what lies inline.

use super::text::enum_size;
use crate::codegen::idl::{Field, Model, Ty};

/// The size and alignment of something, and where its fields are if it is a struct.
#[derive(Debug, PartialEq)]
pub(super) struct Layout {
    pub size: usize,
    pub align: usize,
    pub offsets: Vec<usize>,
}

/// The layout of a type in a table, vector or struct.
pub(super) fn of(model: &Model, ty: &Ty) -> Layout {
    let size = match ty.peel() {
        Ty::Scalar(scalar) => scalar.size(),
        Ty::Enum(index) => enum_size(&model.enums[*index]),
        Ty::Message(index) if model.messages[*index].fixed => {
            return of_fields(model, model.fields(*index));
        }
        Ty::Optional(inner) => return of(model, inner),
        // An offset.
        _ => 4,
    };
    Layout {
        size,
        align: size,
        offsets: Vec::new(),
    }
}

/// The layout of a struct: every field at a multiple of its alignment, in order.
pub(super) fn of_fields(model: &Model, fields: &[Field]) -> Layout {
    let mut layout = Layout {
        size: 0,
        align: 1,
        offsets: Vec::new(),
    };
    for field in fields {
        let field = of(model, &field.ty);
        let offset = layout.size.next_multiple_of(field.align);
        layout.offsets.push(offset);
        layout.size = offset + field.size;
        layout.align = layout.align.max(field.align);
    }
    layout.size = layout.size.next_multiple_of(layout.align);
    layout
}
