//! How far a type reaches: what walks a schema or its values does so by recursion, and the default of
//! an array of arrays is longer than any memory.

use crate::defaults;
use crate::model::{Field, Payload, Schema, Shape, Type};

/// How deep types may nest: with enums at every level, JSON may nest twice as deep, and its readers
/// stop at 128.
pub const MAX_DEPTH: u32 = 48;
/// How many bytes the default of a field may have, in the canonical encoding.
pub const MAX_DEFAULT: u64 = 1 << 20;

/// How far a type reaches.
#[derive(Clone, Copy)]
pub struct Extent {
    /// How many types stand in each other, itself included.
    pub depth: u32,
    /// The size of its own default in the canonical encoding, where it has one.
    pub default: u64,
}

impl Extent {
    const LEAF: Self = Self {
        depth: 1,
        default: 0,
    };

    fn with_default(self, default: u64) -> Self {
        Self { default, ..self }
    }

    fn around(self) -> Self {
        Self {
            depth: self.depth + 1,
            ..self
        }
    }

    /// Of parts that follow each other.
    fn beside(self, other: Self) -> Self {
        Self {
            depth: self.depth.max(other.depth),
            default: self.default.saturating_add(other.default),
        }
    }
}

/// Of a type that is made of `known` ones, which are those that the schema has so far.
pub fn of_type(known: &[Extent], ty: &Type) -> Extent {
    /// Of a length.
    const LENGTH: u64 = 4;
    match ty {
        Type::Scalar(scalar) => Extent::LEAF.with_default(scalar.size() as u64),
        Type::String | Type::Bytes => Extent::LEAF.with_default(LENGTH),
        Type::Tensor(_) => Extent::LEAF,
        Type::List(inner) | Type::Map(inner) => of_type(known, inner).around().with_default(LENGTH),
        Type::Option(inner) => of_type(known, inner).around().with_default(1),
        Type::Array(inner, len) => {
            let inner = of_type(known, inner).around();
            inner.with_default(inner.default.saturating_mul((*len).into()))
        }
        Type::Named(index) => known[*index],
    }
}

/// Of a type that is declared.
pub fn of_shape(schema: &Schema, known: &[Extent], shape: &Shape) -> Extent {
    let types = |types: &[Type]| {
        let extents = types.iter().map(|ty| of_type(known, ty));
        extents.fold(Extent::LEAF, Extent::beside).around()
    };
    let fields = |fields: &[Field]| {
        let extents = fields.iter().map(|field| of_field(schema, known, field));
        extents.fold(Extent::LEAF, Extent::beside).around()
    };
    match shape {
        Shape::Newtype(inner) => of_type(known, inner).around(),
        Shape::Tuple(list) => types(list),
        Shape::Struct(list) => fields(list),
        Shape::Enum { variants, .. } => {
            let payloads = variants.iter().map(|variant| match &variant.payload {
                Payload::Unit => Extent::LEAF,
                Payload::Newtype(ty) => of_type(known, ty).around(),
                Payload::Struct(list) => fields(list),
            });
            payloads.fold(Extent::LEAF, Extent::beside).with_default(0)
        }
    }
}

fn of_field(schema: &Schema, known: &[Extent], field: &Field) -> Extent {
    let own = of_type(known, &field.ty);
    let declared = field.default.as_ref();
    match declared.and_then(|default| defaults::default_bytes(schema, &field.ty, Some(default))) {
        Some(default) => own.with_default(default.len() as u64),
        None => own,
    }
}
