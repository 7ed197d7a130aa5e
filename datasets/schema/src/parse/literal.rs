//! The value of `default = …`, checked against the type it is a default of.

use syn::{Expr, Lit, Result, UnOp};

use crate::defaults::{self, int_range};
use crate::model::{Literal, Payload, Scalar, Schema, Shape, Type};

/// Reads a default for a value of type `ty`. `None` is the type's own default, however written.
pub fn read(schema: &Schema, ty: &Type, expr: &Expr) -> Result<Option<Literal>> {
    let literal = value(schema, ty, expr)?;
    let own = defaults::default_bytes(schema, ty, None);
    let declared = defaults::default_bytes(schema, ty, Some(&literal));
    Ok((own != declared).then_some(literal))
}

fn value(schema: &Schema, ty: &Type, expr: &Expr) -> Result<Literal> {
    match schema.resolve(ty) {
        Type::Scalar(Scalar::Bool) => match lit(expr) {
            Some((false, Lit::Bool(b))) => Ok(Literal::Bool(b.value)),
            _ => fail(expr, "`true` or `false` expected"),
        },
        Type::Scalar(Scalar::F32) => {
            float::<f32>(expr).map(|x| Literal::Float(f64::from(x).to_bits()))
        }
        Type::Scalar(Scalar::F64) => float::<f64>(expr).map(|x| Literal::Float(x.to_bits())),
        Type::Scalar(scalar) => int(*scalar, expr),
        Type::String => match lit(expr) {
            Some((false, Lit::Str(s))) => Ok(Literal::Str(s.value())),
            _ => fail(expr, "a string expected"),
        },
        Type::List(element) => seq(expr, None, |_| Ok(element), schema),
        Type::Array(element, len) => seq(expr, Some(*len as usize), |_| Ok(element), schema),
        Type::Option(inner) => value(schema, inner, expr),
        Type::Named(index) => match &schema.def(*index).shape {
            Shape::Tuple(types) => seq(expr, Some(types.len()), |i| Ok(&types[i]), schema),
            Shape::Enum { variants, .. } => match lit(expr) {
                Some((false, Lit::Str(s)))
                    if variants
                        .iter()
                        .any(|v| v.name == s.value() && v.payload == Payload::Unit) =>
                {
                    Ok(Literal::Str(s.value()))
                }
                _ => fail(
                    expr,
                    "the name of a variant without payload expected, as a string",
                ),
            },
            _ => fail(expr, "a struct has the defaults of its fields and no other"),
        },
        Type::Bytes | Type::Map(_) | Type::Tensor(_) => fail(
            expr,
            "a byte string, map or tensor cannot be given a default",
        ),
    }
}

fn seq<'a>(
    expr: &Expr,
    len: Option<usize>,
    ty: impl Fn(usize) -> Result<&'a Type>,
    schema: &Schema,
) -> Result<Literal> {
    let Expr::Array(array) = expr else {
        return fail(expr, "`[…]` expected");
    };
    if len.is_some_and(|len| len != array.elems.len()) {
        return fail(
            expr,
            format!("{} elements expected", len.unwrap_or_default()),
        );
    }
    let elements = array.elems.iter().enumerate();
    let elements = elements.map(|(index, element)| value(schema, ty(index)?, element));
    Ok(Literal::Seq(elements.collect::<Result<_>>()?))
}

fn int(scalar: Scalar, expr: &Expr) -> Result<Literal> {
    let Some((negative, Lit::Int(literal))) = lit(expr) else {
        return fail(expr, "a whole number expected");
    };
    let digits = literal.base10_digits().parse::<i128>();
    let number = digits.map(|n| if negative { -n } else { n });
    match number {
        Ok(n) if int_range(scalar).contains(&n) && literal.suffix().is_empty() => {
            Ok(Literal::Int(n))
        }
        _ => fail(
            expr,
            format!("a whole number that fits {} expected", scalar.name()),
        ),
    }
}

fn float<T>(expr: &Expr) -> Result<T>
where
    T: std::str::FromStr + std::ops::Neg<Output = T> + Into<f64> + Copy,
{
    let (negative, digits) = match lit(expr) {
        Some((negative, Lit::Float(f))) if f.suffix().is_empty() => (negative, f.base10_digits()),
        Some((negative, Lit::Int(i))) if i.suffix().is_empty() => (negative, i.base10_digits()),
        _ => return fail(expr, "a number expected"),
    };
    match digits.parse::<T>() {
        Ok(number) if number.into().is_finite() => Ok(if negative { -number } else { number }),
        _ => fail(expr, "a number within range expected"),
    }
}

/// A literal, and whether there is a minus before it.
fn lit(expr: &Expr) -> Option<(bool, &Lit)> {
    match expr {
        Expr::Lit(literal) => Some((false, &literal.lit)),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => match &*unary.expr {
            Expr::Lit(literal) => Some((true, &literal.lit)),
            _ => None,
        },
        _ => None,
    }
}

fn fail<T>(expr: &Expr, message: impl std::fmt::Display) -> Result<T> {
    Err(syn::Error::new_spanned(expr, message))
}
