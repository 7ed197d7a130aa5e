//! Datasets of a user's own, in folders that no catalog knows, go through every conversion there is:
//! from canonical bytes to the native struct, to the message or builder of an interface language,
//! to bytes, and back. The schemas are drawn at random, and one is full of keywords.

mod support;
mod workspace;

#[path = "../../datasets/schema/tests/random/mod.rs"]
mod random;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use random::{Floats, Random};
use serbench_datasets::build::cpp_headers_of;
use serbench_datasets::open_dir;
use serbench_datasets::schema::model::{Payload, Schema, Shape};
use serbench_datasets::schema::{canonical, print};
use support::{Record, Sandbox, of, records, stdout};

const DRAWN: u64 = 6;
const VALUES: usize = 40;

/// Keywords, and names that generated code likes to use, of Rust, C++, Protocol Buffers, Cap'n
/// Proto and FlatBuffers.
const KEYWORDS: &str = "
    abstract alignas alignof and and_eq as asm async auto await become bitand bitor bool box break
    byte case catch char char16_t char32_t char8_t class co_await co_return co_yield compl concept
    const const_cast constexpr consteval constinit continue crate decltype default delete do double
    dyn dynamic_cast else enum explicit export extern false final float fn for friend gen goto if
    impl import in inline int let long loop macro match mod move mut mutable namespace new noexcept
    not not_eq nullptr operator or or_eq override priv private protected pub public ref register
    reinterpret_cast requires return short signed sizeof static static_assert static_cast struct
    switch template this thread_local throw trait true try type typedef typeid typename typeof union
    unsafe unsigned unsized use using virtual void volatile wchar_t where while xor xor_eq yield

    bytes edition enum_ extend extensions fixed32 fixed64 group int32 int64 map max message oneof
    option optional package repeated required reserved returns rpc service sfixed32 sfixed64 sint32
    sint64 stream string syntax to uint32 uint64 weak

    annotation anyPointer data interface list text u union_ void_ which has get set init adopt disown

    attribute file_extension file_identifier include root_type rpc_service table ubyte ushort uint
    ulong key id deprecated builder buf verify unpack pack

    add clear copy drop eq errno from hash into is_empty is_some len main major merge minor name none
    null ok result root self_ size some std unix value vec linux i386 bigendian stdin assert

    f32 f64 i32 i64 pure str u8 u32 u64
";

/// A folder with a dataset.
fn write_folder(parent: &Path, name: &str, source: &str, data: &str) -> PathBuf {
    let folder = parent.join(name);
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("schema.rs"), source).unwrap();
    fs::write(folder.join("data.ndjson"), data).unwrap();
    folder
}

/// A folder with a schema drawn at random and values of it.
fn write_drawn(parent: &Path, seed: u64) -> PathBuf {
    let mut random = Random::new(seed);
    random.floats = Floats::Plain;
    let schema = all_fields_written(random.schema());
    let mut data = String::new();
    for _ in 0..VALUES {
        let mut bytes = Vec::new();
        random.value(&schema, &schema.root, &mut bytes);
        data += &canonical::to_json(&schema, &bytes).unwrap().to_string();
        data.push('\n');
    }
    write_folder(parent, &format!("drawn_{seed}"), &print(&schema, ""), &data)
}

/// The schema without what only formats with names can carry.
fn all_fields_written(mut schema: Schema) -> Schema {
    for def in &mut schema.types {
        let lists = match &mut def.shape {
            Shape::Struct(fields) => vec![fields],
            Shape::Enum { variants, .. } => variants
                .iter_mut()
                .filter_map(|variant| match &mut variant.payload {
                    Payload::Struct(fields) => Some(fields),
                    _ => None,
                })
                .collect(),
            _ => Vec::new(),
        };
        for field in lists.into_iter().flatten() {
            field.skip_default = false;
        }
    }
    schema
}

/// A folder whose fields and variants are keywords.
fn write_keywords(parent: &Path) -> PathBuf {
    let words: Vec<_> = KEYWORDS.split_whitespace().collect();
    let raw = |word: &str| match word {
        "crate" => "crate_".to_owned(),
        _ => format!("r#{word}"),
    };
    let fields = words
        .iter()
        .map(|word| format!("    pub {}: u8,\n", raw(word)));
    let variants = words.iter().map(|word| format!("    {},\n", raw(word)));
    let source = format!(
        "pub type Root = Keywords;\npub struct Keywords {{\n{}    pub kind: Vec<Kind>,\n}}\n\
         pub enum Kind {{\n{}}}\n",
        fields.collect::<String>(),
        variants.collect::<String>()
    );
    let mut value = serde_json::Map::new();
    let words = words.iter().map(|word| word.replace("crate", "crate_"));
    for (number, word) in words.clone().enumerate() {
        value.insert(word, (number % 256).into());
    }
    value.insert("kind".to_owned(), words.collect());
    let data = serde_json::Value::Object(value).to_string();
    write_folder(parent, "keywords", &source, &data)
}

fn write_folders(parent: &Path) -> Vec<PathBuf> {
    let drawn = (0..DRAWN).map(|seed| write_drawn(parent, seed));
    drawn.chain([write_keywords(parent)]).collect()
}

/// Runs the plugins on the folders. Every value goes out and comes back before anything is timed,
/// and the host compares.
fn assert_carried(sandbox: &Sandbox, plugins: &[PathBuf], folders: &[PathBuf], codecs: &[&str]) {
    let mut command = sandbox.command(&["run", "--budget", "1ms", "--format", "csv"]);
    command
        .arg("--dataset")
        .args(folders)
        .arg("--plugins")
        .args(plugins);
    let rows = records(&stdout(&command.assert()));
    for folder in folders {
        let name = folder.file_name().unwrap().to_str().unwrap();
        let rows: Vec<Record> = rows
            .iter()
            .filter(|row| row["dataset"] == name)
            .cloned()
            .collect();
        for codec in codecs {
            let row = of(&rows, codec);
            assert_eq!(
                row["status"],
                "ok",
                "{codec} on {}: {}",
                folder.display(),
                row["reason"]
            );
        }
    }
}

#[test]
fn rust_plugins_carry_them() {
    let sandbox = Sandbox::new();
    let workspace = workspace::copied();
    let folders = write_folders(&workspace.join("target/own-datasets"));
    let plugins = [
        "baseline",
        "prost",
        "protobuf",
        "quick_protobuf",
        "capnp",
        "flatbuffers",
    ];
    let packages: Vec<_> = plugins
        .iter()
        .map(|name| format!("-pserbench-codec-{}", name.replace('_', "-")))
        .collect();
    let packages: Vec<_> = packages.iter().map(String::as_str).collect();
    let listed = std::env::join_paths(&folders).unwrap();
    workspace::build(&workspace, &packages, listed.to_str());
    let files =
        plugins.map(|name| workspace.join(format!("target/debug/libserbench_codec_{name}.so")));
    let codecs = [
        "handwritten/rust",
        "prost",
        "prost+convert",
        "protobuf",
        "protobuf+convert",
        "quick_protobuf",
        "quick_protobuf+convert",
        "capnp",
        "capnp+convert",
        "flatbuffers",
        "flatbuffers+convert",
    ];
    assert_carried(&sandbox, &files, &folders, &codecs);
}

#[test]
fn cpp_plugins_carry_them() {
    let sandbox = Sandbox::new();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own-datasets");
    let folders = write_folders(&folder);
    let datasets: Vec<_> = folders
        .iter()
        .map(|folder| open_dir(folder).unwrap())
        .collect();
    cpp_headers_of(&datasets, &folder.join("headers")).unwrap();
    let plugins = [
        "handwritten_cpp",
        "protobuf_cpp",
        "capnproto",
        "flatbuffers_cpp",
    ];
    let build = folder.join("build");
    let cmake = |args: &mut Command| {
        let output = args.output().expect("cmake is needed by this test");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{}{said}",
            String::from_utf8_lossy(&output.stdout)
        );
    };
    cmake(
        Command::new("cmake")
            .arg("-S")
            .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/../plugins-cpp"))
            .arg("-B")
            .arg(&build)
            .arg("-DCMAKE_BUILD_TYPE=Debug")
            .arg(format!(
                "-DSERBENCH_HEADERS={}",
                folder.join("headers").display()
            )),
    );
    let targets = plugins.map(|name| format!("serbench_cpp_{name}"));
    cmake(
        Command::new("cmake")
            .arg("--build")
            .arg(&build)
            .arg("--target")
            .args(targets),
    );
    let files = plugins.map(|name| build.join(format!("{name}/libserbench_cpp_{name}.so")));
    let codecs = [
        "handwritten/cpp",
        "protobuf_cpp",
        "protobuf_cpp+convert",
        "capnproto",
        "capnproto+convert",
        "flatbuffers_cpp",
        "flatbuffers_cpp+convert",
    ];
    assert_carried(&sandbox, &files, &folders, &codecs);
}
