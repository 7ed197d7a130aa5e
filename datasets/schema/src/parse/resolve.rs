//! From the syntax tree to the model: names become indexes, attributes become facts.

use std::collections::HashMap;

use syn::spanned::Spanned;
use syn::{Expr, Fields, GenericArgument, Ident, Item, Lit, PathArguments, Result};

use super::attributes::{self, Attributes};
use super::extent::{self, Extent, MAX_DEFAULT, MAX_DEPTH};
use super::names::Case;
use super::{literal, rules};
use crate::model::{Field, Payload, Scalar, Schema, Shape, Tagging, Type, TypeDef, Variant};

/// The names that the language gives a meaning to.
const BUILT_IN: [&str; 7] = ["String", "Bytes", "Vec", "Option", "Map", "Tensor", "Root"];
const SUBSET: &str = "the types are bool, i8 to i64, u8 to u64, f32, f64, String, Bytes, Vec<T>, \
                      [T; N], Option<T>, Map<T>, Tensor<scalar> and the structs and enums here";
/// Arrays live on the stack and inside other values: beyond this they should be lists or tensors.
const MAX_ARRAY: u32 = 4096;

/// Builds the schema of a file.
pub fn schema(file: &syn::File) -> Result<Schema> {
    attributes::read(&file.attrs, "a schema", &[])?;
    let mut root = None;
    let mut resolver = Resolver::default();
    for item in &file.items {
        match item {
            Item::Struct(item) => resolver.declare(&item.ident, Declared::Struct(item))?,
            Item::Enum(item) => resolver.declare(&item.ident, Declared::Enum(item))?,
            Item::Type(item) if item.ident == "Root" => {
                no_generics(&item.generics)?;
                attributes::read(&item.attrs, "`Root`", &[])?;
                if root.replace(&*item.ty).is_some() {
                    return fail(&item.ident, "`Root` is given twice");
                }
            }
            other => {
                let message = "a schema holds structs, enums and one `pub type Root = …;`";
                return fail(other, message);
            }
        }
    }
    let Some(root) = root else {
        let message = "`pub type Root = …;` is missing: the type of one value of the dataset";
        return Err(syn::Error::new(proc_macro2::Span::call_site(), message));
    };
    let root_type = resolver.ty(root)?;
    rules::check_optional(&resolver.schema, &root_type, root)?;
    let used = resolver.schema.types.len();
    // What the root does not use must be right all the same, but is no part of the schema.
    for name in resolver.order.clone() {
        resolver.named(&name)?;
    }
    resolver.schema.types.truncate(used);
    resolver.schema.root = root_type;
    Ok(resolver.schema)
}

/// A declared type, not yet looked at.
#[derive(Clone, Copy)]
enum Declared<'a> {
    Struct(&'a syn::ItemStruct),
    Enum(&'a syn::ItemEnum),
}

#[derive(Clone, Copy)]
enum State<'a> {
    Declared(Declared<'a>),
    Open,
    Done(usize),
}

/// Resolves types depth first, so that each stands behind those it uses, in an order that depends
/// on the root alone.
struct Resolver<'a> {
    types: HashMap<String, State<'a>>,
    order: Vec<Ident>,
    open: Vec<String>,
    schema: Schema,
    /// Of each type of the schema.
    extents: Vec<Extent>,
}

impl Default for Resolver<'_> {
    fn default() -> Self {
        let root = Type::Scalar(Scalar::Bool);
        let schema = Schema {
            types: Vec::new(),
            root,
        };
        Self {
            types: HashMap::new(),
            order: Vec::new(),
            open: Vec::new(),
            schema,
            extents: Vec::new(),
        }
    }
}

impl<'a> Resolver<'a> {
    fn declare(&mut self, ident: &Ident, declared: Declared<'a>) -> Result<()> {
        let name = plain(ident);
        if BUILT_IN.contains(&name.as_str()) || Scalar::from_name(&name).is_some() {
            return fail(ident, format!("`{name}` is a built-in name"));
        }
        self.order.push(ident.clone());
        let state = State::Declared(declared);
        match self.types.insert(name.clone(), state) {
            Some(_) => fail(ident, format!("`{name}` is declared twice")),
            None => Ok(()),
        }
    }

    /// A type of the schema by its name.
    fn named(&mut self, ident: &Ident) -> Result<Type> {
        let name = plain(ident);
        let declared = match self.types.get(&name) {
            Some(State::Done(index)) => return Ok(Type::Named(*index)),
            Some(State::Open) => {
                let from = self.open.iter().position(|open| *open == name);
                let path = self.open[from.unwrap_or_default()..].join(" → ");
                let message = format!("`{name}` contains itself: {path} → {name}");
                return fail(ident, message);
            }
            Some(State::Declared(declared)) => *declared,
            None => return fail(ident, format!("`{name}` is unknown; {SUBSET}")),
        };
        self.types.insert(name.clone(), State::Open);
        self.open.push(name.clone());
        let shape = match declared {
            Declared::Struct(item) => self.structure(item)?,
            Declared::Enum(item) => self.enumeration(item)?,
        };
        self.open.pop();
        let extent = extent::of_shape(&self.schema, &self.extents, &shape);
        self.extents.push(extent);
        let index = self.schema.types.len();
        self.schema.types.push(TypeDef {
            name: name.clone(),
            shape,
        });
        self.types.insert(name, State::Done(index));
        Ok(Type::Named(index))
    }

    fn structure(&mut self, item: &syn::ItemStruct) -> Result<Shape> {
        no_generics(&item.generics)?;
        match &item.fields {
            Fields::Named(fields) => {
                let found = attributes::read(&item.attrs, "a struct", &["rename_all"])?;
                let fields = self.fields(fields, found.rename_all, item)?;
                Ok(Shape::Struct(fields))
            }
            Fields::Unnamed(fields) => {
                attributes::read(&item.attrs, "a tuple struct", &[])?;
                let mut types = Vec::new();
                for field in &fields.unnamed {
                    attributes::read(&field.attrs, "a positional field", &[])?;
                    types.push(self.ty(&field.ty)?);
                }
                match types.len() {
                    0 => fail(item, "a struct has at least one field"),
                    1 => Ok(Shape::Newtype(types.remove(0))),
                    _ => Ok(Shape::Tuple(types)),
                }
            }
            Fields::Unit => fail(item, "a struct has at least one field"),
        }
    }

    fn fields(
        &mut self,
        fields: &syn::FieldsNamed,
        rename_all: Option<Case>,
        owner: &impl quote::ToTokens,
    ) -> Result<Vec<Field>> {
        if fields.named.is_empty() {
            return fail(owner, "a struct has at least one field");
        }
        let mut out: Vec<Field> = Vec::new();
        for field in &fields.named {
            let field_model = self.field(field, rename_all)?;
            if out.iter().any(|other| other.name == field_model.name) {
                return fail(
                    &field.ident,
                    format!("`{}` is declared twice", field_model.name),
                );
            }
            if out
                .iter()
                .any(|other| other.wire_name == field_model.wire_name)
            {
                let message = format!("two fields are named {:?}", field_model.wire_name);
                return fail(&field.ident, message);
            }
            out.push(field_model);
        }
        Ok(out)
    }

    fn field(&mut self, field: &syn::Field, rename_all: Option<Case>) -> Result<Field> {
        let allowed = ["rename", "default", "skip_default"];
        let found = attributes::read(&field.attrs, "a field", &allowed)?;
        let name = field.ident.as_ref().map(plain).unwrap_or_default();
        if name == "_" {
            return fail(&field.ident, "a field has a name");
        }
        let ty = self.ty(&field.ty)?;
        let has_default = found.default.is_some() || found.skip_default.is_some();
        if has_default && extent::of_type(&self.extents, &ty).default > MAX_DEFAULT {
            let message = format!("a default has at most {MAX_DEFAULT} bytes");
            return fail(&field.ty, message);
        }
        let default = match &found.default {
            Some(expr) => literal::read(&self.schema, &ty, expr)?,
            None => None,
        };
        let wire_name = wire_name(&found, &name, |name| {
            rename_all.map(|case| case.field(name))
        });
        if wire_name.is_empty() {
            let message = format!("rename_all leaves nothing of `{name}`; add `rename = …`");
            return fail(&field.ident, message);
        }
        let skip_default = found.skip_default.is_some();
        let model = Field {
            name,
            wire_name,
            ty,
            default,
            skip_default,
        };
        if let Some(path) = found.skip_default
            && crate::defaults::of_field(&self.schema, &model).is_none()
        {
            return fail(
                &path,
                "this type has no default of its own; add `default = …`",
            );
        }
        Ok(model)
    }

    fn enumeration(&mut self, item: &syn::ItemEnum) -> Result<Shape> {
        no_generics(&item.generics)?;
        let found = attributes::read(&item.attrs, "an enum", &["rename_all", "tag"])?;
        let mut variants: Vec<Variant> = Vec::new();
        for variant in &item.variants {
            let model = self.variant(variant, found.rename_all)?;
            if variants.iter().any(|other| other.name == model.name) {
                return fail(
                    &variant.ident,
                    format!("`{}` is declared twice", model.name),
                );
            }
            if variants
                .iter()
                .any(|other| other.wire_name == model.wire_name)
            {
                let message = format!("two variants are named {:?}", model.wire_name);
                return fail(&variant.ident, message);
            }
            if let Some(tag) = &found.tag {
                rules::check_tagged(&self.schema, &model, &tag.value(), &variant.ident)?;
            }
            variants.push(model);
        }
        if variants.is_empty() {
            return fail(item, "an enum has at least one variant");
        }
        let tagging = match found.tag {
            Some(tag) => Tagging::Internal(tag.value()),
            None => Tagging::External,
        };
        Ok(Shape::Enum { tagging, variants })
    }

    fn variant(&mut self, variant: &syn::Variant, rename_all: Option<Case>) -> Result<Variant> {
        let found = attributes::read(&variant.attrs, "a variant", &["rename"])?;
        if let Some((_, discriminant)) = &variant.discriminant {
            return fail(discriminant, "a variant has no number of its own");
        }
        let name = plain(&variant.ident);
        let payload = match &variant.fields {
            Fields::Unit => Payload::Unit,
            Fields::Named(fields) => Payload::Struct(self.fields(fields, None, variant)?),
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                attributes::read(&fields.unnamed[0].attrs, "a positional field", &[])?;
                Payload::Newtype(self.ty(&fields.unnamed[0].ty)?)
            }
            Fields::Unnamed(fields) => {
                let message = "a variant carries nothing, one value, or named fields";
                return fail(fields, message);
            }
        };
        let wire_name = wire_name(&found, &name, |name| {
            rename_all.map(|case| case.variant(name))
        });
        Ok(Variant {
            name,
            wire_name,
            payload,
        })
    }

    fn ty(&mut self, ty: &syn::Type) -> Result<Type> {
        let found = self.any_type(ty)?;
        match extent::of_type(&self.extents, &found).depth <= MAX_DEPTH {
            true => Ok(found),
            false => fail(ty, format!("types nest at most {MAX_DEPTH} deep")),
        }
    }

    fn any_type(&mut self, ty: &syn::Type) -> Result<Type> {
        match ty {
            syn::Type::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => {
                self.path(&path.path.segments[0])
            }
            syn::Type::Array(array) => {
                let element = self.ty(&array.elem)?;
                Ok(Type::Array(Box::new(element), array_len(&array.len)?))
            }
            syn::Type::Tuple(_) => fail(ty, "a tuple needs a name: `pub struct Pair(A, B);`"),
            _ => fail(ty, SUBSET),
        }
    }

    fn path(&mut self, segment: &syn::PathSegment) -> Result<Type> {
        let ident = &segment.ident;
        let arguments = match &segment.arguments {
            PathArguments::None => return self.simple(ident),
            PathArguments::AngleBracketed(arguments) => arguments,
            PathArguments::Parenthesized(_) => return fail(segment, SUBSET),
        };
        let argument = match arguments.args.first() {
            Some(GenericArgument::Type(argument)) if arguments.args.len() == 1 => argument,
            _ => return fail(segment, "one type in the angle brackets expected"),
        };
        let inner = self.ty(argument)?;
        match ident.to_string().as_str() {
            "Vec" => Ok(Type::List(Box::new(inner))),
            "Map" => Ok(Type::Map(Box::new(inner))),
            "Option" => {
                let option = Type::Option(Box::new(inner));
                rules::check_optional(&self.schema, &option, argument)?;
                Ok(option)
            }
            "Tensor" => match inner {
                Type::Scalar(scalar) if scalar != Scalar::Bool => Ok(Type::Tensor(scalar)),
                _ => fail(argument, "the elements of a tensor are numbers"),
            },
            _ => fail(segment, SUBSET),
        }
    }

    /// A type without angle brackets.
    fn simple(&mut self, ident: &Ident) -> Result<Type> {
        match ident.to_string().as_str() {
            "String" => Ok(Type::String),
            "Bytes" => Ok(Type::Bytes),
            name => match Scalar::from_name(name) {
                Some(scalar) => Ok(Type::Scalar(scalar)),
                None => self.named(ident),
            },
        }
    }
}

fn array_len(expr: &Expr) -> Result<u32> {
    if let Expr::Lit(expr) = expr
        && let Lit::Int(literal) = &expr.lit
        && let Ok(len @ 1..=MAX_ARRAY) = literal.base10_parse()
    {
        return Ok(len);
    }
    fail(
        expr,
        format!("an array has 1 to {MAX_ARRAY} elements, as a plain number"),
    )
}

fn wire_name(found: &Attributes, name: &str, rule: impl Fn(&str) -> Option<String>) -> String {
    let renamed = found.rename.as_ref().map(|literal| literal.value());
    renamed
        .or_else(|| rule(name))
        .unwrap_or_else(|| name.to_owned())
}

/// The identifier without `r#`.
fn plain(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map(str::to_owned).unwrap_or(name)
}

fn no_generics(generics: &syn::Generics) -> Result<()> {
    match generics.params.is_empty() && generics.where_clause.is_none() {
        true => Ok(()),
        false => Err(syn::Error::new(
            generics.span(),
            "a schema has no generic types",
        )),
    }
}

pub fn fail<T>(at: impl quote::ToTokens, message: impl std::fmt::Display) -> Result<T> {
    Err(syn::Error::new_spanned(at, message))
}
