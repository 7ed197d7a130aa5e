//! The C++ and C plugins of serbench. There is no Rust in them: `build.rs` runs CMake, which builds
//! a plugin of every folder beside it.
