//! Memory of this process's own for the libraries that it runs.
//!
//! Processes share the pages of a library, wherever in memory the system has put them, for as long as
//! it stays there; and that place decides by some percent how fast a codec is. Pages of its own make
//! each process draw another, so that the median over a run's processes does not depend on one draw.

/// Has this process copy whatever of its libraries it shares with others: the plugin, the C library.
#[cfg(target_os = "linux")]
pub fn own_code() {
    // SAFETY: the callback has the type that is asked for, and nothing to be handed.
    unsafe { libc::dl_iterate_phdr(Some(linux::own), std::ptr::null_mut()) };
}

/// Nothing: the place stays the same.
#[cfg(not(target_os = "linux"))]
pub fn own_code() {}

#[cfg(target_os = "linux")]
mod linux {
    use std::ffi::{c_char, c_int, c_void};
    use std::ops::Range;

    use libc::{PF_W, PF_X, PROT_EXEC, PROT_READ, PROT_WRITE, PT_LOAD, dl_phdr_info};

    /// Copies the parts of one file that stay as they are in it.
    pub unsafe extern "C" fn own(file: *mut dl_phdr_info, _: usize, _: *mut c_void) -> c_int {
        // SAFETY: the C library describes what is loaded, and keeps it until this returns.
        let (file, parts) = unsafe {
            let file = &*file;
            let parts = std::slice::from_raw_parts(file.dlpi_phdr, file.dlpi_phnum.into());
            (file, parts)
        };
        // SAFETY: a name with a zero behind it.
        if unsafe { is_library(file.dlpi_name) } {
            for part in parts {
                if part.p_type == PT_LOAD && part.p_flags & PF_W == 0 {
                    let start = (file.dlpi_addr + part.p_vaddr) as usize;
                    let runs = part.p_flags & PF_X != 0;
                    // SAFETY: so the C library has mapped it.
                    unsafe { copy(start..start + part.p_filesz as usize, runs) };
                }
            }
        }
        0
    }

    /// What the kernel brings has a name that is no path, and the program itself, of which a few pages
    /// matter, an empty one.
    unsafe fn is_library(name: *const c_char) -> bool {
        // SAFETY: as the caller says.
        !name.is_null() && unsafe { *name } as u8 == b'/'
    }

    /// Writes a byte of each page anew, upon which the kernel gives this process another page. Where it
    /// is not allowed to, by SELinux for instance, everything stays as it is.
    unsafe fn copy(bytes: Range<usize>, runs: bool) {
        // SAFETY: asks for a number.
        let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize;
        let pages = bytes.start / page * page..bytes.end.next_multiple_of(page);
        let start = pages.start as *mut c_void;
        let rights = PROT_READ | if runs { PROT_EXEC } else { 0 };
        // SAFETY: these pages are mapped, and what is in them stays the same throughout.
        unsafe {
            if libc::mprotect(start, pages.len(), rights | PROT_WRITE) == 0 {
                for address in pages.clone().step_by(page) {
                    let byte = address as *mut u8;
                    byte.write_volatile(byte.read_volatile());
                }
                libc::mprotect(start, pages.len(), rights);
            }
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;

    /// A part of the memory map, with what it has in memory and how much of that is of no file.
    struct Part {
        name: String,
        resident: u64,
        anonymous: u64,
    }

    /// What is mapped to be run, of libraries.
    fn code() -> Vec<Part> {
        let text = fs::read_to_string("/proc/self/smaps").unwrap();
        let mut parts = Vec::<Part>::new();
        let mut is_code = false;
        for line in text.lines() {
            let words = line.split_whitespace().collect::<Vec<_>>();
            match words[..] {
                [_, rights, _, _, _, name] => {
                    is_code = rights == "r-xp" && name.contains(".so");
                    if is_code {
                        let name = name.to_owned();
                        let (resident, anonymous) = (0, 0);
                        parts.push(Part {
                            name,
                            resident,
                            anonymous,
                        });
                    }
                }
                ["Rss:", size, _] if is_code => {
                    parts.last_mut().unwrap().resident = size.parse().unwrap();
                }
                ["Anonymous:", size, _] if is_code => {
                    parts.last_mut().unwrap().anonymous = size.parse().unwrap();
                }
                _ => {}
            }
        }
        parts
    }

    #[test]
    fn no_code_of_a_library_is_shared() {
        let before = code();
        assert!(before.iter().any(|part| part.anonymous < part.resident));
        super::own_code();
        let after = code();
        assert_eq!(after.len(), before.len());
        for part in after {
            assert!(part.resident > 0, "{}", part.name);
            assert_eq!(part.anonymous, part.resident, "{}", part.name);
        }
    }
}
