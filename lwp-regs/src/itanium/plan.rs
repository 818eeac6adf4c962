//! Which processes are monitored, and how deep into the system.

use super::{Dcr, Ism, Monitor, MonitorLevel, Plm, Psr};

/// How many processes are monitored: which of the three figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Scope {
    /// One process; Figure 6-6.
    SingleProcess,
    /// Some processes; Figure 6-7.
    MultipleProcesses,
    /// All of them; Figure 6-8.
    SystemWide,
}

/// How deep into the system they are monitored: which panel of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Depth {
    /// User level, at privilege level 3; panel (a).
    User,
    /// User and kernel level, at levels 3 and 0; panel (b).
    UserAndKernel,
    /// User, kernel and interrupt level; panel (c).
    WithInterrupts,
}

/// The settings of one of the nine panels: what goes into PMC\[i\], DCR and the PSR of each process. Ordinary
/// context-switch code, which saves and restores the PSR, then switches monitoring with the process.
///
/// Figure 6-8 prints pm = 1 in panel (a), but its captions have PSR.pp once and PSR.up twice, as those of the other
/// figures, which have pm = 0 there; this follows the captions. It prints no DCR.pp in panels (a) and (b); 0 here, as
/// in the other figures.
///
/// Source: Intel Itanium Processor Reference Manual for Software Development, "Privilege Level Constraints", Figures
/// 6-6, 6-7 and 6-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MonitorPlan {
    scope: Scope,
    depth: Depth,
}

impl MonitorPlan {
    /// The panel of `depth` in the figure of `scope`.
    #[must_use]
    #[inline]
    pub const fn new(scope: Scope, depth: Depth) -> Self {
        Self { scope, depth }
    }

    /// PMC\[i\].plm.
    #[must_use]
    #[inline]
    pub const fn plm(self) -> Plm {
        match self.depth {
            Depth::User => Plm::USER,
            Depth::UserAndKernel | Depth::WithInterrupts => Plm::USER_AND_KERNEL,
        }
    }

    /// PMC\[i\].pm.
    #[must_use]
    #[inline]
    pub const fn pm(self) -> MonitorLevel {
        match self.depth {
            Depth::User | Depth::UserAndKernel => MonitorLevel::User,
            Depth::WithInterrupts => MonitorLevel::System,
        }
    }

    /// `plm`, `pm` and, from the caller, `ism` of PMC\[i\].
    #[must_use]
    #[inline]
    pub const fn monitor(self, ism: Ism) -> Monitor {
        Monitor { plm: self.plm(), pm: self.pm(), ism }
    }

    /// `dcr` with `pp` as the plan has it.
    #[must_use]
    #[inline]
    pub const fn dcr(self, dcr: Dcr) -> Dcr {
        dcr.with_pp(matches!(self.depth, Depth::WithInterrupts))
    }

    /// `psr` of a process, with `up` or `pp` as the plan has it. `chosen` tells whether the process is one of those to
    /// be monitored; system-wide they all are.
    #[must_use]
    #[inline]
    pub const fn psr(self, psr: Psr, chosen: bool) -> Psr {
        let monitored = chosen || matches!(self.scope, Scope::SystemWide);
        match self.pm() {
            MonitorLevel::User => psr.with_up(monitored),
            MonitorLevel::System => psr.with_pp(monitored),
        }
    }
}
