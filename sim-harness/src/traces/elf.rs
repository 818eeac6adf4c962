//! The parts of ELF that the traces need: the kind of a file, and the addresses of its segments.

use std::fs::File;
use std::io::Read;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// The type of a program header for a part of the file that is loaded.
const PT_LOAD: u32 = 1;
/// The machine number of x86-64.
const EM_X86_64: u16 = 62;
/// The types of files: a program at a fixed address, and at any address.
const ET_EXEC: u16 = 2;
const ET_DYN: u16 = 3;
/// The number of bytes of the header of a 64-bit file, and of one of its program headers.
const HEADER: usize = 64;
const PROGRAM_HEADER: usize = 56;

/// The kind of a program file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A program or library for x86-64 with 64-bit addresses.
    X86_64,
    /// A script with the interpreter of its first line.
    Script(String),
    /// An ELF file that is not an x86-64 program.
    OtherElf(String),
    /// Any other file.
    Unknown,
}

/// A part of a file and its linear address, in the file's own terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// The offset in the file.
    pub offset: u64,
    /// The number of bytes in the file.
    pub bytes: u64,
    /// The address of the first byte.
    pub address: u64,
}

impl Segment {
    /// Returns the address of the byte at this offset of the file, if it is in this segment.
    #[must_use]
    pub fn address(&self, offset: u64) -> Option<u64> {
        let within = offset.checked_sub(self.offset).filter(|within| *within < self.bytes)?;
        Some(self.address.wrapping_add(within))
    }

    /// Whether a mapping that begins at this offset of the file is of this segment. It may begin before it, since pages are mapped.
    #[must_use]
    pub const fn maps(&self, offset: u64) -> bool {
        const PAGE: u64 = 4096;
        offset < self.offset.saturating_add(self.bytes) && offset / PAGE >= self.offset / PAGE
    }
}

/// Returns the kind of a program file by its first bytes.
///
/// # Errors
/// If the file cannot be opened or read.
pub fn kind(path: &Path) -> std::io::Result<Kind> {
    let mut first = Vec::new();
    File::open(path)?.take(256).read_to_end(&mut first)?;
    if let Some(line) = first.strip_prefix(b"#!") {
        let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
        return Ok(Kind::Script(String::from_utf8_lossy(line.trim_ascii()).into_owned()));
    }
    if !first.starts_with(b"\x7fELF") {
        return Ok(Kind::Unknown);
    }
    let half = |place: usize| first.get(place..place + 2).map_or(0, |two| u16::from_le_bytes([two[0], two[1]]));
    let (class, data) = (first.get(4).copied(), first.get(5).copied());
    Ok(match (class, data, half(18), half(16)) {
        (Some(2), Some(1), EM_X86_64, ET_EXEC | ET_DYN) => Kind::X86_64,
        (Some(2), Some(1), EM_X86_64, _) => Kind::OtherElf("an object or core file".to_owned()),
        (Some(1), Some(1), 3, _) => Kind::OtherElf("a 32-bit x86 program".to_owned()),
        (_, _, machine, _) => Kind::OtherElf(format!("for another machine (ELF machine number {machine})")),
    })
}

/// Returns the loaded parts of a 64-bit little-endian ELF file; `None` if it is another file or damaged.
#[must_use]
pub fn segments(path: &Path) -> Option<Vec<Segment>> {
    let file = File::open(path).ok()?;
    let mut header = [0; HEADER];
    file.read_exact_at(&mut header, 0).ok()?;
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let table = u64_at(&header, 32);
    let (size, count) = (u16_at(&header, 54), u16_at(&header, 56));
    if usize::from(size) < PROGRAM_HEADER {
        return None;
    }
    let mut segments = Vec::new();
    for index in 0..u64::from(count) {
        let mut entry = [0; PROGRAM_HEADER];
        let place = table.checked_add(index * u64::from(size))?;
        file.read_exact_at(&mut entry, place).ok()?;
        if u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]) == PT_LOAD {
            segments.push(Segment {
                offset: u64_at(&entry, 8),
                bytes: u64_at(&entry, 32),
                address: u64_at(&entry, 16),
            });
        }
    }
    Some(segments)
}

fn u16_at(bytes: &[u8], place: usize) -> u16 {
    u16::from_le_bytes([bytes[place], bytes[place + 1]])
}

fn u64_at(bytes: &[u8], place: usize) -> u64 {
    let mut word = [0; 8];
    word.copy_from_slice(&bytes[place..place + 8]);
    u64::from_le_bytes(word)
}
