//! Three readings of a sensor: a dataset that a plugin in plain C can carry in a few lines.

pub struct Reading {
    pub sensor: u32,
    pub celsius: f64,
    pub label: String,
}

pub type Root = Reading;
