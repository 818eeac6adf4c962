//! Stage monitor: whether a monitor is on, by freeze, process, level and instruction set.

use super::config::IsmOrder;
use super::register::{ism, level, plm};
use super::state::{Counter, Ear, State};
use lwp_regs::itanium::{Ism, Monitor, Pmc0, Psr};

/// What the monitors of a cycle go by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    pub(super) pmc0: Pmc0,
    pub(super) psr: Psr,
    pub(super) order: IsmOrder,
}

impl Conditions {
    /// Whether the monitor is on that has `ism` in these two bits.
    #[inline]
    fn is_on(&self, monitor: Monitor, bits: u8) -> bool {
        Monitor { ism: self.ism(bits), ..monitor }.enabled(self.pmc0, self.psr)
    }

    /// The instruction sets of two bits of a register, as the strap orders them.
    #[inline]
    fn ism(&self, bits: u8) -> Ism {
        match self.order {
            IsmOrder::Field => ism(bits),
            IsmOrder::Printed => ism(ism(bits).in_printed_order()),
        }
    }

    /// Whether the monitor of a counter is on.
    #[inline]
    pub(super) fn counts(&self, counter: &Counter) -> bool {
        let monitor = Monitor { plm: plm(counter.plm), pm: level(counter.pm), ism: Ism::Both };
        self.is_on(monitor, counter.ism)
    }

    /// Whether the monitors of PMC\[10\], PMC\[11\] and PMC\[12\] are on.
    #[inline]
    pub(super) fn ear(&self, state: &State) -> Ear {
        let State { pmc10, pmc11, pmc12, .. } = state;
        Ear {
            iear_on: self.is_on(pmc10.register().monitor(), pmc10.ism),
            dear_on: self.is_on(pmc11.register().monitor(), pmc11.ism),
            btb_on: pmc12.register().monitor().enabled(self.pmc0, self.psr),
        }
    }
}
