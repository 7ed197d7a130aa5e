//! The interface files are accepted by the real compilers of their formats.

use std::path::{Path, PathBuf};
use std::process::Command;

use serbench_schema::codegen::{capnp, fbs, proto};
use serbench_schema::{Schema, parse};

/// A schema with everything that some format lacks, the catalog, and roots that are no structs.
fn schemas() -> Vec<(String, Schema)> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![("hard".to_owned(), here.join("tests/idl/hard/schema.rs"))];
    for entry in std::fs::read_dir(here.join("../catalog")).unwrap() {
        let dir = entry.unwrap();
        let file = dir.path().join("schema.rs");
        if file.exists() {
            files.push((dir.file_name().into_string().unwrap(), file));
        }
    }
    let mut schemas: Vec<_> = files
        .into_iter()
        .map(|(name, file)| {
            let source = std::fs::read_to_string(&file).unwrap();
            (
                name,
                parse(&source, &file).unwrap_or_else(|e| panic!("{e}")),
            )
        })
        .collect();
    let roots = [
        ("root_list", "pub type Root = Vec<u32>;"),
        ("root_scalar", "pub type Root = u8;"),
        ("root_map", "pub type Root = Map<Option<i8>>;"),
        ("root_option", "pub type Root = Option<String>;"),
        ("root_tensor", "pub type Root = Tensor<u8>;"),
        ("root_array", "pub type Root = [f32; 3];"),
        (
            "root_fixed",
            "pub type Root = P; pub struct P { pub x: f32 }",
        ),
        ("root_enum", "pub type Root = E; pub enum E { A, B }"),
        (
            "root_newtype",
            "pub type Root = N; pub struct N(Vec<Vec<u8>>);",
        ),
        ("class", "pub type Root = P; pub struct P { pub a: u8 }"),
    ];
    for (name, source) in roots {
        let schema = parse(source, Path::new(name)).unwrap_or_else(|e| panic!("{e}"));
        schemas.push((name.to_owned(), schema));
    }
    schemas
}

/// Writes a text to a file of a fresh folder of the test's own.
fn write(format: &str, name: &str, text: &str) -> (PathBuf, PathBuf) {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join(format)
        .join(name);
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    let file = dir.join(format!("{name}.{format}"));
    std::fs::write(&file, text).unwrap();
    (dir, file)
}

/// Runs a compiler, which must succeed and have nothing to say.
fn run(command: &mut Command, file: &Path) {
    let output = command
        .output()
        .unwrap_or_else(|e| panic!("{:?} is needed by this test: {e}", command.get_program()));
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{command:?} refuses {} ({}):\n{}{}",
        file.display(),
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}

fn assert_protoc_accepts(text: impl Fn(&str, &Schema) -> String, of: &str) {
    for (name, schema) in schemas() {
        let (dir, file) = write("proto", &format!("{name}{of}"), &text(&name, &schema));
        let mut protoc = Command::new("protoc");
        protoc
            .arg("-I")
            .arg(&dir)
            .arg("--cpp_out")
            .arg(&dir)
            .arg(&file);
        run(&mut protoc, &file);
    }
}

#[test]
fn protoc_accepts_every_proto_file() {
    assert_protoc_accepts(proto::text, "");
}

#[test]
fn protoc_accepts_every_proto_file_for_pb_rs() {
    assert_protoc_accepts(proto::quick::text, "_for_pb_rs");
}

#[test]
fn capnp_accepts_every_capnp_file() {
    for (name, schema) in schemas() {
        let namespace = capnp::cpp_namespace(&name);
        let (dir, file) = write(
            "capnp",
            &name,
            &capnp::text(&name, &schema, Some(&namespace)),
        );
        let mut compiler = Command::new("capnp");
        compiler
            .args(["compile", "-oc++"])
            .arg(format!("{name}.capnp"))
            .current_dir(dir)
            .env_remove("PWD");
        run(&mut compiler, &file);
    }
}

#[test]
fn flatc_accepts_every_fbs_file() {
    for (name, schema) in schemas() {
        let (dir, file) = write("fbs", &name, &fbs::text(&name, &schema));
        let mut flatc = Command::new("flatc");
        flatc
            .args(["--cpp", "--scoped-enums", "-o"])
            .arg(&dir)
            .arg(&file);
        run(&mut flatc, &file);
    }
}

/// The hard dataset's values, which plugins can be built for and tried with:
/// `make plugins DATASETS=datasets/schema/tests/idl/hard`.
#[test]
fn the_hard_values_fit_their_schema() {
    let (_, schema) = schemas().swap_remove(0);
    let data = include_bytes!("idl/hard/data.json");
    let values = serbench_schema::json::read_values(&schema, data).unwrap();
    assert_eq!(values.len(), 12);
}

#[test]
fn what_a_format_lacks_is_noted() {
    let schema = parse(
        "pub type Root = A; pub struct A { pub a: u8, pub b: Vec<Vec<i16>>, pub c: [f32; 3] }",
        Path::new("a"),
    )
    .unwrap();
    assert_eq!(
        proto::notes(&schema),
        [
            "i16, u8 widened to 32 bits",
            "fixed arrays are repeated fields",
            "nested lists, maps and options are in messages of their own",
        ]
    );
    assert_eq!(capnp::notes(&schema), ["fixed arrays are lists"]);
    assert_eq!(
        fbs::notes(&schema),
        [
            "short fixed arrays are structs",
            "nested vectors and options are in tables of their own",
        ]
    );
    let plain = parse(
        "pub type Root = A; pub struct A { pub a: u32 }",
        Path::new("a"),
    )
    .unwrap();
    assert!(proto::notes(&plain).is_empty());
}
