//! Where the libraries with message structs differ.

use crate::codegen::idl::{self, Model, Ty, names};
use crate::codegen::proto::quick::{self, Packed};
use crate::codegen::proto::{MESSAGE_TRAIT, prost};
use crate::codegen::rust::ident;

/// A library with message structs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Library {
    /// `prost`; its structs are generated here, with its derives.
    Prost,
    /// `protobuf`; its own generator makes the structs, which are at `crate::protos`.
    Protobuf,
    /// `quick-protobuf`; its own generator makes the structs of [`quick::text`],
    /// which are at `crate::protos`. Their strings are `Cow`s: what `crate::Take` makes of ours.
    QuickProtobuf,
}

/// The lifetimes of a message that borrows, in the functions that make one of a native value.
pub(super) struct Generics {
    /// Their parameters.
    pub parameters: &'static str,
    /// The arguments in a call.
    pub arguments: &'static str,
    /// How long the native value lives.
    pub native: &'static str,
    /// The message's argument.
    pub message: &'static str,
    /// The same where it does not matter.
    pub any: &'static str,
}

const OWNED: Generics = Generics {
    parameters: "",
    arguments: "",
    native: "",
    message: "",
    any: "",
};

const BORROWED: Generics = Generics {
    parameters: "<'n, 'm, S: crate::Take<'n, 'm>>",
    arguments: "::<S>",
    native: "'n ",
    message: "<'m>",
    any: "<'_>",
};

impl Library {
    /// What is implemented for the root.
    pub(super) fn native_trait(self) -> &'static str {
        match self {
            Library::Prost | Library::Protobuf => MESSAGE_TRAIT,
            Library::QuickProtobuf => "crate::Native",
        }
    }

    pub(super) fn generics(self) -> &'static Generics {
        match self {
            Library::Prost | Library::Protobuf => &OWNED,
            Library::QuickProtobuf => &BORROWED,
        }
    }

    /// For each message whether it has a lifetime.
    pub(super) fn borrowing(self, model: &Model) -> Vec<bool> {
        match self {
            Library::Prost | Library::Protobuf => vec![false; model.messages.len()],
            Library::QuickProtobuf => quick::borrowing(model),
        }
    }

    /// How a list of numbers is in a message, unless it is a list there, too.
    pub(super) fn packed(self, element: &Ty) -> Option<Packed> {
        match self {
            Library::Prost | Library::Protobuf => None,
            Library::QuickProtobuf => Packed::of(element),
        }
    }

    /// The message's string made from ours.
    pub(super) fn text(self, place: &str) -> String {
        match self {
            Library::Prost | Library::Protobuf => format!("{place}.clone()"),
            Library::QuickProtobuf => format!("S::text(&{place})"),
        }
    }

    /// The message's bytes made from ours.
    pub(super) fn bytes(self, place: &str) -> String {
        match self {
            Library::Prost | Library::Protobuf => format!("{place}.to_vec()"),
            Library::QuickProtobuf => format!("S::bytes(&{place}[..])"),
        }
    }

    /// Our string or bytes made from the message's.
    pub(super) fn owned(self, value: &str) -> String {
        match self {
            Library::Prost | Library::Protobuf => value.to_owned(),
            Library::QuickProtobuf => format!("{value}.into_owned()"),
        }
    }

    /// The message structs of a dataset, or where they are, as `proto`.
    pub(super) fn messages(self, dataset: &str, model: &Model) -> String {
        let file = idl::package(dataset);
        match self {
            Library::Prost => {
                let messages = prost::messages(model);
                format!("pub mod proto {{\n{messages}}}\n")
            }
            Library::Protobuf => format!("use crate::protos::{file} as proto;\n"),
            Library::QuickProtobuf => {
                format!("use crate::protos::serbench::pb::{file} as proto;\n")
            }
        }
    }

    /// What is in a message's struct beside its fields.
    pub(super) fn other_fields(self) -> &'static str {
        match self {
            Library::Protobuf => "special_fields: ::std::default::Default::default() ",
            Library::Prost | Library::QuickProtobuf => "",
        }
    }

    /// The enum behind a message's `oneof`.
    pub(super) fn kind(self, message: &str) -> String {
        match self {
            Library::Prost => format!("proto::{message}Kind"),
            Library::Protobuf => format!("proto::{}::Kind", module_of(message)),
            Library::QuickProtobuf => format!("proto::mod_{message}::OneOfkind"),
        }
    }

    /// One of its variants.
    pub(super) fn case(self, alternative: &str) -> String {
        match self {
            Library::Prost | Library::Protobuf => names::pascal(alternative),
            Library::QuickProtobuf => alternative.to_owned(),
        }
    }

    /// A `oneof` with this in it: an `Option`, or an enum with a variant for nothing.
    pub(super) fn one_of(self, case: &str) -> String {
        match self {
            Library::Prost | Library::Protobuf => format!("Some({case})"),
            Library::QuickProtobuf => case.to_owned(),
        }
    }

    /// A message where there may be none.
    pub(super) fn some(self, value: &str) -> String {
        match self {
            Library::Prost | Library::QuickProtobuf => format!("Some({value})"),
            Library::Protobuf => format!("::protobuf::MessageField::some({value})"),
        }
    }

    /// A message where there may be none, from an `Option`.
    pub(super) fn optional(self, value: String) -> String {
        match self {
            Library::Prost | Library::QuickProtobuf => value,
            Library::Protobuf => format!("::protobuf::MessageField::from_option({value})"),
        }
    }

    /// The `Option` of a message where there may be none.
    pub(super) fn option(self, place: &str) -> String {
        match self {
            Library::Prost | Library::QuickProtobuf => place.to_owned(),
            Library::Protobuf => format!("{place}.into_option()"),
        }
    }

    /// The value of the enum `name` with a number.
    pub(super) fn enum_value(self, name: &str, number: &str) -> String {
        match self {
            Library::Prost => number.to_owned(),
            Library::Protobuf => format!("::protobuf::EnumOrUnknown::from_i32({number})"),
            Library::QuickProtobuf => format!("proto::{name}::from({number})"),
        }
    }

    /// The number of an enum's value.
    pub(super) fn enum_number(self, value: &str) -> String {
        match self {
            Library::Prost => value.to_owned(),
            Library::Protobuf => format!("{value}.value()"),
            Library::QuickProtobuf => format!("({value} as i32)"),
        }
    }

    /// The entries of a map in ascending order of their keys.
    pub(super) fn entries(self, place: &str) -> String {
        match self {
            Library::Prost => format!("&{place}"),
            // Hashed: the canonical order has to be made.
            Library::Protobuf | Library::QuickProtobuf => format!("convert::sorted(&{place})"),
        }
    }
}

/// The module in which `protobuf` puts what is nested in a message.
fn module_of(message: &str) -> String {
    let mut out = String::new();
    let mut after_lower = false;
    for c in message.chars() {
        if c.is_ascii_uppercase() && after_lower {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
        after_lower = c.is_ascii_lowercase();
    }
    ident(&out)
}
