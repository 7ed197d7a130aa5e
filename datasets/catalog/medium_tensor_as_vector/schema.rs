//! The values of medium_tensor by position: an array where formats have names.

pub type Root = TensorStruct;

pub struct TensorStruct(i32, f64, String, [i32; 10], Tensor<f32>);
