//! The stream that the machine (`bench/main.cpp`) writes: events of six little-endian words.

use std::io::{self, Read};

/// Bytes of an event.
pub const EVENT_BYTES: usize = 24;

/// What happens in one cycle at one place of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// RVFI shows an instruction.
    Retire(Shown),
    /// An access of the unit is answered.
    Unit(Access),
    /// The program writes a word to the test bench.
    Device {
        /// Cycle of the write.
        cycle: u32,
        /// Register: 0 exit, 1 text, 2 a word of a record, 3 the session is about to end.
        register: u32,
        /// The word.
        data: u32,
    },
    /// The last event.
    End(End),
}

/// An instruction as RVFI shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Cycle in which RVFI shows it.
    pub cycle: u32,
    /// Address.
    pub pc: u32,
    /// Address of the next instruction.
    pub next: u32,
    /// Instruction word; bits 31:16 are 0 if it is compressed.
    pub word: u32,
    /// Address of its access to memory; means nothing if it makes none.
    pub address: u32,
    /// Privilege mode: 0 is user mode.
    pub mode: u32,
    /// It traps, so it does not retire.
    pub trap: bool,
}

/// An access of the unit, with its response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Cycle of the response.
    pub cycle: u32,
    /// Address, a multiple of 4.
    pub address: u32,
    /// Data written, or read.
    pub data: u32,
    /// Bytes of the word.
    pub bytes: u32,
    /// It is a write.
    pub write: bool,
    /// It failed.
    pub error: bool,
}

/// How the run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End {
    /// Cycles since reset.
    pub cycle: u32,
    /// The program has ended; else the limit of cycles was reached.
    pub ended: bool,
    /// Nanoseconds of processor time that the simulation took.
    pub nanoseconds: u64,
}

impl Event {
    /// Returns the event in these bytes.
    ///
    /// # Errors
    ///
    /// The first word, if it names no kind of event.
    pub fn decode(bytes: &[u8; EVENT_BYTES]) -> Result<Self, u32> {
        let word = |index: usize| {
            let mut word = [0; 4];
            word.copy_from_slice(&bytes[4 * index..4 * index + 4]);
            u32::from_le_bytes(word)
        };
        let (details, cycle) = (word(0), word(1));
        let flag = |bit: u32| details >> bit & 1 == 1;
        match details & 0xFF {
            1 => Ok(Self::Retire(Shown {
                cycle,
                pc: word(2),
                next: word(3),
                word: word(4),
                address: word(5),
                mode: details >> 16 & 3,
                trap: flag(8),
            })),
            2 => Ok(Self::Unit(Access {
                cycle,
                address: word(2),
                data: word(3),
                bytes: details >> 16 & 0xF,
                write: flag(8),
                error: flag(9),
            })),
            3 => Ok(Self::Device { cycle, register: details >> 8 & 7, data: word(2) }),
            4 => Ok(Self::End(End {
                cycle,
                ended: word(2) == 1,
                nanoseconds: u64::from(word(3)) | u64::from(word(4)) << 32,
            })),
            _ => Err(details),
        }
    }

    /// Returns the bytes of the event.
    #[must_use]
    pub fn encode(&self) -> [u8; EVENT_BYTES] {
        let words = match *self {
            Self::Retire(Shown { cycle, pc, next, word, address, mode, trap }) => {
                [1 | u32::from(trap) << 8 | mode << 16, cycle, pc, next, word, address]
            }
            Self::Unit(Access { cycle, address, data, bytes, write, error }) => {
                [2 | u32::from(write) << 8 | u32::from(error) << 9 | bytes << 16, cycle, address, data, 0, 0]
            }
            Self::Device { cycle, register, data } => [3 | register << 8, cycle, data, 0, 0, 0],
            Self::End(End { cycle, ended, nanoseconds }) => {
                [4, cycle, u32::from(ended), nanoseconds as u32, (nanoseconds >> 32) as u32, 0]
            }
        };
        let mut bytes = [0; EVENT_BYTES];
        for (place, word) in bytes.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

/// Calls `each` for every event of the stream.
///
/// # Errors
///
/// Those of the reader; `InvalidData` for an unknown event; `UnexpectedEof` if the stream ends within one.
pub fn read(mut stream: impl Read, mut each: impl FnMut(Event)) -> io::Result<()> {
    let mut buffer = vec![0; 4096 * EVENT_BYTES];
    let mut filled = 0;
    loop {
        let count = stream.read(&mut buffer[filled..])?;
        if count == 0 {
            return if filled == 0 { Ok(()) } else { Err(io::ErrorKind::UnexpectedEof.into()) };
        }
        filled += count;
        let (events, rest) = buffer[..filled].as_chunks::<EVENT_BYTES>();
        for event in events {
            let unknown = |word| io::Error::new(io::ErrorKind::InvalidData, format!("no event begins with {word:#x}"));
            each(Event::decode(event).map_err(unknown)?);
        }
        let kept = rest.len();
        buffer.copy_within(filled - kept..filled, 0);
        filled = kept;
    }
}
