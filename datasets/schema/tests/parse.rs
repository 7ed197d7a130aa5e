//! The schema language: what it means, and what is refused where.

use std::path::Path;

use serbench_schema::model::{Literal, Payload, Shape, Tagging, Type};
use serbench_schema::{Schema, parse};

fn schema(source: &str) -> Schema {
    parse(source, Path::new("schema.rs")).unwrap_or_else(|error| panic!("{error}"))
}

/// The one message for a source, with its position.
fn error(source: &str) -> String {
    parse(source, Path::new("schema.rs"))
        .expect_err(source)
        .to_string()
}

#[test]
fn a_type_stands_behind_those_it_uses() {
    let schema =
        schema("type Root = A; struct A { b: Vec<B>, c: C } struct C(u8); struct B(C, i8);");
    let names: Vec<_> = schema.types.iter().map(|def| def.name.as_str()).collect();
    assert_eq!(names, ["C", "B", "A"]);
    assert_eq!(schema.root, Type::Named(2));
}

#[test]
fn layout_comments_order_and_unused_types_do_not_change_the_fingerprint() {
    let one = schema("type Root = A; struct A { b: B, c: u8 } struct B(i8);");
    let other = schema(
        "//! A.\n\n/// B.\npub struct B(\n  pub i8,\n);\npub struct Unused { x: B }\n
         pub struct A { /// b\n pub b: B, pub c: u8 }\n pub type Root = A;",
    );
    assert_eq!(one.fingerprint(), other.fingerprint());
    assert_eq!(one.fingerprint().len(), 32);
    let third = schema("type Root = A; struct A { b: B, c: u16 } struct B(i8);");
    assert_ne!(one.fingerprint(), third.fingerprint());
}

#[test]
fn the_normalised_form_reads_back() {
    let schema = schema(
        "type Root = A; struct A { #[schema(default = [1, -2.5])] b: Vec<f32>, c: Option<E> }
         #[schema(tag = \"t\")] enum E { One, Two { x: Tensor<u8> } }",
    );
    assert_eq!(Schema::from_json(&schema.to_json()).unwrap(), schema);
}

#[test]
fn names_follow_the_attributes() {
    let schema = schema(
        "type Root = A;
         #[schema(rename_all = \"camelCase\")]
         struct A { first_field: E, #[schema(rename = \"2nd\")] second_field: u8, r#type: u8 }
         #[schema(rename_all = \"kebab-case\", tag = \"kind\")]
         enum E { OneTwo, #[schema(rename = \"x\")] Three { some_field: u8 } }",
    );
    let Shape::Struct(fields) = &schema.types[1].shape else {
        panic!()
    };
    let wire: Vec<_> = fields
        .iter()
        .map(|field| field.wire_name.as_str())
        .collect();
    assert_eq!(wire, ["firstField", "2nd", "type"]);
    assert_eq!(fields[2].name, "type");
    let Shape::Enum { tagging, variants } = &schema.types[0].shape else {
        panic!()
    };
    assert_eq!(*tagging, Tagging::Internal("kind".to_owned()));
    let wire: Vec<_> = variants
        .iter()
        .map(|variant| variant.wire_name.as_str())
        .collect();
    assert_eq!(wire, ["one-two", "x"]);
    let Payload::Struct(fields) = &variants[1].payload else {
        panic!()
    };
    assert_eq!(fields[0].wire_name, "some_field");
    assert!(schema.needs_self_describing());
}

#[test]
fn a_default_is_stored_where_it_is_not_the_types_own() {
    let schema = schema(
        "type Root = A;
         struct A {
             #[schema(default = 0)] a: u8, #[schema(default = 1)] b: f64,
             #[schema(default = -0.0)] c: f32, #[schema(default = \"One\")] d: E,
             #[schema(default = [[1, 2], [3, 4]])] e: [P; 2], #[schema(default = 5)] f: Option<u8>,
             #[schema(default = -9223372036854775808)] g: i64,
         }
         enum E { One, Two(u8) }
         struct P(u8, i8);",
    );
    let Shape::Struct(fields) = &schema.types[2].shape else {
        panic!()
    };
    let defaults: Vec<_> = fields.iter().map(|field| field.default.clone()).collect();
    let pair = |a, b| Literal::Seq(vec![Literal::Int(a), Literal::Int(b)]);
    assert_eq!(
        defaults,
        [
            None,
            Some(Literal::Float(1_f64.to_bits())),
            Some(Literal::Float((-0_f64).to_bits())),
            Some(Literal::Str("One".to_owned())),
            Some(Literal::Seq(vec![pair(1, 2), pair(3, 4)])),
            Some(Literal::Int(5)),
            Some(Literal::Int(i64::MIN.into())),
        ]
    );
}

#[test]
fn what_is_outside_the_language_is_refused_with_its_place() {
    let cases = [
        ("struct A(u8);", "1:1: `pub type Root = …;` is missing"),
        ("type Root = A;", "1:13: `A` is unknown"),
        (
            "type Root = u8;\ntype Root = u8;",
            "2:6: `Root` is given twice",
        ),
        (
            "type Root = A;\nstruct A(u8);\nstruct A(u8);",
            "3:8: `A` is declared twice",
        ),
        (
            "type Root = A;\nstruct A { b: Vec<B> }\nstruct B { a: A }",
            "3:15: `A` contains itself: A → B → A",
        ),
        (
            "type Root = A;\nstruct A { x: u8, x: u8 }",
            "2:19: `x` is declared twice",
        ),
        (
            "type Root = A;\nstruct A { x: u8, #[schema(rename = \"x\")] y: u8 }",
            "2:43: two fields are named \"x\"",
        ),
        (
            "type Root = A;\nstruct A { _: u8 }",
            "2:12: a field has a name",
        ),
        (
            "type Root = A;\n#[schema(rename_all = \"PascalCase\")]\nstruct A { __: u8 }",
            "3:12: rename_all leaves nothing of `__`",
        ),
        (
            "type Root = A;\nenum A { X, X }",
            "2:13: `X` is declared twice",
        ),
        (
            "type Root = A;\nstruct A { x: usize }",
            "2:15: `usize` is unknown",
        ),
        (
            "type Root = A;\nstruct A { x: std::string::String }",
            "2:15: the types are",
        ),
        (
            "type Root = A;\nstruct A { x: &str }",
            "2:15: the types are",
        ),
        (
            "type Root = A;\nstruct A { x: HashMap<u8, u8> }",
            "2:15: one type in the angle brackets",
        ),
        (
            "type Root = A;\nstruct A { x: (u8, u8) }",
            "2:15: a tuple needs a name",
        ),
        (
            "type Root = A;\nstruct A { x: [u8; 0] }",
            "2:20: an array has 1 to 4096 elements",
        ),
        (
            "type Root = A;\nstruct A { x: Tensor<bool> }",
            "2:22: the elements of a tensor are numbers",
        ),
        (
            "type Root = A;\nstruct A { x: Option<Option<u8>> }",
            "2:22: an option in an option",
        ),
        (
            "type Root = Option<A>;\nstruct A(Option<u8>);",
            "1:20: an option in an option",
        ),
        (
            "type Root = A;\nstruct A;",
            "2:1: a struct has at least one field",
        ),
        (
            "type Root = A;\nenum A {}",
            "2:1: an enum has at least one variant",
        ),
        (
            "type Root = A;\nenum A { X = 1 }",
            "2:14: a variant has no number",
        ),
        (
            "type Root = A;\nenum A { X(u8, u8) }",
            "2:11: a variant carries nothing, one value",
        ),
        (
            "type Root = A;\nstruct A<T> { x: T }",
            "2:9: a schema has no generic types",
        ),
        (
            "type Root = u8;\nfn f() {}",
            "2:1: a schema holds structs, enums",
        ),
        (
            "type Root = A;\n#[derive(Clone)]\nstruct A(u8);",
            "2:1: only #[schema(…)]",
        ),
        (
            "type Root = A;\nstruct A { #[schema(skip)] x: u8 }",
            "2:21: the attributes of a field are: rename",
        ),
        (
            "type Root = A;\nstruct A { #[schema(default = 256)] x: u8 }",
            "2:31: a whole number that fits u8",
        ),
        (
            "type Root = A;\nstruct A { #[schema(default = \"x\")] x: u8 }",
            "2:31: a whole number expected",
        ),
        (
            "type Root = A;\nstruct A { #[schema(skip_default)] x: E }\nenum E { X }",
            "2:21: this type has no default",
        ),
        (
            "type Root = A;\n#[schema(tag = \"t\")]\nenum A { X(u8) }",
            "3:10: a tagged enum's variants hold structs",
        ),
        (
            "type Root = A;\n#[schema(tag = \"t\")]\nenum A { X { t: u8 } }",
            "3:10: the tag \"t\" is also",
        ),
        (
            "type Root = A;\nstruct Vec(u8);\nstruct A(u8);",
            "2:8: `Vec` is a built-in name",
        ),
        (
            "type Root = u8;\n#[schema(rename_all = \"Camel\")] struct A { x: u8 }",
            "2:23: the rules of rename_all",
        ),
        ("type Root = u8;\nstruct A { x: ! }", "2:15: the types are"),
        ("type Root = u8;\nstruct A { x u8 }", "2:14: expected `:`"),
    ];
    for (source, expected) in cases {
        let message = error(source);
        assert!(
            message.starts_with(&format!("schema.rs:{expected}")),
            "{source}\nexpected {expected}\nfound    {message}"
        );
    }
}

#[test]
fn what_nests_without_end_is_refused() {
    let nested = |open: &str, close: &str, levels: usize| {
        let (open, close) = (open.repeat(levels), close.repeat(levels));
        format!("type Root = A;\nstruct A {{ x: {open}u8{close} }}")
    };
    let deep = "types nest at most 48 deep";
    assert!(error(&nested("Vec<", ">", 48)).contains(deep));
    assert_eq!(schema(&nested("Vec<", ">", 46)).types.len(), 1);
    assert_eq!(schema(&nested("[", "; 2]", 46)).types.len(), 1);
    for (open, close) in [
        ("Vec<", ">"),
        ("[", "; 2]"),
        ("(", ")"),
        ("&", ""),
        ("<", ">"),
    ] {
        error(&nested(open, close, 8000));
    }
    for expression in ["[", "(", "-", "!", "return "] {
        let expression = expression.repeat(8000);
        error(&format!(
            "type Root = A;\nstruct A {{ #[schema(default = {expression}1)] x: u8 }}"
        ));
    }
    let mut chain = "type Root = A0;\n".to_owned();
    for level in 0..1500 {
        chain += &format!("struct A{level}(A{});\n", level + 1);
    }
    assert!(error(&format!("{chain}struct A1500(u8);")).contains(deep));
    let message = error(&" ".repeat(70_000));
    assert!(message.contains("a schema has at most"), "{message}");
}

#[test]
fn a_default_that_fits_no_memory_is_refused() {
    let most = "a default has at most 1048576 bytes";
    let arrays = "type Root = A;
        struct A { #[schema(skip_default)] x: [[[[u8; 4096]; 4096]; 4096]; 4096] }";
    assert!(error(arrays).contains(most));
    let mut doubled = "type Root = A;\n".to_owned();
    doubled += "struct A { #[schema(skip_default)] x: A40 }\nstruct A0(u8, u8);\n";
    for level in 1..=40 {
        doubled += &format!("struct A{level}(A{0}, A{0});\n", level - 1);
    }
    assert!(error(&doubled).contains(most));
    let declared = "type Root = A;
        struct A { #[schema(skip_default)] x: [[B; 4096]; 4096] }
        struct B { #[schema(default = \"some letters\")] x: Option<String> }";
    assert!(error(declared).contains(most));
}
