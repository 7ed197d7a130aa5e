//! 10,000 small messages of a mixed service: orders, clicks, sensor readings, chat, errors.

pub type Root = Message;

#[schema(rename_all = "snake_case")]
pub enum Message {
    /// A customer buys something.
    Order(Order),
    /// A page is used.
    Click {
        session: u64,
        user: Option<u32>,
        page: String,
        x: i16,
        y: i16,
        at_ms: u64,
    },
    /// A device reports what it measured.
    Reading(Reading),
    /// Somebody says something.
    Chat(Chat),
    /// A service fails.
    Error(Failure),
    /// A service lives.
    Heartbeat {
        service: u16,
        host: String,
        sequence: u64,
        at_ms: u64,
    },
}

pub struct Order {
    pub id: u64,
    pub customer: Customer,
    pub lines: Vec<OrderLine>,
    pub discount_cents: i64,
    pub coupon: Option<String>,
    pub currency: Currency,
    pub attributes: Map<String>,
}

pub struct Customer {
    pub id: u32,
    pub name: String,
    pub email: Option<String>,
    pub address: Option<Address>,
}

pub struct Address {
    pub lines: Vec<String>,
    pub city: String,
    pub postcode: String,
    pub country: String,
}

pub struct OrderLine {
    pub product: u64,
    pub title: String,
    pub quantity: u16,
    pub price_cents: u32,
    pub weight_kg: Option<f32>,
}

#[schema(rename_all = "UPPERCASE")]
pub enum Currency {
    Eur,
    Usd,
    Gbp,
    Jpy,
}

pub struct Reading {
    pub device: [u8; 6],
    pub at_ms: u64,
    pub temperature: f64,
    pub offsets: Vec<i32>,
    pub samples: Vec<f32>,
    pub battery: Option<u8>,
    pub ok: bool,
}

pub struct Chat {
    pub room: u32,
    pub author: String,
    pub text: String,
    pub reply_to: Option<u64>,
    pub attachment: Option<Bytes>,
}

pub struct Failure {
    pub service: String,
    pub code: i32,
    pub message: String,
    pub trace: Vec<Frame>,
    pub retry_after: Option<u32>,
}

pub struct Frame {
    pub function: String,
    pub file: String,
    pub line: u32,
}
