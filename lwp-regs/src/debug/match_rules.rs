//! The match rule of a processor in a mode, where the manual leaves a choice.

use super::{Access, Breakpoint, BreakpointSet, Condition, Length, Slot, Slots};

/// How a processor compares in its present mode.
///
/// [`Access::meets`] and [`BreakpointSet::conditions`] are [`MatchRules::WIDE`]. The other values are for models of a certain
/// processor.
///
/// Source: Intel SDM volume 3B, "Debug Control Register (DR7)", "Breakpoint Field Recognition" and "Debug Registers and
/// Intel 64 Processors".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MatchRules {
    /// Linear addresses have 64 bits, as in 64-bit mode; otherwise 32, and they continue at 0 behind FFFF_FFFFH.
    pub wide: bool,
    /// An [`Execute`](Condition::Execute) breakpoint of another length than one byte, which is undefined, is never met;
    /// otherwise its length is not looked at.
    pub exec_length: bool,
    /// [`Io`](Condition::Io) waits for I/O; otherwise it is never met, as on processors on which it needs CR4.DE.
    pub io: bool,
}

impl MatchRules {
    /// 64-bit mode; the length of an instruction breakpoint is not looked at; R/W 10 is I/O.
    pub const WIDE: Self = Self { wide: true, exec_length: false, io: true };

    /// Whether `access` meets the condition of `breakpoint`, be it on or off.
    ///
    /// Without [`wide`](Self::wide) bits 63:32 of an access to memory are taken as 0, while all 64 bits of the breakpoint's
    /// address are compared: one above 4 GB, set in 64-bit mode, is not met.
    #[must_use]
    #[inline]
    pub const fn met(&self, breakpoint: &Breakpoint, access: Access) -> bool {
        let addresses = if self.wide { u64::MAX } else { u32::MAX as u64 };
        let (address, bytes) = match (breakpoint.condition, access) {
            (Condition::Execute, Access::Fetch { address }) => {
                let length = !self.exec_length || matches!(breakpoint.length, Length::One);
                return length && address & addresses == breakpoint.address;
            }
            (Condition::Write | Condition::ReadWrite, Access::Write { address, bytes })
            | (Condition::ReadWrite, Access::Read { address, bytes })
                if breakpoint.address & !addresses == 0 =>
            {
                (address, bytes)
            }
            // Ports do not wrap: the difference of a port and an address has all 64 bits.
            (Condition::Io, Access::Io { port, bytes }) if self.io => {
                return overlap(u64::MAX, breakpoint, port as u64, bytes as u64);
            }
            _ => return false,
        };
        overlap(addresses, breakpoint, address, bytes as u64)
    }
}

/// Whether the breakpoint's range and that of an access, each shorter than half of all addresses, have a byte in common.
#[inline]
const fn overlap(addresses: u64, breakpoint: &Breakpoint, access: u64, bytes: u64) -> bool {
    // Either range begins inside the other; differences wrap as addresses do.
    let first = breakpoint.first_byte();
    let into_breakpoint = access.wrapping_sub(first) & addresses;
    let into_access = first.wrapping_sub(access) & addresses;
    bytes != 0 && (into_breakpoint < breakpoint.length.bytes() || into_access < bytes)
}

impl BreakpointSet {
    /// The breakpoints whose condition `access` meets by these rules, be they on or off.
    #[must_use]
    #[inline]
    pub const fn conditions_by(&self, rules: &MatchRules, access: Access) -> Slots {
        let mut met = Slots::empty();
        let mut n = 0;
        while n < Slot::COUNT {
            if rules.met(&self.get(Slot::ALL[n]), access) {
                met = met.union(Slot::ALL[n].set());
            }
            n += 1;
        }
        met
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::Enable;

    const NARROW: MatchRules = MatchRules { wide: false, ..MatchRules::WIDE };

    const fn write(address: u64, bytes: u32) -> Access {
        Access::Write { address, bytes }
    }

    // DBG-07, DBG-29: in 32-bit modes an access has 32 bits and wraps, the register is compared as a whole
    #[test]
    fn narrow_addresses() {
        let first = Breakpoint::write(0, Length::One);
        let across = write(0xFFFF_FFFF, 2);
        assert!(NARROW.met(&first, across) && !MatchRules::WIDE.met(&first, across));
        assert!(NARROW.met(&Breakpoint::write(0xFFFF_FFF8, Length::Eight), across));
        let at = Breakpoint::write(0x1000, Length::Four);
        assert!(NARROW.met(&at, write(0xFFFF_8000_0000_1003, 1)), "bits 63:32 of the access");
        assert!(!NARROW.met(&Breakpoint::write(0x1_0000_1000, Length::Four), write(0x1000, 4)), "of the register");
        assert!(NARROW.met(&Breakpoint::execute(0x1000), Access::Fetch { address: 0x5_0000_1000 }));
        assert!(!NARROW.met(&Breakpoint::execute(0x1_0000_1000), Access::Fetch { address: 0x1_0000_1000 }));
    }

    // DBG-28: another length of an instruction breakpoint is undefined
    #[test]
    fn length_of_an_instruction_breakpoint() {
        let at = Access::Fetch { address: 0x1000 };
        let strict = MatchRules { exec_length: true, ..MatchRules::WIDE };
        for length in [Length::One, Length::Two, Length::Four, Length::Eight] {
            let breakpoint = Breakpoint { length, ..Breakpoint::execute(0x1000) };
            assert!(MatchRules::WIDE.met(&breakpoint, at), "{length:?}");
            assert_eq!(strict.met(&breakpoint, at), length == Length::One, "{length:?}");
        }
    }

    // DBG-26: R/W 10 while CR4.DE is 0; ports do not wrap, in no mode
    #[test]
    fn ports() {
        let com1 = Breakpoint::io(0x3F8, Length::Four);
        let at = Access::Io { port: 0x3FB, bytes: 1 };
        for wide in [false, true] {
            assert!(MatchRules { wide, ..MatchRules::WIDE }.met(&com1, at));
            assert!(!MatchRules { wide, io: false, ..MatchRules::WIDE }.met(&com1, at));
            let rules = MatchRules { wide, ..MatchRules::WIDE };
            assert!(!rules.met(&Breakpoint::io(0, Length::One), Access::Io { port: 0xFFFF, bytes: 4 }));
            let above = Breakpoint { address: 0x1_0000_03F8, ..com1 };
            assert!(!rules.met(&above, at), "all bits of the register");
        }
    }

    // DBG-12: several may be met by one access, on or off
    #[test]
    fn a_set() {
        let mut set = BreakpointSet::new();
        set.set_unchecked(Slot::Dr0, Breakpoint::write(0x1000, Length::Four));
        set.set_unchecked(
            Slot::Dr2,
            Breakpoint { enable: Enable::empty(), ..Breakpoint::read_write(0x1002, Length::One) },
        );
        assert_eq!(set.conditions_by(&NARROW, write(0x1002, 2)), Slots::DR0 | Slots::DR2);
        assert_eq!(set.conditions_by(&NARROW, write(0x1003, 1)), Slots::DR0);
    }
}
