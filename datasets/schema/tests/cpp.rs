//! The generated C++ sees the same values as Rust does: for random schemas, and random values of
//! them, canonical bytes come back as they went in, with the same checksum.

mod random;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use random::Random;
use serbench_schema::codegen::cpp::{CppDataset, generate};
use serbench_schema::{Schema, canonical, default_bytes};

const SCHEMAS: usize = 24;
const VALUES: usize = 40;

#[test]
fn values_cross_into_cpp_and_back() {
    let mut random = Random::new(1);
    let schemas: Vec<Schema> = (0..SCHEMAS).map(|_| random.schema()).collect();
    let echo = build(&schemas);

    // What is asked for, as the number of a dataset, and the bytes that must come back.
    let mut cases: Vec<(usize, usize, Vec<u8>)> = Vec::new();
    for (index, schema) in schemas.iter().enumerate() {
        for _ in 0..VALUES {
            let mut bytes = Vec::new();
            random.value(schema, &schema.root, &mut bytes);
            canonical::validate(schema, &bytes).unwrap();
            cases.push((index, index, bytes));
        }
        if let Some(default) = default_bytes(schema, &schema.root, None) {
            cases.push((index, SCHEMAS + index, default));
        }
    }
    assert!(
        cases.iter().any(|(index, number, _)| index != number),
        "no schema has a default"
    );

    let mut request = Vec::new();
    for (_, number, bytes) in &cases {
        request.extend_from_slice(&(*number as u32).to_le_bytes());
        request.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
        request.extend_from_slice(bytes);
    }
    let answer = ask(&echo, request);
    let mut rest = &answer[..];
    for (index, _, bytes) in &cases {
        let (sum, size, encoded);
        (sum, rest) = rest.split_at(8);
        (size, rest) = rest.split_at(4);
        let size = u32::from_le_bytes(size.try_into().unwrap());
        (encoded, rest) = rest.split_at(size as usize);
        let schema = &schemas[*index];
        if let Some(difference) = canonical::first_difference(schema, bytes, encoded) {
            panic!("{difference}\n{schema:#?}");
        }
        assert_eq!(encoded, bytes);
        // A default with a tensor in it is no value: its shape and elements do not fit.
        if let Ok(expected) = canonical::checksum(schema, bytes) {
            assert_eq!(
                u64::from_le_bytes(sum.try_into().unwrap()),
                expected,
                "{schema:#?}"
            );
        }
    }
    assert!(rest.is_empty());
}

/// Compiles one program for all schemas, without a warning.
fn build(schemas: &[Schema]) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cpp");
    let names: Vec<String> = (0..schemas.len())
        .map(|index| format!("random-{index}"))
        .collect();
    let datasets: Vec<_> = schemas
        .iter()
        .zip(&names)
        .map(|(schema, name)| CppDataset {
            name,
            schema,
            fingerprint: "",
        })
        .collect();
    for (path, text) in generate(&datasets) {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let program = folder.join("echo");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    let output = Command::new(compiler)
        .args(["-std=c++17", "-Wall", "-Wextra", "-Wpedantic", "-Werror"])
        .arg("-I")
        .arg(&folder)
        .arg("-I")
        .arg(here.join("../../plugin-abi/include"))
        .arg(here.join("tests/cpp/echo.cpp"))
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    program
}

/// Runs the program on some input.
fn ask(program: &Path, request: Vec<u8>) -> Vec<u8> {
    let mut child = Command::new(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&request).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success(), "{}", output.status);
    output.stdout
}
