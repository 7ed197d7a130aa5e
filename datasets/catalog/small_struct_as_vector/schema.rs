//! The values of small_struct by position: an array where formats have names.

pub type Root = SmallStruct;

pub struct SmallStruct(i32, f64, String, [i32; 10]);
