//! From a schema to a [`Model`].

use std::collections::{BTreeSet, HashMap};

use super::names::{self, TypeNames};
use super::{Alternative, Body, Enum, Field, Message, Model, Origin, Payload, Policy, Rule, Ty};
use crate::model::{self, Scalar, Schema, Shape, Type};

/// Arrays up to this length may be structs of that many fields.
const MAX_ARRAY_FIELDS: u32 = 16;

/// Brings a schema down to what an interface language can say.
pub fn lower(schema: &Schema, policy: &Policy) -> Model {
    let mut names = TypeNames::default();
    let named_names = schema
        .types
        .iter()
        .map(|def| names.take(&def.name))
        .collect();
    let mut lowering = Lowering {
        schema,
        policy,
        names,
        named_names,
        named: HashMap::new(),
        wrappers: HashMap::new(),
        arrays: HashMap::new(),
        entries: HashMap::new(),
        tensors: HashMap::new(),
        unit: None,
        messages: Vec::new(),
        enums: Vec::new(),
        rules: BTreeSet::new(),
    };
    let (root, root_type) = lowering.root();
    Model {
        messages: lowering.messages,
        enums: lowering.enums,
        root,
        root_type,
        rules: lowering.rules,
    }
}

struct Lowering<'a> {
    schema: &'a Schema,
    policy: &'a Policy,
    names: TypeNames,
    named_names: Vec<String>,
    named: HashMap<usize, Ty>,
    wrappers: HashMap<Type, usize>,
    arrays: HashMap<(Type, u32), usize>,
    entries: HashMap<Type, usize>,
    tensors: HashMap<Scalar, usize>,
    unit: Option<usize>,
    messages: Vec<Message>,
    enums: Vec<Enum>,
    rules: BTreeSet<Rule>,
}

impl Lowering<'_> {
    /// The root message, and the root's type.
    fn root(&mut self) -> (usize, Ty) {
        let root = &self.schema.root;
        let ty = self.ty(root);
        match ty.peel() {
            Ty::Message(message)
                if !matches!(
                    self.messages[*message].origin,
                    Origin::Tensor(_) | Origin::Array(..)
                ) =>
            {
                // Nothing else holds the root, so it can be a table instead of a struct.
                self.messages[*message].fixed = false;
                (*message, ty)
            }
            _ => {
                self.rules.insert(Rule::WrappedRoot);
                (self.wrap(root, ty.clone()), ty)
            }
        }
    }

    fn ty(&mut self, ty: &Type) -> Ty {
        match ty {
            Type::Scalar(scalar) => self.scalar(*scalar),
            Type::String => Ty::String,
            Type::Bytes => Ty::Bytes,
            Type::List(element) => match self.is_byte_list(element) {
                true => Ty::ByteList(None),
                false => Ty::List(Box::new(self.element(element)), None),
            },
            Type::Array(element, len) => self.array(element, *len),
            Type::Option(inner) => {
                let lowered = self.ty(inner);
                Ty::Optional(Box::new(self.wrap_unless(
                    inner,
                    lowered,
                    self.policy.optional,
                )))
            }
            Type::Map(value) => self.map(value),
            Type::Tensor(scalar) => Ty::Message(self.tensor(*scalar)),
            Type::Named(index) => match self.named.get(index) {
                Some(ty) => ty.clone(),
                None => {
                    let ty = self.named(*index);
                    self.named.insert(*index, ty.clone());
                    ty
                }
            },
        }
    }

    fn scalar(&mut self, scalar: Scalar) -> Ty {
        if self.policy.widened.contains(&scalar) {
            self.rules.insert(Rule::Widened(scalar.name()));
        }
        Ty::Scalar(scalar)
    }

    fn is_byte_list(&mut self, element: &Type) -> bool {
        let is = self.policy.byte_lists && *element == Type::Scalar(Scalar::U8);
        if is {
            self.rules.insert(Rule::ByteList);
        }
        is
    }

    fn element(&mut self, ty: &Type) -> Ty {
        let lowered = self.ty(ty);
        self.wrap_unless(ty, lowered, self.policy.element)
    }

    fn wrap_unless(&mut self, ty: &Type, lowered: Ty, fits: fn(&Ty) -> bool) -> Ty {
        if fits(lowered.peel()) {
            return lowered;
        }
        self.rules.insert(Rule::Wrapped);
        Ty::Message(self.wrap(ty, lowered))
    }

    /// A message that holds one value.
    fn wrap(&mut self, ty: &Type, lowered: Ty) -> usize {
        if let Some(message) = self.wrappers.get(ty) {
            return *message;
        }
        let name = self.names.take(&format!("{}Value", self.label(ty)));
        let fields = vec![Field {
            name: "value".to_owned(),
            native: String::new(),
            ty: lowered,
        }];
        let message = self.push(name, Origin::Wrapper, Body::Fields(fields));
        self.wrappers.insert(ty.clone(), message);
        message
    }

    fn push(&mut self, name: String, origin: Origin, body: Body) -> usize {
        self.messages.push(Message {
            name,
            origin,
            body,
            fixed: false,
        });
        self.messages.len() - 1
    }

    fn array(&mut self, element: &Type, len: u32) -> Ty {
        let lowered = self.ty(element);
        if self.policy.fixed_messages && len <= MAX_ARRAY_FIELDS && self.is_fixed(&lowered) {
            self.rules.insert(Rule::ArrayAsStruct);
            let key = (element.clone(), len);
            if let Some(message) = self.arrays.get(&key) {
                return Ty::Message(*message);
            }
            let name = self.names.take(&format!("{}x{len}", self.label(element)));
            let fields = (0..len)
                .map(|i| Field {
                    name: format!("e{i}"),
                    native: String::new(),
                    ty: lowered.clone(),
                })
                .collect();
            let message = self.push(name, Origin::Array(lowered, len), Body::Fields(fields));
            self.messages[message].fixed = true;
            self.arrays.insert(key, message);
            return Ty::Message(message);
        }
        self.rules.insert(Rule::ArrayAsList);
        match self.is_byte_list(element) {
            true => Ty::ByteList(Some(len)),
            false => Ty::List(Box::new(self.element(element)), Some(len)),
        }
    }

    fn map(&mut self, value: &Type) -> Ty {
        if !self.policy.map_entries {
            return Ty::Map(Box::new(self.element(value)));
        }
        self.rules.insert(Rule::MapEntries);
        if let Some(message) = self.entries.get(value) {
            return Ty::Entries(*message);
        }
        let lowered = self.ty(value);
        let name = self.names.take(&format!("{}Entry", self.label(value)));
        let field = |name: &str, ty| Field {
            name: name.to_owned(),
            native: String::new(),
            ty,
        };
        let fields = vec![field("key", Ty::String), field("value", lowered)];
        let message = self.push(name, Origin::Entry, Body::Fields(fields));
        self.entries.insert(value.clone(), message);
        Ty::Entries(message)
    }

    fn tensor(&mut self, scalar: Scalar) -> usize {
        self.rules.insert(Rule::Tensor);
        if let Some(message) = self.tensors.get(&scalar) {
            return *message;
        }
        let data = self.ty(&Type::List(Box::new(Type::Scalar(scalar))));
        let name = self
            .names
            .take(&format!("{}Tensor", names::pascal(scalar.name())));
        let shape = Ty::List(Box::new(Ty::Scalar(Scalar::U32)), None);
        let fields = [("shape", shape), ("data", data)].map(|(name, ty)| Field {
            name: name.to_owned(),
            native: name.to_owned(),
            ty,
        });
        let message = self.push(name, Origin::Tensor(scalar), Body::Fields(fields.into()));
        self.tensors.insert(scalar, message);
        message
    }

    fn named(&mut self, index: usize) -> Ty {
        let def = self.schema.def(index);
        let origin = Origin::Named(index);
        let name = self.named_names[index].clone();
        let message = match &def.shape {
            Shape::Newtype(inner) => return Ty::Newtype(index, Box::new(self.ty(inner))),
            Shape::Struct(fields) => {
                let body = self.fields(fields);
                self.push(name, origin, body)
            }
            Shape::Tuple(elements) => {
                let fields = elements
                    .iter()
                    .enumerate()
                    .map(|(i, element)| Field {
                        name: format!("e{i}"),
                        native: i.to_string(),
                        ty: self.ty(element),
                    })
                    .collect();
                self.push(name, origin, Body::Fields(fields))
            }
            Shape::Enum { variants, .. } => {
                if variants.iter().all(|v| v.payload == model::Payload::Unit) {
                    return self.unit_enum(index, name, variants);
                }
                let alternatives = self.alternatives(index, variants);
                self.push(name, origin, Body::Union(alternatives))
            }
        };
        let fields = match &self.messages[message].body {
            Body::Fields(fields) => fields.as_slice(),
            Body::Union(_) => &[],
        };
        let fixed = self.policy.fixed_messages
            && !fields.is_empty()
            && fields.iter().all(|field| self.is_fixed(&field.ty));
        self.messages[message].fixed = fixed;
        Ty::Message(message)
    }

    fn is_fixed(&self, ty: &Ty) -> bool {
        match ty.peel() {
            Ty::Scalar(_) | Ty::Enum(_) => true,
            Ty::Message(message) => self.messages[*message].fixed,
            _ => false,
        }
    }

    fn fields(&mut self, fields: &[model::Field]) -> Body {
        let names = names::members(fields.iter().map(|field| field.name.as_str()));
        Body::Fields(
            fields
                .iter()
                .zip(names)
                .map(|(field, name)| Field {
                    name,
                    native: field.name.clone(),
                    ty: self.ty(&field.ty),
                })
                .collect(),
        )
    }

    fn unit_enum(&mut self, def: usize, name: String, variants: &[model::Variant]) -> Ty {
        self.enums.push(Enum {
            name,
            def,
            natives: variants.iter().map(|v| v.name.clone()).collect(),
            values: names::members(variants.iter().map(|v| v.name.as_str())),
        });
        Ty::Enum(self.enums.len() - 1)
    }

    fn alternatives(&mut self, def: usize, variants: &[model::Variant]) -> Vec<Alternative> {
        let names = names::members(variants.iter().map(|v| v.name.as_str()));
        variants
            .iter()
            .zip(names)
            .enumerate()
            .map(|(index, (variant, name))| Alternative {
                name,
                native: variant.name.clone(),
                payload: self.payload(def, index, variant),
            })
            .collect()
    }

    fn payload(&mut self, def: usize, index: usize, variant: &model::Variant) -> Payload {
        match &variant.payload {
            model::Payload::Unit => Payload::Unit(self.policy.unit_messages.then(|| self.unit())),
            model::Payload::Newtype(ty) => {
                let lowered = self.ty(ty);
                let fits = match lowered.peel() {
                    Ty::Message(message) => !self.messages[*message].fixed,
                    other => (self.policy.alternative)(other),
                };
                Payload::Value(match fits {
                    true => lowered,
                    false => {
                        self.rules.insert(Rule::Wrapped);
                        Ty::Message(self.wrap(ty, lowered))
                    }
                })
            }
            model::Payload::Struct(fields) => {
                let wish = format!(
                    "{}{}",
                    self.named_names[def],
                    names::type_name(&variant.name)
                );
                let name = self.names.take(&wish);
                let body = self.fields(fields);
                Payload::Fields(self.push(name, Origin::Variant(def, index), body))
            }
        }
    }

    fn unit(&mut self) -> usize {
        self.rules.insert(Rule::UnitVariant);
        if let Some(message) = self.unit {
            return message;
        }
        let name = self.names.take("Unit");
        let message = self.push(name, Origin::Unit, Body::Fields(Vec::new()));
        self.unit = Some(message);
        message
    }

    /// A word for a type, to make names of.
    fn label(&self, ty: &Type) -> String {
        match ty {
            Type::Scalar(scalar) => names::pascal(scalar.name()),
            Type::String => "String".to_owned(),
            Type::Bytes => "ByteString".to_owned(),
            Type::List(element) => format!("{}List", self.label(element)),
            Type::Array(element, len) => format!("{}Array{len}", self.label(element)),
            Type::Option(inner) => format!("Optional{}", self.label(inner)),
            Type::Map(value) => format!("{}Map", self.label(value)),
            Type::Tensor(scalar) => format!("{}Tensor", names::pascal(scalar.name())),
            Type::Named(index) => self.named_names[*index].clone(),
        }
    }
}
