//! Messages that no serializer wrote, made from ones that a serializer did. An input is known by its
//! number: the same number gives the same bytes, in whichever process.

use crate::check::random::Random;
use crate::protocol::Damage;

/// How many messages are damaged at most, evenly spread over those there are.
const MESSAGES: usize = 64;
/// How many inputs of each kind there are at least, however long the messages.
const AT_LEAST: usize = 16;
/// How long random bytes are at most.
const RANDOM: usize = 300;

/// The damaged messages of an attack.
pub struct Damaged {
    /// The shortest first.
    messages: Vec<Vec<u8>>,
    inputs: Vec<Input>,
}

/// How one is made.
#[derive(Debug, Clone, Copy)]
struct Input {
    message: usize,
    how: How,
}

#[derive(Debug, Clone, Copy)]
enum How {
    /// The first so many bytes.
    Cut(usize),
    /// This one bit turned over.
    Flip(usize),
    /// Some bits turned over.
    Flips(u64),
    Random(u64),
    Bomb(u64),
}

impl Damaged {
    /// Plans as many inputs of each kind, within so many bytes in all.
    pub fn new(messages: Vec<Vec<u8>>, damages: &[Damage], inputs: u64, bytes: u64) -> Self {
        let step = messages.len().div_ceil(MESSAGES).max(1);
        let mut messages: Vec<_> = messages.into_iter().step_by(step).collect();
        messages.sort_by_key(Vec::len);
        let kinds = damages.len().max(1);
        let mut damaged = Self {
            messages,
            inputs: Vec::new(),
        };
        for kind in damages {
            damaged.plan(*kind, inputs as usize / kinds, bytes as usize / kinds);
        }
        damaged
    }

    fn plan(&mut self, kind: Damage, inputs: usize, bytes: usize) {
        let mut planned = Vec::new();
        for (message, whole) in self.messages.iter().enumerate() {
            // What the short ones leave goes to the long ones.
            let share = (inputs - planned.len()) / (self.messages.len() - message);
            let size = whole.len();
            let input = |how| Input { message, how };
            match kind {
                Damage::Truncation => planned.extend(cuts(size, share).map(How::Cut).map(input)),
                Damage::BitFlips if size * 8 <= share => {
                    planned.extend((0..size * 8).map(How::Flip).map(input));
                }
                _ => planned.extend((0..share as u64).map(|seed| {
                    let seed = (message as u64) << 32 | seed;
                    input(match kind {
                        Damage::BitFlips => How::Flips(seed),
                        Damage::RandomBytes => How::Random(seed),
                        _ => How::Bomb(seed),
                    })
                })),
            }
        }
        self.inputs.extend(self.within(planned, bytes));
    }

    /// As many as the bytes allow, evenly spread.
    fn within(&self, planned: Vec<Input>, bytes: usize) -> Vec<Input> {
        let size = |input: &Input| match input.how {
            How::Cut(length) => length,
            _ => self.messages[input.message].len(),
        };
        let total: usize = planned.iter().map(size).sum();
        let step = total.div_ceil(bytes.max(1)).max(1);
        let step = step.min((planned.len() / AT_LEAST).max(1));
        planned.into_iter().step_by(step).collect()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.inputs.len()
    }

    /// The longest that one may be.
    pub fn longest(&self) -> usize {
        let longest = self.messages.last().map_or(0, Vec::len);
        2 * longest.max(RANDOM) + 16
    }

    /// The bytes of one.
    pub fn make(&self, number: usize) -> Vec<u8> {
        let Input { message, how } = self.inputs[number];
        let whole = &self.messages[message];
        match how {
            How::Cut(length) => whole[..length].to_vec(),
            How::Flip(bit) => {
                let mut bytes = whole.clone();
                bytes[bit / 8] ^= 1 << (bit % 8);
                bytes
            }
            How::Flips(seed) => flipped(whole, &mut Random::of(seed, 1)),
            How::Random(seed) => self.random(whole, &mut Random::of(seed, 2)),
            How::Bomb(seed) => bomb(whole, &mut Random::of(seed, 3)),
        }
    }

    /// What one is, in words, and how it begins.
    pub fn describe(&self, number: usize) -> String {
        const SHOWN: usize = 32;
        let Input { message, how } = self.inputs[number];
        let whole = self.messages[message].len();
        let bytes = self.make(number);
        let what = match how {
            How::Cut(length) => format!("the first {length} of a message's {whole} bytes"),
            How::Flip(bit) => format!("a message of {whole} bytes with bit {bit} turned over"),
            How::Flips(_) => format!("a message of {whole} bytes with bits turned over"),
            How::Random(_) => format!("{} bytes, random at least in part", bytes.len()),
            How::Bomb(_) => format!("a message of {whole} bytes with a large number in it"),
        };
        let hex = bytes.iter().take(SHOWN).map(|byte| format!("{byte:02x}"));
        let hex = hex.collect::<Vec<_>>().join("");
        let more = if bytes.len() > SHOWN { "…" } else { "" };
        format!("{what} ({hex}{more})")
    }

    /// Random alone, behind a good start, or in the middle; or two messages joined.
    fn random(&self, whole: &[u8], random: &mut Random) -> Vec<u8> {
        let noise = |random: &mut Random| -> Vec<u8> {
            let length = random.below(RANDOM);
            (0..length).map(|_| random.word() as u8).collect()
        };
        let at = random.below(whole.len() + 1);
        match random.below(4) {
            0 => noise(random),
            1 => [&whole[..at], &noise(random)].concat(),
            2 => {
                let mut bytes = whole.to_vec();
                let noise = noise(random);
                let end = (at + noise.len().min(1 + random.below(16))).min(bytes.len());
                bytes[at..end].copy_from_slice(&noise[..end - at]);
                bytes
            }
            _ => {
                let other = &self.messages[random.below(self.messages.len())];
                let from = random.below(other.len() + 1);
                [&whole[..at], &other[from..]].concat()
            }
        }
    }
}

/// Every length below `size`; where that is more than `share`, those at both ends and some between.
fn cuts(size: usize, share: usize) -> Box<dyn Iterator<Item = usize>> {
    if size <= share {
        return Box::new(0..size);
    }
    let (front, back) = (share / 2, share / 4);
    let between = share - front - back;
    let middle = size - front - back;
    let spread = (0..between).map(move |n| front + n * middle / between);
    Box::new((0..front).chain(spread).chain(size - back..size))
}

/// A place in a message. Lengths and tags stand at both ends more often than not.
fn place(size: usize, random: &mut Random) -> usize {
    match random.below(3) {
        0 => random.below(size.min(32)),
        1 => size - 1 - random.below(size.min(32)),
        _ => random.below(size),
    }
}

fn flipped(whole: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    if bytes.is_empty() {
        return bytes;
    }
    for _ in 0..=random.below(4) {
        let at = place(bytes.len(), random);
        bytes[at] ^= 1 << random.below(8);
    }
    bytes
}

/// Numbers that announce much: all ones and the largest signed ones in each width and both orders of
/// bytes, as variable-length integers, behind the marks of CBOR and MessagePack, and in digits.
const BOMBS: [&[u8]; 22] = [
    &[0xff],
    &[0xff; 2],
    &[0xff; 4],
    &[0xff; 8],
    &[0x7f],
    &[0xff, 0x7f],
    &[0x7f, 0xff],
    &[0xff, 0xff, 0xff, 0x7f],
    &[0x7f, 0xff, 0xff, 0xff],
    &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f],
    &[0x00, 0x00, 0x00, 0x40],
    &[0x40, 0x00, 0x00, 0x00],
    &[0xff, 0xff, 0xff, 0xff, 0x0f],
    &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01],
    &[0x80, 0x80, 0x80, 0x80, 0x10],
    &[0x9a, 0x7f, 0xff, 0xff, 0xff],
    &[0x9b, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
    &[0xbb, 0x00, 0x00, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff],
    &[0xdd, 0xff, 0xff, 0xff, 0xff],
    &[0xdf, 0xff, 0xff, 0xff, 0xff],
    &[0xc6, 0xff, 0xff, 0xff, 0xff],
    b"99999999999999999999",
];

/// Put over what stands there, or in between.
fn bomb(whole: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    let bomb = BOMBS[random.below(BOMBS.len())];
    if bytes.is_empty() {
        return bomb.to_vec();
    }
    let at = place(bytes.len(), random);
    let over = if random.below(4) == 0 { 0 } else { bomb.len() };
    let end = (at + over).min(bytes.len());
    bytes.splice(at..end, bomb.iter().copied());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cut_and_every_bit_where_there_is_room_for_them() {
        let messages = vec![vec![7; 40], vec![1, 2, 3]];
        let cut = Damaged::new(messages.clone(), &[Damage::Truncation], 1000, 1 << 20);
        let made: Vec<_> = (0..cut.len()).map(|n| cut.make(n).len()).collect();
        assert_eq!(made, (0..3).chain(0..40).collect::<Vec<_>>());
        let flipped = Damaged::new(messages, &[Damage::BitFlips], 1000, 1 << 20);
        assert_eq!(flipped.len(), 43 * 8);
        assert_eq!(flipped.make(8), [1, 3, 3]);
    }

    #[test]
    fn long_messages_get_fewer_inputs_and_every_kind_some() {
        let messages = vec![vec![7; 1 << 16]; 100];
        let damaged = Damaged::new(messages, &Damage::ALL, 10_000, 1 << 22);
        let total: usize = (0..damaged.len()).map(|n| damaged.make(n).len()).sum();
        assert!(damaged.len() >= 4 * AT_LEAST && total < 3 << 22, "{total}");
        let longest = (0..damaged.len()).map(|n| damaged.make(n).len()).max();
        assert!(longest <= Some(damaged.longest()));
    }

    #[test]
    fn a_number_gives_the_same_bytes_again() {
        let messages: Vec<Vec<u8>> = (0..9).map(|n| vec![n; 30 * n as usize]).collect();
        let damaged = Damaged::new(messages, &Damage::ALL, 2000, 1 << 20);
        for number in 0..damaged.len() {
            assert_eq!(damaged.make(number), damaged.make(number));
            assert!(damaged.make(number).len() <= damaged.longest());
        }
    }

    #[test]
    fn cuts_of_a_long_message_are_at_its_ends_and_between() {
        let cuts: Vec<_> = cuts(1000, 40).collect();
        assert_eq!(cuts.len(), 40);
        assert!(cuts.is_sorted() && cuts.starts_with(&[0, 1, 2]) && cuts.ends_with(&[998, 999]));
    }
}
