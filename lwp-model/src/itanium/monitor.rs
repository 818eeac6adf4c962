//! Stage monitor: whether a monitor is on, by freeze, process, level and instruction set.

use super::config::IsmOrder;
use super::register::{is_system, ism, ism_bits, level, plm};
use super::state::{Counter, Pmc10, Pmc11, Pmc12};
use lwp_regs::bits::U2;
use lwp_regs::itanium::{Ism, Monitor, Pmc0, Psr};

/// What all monitors go by in a cycle: bits 1:0 are PSR.cpl, bit 2 is PSR.is, bit 3 PSR.up, bit 4 PSR.pp, bit 5 PMC\[0\].fr.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Case(u8);

impl Case {
    const ALL: u8 = 64;

    #[inline]
    pub(super) const fn of(psr: Psr, fr: bool) -> Self {
        Self((fr as u8) << 5 | psr.cpl().get() | (psr.is() as u8) << 2 | (psr.up() as u8) << 3 | (psr.pp() as u8) << 4)
    }

    const fn psr(self) -> Psr {
        let Self(case) = self;
        Psr::new()
            .with_cpl(U2::masked(case))
            .with_is(case >> 2 & 1 == 1)
            .with_up(case >> 3 & 1 == 1)
            .with_pp(case >> 4 & 1 == 1)
    }

    const fn pmc0(self) -> Pmc0 {
        Pmc0::new().with_fr(self.0 >> 5 & 1 == 1)
    }
}

/// The cases in which a monitor is on: bit n is case n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct On(u64);

/// The cases of each monitor: bits 3:0 of an index are `plm`, bit 4 is `pm`, bits 6:5 are `ism`.
static ON: [On; 128] = {
    let (mut all, mut index) = ([On(0); 128], 0);
    while index < 128 {
        let (pm, ism) = (level(index >> 4 & 1 == 1), ism(index as u8 >> 5));
        all[index] = On::cases(Monitor { plm: plm(index as u8 & 0xF), pm, ism });
        index += 1;
    }
    all
};

impl On {
    pub(super) const NEVER: Self = Self(0);

    /// When this monitor is on, or that one.
    pub(super) const fn or(self, Self(other): Self) -> Self {
        Self(self.0 | other)
    }

    /// Asks the rule in every case.
    const fn cases(monitor: Monitor) -> Self {
        let (mut on, mut case) = (0, 0);
        while case < Case::ALL {
            on |= (monitor.enabled(Case(case).pmc0(), Case(case).psr()) as u64) << case;
            case += 1;
        }
        Self(on)
    }

    #[inline]
    fn of(Monitor { plm, pm, ism }: Monitor) -> Self {
        ON[usize::from(plm.bits() & 0xF | u8::from(is_system(pm)) << 4 | ism_bits(ism) << 5)]
    }

    /// The cases of a monitor that has `ism` in these two bits.
    #[inline]
    fn with_ism(monitor: Monitor, bits: u8, order: IsmOrder) -> Self {
        let ism = match order {
            IsmOrder::Field => ism(bits),
            IsmOrder::Printed => ism(ism(bits).in_printed_order()),
        };
        Self::of(Monitor { ism, ..monitor })
    }

    /// Whether the monitor is on.
    #[inline]
    pub(super) const fn at(self, Case(case): Case) -> bool {
        self.0 >> (case & 63) & 1 == 1
    }
}

impl Counter {
    /// When the counter counts.
    #[inline]
    pub(super) fn on(&self, order: IsmOrder) -> On {
        On::with_ism(Monitor { plm: plm(self.plm), pm: level(self.pm), ism: Ism::Both }, self.ism, order)
    }
}

impl Pmc10 {
    /// When the instruction event address registers may capture.
    #[inline]
    pub(super) fn on(&self, order: IsmOrder) -> On {
        On::with_ism(self.register().monitor(), self.ism, order)
    }
}

impl Pmc11 {
    /// When the data event address registers may capture.
    #[inline]
    pub(super) fn on(&self, order: IsmOrder) -> On {
        On::with_ism(self.register().monitor(), self.ism, order)
    }
}

impl Pmc12 {
    /// When the branch trace buffer may record.
    #[inline]
    pub(super) fn on(&self) -> On {
        On::of(self.register().monitor())
    }
}
