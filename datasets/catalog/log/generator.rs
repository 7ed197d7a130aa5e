// Lines in the common log format.

use super::types::*;
use crate::emit::{Emit, long_list};
use crate::rng::Rng;

pub const SEED: u64 = 1;

const LINES: u64 = 10_000;

const USERS: [&str; 9] = [
    "-", "anna", "boris", "chloe", "dmitri", "emil", "fatima", "gino", "hana",
];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];
const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const ROUTES: [&str; 7] = [
    "/",
    "/robots.txt",
    "/static/app.js",
    "/static/theme/dark.min.css",
    "/images/banner-wide.png",
    "/v1/session",
    "/v1/orders/search",
];
const PROTOCOLS: [&str; 4] = ["HTTP/1.0", "HTTP/1.1", "HTTP/2", "HTTP/3"];
const CODES: [u16; 16] = [
    200, 201, 202, 204, 206, 301, 302, 304, 400, 401, 403, 404, 409, 429, 500, 503,
];

/// One log; `scale` makes it that many times as long.
pub fn generate(rng: &mut Rng, scale: u64, emit: &mut dyn FnMut(&dyn Emit)) {
    emit(&long_list(LINES * scale, || line(rng)));
}

fn line(rng: &mut Rng) -> Log {
    let [x0, x1, x2, x3, ..] = rng.bits().to_le_bytes();
    Log {
        address: Address { x0, x1, x2, x3 },
        identity: "-".to_owned(),
        userid: (*rng.pick(&USERS)).to_owned(),
        date: date(rng),
        request: format!(
            "{} {} {}",
            rng.pick(&METHODS),
            rng.pick(&ROUTES),
            rng.pick(&PROTOCOLS)
        ),
        code: *rng.pick(&CODES),
        size: rng.below(100_000_000),
    }
}

fn date(rng: &mut Rng) -> String {
    let zone = rng.within(-12, 12);
    format!(
        "{:02}/{}/{}:{:02}:{:02}:{:02} {}{:02}00",
        rng.within(1, 28),
        rng.pick(&MONTHS),
        rng.within(1998, 2026),
        rng.below(24),
        rng.below(60),
        rng.below(60),
        if zone < 0 { '-' } else { '+' },
        zone.abs()
    )
}
