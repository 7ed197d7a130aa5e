//! A struct in a struct: two strings, two numbers and a short list.

pub type Root = NestedStruct;

pub struct NestedStruct {
    pub field: InnerStruct,
}

pub struct InnerStruct {
    pub s1: String,
    pub s2: String,
    pub v1: u32,
    pub v2: u64,
    pub arr: Vec<u32>,
}
