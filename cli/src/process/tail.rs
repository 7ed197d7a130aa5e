//! The last of what a plugin has printed.

use std::collections::VecDeque;

/// How much is kept.
const KEPT: usize = 4096;

/// The last bytes of an output that may be endless.
#[derive(Debug, Default)]
pub struct Tail {
    bytes: VecDeque<u8>,
    cut: bool,
    closed: bool,
}

impl Tail {
    /// Adds output, and forgets the oldest beyond what is kept.
    pub fn push(&mut self, output: &[u8]) {
        self.bytes.extend(output);
        let excess = self.bytes.len().saturating_sub(KEPT);
        self.cut |= excess > 0;
        self.bytes.drain(..excess);
    }

    /// Notes that there will be no more.
    pub fn close(&mut self) {
        self.closed = true;
    }

    /// Whether there will be no more.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// The output as text on one line: line ends become " | ", other control characters go, so
    /// that nothing in it can upset a terminal or a table.
    pub fn text(&self) -> String {
        let bytes: Vec<u8> = self.bytes.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<String> = text
            .lines()
            .map(|line| {
                let line: String = line.chars().filter(|c| !c.is_control()).collect();
                line.trim().to_owned()
            })
            .filter(|line| !line.is_empty())
            .collect();
        let text = lines.join(" | ");
        match self.cut {
            true => format!("… {text}"),
            false => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept_and_nothing_that_upsets_a_terminal() {
        let mut tail = Tail::default();
        tail.push(b"one\r\n\n\x1b[31mtwo\xff\x07");
        assert_eq!(tail.text(), "one | [31mtwo\u{fffd}");
        tail.push(&[b'x'; 3 * KEPT]);
        tail.push(b"end");
        assert!(tail.text().starts_with("… xxx") && tail.text().ends_with("xend"));
        assert!(tail.text().len() <= KEPT + "… ".len());
    }
}
