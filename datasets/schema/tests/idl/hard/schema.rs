//! Everything that some format lacks, and names that are keywords somewhere.

pub type Root = Everything;

pub struct Everything {
    pub r#type: u8,
    pub class: i8,
    pub r#struct: u16,
    pub namespace: i16,
    pub message: u32,
    pub oneof: i32,
    pub union: u64,
    pub table: i64,
    pub using: f32,
    pub void: f64,
    pub r#enum: bool,
    pub list: Vec<u32>,
    pub list_size: u32,
    pub has_list: bool,
    pub camelCase: u32,
    pub camel_case: u32,
    pub text: String,
    pub raw: Bytes,
    pub bytes: Vec<u8>,
    pub six: [u8; 6],
    pub position: Vec3,
    pub many: [u32; 40],
    pub matrix: [[f64; 2]; 2],
    pub nested: Vec<Vec<i16>>,
    pub names: Vec<String>,
    pub blobs: Vec<Bytes>,
    pub flags: Vec<bool>,
    pub colors: Vec<Color>,
    pub points: Vec<Point>,
    pub shapes: Vec<Drawing>,
    pub maybe: Vec<Option<u32>>,
    pub opt_u8: Option<u8>,
    pub opt_bool: Option<bool>,
    pub opt_text: Option<String>,
    pub opt_raw: Option<Bytes>,
    pub opt_color: Option<Color>,
    pub opt_point: Option<Point>,
    pub opt_shape: Option<Drawing>,
    pub opt_list: Option<Vec<u64>>,
    pub opt_array: Option<[i8; 3]>,
    pub opt_tensor: Option<Tensor<f32>>,
    pub map: Map<u16>,
    pub map_text: Map<String>,
    pub map_list: Map<Vec<i32>>,
    pub map_opt: Map<Option<Color>>,
    pub map_shape: Map<Drawing>,
    pub maps: Vec<Map<Id>>,
    pub bytes_tensor: Tensor<u8>,
    pub small_tensor: Tensor<i16>,
    pub tensors: Vec<Tensor<f64>>,
    pub pair: Pair,
    pub color: Color,
    pub shape: Drawing,
    pub id: Id,
    pub opt_id: Option<Id>,
    pub ids: Vec<Id>,
    pub only: Only,
}

pub struct Id(u64);

pub struct Vec3([f32; 3]);

pub struct Point {
    pub x: f32,
    pub y: f32,
    pub visible: bool,
    pub color: Color,
}

pub struct Pair(u16, String, Point);

pub enum Color {
    Red,
    None,
    Some,
    Self_,
}

pub enum Only {
    One(Point),
}

pub enum Drawing {
    Empty,
    Dot(Point),
    Text(String),
    Number(i8),
    Path(Vec<Vec3>),
    Maybe(Option<u8>),
    Tagged(Color),
    Line {
        from: Point,
        to: Point,
        r#ref: Option<String>,
        bold: Option<bool>,
    },
}
