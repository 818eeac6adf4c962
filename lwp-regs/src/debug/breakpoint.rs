//! One breakpoint.

use super::{BreakpointLimits, Condition, Dr7, Enable, Length, Slot};
use crate::refused::{Refused, Rule};

/// One breakpoint: where, how long, on what, and for whom.
///
/// The type can say everything that the registers can, undefined combinations included; [`check`](Self::check) tells
/// whether the processor gives it a meaning.
///
/// Source: Intel SDM volume 3B, "Debug Control Register (DR7)" and "Breakpoint Field Recognition".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Breakpoint {
    /// The linear address, or the port of an I/O breakpoint. A multiple of the length.
    pub address: u64,
    /// How many bytes it covers.
    pub length: Length,
    /// The operation that it waits for.
    pub condition: Condition,
    /// For whom it is on.
    pub enable: Enable,
}

impl Breakpoint {
    /// What stands in an empty slot.
    pub const OFF: Self = Self::new(Condition::Execute, 0, Length::One, Enable::empty());

    /// Stops before the instruction at `address` (its first byte, prefixes included) is executed, in any task.
    #[must_use]
    #[inline]
    pub const fn execute(address: u64) -> Self {
        Self::new(Condition::Execute, address, Length::One, Enable::GLOBAL)
    }

    /// Stops after data at `address` were written, in any task.
    #[must_use]
    #[inline]
    pub const fn write(address: u64, length: Length) -> Self {
        Self::new(Condition::Write, address, length, Enable::GLOBAL)
    }

    /// Stops after data at `address` were read or written, in any task.
    #[must_use]
    #[inline]
    pub const fn read_write(address: u64, length: Length) -> Self {
        Self::new(Condition::ReadWrite, address, length, Enable::GLOBAL)
    }

    /// Stops after input from or output to `port`, in any task. Needs CR4.DE.
    #[must_use]
    #[inline]
    pub const fn io(port: u16, length: Length) -> Self {
        Self::new(Condition::Io, port as u64, length, Enable::GLOBAL)
    }

    /// The same for the current task only: the next hardware task switch switches it off. Without hardware task
    /// switches it is as good as a global one.
    #[must_use]
    #[inline]
    pub const fn local(self) -> Self {
        self.enabled(Enable::LOCAL)
    }

    /// The same, on for these.
    #[must_use]
    #[inline]
    pub const fn enabled(self, enable: Enable) -> Self {
        Self { enable, ..self }
    }

    /// The same, off.
    #[must_use]
    #[inline]
    pub const fn disabled(self) -> Self {
        self.enabled(Enable::empty())
    }

    /// The first byte that it covers: the processor does not look at the address bits below the length.
    #[must_use]
    #[inline]
    pub const fn first_byte(&self) -> u64 {
        self.address & !(self.length.bytes() - 1)
    }

    /// Whether the processor gives a meaning to this breakpoint in `slot`, and it can ever be hit.
    ///
    /// # Errors
    ///
    /// [`Refused`] with the first rule it breaks:
    /// - I/O needs CR4.DE;
    /// - executing needs length 1, and I/O is at most 4 bytes wide;
    /// - 8 bytes need a 64-bit mode;
    /// - the address is a multiple of the length;
    /// - it exists: canonical, or below 4 GiB in 32-bit modes, or a port below 1\_0000h.
    #[inline]
    pub const fn check(&self, slot: Slot, limits: &BreakpointLimits) -> Result<(), Refused> {
        let condition = Dr7::from_bits(0).with_condition(slot, Condition::ReadWrite).into_bits();
        let length = Dr7::from_bits(0).with_length(slot, Length::Four).into_bits();
        match (self.condition, self.length) {
            (Condition::Io, _) if !limits.io => {
                return Err(Refused::new("DR7", condition, Rule::Forbidden("R/W 10 (I/O) needs CR4.DE")));
            }
            (Condition::Execute, Length::Two | Length::Four | Length::Eight) => {
                return Err(Refused::new("DR7", length, Rule::Forbidden("an instruction breakpoint has LEN 00")));
            }
            (Condition::Io, Length::Eight) => {
                return Err(Refused::new("DR7", length, Rule::Forbidden("I/O is at most 4 bytes wide")));
            }
            (_, Length::Eight) if !limits.eight_bytes => {
                return Err(Refused::new("DR7", length, Rule::NotAvailable("64-bit mode")));
            }
            _ => {}
        }
        let misaligned = self.address & (self.length.bytes() - 1);
        let excess = match self.condition {
            Condition::Io => self.address & !0xFFFF,
            _ => limits.excess(self.address),
        };
        if misaligned != 0 {
            let rule = Rule::Forbidden("the address of a breakpoint is a multiple of its length");
            Err(Refused::new(slot.name(), misaligned, rule))
        } else if excess != 0 {
            Err(Refused::new(slot.name(), excess, Rule::Forbidden("there is no such address in this mode")))
        } else {
            Ok(())
        }
    }

    #[inline]
    const fn new(condition: Condition, address: u64, length: Length, enable: Enable) -> Self {
        Self { address, length, condition, enable }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::debug::DebugCaps;

    const LONG: BreakpointLimits = BreakpointLimits::new(&DebugCaps::INTEL_64, 0x8);
    const NO_DE: BreakpointLimits = BreakpointLimits::new(&DebugCaps::INTEL_64, 0);

    fn refused(breakpoint: Breakpoint, limits: &BreakpointLimits) -> (&'static str, u64) {
        let refused = breakpoint.check(Slot::Dr1, limits).unwrap_err();
        (refused.register, refused.bits)
    }

    // DBG-28: executing with another length than 1 is undefined, and refused
    #[test]
    fn an_instruction_breakpoint_has_length_1() {
        assert_eq!(Breakpoint::execute(0x1000).check(Slot::Dr1, &LONG), Ok(()));
        for length in [Length::Two, Length::Four, Length::Eight] {
            let wide = Breakpoint { length, ..Breakpoint::execute(0x1000) };
            let refused = wide.check(Slot::Dr1, &LONG).unwrap_err();
            assert_eq!(
                refused,
                Refused::new("DR7", 0x00C0_0000, Rule::Forbidden("an instruction breakpoint has LEN 00"))
            );
        }
    }

    // DBG-26: R/W 10 is defined only while CR4.DE is 1
    #[test]
    fn io_needs_de() {
        assert_eq!(Breakpoint::io(0x3F8, Length::One).check(Slot::Dr1, &LONG), Ok(()));
        assert_eq!(refused(Breakpoint::io(0x3F8, Length::One), &NO_DE), ("DR7", 0x0030_0000));
        assert_eq!(Breakpoint::write(0x3F8, Length::One).check(Slot::Dr1, &NO_DE), Ok(()));
    }

    // DBG-06, DBG-27: 1, 2, 4 or 8 bytes, the last not everywhere
    #[test]
    fn lengths() {
        for length in [Length::One, Length::Two, Length::Four, Length::Eight] {
            assert_eq!(Breakpoint::write(0x1000, length).check(Slot::Dr1, &LONG), Ok(()));
        }
        let eight = Breakpoint::read_write(0x1000, Length::Eight);
        assert_eq!(refused(eight, &LONG.in_32_bit_mode()), ("DR7", 0x00C0_0000));
        assert_eq!(refused(Breakpoint::io(0x3F8, Length::Eight), &LONG), ("DR7", 0x00C0_0000));
    }

    // DBG-06, DBG-07: aligned and existing linear addresses
    #[test]
    fn addresses() {
        assert_eq!(refused(Breakpoint::write(0x1002, Length::Four), &LONG), ("DR1", 0x2));
        assert_eq!(refused(Breakpoint::write(0x1007, Length::Eight), &LONG), ("DR1", 0x7));
        assert_eq!(Breakpoint::write(0xFFFF_FFFF_FFFF_FFF8, Length::Eight).check(Slot::Dr1, &LONG), Ok(()));
        assert_eq!(refused(Breakpoint::execute(0x8000_0000_0000_0000), &LONG), ("DR1", 0x8000_0000_0000_0000));
        assert_eq!(refused(Breakpoint::execute(0x1_0000_0000), &LONG.in_32_bit_mode()), ("DR1", 0x1_0000_0000));
        let port = Breakpoint { address: 0x1_0000, ..Breakpoint::io(0, Length::One) };
        assert_eq!(refused(port, &LONG), ("DR1", 0x1_0000));
    }

    #[test]
    fn the_range_is_aligned() {
        assert_eq!(Breakpoint::write(0x1007, Length::Four).first_byte(), 0x1004);
        assert_eq!(Breakpoint::write(0x1007, Length::Eight).first_byte(), 0x1000);
    }
}
