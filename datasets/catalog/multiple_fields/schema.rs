//! A flat struct of 27 fields: every scalar type, and four strings.

pub type Root = MultipleFields;

pub struct MultipleFields {
    pub field_of_type_string: String,
    pub field_of_type_u32: u32,
    pub field_of_type_u64: u64,
    pub field_of_type_i32: i32,
    pub field_of_type_i64: i64,
    pub field_of_type_f32: f32,
    pub field_of_type_f64: f64,
    pub field_of_type_bool: bool,
    pub field_of_type_u8: u8,
    pub field_of_type_i8: i8,
    pub field_of_type_u16: u16,
    pub field_of_type_i16: i16,
    pub second_field_of_type_string: String,
    pub second_field_of_type_u32: u32,
    pub second_field_of_type_u64: u64,
    pub second_field_of_type_i32: i32,
    pub second_field_of_type_i64: i64,
    pub third_field_of_type_string: String,
    pub third_field_of_type_u32: u32,
    pub third_field_of_type_u64: u64,
    pub third_field_of_type_i32: i32,
    pub third_field_of_type_i64: i64,
    pub fourth_field_of_type_string: String,
    pub fourth_field_of_type_u32: u32,
    pub fourth_field_of_type_u64: u64,
    pub fourth_field_of_type_i32: i32,
    pub fourth_field_of_type_i64: i64,
}
