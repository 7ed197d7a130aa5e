//! Interface files, and the conversions to and from what a library's generator makes of them.

use std::collections::HashSet;
use std::env;
use std::path::PathBuf;
use std::process::exit;

use serbench_schema::Schema;
use serbench_schema::codegen::{capnp, fbs, idl, proto};

use crate::Dataset;

/// Writes `$OUT_DIR/conversions.rs`: what `module` makes of the name and schema of each dataset.
/// Datasets whose root type is made of built-in types only, and is another dataset's, too, share
/// the conversions of that one. Ends the build script with one message where that is not possible.
pub fn conversions(module: impl Fn(&str, &Schema) -> String) {
    let mut shared_roots = HashSet::new();
    let modules: String = datasets()
        .iter()
        .filter(|dataset| {
            let schema = &dataset.schema;
            idl::has_own_root(schema) || shared_roots.insert(schema.root.clone())
        })
        .map(|dataset| module(&dataset.name, &dataset.schema))
        .collect();
    write(out_dir().join("conversions.rs"), &modules);
}

/// A C++ library with interface files.
struct CppLibrary {
    /// The extension of its interface files.
    extension: &'static str,
    /// The name of the header with all conversions.
    name: &'static str,
    /// The namespace of the template `Conversion`.
    namespace: &'static str,
    /// The text of an interface file.
    text: fn(&str, &Schema) -> String,
    /// The conversions of a dataset.
    header: fn(&str, &Schema) -> String,
}

const CPP_LIBRARIES: [CppLibrary; 3] = [
    CppLibrary {
        extension: "proto",
        name: "protobuf",
        namespace: "serbench::pb",
        text: proto::text,
        header: proto::cpp::header,
    },
    CppLibrary {
        extension: "capnp",
        name: "capnproto",
        namespace: "serbench::capnproto",
        text: |dataset, schema| capnp::text(dataset, schema, Some(&capnp::cpp_namespace(dataset))),
        header: capnp::cpp::header,
    },
    CppLibrary {
        extension: "fbs",
        name: "flatbuffers",
        namespace: "serbench::fbs",
        text: fbs::text,
        header: fbs::cpp::header,
    },
];

/// For each library `serbench/idl/<dataset>.<extension>`, the conversions beside it in a header of
/// that name and `.hpp`, and `serbench/<library>.hpp`, which includes them all.
pub(super) fn cpp_files(datasets: &[Dataset]) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for library in &CPP_LIBRARIES {
        let mut includes = String::new();
        let mut shared_roots = HashSet::new();
        for Dataset { name, schema, .. } in datasets {
            let file = format!("idl/{}.{}", idl::package(name), library.extension);
            files.push((format!("serbench/{file}"), (library.text)(name, schema)));
            if idl::has_own_root(schema) || shared_roots.insert(schema.root.clone()) {
                files.push((
                    format!("serbench/{file}.hpp"),
                    (library.header)(name, schema),
                ));
                includes += &format!("#include \"{file}.hpp\"\n");
            }
        }
        let all = format!(
            "// The conversions of every dataset. Generated: do not edit.\n#pragma once\n\n\
             namespace {} {{\n\n\
             /// Specialised for the native type of every dataset.\n\
             template <class T>\nstruct Conversion;\n\n}}\n\n{includes}",
            library.namespace
        );
        files.push((format!("serbench/{}.hpp", library.name), all));
    }
    files
}

/// Writes `$OUT_DIR/idl/<dataset>.<extension>` for each dataset, with the text that `text` makes of
/// its name and schema, and returns the files. The names of the files are safe as identifiers.
/// Ends the build script with one message where that is not possible.
pub fn interface_files(extension: &str, text: impl Fn(&str, &Schema) -> String) -> Vec<PathBuf> {
    let folder = out_dir().join("idl");
    datasets()
        .iter()
        .map(|dataset| {
            let name = format!("{}.{extension}", idl::package(&dataset.name));
            write(folder.join(name), &text(&dataset.name, &dataset.schema))
        })
        .collect()
}

fn datasets() -> Vec<Dataset> {
    super::datasets().unwrap_or_else(|error| fail(&error.to_string()))
}

fn write(path: PathBuf, text: &str) -> PathBuf {
    super::write(path, text).unwrap_or_else(|error| fail(&error.to_string()))
}

fn out_dir() -> PathBuf {
    let out = env::var_os("OUT_DIR");
    out.unwrap_or_else(|| fail("OUT_DIR is not set: this is for build scripts"))
        .into()
}

fn fail(message: &str) -> ! {
    println!("cargo::error={message}");
    exit(1)
}
