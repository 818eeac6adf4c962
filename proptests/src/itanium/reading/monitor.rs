//! When a monitor monitors: freeze, privilege level, process and instruction set.
//!
//! Sources: sections 6.1.3, 6.1.3.2 and 6.1.3.3; the architecture manual, volume 2, section 7.2.1 (Generic Monitor Enable).

use super::registers::Status;
use super::truth::{Bits, Truth, YES, and, not};
use lwp_model::itanium::{Config, IsmOrder};

/// The mode of a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    pub(super) cpl: u8,
    pub(super) psr_is: bool,
    pub(super) status: Status,
    pub(super) frozen: Truth,
}

/// What each of the qualifiers of a monitor says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Enable {
    pub(super) running: Truth,
    pub(super) level: Truth,
    pub(super) process: Truth,
    pub(super) set: Truth,
}

impl Enable {
    /// Returns the qualifiers of a monitor that has plm, pm and ism.
    pub(super) fn of(pmc: Bits, mode: &Mode, straps: &Config) -> Self {
        let Status { up, pp, .. } = mode.status;
        let process = match pmc.bit(6) {
            YES => Some(pp),
            Some(false) => Some(up),
            None if up == pp => Some(up),
            None => None,
        };
        let level = pmc.bit(u32::from(mode.cpl));
        Self { running: not(mode.frozen), level, process, set: not(pmc.bit(left_out(mode.psr_is, straps))) }
    }

    /// Returns the qualifiers of the branch trace buffer, which supports IA-64 only.
    pub(super) fn of_branches(pmc: Bits, mode: &Mode, straps: &Config) -> Self {
        Self { set: Some(!mode.psr_is), ..Self::of(pmc, mode, straps) }
    }

    /// Returns whether all of them are met.
    pub(super) fn all(self) -> Truth {
        and(and(self.running, self.level), and(self.process, self.set))
    }
}

/// Returns the bit of a PMC that leaves out the instruction set that runs.
const fn left_out(ia32: bool, straps: &Config) -> u32 {
    match straps.ism_order {
        IsmOrder::Field => 24 + ia32 as u32,
        IsmOrder::Printed => 25 - ia32 as u32,
    }
}
