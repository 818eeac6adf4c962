//! The four breakpoints together.
#![allow(unsafe_code)] // arms breakpoints; the caller vouches for the handler

use super::{Access, Breakpoint, BreakpointAddress, BreakpointLimits, Dr6, Dr7, MatchRules, Slot, Slots};
use crate::access::DebugBus;
use crate::refused::Refused;

/// The four breakpoints as the registers hold them: DR0 to DR3 and DR7.
///
/// [`set`](Self::set) refuses what the manual calls undefined. A set that was read from the processor may hold such
/// things all the same; they stay as they are.
///
/// ```
/// use lwp_regs::debug::{Breakpoint, BreakpointLimits, BreakpointSet, DebugCaps, Dr6, Length, Slot, Slots};
///
/// let limits = BreakpointLimits::new(&DebugCaps::INTEL_64, 0);
/// let set = BreakpointSet::new()
///     .with(Slot::Dr0, Breakpoint::execute(0x40_1136), &limits)?
///     .with(Slot::Dr1, Breakpoint::write(0x40_4028, Length::Eight).local(), &limits)?;
/// assert_eq!(set.control.into_bits(), 0x0090_0706);
///
/// let status = Dr6::from_bits(0xFFFF_0FF6);
/// assert_eq!(set.hits(status), Slots::DR1, "breakpoint 2 is not on");
/// # Ok::<(), lwp_regs::Refused>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BreakpointSet {
    /// DR0 to DR3.
    pub addresses: [BreakpointAddress; Slot::COUNT],
    /// DR7.
    pub control: Dr7,
}

impl BreakpointSet {
    /// No breakpoint. LE and GE are set, as the manual asks of software.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        let control = const { Dr7::new().with_le(true).with_ge(true) };
        Self { addresses: [BreakpointAddress::new(); Slot::COUNT], control }
    }

    /// The breakpoint in `slot`.
    #[must_use]
    #[inline]
    pub const fn get(&self, slot: Slot) -> Breakpoint {
        Breakpoint {
            address: self.addresses[slot.number()].address(),
            length: self.control.length(slot),
            condition: self.control.condition(slot),
            enable: self.control.enable(slot),
        }
    }

    /// Puts a breakpoint into `slot`, in place of what is there.
    ///
    /// # Errors
    ///
    /// [`Refused`] where the breakpoint would be undefined or could never be hit; the set keeps what it has.
    #[inline]
    pub const fn set(&mut self, slot: Slot, breakpoint: Breakpoint, limits: &BreakpointLimits) -> Result<(), Refused> {
        if let Err(refused) = breakpoint.check(slot, limits) {
            return Err(refused);
        }
        self.set_unchecked(slot, breakpoint);
        Ok(())
    }

    /// The set with a breakpoint in `slot`; as [`set`](Self::set).
    ///
    /// # Errors
    ///
    /// As for [`set`](Self::set).
    #[inline]
    pub const fn with(
        mut self,
        slot: Slot,
        breakpoint: Breakpoint,
        limits: &BreakpointLimits,
    ) -> Result<Self, Refused> {
        match self.set(slot, breakpoint, limits) {
            Ok(()) => Ok(self),
            Err(refused) => Err(refused),
        }
    }

    /// Puts any breakpoint into `slot`, undefined ones too: for models and for tests of processors.
    #[inline]
    pub const fn set_unchecked(&mut self, slot: Slot, breakpoint: Breakpoint) {
        self.addresses[slot.number()] = BreakpointAddress::new().with_address(breakpoint.address);
        self.control =
            self.control.with_kind(slot, breakpoint.condition, breakpoint.length).with_enable(slot, breakpoint.enable);
    }

    /// Empties `slot`.
    #[inline]
    pub const fn remove(&mut self, slot: Slot) {
        self.set_unchecked(slot, Breakpoint::OFF);
    }

    /// The first slot whose breakpoint is off.
    #[must_use]
    pub fn free(&self) -> Option<Slot> {
        (!self.control.enabled()).slots().next()
    }

    /// Which breakpoints DR6 reports. Conditions of breakpoints that are off are left out: B0 to B3 may be set for
    /// them, too, and mean nothing then.
    ///
    /// Source: Intel SDM volume 3B, "Debug Status Register (DR6)".
    #[must_use]
    #[inline]
    pub const fn hits(&self, status: Dr6) -> Slots {
        status.conditions().intersection(self.control.enabled())
    }

    /// The breakpoints whose condition `access` meets, be they on or off.
    #[must_use]
    #[inline]
    pub const fn conditions(&self, access: Access) -> Slots {
        self.conditions_by(&MatchRules::WIDE, access)
    }

    /// The breakpoints that `access` hits: its condition is met and it is on. After the access, and if the set is not
    /// empty, this is what [`hits`](Self::hits) yields.
    #[must_use]
    #[inline]
    pub const fn hit_by(&self, access: Access) -> Slots {
        self.conditions(access).intersection(self.control.enabled())
    }

    /// Reads the five registers.
    ///
    /// # Errors
    ///
    /// The fault that one of the accesses raised.
    pub fn read<B: DebugBus>(bus: &mut B) -> Result<Self, B::Fault> {
        let mut set = Self { control: Dr7::read(bus)?, ..Self::new() };
        for slot in Slot::ALL {
            set.addresses[slot.number()] = slot.register().read(bus)?;
        }
        Ok(set)
    }

    /// Loads the five registers: first every breakpoint goes off, so that none is on at an address of the other set;
    /// then come the addresses, an empty status, and DR7.
    ///
    /// # Safety
    ///
    /// There is a #DB handler that expects these breakpoints.
    ///
    /// # Errors
    ///
    /// The fault that one of the accesses raised. No breakpoint of this set is on then.
    pub unsafe fn arm<B: DebugBus>(&self, bus: &mut B) -> Result<(), B::Fault> {
        Dr7::disarm(bus)?;
        for slot in Slot::ALL {
            // SAFETY: no breakpoint is on, so none is moved.
            unsafe { slot.register().write(bus, self.addresses[slot.number()]) }?;
        }
        Dr6::clear(bus)?;
        // SAFETY: the caller vouches for the handler.
        unsafe { Dr7::DR.write(bus, self.control) }
    }
}

impl Default for BreakpointSet {
    fn default() -> Self {
        Self::new()
    }
}

/// The breakpoints, B0 to B3, that `access` hits while DR0 to DR3 and DR7 have these contents.
/// [`BreakpointSet::hit_by`] for who has the registers only.
#[must_use]
#[inline]
pub const fn hit_mask(control: Dr7, addresses: [u64; Slot::COUNT], access: Access) -> Slots {
    let [a0, a1, a2, a3] = addresses;
    let addresses = [
        BreakpointAddress::from_bits(a0),
        BreakpointAddress::from_bits(a1),
        BreakpointAddress::from_bits(a2),
        BreakpointAddress::from_bits(a3),
    ];
    BreakpointSet { addresses, control }.hit_by(access)
}

#[cfg(test)]
#[path = "set_tests.rs"]
mod tests;
