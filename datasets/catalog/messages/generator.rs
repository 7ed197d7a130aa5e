// A service's traffic. How often each kind comes, and how large it is, is skewed as in real life:
// most messages are small, a few are very large. README.md lists the distributions.

use super::types::*;
use crate::entries::support::Bytes;
use crate::rng::Rng;
use std::collections::BTreeMap;

pub const SEED: u64 = 1;

const MESSAGES: u64 = 10_000;

/// Out of 100: orders, clicks, readings, chat, errors, heartbeats.
const KINDS: [u64; 6] = [14, 36, 22, 16, 2, 10];

const WORDS: [&str; 40] = [
    "the", "a", "is", "and", "to", "it", "you", "that", "order", "today", "later", "please",
    "thanks", "delivery", "maybe", "where", "when", "I", "we", "can", "not", "see", "works",
    "broken", "again", "tomorrow", "box", "green", "small", "address", "hello", "price", "wrong",
    "right", "new", "old", "still", "waiting", "great", "sorry",
];
/// Words of other scripts: two, three and four bytes to a character.
const OTHER_WORDS: [&str; 12] = [
    "grüße",
    "привет",
    "спасибо",
    "γειά",
    "שלום",
    "مرحبا",
    "你好",
    "谢谢",
    "ありがとう",
    "안녕",
    "नमस्ते",
    "👍🎉",
];
const FIRST_NAMES: [&str; 12] = [
    "Ada", "Bjørn", "Chiara", "Dmitri", "Élodie", "Farah", "Goran", "Hye-jin", "Ines", "João",
    "Kenji", "Łucja",
];
const LAST_NAMES: [&str; 12] = [
    "Albrecht",
    "Baker",
    "Castellanos",
    "Dubois",
    "Eriksson",
    "Fernández",
    "García",
    "Haddad",
    "Ivanova",
    "Jansen",
    "Kowalczyk",
    "Li",
];
const CITIES: [&str; 8] = [
    "Aarhus",
    "Bogotá",
    "Kraków",
    "London",
    "Lyon",
    "Osaka",
    "São Paulo",
    "Zürich",
];
const COUNTRIES: [&str; 8] = ["DK", "CO", "PL", "GB", "FR", "JP", "BR", "CH"];
const PAGES: [&str; 6] = [
    "/",
    "/search",
    "/cart",
    "/checkout",
    "/account/orders",
    "/help/returns",
];
const SERVICES: [&str; 5] = ["billing", "catalog", "delivery", "identity", "search"];
const ALPHANUMERIC: &[u8] = b"abcdefghijklmnopqrstuvwxyz0123456789";

/// `scale` times 10,000 messages.
pub fn generate(rng: &mut Rng, scale: u64, emit: &mut dyn FnMut(&Root)) {
    let mut clock = 1_767_225_600_000;
    for sequence in 0..MESSAGES * scale {
        clock += rng.below(40);
        emit(&match rng.weighted(&KINDS) {
            0 => Message::Order(order(rng, sequence)),
            1 => click(rng, clock),
            2 => Message::Reading(reading(rng, clock)),
            3 => Message::Chat(chat(rng)),
            4 => Message::Error(failure(rng)),
            _ => Message::Heartbeat {
                service: rng.below(40) as u16,
                host: format!("node-{:03}", rng.below(120)),
                sequence,
                at_ms: clock,
            },
        });
    }
}

/// A number below 2 to the power of `bits`, small ones as likely as large ones: the number of its
/// digits is drawn first.
fn skewed(rng: &mut Rng, bits: u64) -> u64 {
    let bits = rng.below(bits + 1);
    rng.bits() & ((1 << bits) - 1)
}

/// How many of something there are: mostly `low` or a few more, now and then up to `high`.
fn count(rng: &mut Rng, low: u64, high: u64) -> u64 {
    match rng.below(100) {
        0..80 => low + rng.below(3),
        80..98 => low + rng.below((high - low) / 6 + 1),
        _ => low + rng.below(high - low + 1),
    }
}

fn text(rng: &mut Rng, words: u64) -> String {
    let mut text = String::new();
    let other = rng.percent(15);
    for index in 0..words {
        if index > 0 {
            text.push(' ');
        }
        let words: &[&str] = match other && rng.percent(60) {
            true => &OTHER_WORDS,
            false => &WORDS,
        };
        let word: &&str = rng.pick(words);
        text += word;
    }
    text
}

fn token(rng: &mut Rng, len: usize) -> String {
    rng.text(ALPHANUMERIC, len)
}

fn name(rng: &mut Rng) -> String {
    format!("{} {}", rng.pick(&FIRST_NAMES), rng.pick(&LAST_NAMES))
}

fn order(rng: &mut Rng, sequence: u64) -> Order {
    let lines = count(rng, 1, 160);
    let mut attributes = BTreeMap::new();
    for key in ["campaign", "channel", "device", "gift"] {
        if rng.percent(30) {
            attributes.insert(key.to_owned(), token(rng, 6));
        }
    }
    Order {
        id: 7_000_000_000 + sequence,
        customer: customer(rng),
        lines: (0..lines).map(|_| order_line(rng)).collect(),
        discount_cents: match rng.percent(20) {
            true => -(skewed(rng, 14) as i64),
            false => 0,
        },
        coupon: rng.percent(12).then(|| token(rng, 10)),
        currency: match rng.weighted(&[55, 30, 10, 5]) {
            0 => Currency::Eur,
            1 => Currency::Usd,
            2 => Currency::Gbp,
            _ => Currency::Jpy,
        },
        attributes,
    }
}

fn customer(rng: &mut Rng) -> Customer {
    let city = rng.below(CITIES.len() as u64) as usize;
    Customer {
        id: skewed(rng, 31) as u32,
        name: name(rng),
        email: rng
            .percent(80)
            .then(|| format!("{}@example.com", token(rng, 9))),
        address: rng.percent(60).then(|| Address {
            lines: vec![format!("{} {}", token(rng, 9), rng.below(200))],
            city: CITIES[city].to_owned(),
            postcode: rng.within(10_000, 99_999).to_string(),
            country: COUNTRIES[city].to_owned(),
        }),
    }
}

fn order_line(rng: &mut Rng) -> OrderLine {
    let words = 2 + rng.below(5);
    OrderLine {
        product: skewed(rng, 40),
        title: text(rng, words),
        quantity: 1 + skewed(rng, 5) as u16,
        price_cents: skewed(rng, 18) as u32,
        weight_kg: rng.percent(40).then(|| skewed(rng, 12) as f32 / 64.0),
    }
}

fn click(rng: &mut Rng, clock: u64) -> Message {
    let mut page = (*rng.pick(&PAGES)).to_owned();
    if rng.percent(30) {
        page += &format!("?q={}", token(rng, 7));
    }
    Message::Click {
        session: rng.bits(),
        user: rng.percent(45).then(|| skewed(rng, 31) as u32),
        page,
        // Left of and above the page's own area are negative.
        x: rng.within(-40, 2560) as i16,
        y: rng.within(-40, 1440) as i16,
        at_ms: clock,
    }
}

fn reading(rng: &mut Rng, clock: u64) -> Reading {
    let [a, b, c, ..] = skewed(rng, 9).to_le_bytes();
    let samples = match rng.below(100) {
        0..70 => rng.below(4),
        70..99 => 16 + rng.below(49),
        _ => 4096,
    };
    let offsets = rng.below(5);
    let base = rng.unit_f32() * 8.0;
    Reading {
        device: [0x02, 0x42, 0xac, a, b, c],
        at_ms: clock,
        temperature: rng.within(-400, 900) as f64 / 10.0,
        offsets: (0..offsets)
            .map(|_| {
                let size = skewed(rng, 30) as i32;
                if rng.percent(50) { -size } else { size }
            })
            .collect(),
        samples: (0..samples).map(|_| base + rng.unit_f32()).collect(),
        battery: rng.percent(70).then(|| rng.below(101) as u8),
        ok: rng.percent(97),
    }
}

fn chat(rng: &mut Rng) -> Chat {
    let words = count(rng, 1, 400);
    Chat {
        room: skewed(rng, 20) as u32,
        author: name(rng),
        text: text(rng, words),
        reply_to: rng.percent(35).then(|| 9_000_000_000_000 + skewed(rng, 40)),
        attachment: rng.percent(4).then(|| {
            let len = count(rng, 200, 16_000);
            Bytes((0..len).map(|_| rng.bits() as u8).collect())
        }),
    }
}

fn failure(rng: &mut Rng) -> Failure {
    let frames = 3 + rng.below(30);
    let words = 4 + rng.below(12);
    Failure {
        service: (*rng.pick(&SERVICES)).to_owned(),
        code: -(rng.below(600) as i32),
        message: text(rng, words),
        trace: (0..frames)
            .map(|_| {
                let service = rng.pick(&SERVICES);
                Frame {
                    function: format!("{service}::{}::{}", token(rng, 6), token(rng, 9)),
                    file: format!("src/{service}/{}.rs", token(rng, 6)),
                    line: 1 + skewed(rng, 11) as u32,
                }
            })
            .collect(),
        retry_after: rng.percent(50).then(|| skewed(rng, 12) as u32),
    }
}
