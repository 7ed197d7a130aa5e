//! The program `serbench`. What it does is in the library.

fn main() -> std::process::ExitCode {
    serbench::main()
}
