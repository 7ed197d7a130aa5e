//! Two strings, and a number in a struct of its own.

pub type Root = Complex;

pub struct Complex {
    pub name: String,
    pub basic: Basic,
    pub reference: String,
}

pub struct Basic {
    pub id: u64,
}
