//! One number.

pub type Root = Basic;

pub struct Basic {
    pub id: u64,
}
