//! A number, a float, a string and a short array, with names.

pub type Root = SmallStruct;

pub struct SmallStruct {
    pub int_value: i32,
    pub double_value: f64,
    pub string_value: String,
    pub array_value: [i32; 10],
}
