//! The match rule: which breakpoints an access hits.

use super::{Breakpoint, MatchRules};

/// Something a breakpoint may wait for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Access {
    /// The instruction at this linear address is about to be executed. The address is that of its first byte.
    Fetch {
        /// Linear address of the instruction.
        address: u64,
    },
    /// Data are read.
    Read {
        /// Linear address of the first byte.
        address: u64,
        /// Number of bytes; of 0 none is hit.
        bytes: u32,
    },
    /// Data are written, or read and written. A CMPXCHG that fails counts as a write.
    Write {
        /// Linear address of the first byte.
        address: u64,
        /// Number of bytes; of 0 none is hit.
        bytes: u32,
    },
    /// Input from or output to a port.
    Io {
        /// The first port.
        port: u16,
        /// Number of ports: 1, 2 or 4.
        bytes: u32,
    },
}

impl Access {
    /// Whether the access meets the condition of `breakpoint`, be it on or off.
    ///
    /// A data or I/O access does so when any of its bytes lies in the breakpoint's range: its address, with the bits
    /// below its length cleared, and as many bytes as its length. An instruction does so when it starts at the address.
    /// [`ReadWrite`](super::Condition::ReadWrite) does not wait for fetches. An access that goes past the last address
    /// continues at 0.
    ///
    /// Where the manual leaves the outcome undefined this function decides: the length of an
    /// [`Execute`](super::Condition::Execute) breakpoint is not looked at, [`Io`](super::Condition::Io) is I/O, whatever CR4.DE is,
    /// and LEN 10 is 8 bytes. [`MatchRules`] are other decisions.
    ///
    /// Source: Intel SDM volume 3B, "Breakpoint Field Recognition" and "Debug Control Register (DR7)".
    #[must_use]
    #[inline]
    pub const fn meets(self, breakpoint: &Breakpoint) -> bool {
        MatchRules::WIDE.met(breakpoint, self)
    }
}

#[cfg(test)]
mod tests {
    use super::Access;
    use crate::debug::{Breakpoint, Length};

    const fn read(address: u64, bytes: u32) -> Access {
        Access::Read { address, bytes }
    }

    const fn write(address: u64, bytes: u32) -> Access {
        Access::Write { address, bytes }
    }

    // DBG-29: any byte of the access in the range of the breakpoint; the four examples and those around them
    #[test]
    fn any_byte() {
        let two = Breakpoint::read_write(0xA0002, Length::Two);
        for (access, hit) in [
            (read(0xA0001, 1), false),
            (read(0xA0002, 1), true),
            (write(0xA0003, 1), true),
            (read(0xA0004, 1), false),
            (read(0xA0001, 2), true),
            (read(0xA0000, 2), false),
            (write(0xA0000, 4), true),
            (read(0x9FFFF, 64), true),
            (read(0x9FFC2, 64), false),
            (read(0xA0002, 0), false),
        ] {
            assert_eq!(access.meets(&two), hit, "{access:x?}");
        }
    }

    #[test]
    fn low_address_bits_do_not_count() {
        let odd = Breakpoint::write(0xA0003, Length::Four);
        assert!(write(0xA0000, 1).meets(&odd));
        assert!(!write(0xA0004, 4).meets(&odd));
    }

    #[test]
    fn conditions() {
        let at = 0x3F8;
        let io = Access::Io { port: 0x3F8, bytes: 1 };
        let fetch = Access::Fetch { address: at };
        let all = [fetch, read(at, 1), write(at, 1), io];
        let met = |breakpoint: Breakpoint| all.map(|access| access.meets(&breakpoint));
        assert_eq!(met(Breakpoint::execute(at)), [true, false, false, false]);
        assert_eq!(met(Breakpoint::write(at, Length::One)), [false, false, true, false]);
        assert_eq!(met(Breakpoint::read_write(at, Length::One)), [false, true, true, false]);
        assert_eq!(met(Breakpoint::io(0x3F8, Length::One)), [false, false, false, true]);
    }

    // The address of an instruction breakpoint is that of the first byte
    #[test]
    fn an_instruction_is_hit_at_its_first_byte() {
        assert!(!Access::Fetch { address: 0xFFF }.meets(&Breakpoint::execute(0x1000)));
        assert!(!Access::Fetch { address: 0x1001 }.meets(&Breakpoint::execute(0x1000)));
    }

    #[test]
    fn addresses_wrap() {
        let last = Breakpoint::write(0xFFFF_FFFF_FFFF_FFF8, Length::Eight);
        let first = Breakpoint::write(0, Length::One);
        let across = write(0xFFFF_FFFF_FFFF_FFFF, 2);
        assert!(across.meets(&last) && across.meets(&first));
        assert!(!write(0xFFFF_FFFF_FFFF_FFF7, 1).meets(&last));
    }
}
