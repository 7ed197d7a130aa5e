//! One table of the structs and constants of `serbench.h`, held against the Rust mirror and, by
//! the compilers, against the header in every standard of C and C++. What it says of version 1.0
//! never changes: structs only grow at their end.

mod compiler;

use std::fmt::Write;

use serbench_plugin::abi;

/// A name in the header, what the table says of it, and what Rust says.
struct Fact {
    expression: String,
    table: u64,
    rust: u64,
}

macro_rules! facts {
    (
        structs { $($c:ident $rust:ident $size:literal { $($field:ident $offset:literal)* })* }
        constants { $($constant:ident = $value:expr;)* }
    ) => {
        fn facts() -> Vec<Fact> {
            let fact = |expression, table, rust| Fact { expression, table, rust };
            vec![
                $(
                    fact(
                        format!("sizeof({})", stringify!($c)),
                        $size,
                        size_of::<abi::$rust>() as u64,
                    ),
                    $(fact(
                        // `self` is a keyword here only.
                        format!("offsetof({}, {})", stringify!($c), stringify!($field).trim_end_matches('_')),
                        $offset,
                        std::mem::offset_of!(abi::$rust, $field) as u64,
                    ),)*
                )*
                $(fact(
                    format!("SERBENCH_{}", stringify!($constant)),
                    $value,
                    abi::$constant as u64,
                ),)*
            ]
        }
    };
}

facts! {
    structs {
        serbench_bytes Bytes 16 { data 0 size 8 }
        serbench_dataset_id DatasetId 16 { name 0 fingerprint 8 }
        serbench_open_args OpenArgs 56 {
            struct_size 0 mode 8 dataset 16 schema 32 values 40 value_count 48
        }
        serbench_instance Instance 72 {
            struct_size 0 self_ 8 note 16 serialize 24 deserialize 32 read 40 export_value 48
            last_error 56 close 64
        }
        serbench_codec Codec 88 {
            struct_size 0 id 8 format 16 library 24 library_version 32 notes 40 capabilities 48
            yields 56 validation 60 open 64 open_error 72 get_extension 80
        }
        serbench_plugin Plugin 104 {
            magic 0 abi_major 8 abi_minor 12 struct_size 16 id 24 version 32 license 40
            language 48 compiler 56 flags 64 codecs 72 codec_count 80 datasets 88 dataset_count 96
        }
        serbench_adopt_input AdoptInput 16 { struct_size 0 adopt 8 }
    }
    constants {
        MAGIC = 0x4843_4e45_4252_4553;
        ABI_MAJOR = 1;
        ABI_MINOR = 0;
        OPEN_ARGS_SIZE_1_0 = 56;
        INSTANCE_SIZE_1_0 = 72;
        CODEC_SIZE_1_0 = 88;
        PLUGIN_SIZE_1_0 = 104;
        ADOPT_INPUT_SIZE_1_0 = 16;
        OK = 0;
        UNSUPPORTED = 1;
        MALFORMED = 2;
        OUT_OF_MEMORY = 3;
        INTERNAL = 4;
        CAP_SELF_DESCRIBING = 0x01;
        CAP_SCHEMA = 0x02;
        CAP_TEXT = 0x04;
        CAP_REUSES_OUTPUT = 0x08;
        CAP_FRESH_OUTPUT = 0x10;
        CAP_BASELINE = 0x20;
        CAP_NO_ROUND_TRIP = 0x40;
        CAP_CONVERTS = 0x80;
        CAP_NONDETERMINISTIC = 0x100;
        CAP_UNBOUNDED = 0x200;
        CAP_LENIENT = 0x400;
        YIELDS_OWNED = 0;
        YIELDS_BORROWED = 1;
        YIELDS_VIEW = 2;
        CHECKED = 0;
        TRUSTED = 1;
        MODE_FRESH_OUTPUT = 0x01;
        MODE_MISALIGNED_INPUT = 0x02;
        INPUT_ALIGN = 64;
        INPUT_PADDING = 64;
    }
}

#[test]
fn rust_agrees_with_the_table() {
    for fact in facts() {
        assert_eq!(fact.rust, fact.table, "{}", fact.expression);
    }
}

/// The table as a source file that compiles when the header agrees with it. Before C11 neither
/// language has a static assertion, but both refuse an array of -1 elements.
fn assertions() -> String {
    let mut source = String::from("#include \"serbench.h\"\n");
    for (index, fact) in facts().iter().enumerate() {
        let Fact {
            expression, table, ..
        } = fact;
        writeln!(
            source,
            "typedef char fact_{index}[({expression}) == UINT64_C({table}) ? 1 : -1]; /* {expression} */"
        )
        .unwrap();
    }
    for (name, value) in [
        ("ENTRY_SYMBOL", abi::ENTRY_SYMBOL),
        ("EXT_ADOPT_INPUT", abi::EXT_ADOPT_INPUT),
    ] {
        let size = value.len() + 1;
        writeln!(
            source,
            "typedef char {name}[sizeof(SERBENCH_{name}) == {size} ? 1 : -1];"
        )
        .unwrap();
    }
    source
}

fn check(cxx: bool, standards: &[&str]) {
    let extension = if cxx { "cpp" } else { "c" };
    let path = compiler::made(&format!("layout.{extension}"));
    std::fs::write(&path, assertions()).unwrap();
    let include = compiler::source("include");
    for standard in standards {
        let standard = format!("-std={standard}");
        let mut arguments = vec![&*standard, "-fsyntax-only", "-I", include.to_str().unwrap()];
        arguments.extend(compiler::WARNINGS);
        arguments.push(path.to_str().unwrap());
        compiler::compile(cxx, &arguments);
    }
}

#[test]
#[cfg_attr(miri, ignore = "runs a compiler")]
fn c_agrees_with_the_table() {
    check(false, &["c99", "c11", "c17", "c2x", "gnu99", "gnu17"]);
}

#[test]
#[cfg_attr(miri, ignore = "runs a compiler")]
fn cxx_agrees_with_the_table() {
    check(
        true,
        &["c++11", "c++14", "c++17", "c++20", "gnu++11", "gnu++20"],
    );
}

/// A host that knows a field more than version 1.0 had.
#[derive(Clone, Copy)]
#[repr(C)]
struct Later {
    codec: abi::Codec,
    later: u64,
}

// SAFETY: as that of a codec.
unsafe impl abi::Growing for Later {
    const SIZE_1_0: u64 = abi::CODEC_SIZE_1_0;
}

#[test]
fn a_struct_of_any_version_can_be_read() {
    // SAFETY: zero bytes are a codec.
    let mut theirs: Later = unsafe { std::mem::zeroed() };
    theirs.codec.yields = 1;
    theirs.later = 7;
    let read = |size, theirs: &mut Later| {
        theirs.codec.struct_size = size;
        // SAFETY: it is as long as it says, or longer.
        let later = unsafe { abi::read::<Later>(theirs) };
        // SAFETY: as above.
        let codec = unsafe { abi::read::<abi::Codec>((&raw const *theirs).cast()) };
        assert_eq!(later.as_ref().err(), codec.as_ref().err());
        later.map(|later| (later.later, later.codec.yields, codec.unwrap().yields))
    };
    assert_eq!(read(96, &mut theirs), Ok((7, 1, 1)));
    assert_eq!(read(88, &mut theirs), Ok((0, 1, 1)));
    assert_eq!(read(87, &mut theirs), Err(87));
    assert_eq!(read(0, &mut theirs), Err(0));
}

/// What the compiler says of the header on a machine with other macros.
fn refusal(changes: &str) -> String {
    let path = compiler::made("machine.c");
    let source = format!("#include <stdint.h>\n{changes}\n#include \"serbench.h\"\n");
    std::fs::write(&path, source).unwrap();
    let include = compiler::source("include");
    let paths = ["-I", include.to_str().unwrap(), path.to_str().unwrap()];
    compiler::refused(false, &[&["-fsyntax-only"][..], &paths].concat())
}

#[test]
#[cfg_attr(miri, ignore = "runs a compiler")]
fn other_machines_are_refused() {
    let narrow = refusal("#undef UINTPTR_MAX\n#define UINTPTR_MAX UINT32_MAX");
    assert!(narrow.contains("with 64-bit pointers"), "{narrow}");
    let big = refusal("#undef __BYTE_ORDER__\n#define __BYTE_ORDER__ __ORDER_BIG_ENDIAN__");
    assert!(big.contains("for little-endian machines"), "{big}");
}
