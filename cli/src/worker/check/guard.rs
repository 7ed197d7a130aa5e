//! Memory between two pages that nobody may touch: what reads past its end is stopped.

use std::io;
use std::ptr::NonNull;

use serbench_plugin::abi;

/// What stands around a placed input, as far as it can be read: whoever relies on zeros there
/// relies on more than the header promises.
const DEBRIS: u8 = 0xa5;

/// Pages with a forbidden one in front and one behind.
#[derive(Debug)]
pub struct Guarded {
    /// The first page that may be used.
    start: NonNull<u8>,
    /// How many bytes may be used: whole pages.
    room: usize,
    page: usize,
}

/// To which of the forbidden pages an input is moved up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// As far back as its alignment and the padding behind it allow.
    Back,
    /// To the very front, but for the byte of misaligned mode.
    Front,
}

/// What stands at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// The forbidden page in front.
    InFront,
    /// The memory that may be read.
    Within,
    /// The forbidden page behind.
    Behind,
}

impl Guarded {
    /// Room for an input of up to this many bytes.
    pub fn new(largest: usize) -> io::Result<Self> {
        // SAFETY: a plain question.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let needed = largest + abi::INPUT_PADDING + 2 * abi::INPUT_ALIGN;
        let room = needed.next_multiple_of(page);
        // SAFETY: a new mapping, of which nothing can be touched yet.
        let whole = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                room + 2 * page,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if whole == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: the mapping has two pages more than the room.
        let start = unsafe { NonNull::new_unchecked(whole.cast::<u8>().add(page)) };
        Ok(Self { start, room, page })
    }

    /// Lays out an input as the header promises it, and read-only. The input before is gone.
    pub fn place(&mut self, bytes: &[u8], misaligned: bool, side: Side) -> io::Result<abi::Bytes> {
        let shift = usize::from(misaligned);
        let last = self.room - abi::INPUT_PADDING - bytes.len() - shift;
        let at = shift
            + match side {
                Side::Front => 0,
                Side::Back => last - last % abi::INPUT_ALIGN,
            };
        let room = self.open()?;
        let end = at + bytes.len();
        let behind = end + abi::INPUT_PADDING;
        room[at.saturating_sub(abi::INPUT_ALIGN)..at].fill(DEBRIS);
        room[at..end].copy_from_slice(bytes);
        room[end..behind].fill(0);
        let debris = room.len().min(behind + abi::INPUT_ALIGN);
        room[behind..debris].fill(DEBRIS);
        self.seal(at, bytes.len())
    }

    /// Lays out bytes that end where the room ends, and read-only.
    pub fn place_exactly(&mut self, bytes: &[u8]) -> io::Result<abi::Bytes> {
        let at = self.room - bytes.len();
        let room = self.open()?;
        room[at.saturating_sub(abi::INPUT_ALIGN)..at].fill(DEBRIS);
        room[at..].copy_from_slice(bytes);
        self.seal(at, bytes.len())
    }

    /// Forbids the input itself, too.
    pub fn forbid(&mut self) -> io::Result<()> {
        self.protect(libc::PROT_NONE)
    }

    /// What stands at an address, if it is one of these pages.
    pub fn region(&self, address: u64) -> Option<Region> {
        let start = self.start.as_ptr() as u64;
        let end = start + self.room as u64;
        let page = self.page as u64;
        match address {
            a if (start - page..start).contains(&a) => Some(Region::InFront),
            a if (start..end).contains(&a) => Some(Region::Within),
            a if (end..end + page).contains(&a) => Some(Region::Behind),
            _ => None,
        }
    }

    fn open(&mut self) -> io::Result<&mut [u8]> {
        self.protect(libc::PROT_READ | libc::PROT_WRITE)?;
        // SAFETY: the room is mapped and may now be written; nobody else has it.
        Ok(unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.room) })
    }

    fn seal(&mut self, at: usize, size: usize) -> io::Result<abi::Bytes> {
        self.protect(libc::PROT_READ)?;
        Ok(abi::Bytes {
            // SAFETY: `at` is within the room.
            data: unsafe { self.start.as_ptr().add(at) },
            size: size as u64,
        })
    }

    fn protect(&mut self, rights: libc::c_int) -> io::Result<()> {
        // SAFETY: the room is our own mapping.
        match unsafe { libc::mprotect(self.start.as_ptr().cast(), self.room, rights) } {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: the whole mapping, which is ours.
        unsafe {
            let whole = self.start.as_ptr().sub(self.page);
            libc::munmap(whole.cast(), self.room + 2 * self.page);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_stand_as_the_header_promises_and_as_near_to_the_guard_as_can_be() {
        let mut guarded = Guarded::new(5000).unwrap();
        let end = guarded.start.as_ptr() as usize + guarded.room;
        for size in (0..200).chain([4096, 5000]) {
            let bytes: Vec<u8> = (0..size).map(|i| i as u8 | 1).collect();
            for (misaligned, side) in [
                (false, Side::Back),
                (true, Side::Back),
                (false, Side::Front),
                (true, Side::Front),
            ] {
                let input = guarded.place(&bytes, misaligned, side).unwrap();
                let at = input.data as usize;
                assert_eq!(at % abi::INPUT_ALIGN, usize::from(misaligned));
                // SAFETY: the input and its padding may be read.
                let found =
                    unsafe { std::slice::from_raw_parts(input.data, size + abi::INPUT_PADDING) };
                assert_eq!(&found[..size], bytes);
                assert!(found[size..].iter().all(|byte| *byte == 0));
                match side {
                    Side::Front => {
                        let start = guarded.start.as_ptr() as usize;
                        assert_eq!(at, start + usize::from(misaligned));
                    }
                    Side::Back => {
                        let slack = end - (at + size + abi::INPUT_PADDING);
                        assert!(slack < abi::INPUT_ALIGN, "{slack}");
                    }
                }
            }
            let input = guarded.place_exactly(&bytes).unwrap();
            assert_eq!(input.data as usize + size, end);
        }
        assert_eq!(guarded.region(end as u64), Some(Region::Behind));
        assert_eq!(guarded.region(end as u64 - 1), Some(Region::Within));
        let start = guarded.start.as_ptr() as u64;
        assert_eq!(guarded.region(start - 1), Some(Region::InFront));
        assert_eq!(guarded.region(start - guarded.page as u64 - 1), None);
    }
}
