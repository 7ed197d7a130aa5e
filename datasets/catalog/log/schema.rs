//! A web server's access log: 10,000 lines, mostly short strings.

pub type Root = Logs;

pub struct Logs {
    pub logs: Vec<Log>,
}

pub struct Log {
    pub address: Address,
    pub identity: String,
    pub userid: String,
    pub date: String,
    pub request: String,
    pub code: u16,
    pub size: u64,
}

pub struct Address {
    pub x0: u8,
    pub x1: u8,
    pub x2: u8,
    pub x3: u8,
}
