//! Code that carries a schema's values at native speed.

pub mod capnp;
pub mod cpp;
pub mod fbs;
pub mod idl;
pub mod proto;
pub mod rust;
