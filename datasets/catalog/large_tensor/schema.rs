//! small_struct and a tensor: a picture of 2.4 MB.

pub type Root = TensorStruct;

pub struct TensorStruct {
    pub int_value: i32,
    pub double_value: f64,
    pub string_value: String,
    pub array_value: [i32; 10],
    pub tensor_value: Tensor<u8>,
}
