//! Stage compare: an address or access against the four breakpoints.

use super::config::Config;
use super::inputs::Inputs;
use super::state::{Held, Registers};
use crate::retire::{Access as Shown, Io, OpMode};
use lwp_regs::debug::{Access, BreakpointSet, Dr7, MatchRules, Slots};

/// The four breakpoints in a cycle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Comparator {
    set: BreakpointSet,
    rules: MatchRules,
    /// Breakpoints that are on.
    on: Slots,
    /// Breakpoints whose condition is reported: those that are on, or all.
    reported: Slots,
}

/// Whether addresses have 64 bits.
#[inline]
pub(super) fn is_wide<const LANES: usize>(inputs: &Inputs<LANES>, straps: &Config) -> bool {
    straps.long_mode && inputs.mode.op_mode == OpMode::Long64
}

impl Held {
    /// The conditions of both.
    #[inline]
    pub(super) const fn or(self, other: Self) -> Self {
        Self { hit: self.hit.union(other.hit), off: self.off.union(other.off) }
    }

    /// What is reported.
    #[inline]
    pub(super) const fn all(self) -> Slots {
        self.hit.union(self.off)
    }
}

impl Comparator {
    #[inline]
    pub(super) fn new<const LANES: usize>(registers: &Registers, inputs: &Inputs<LANES>, straps: &Config) -> Self {
        let control = Dr7::from(registers.dr7);
        let on = control.enabled();
        Self {
            set: BreakpointSet { addresses: registers.address, control },
            rules: MatchRules {
                wide: is_wide(inputs, straps),
                exec_length: straps.exec_length,
                io: inputs.de || !straps.io_gate,
            },
            on,
            reported: if straps.status_off { Slots::all() } else { on },
        }
    }

    /// The instruction at `address`.
    #[inline]
    pub(super) fn fetch(&self, address: u64) -> Held {
        self.meet(Access::Fetch { address })
    }

    /// An access to data.
    #[inline]
    pub(super) fn data(&self, shown: &Shown) -> Held {
        let (address, bytes) = (shown.addr, shown.bytes().into());
        if shown.write {
            self.meet(Access::Write { address, bytes })
        } else if shown.read {
            self.meet(Access::Read { address, bytes })
        } else {
            Held::default()
        }
    }

    /// An access to ports.
    #[inline]
    pub(super) fn io(&self, io: &Io) -> Held {
        self.meet(Access::Io { port: io.port, bytes: io.ports().into() })
    }

    #[inline]
    fn meet(&self, access: Access) -> Held {
        if self.reported.is_empty() {
            return Held::default();
        }
        let met = self.set.conditions_by(&self.rules, access).intersection(self.reported);
        Held { hit: met.intersection(self.on), off: met.difference(self.on) }
    }
}
