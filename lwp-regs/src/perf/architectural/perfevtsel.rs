//! IA32_PERFEVTSELx: what a general-purpose counter counts.

use super::CounterCaps;
use crate::access::GeneralProtection;
use crate::msr::msr_value;
use crate::perf::{Condition, InvertedZero};
use crate::refused::{Refused, Rule};

layout! {
    /// `IA32_PERFEVTSELx`: event, filter and enable of a general-purpose counter. The same layout on all
    /// microarchitectures. Reset value 0.
    ///
    /// A logical processor has one for each counter. The counter counts while `enable` is set and, from version 2 on, its
    /// bit of `IA32_PERF_GLOBAL_CTRL` is as well; `enable` of another counter does not matter, unlike on the P6 family.
    ///
    /// Source: Intel SDM volume 3B, "Architectural Performance Monitoring Version 1", figure "Layout of `IA32_PERFEVTSELx`
    /// MSRs"; bit 21: ibid., "Version 3"; bits 33:32: ibid., "Intel TSX", and Linux `perf_event.h`. Bits that later versions
    /// add above are reserved here.
    #[doc(alias = "0x186")]
    #[doc(alias = "IA32_PERFEVTSEL0")]
    #[doc(alias = "IA32_PERFEVTSELx")]
    pub struct Ia32PerfEvtSel: u64, Fault {
        /// Event select: the unit that detects a condition.
        #[inline]
        pub event: u8,
        /// Unit mask: which condition the unit detects.
        #[inline]
        pub umask: u8,
        /// Count at privilege levels 1, 2 and 3.
        #[inline]
        pub user: bool,
        /// Count at privilege level 0.
        #[inline]
        pub os: bool,
        /// Edge detect: count how often the condition becomes true instead of how long it is.
        #[inline]
        pub edge: bool,
        /// Pin control: toggle the PMi pin on events instead of on overflow. Reserved since Sandy Bridge, by later revisions of
        /// the manual; CPUID does not tell.
        #[inline]
        pub pin_control: bool,
        /// Interrupt through the local APIC on overflow.
        #[inline]
        pub interrupt: bool,
        /// Count for every logical processor of the core. Version 3; deprecated in version 5.
        #[inline]
        pub any_thread: bool,
        /// Count.
        #[inline]
        pub enable: bool,
        /// Invert the comparison with `cmask`: less than instead of at least. Ignored while `cmask` is 0.
        #[inline]
        pub invert: bool,
        /// Counter mask: if not 0, count the cycles that have at least so many events, not the events.
        #[inline]
        pub cmask: u8,
        /// Count only inside transactions. Needs TSX.
        #[inline]
        pub in_tx: bool,
        /// Do not count inside transactions that abort. Needs TSX; counter 2 only.
        #[inline]
        pub in_tx_checkpointed: bool,
        #[bits(30)]
        __: u64,
    }
}

msr_value!(Ia32PerfEvtSel, "IA32_PERFEVTSELx", read_write, caps = CounterCaps);

/// When the PMi pin of a counter toggles: is asserted for one bus clock and deasserted again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum PinToggle {
    /// When the event occurs.
    Event,
    /// When the counter overflows.
    Overflow,
}

const NAME: &str = "IA32_PERFEVTSELx";

impl Ia32PerfEvtSel {
    /// Number of `IA32_PERFEVTSEL0`; the others follow.
    pub const FIRST: u32 = 0x186;
    /// Counts nothing.
    pub const RESET: Self = Self::new();

    const ANY_THREAD: u64 = Self::new().with_any_thread(true).into_bits();
    const IN_TX: u64 = Self::new().with_in_tx(true).into_bits();
    const IN_TXCP: u64 = Self::new().with_in_tx_checkpointed(true).into_bits();

    /// What a WRMSR of `new` does: the register's new content. The old content does not matter to this register.
    ///
    /// # Errors
    ///
    /// [`GeneralProtection::Refused`] with the offending bits, when a bit is set that is reserved, or that this
    /// processor or this counter lacks.
    #[inline]
    pub const fn check_write(_old: Self, new: u64, caps: &CounterCaps) -> Result<Self, GeneralProtection> {
        match Self::refuse(new, caps) {
            Some(refused) => Err(GeneralProtection::Refused(refused)),
            None => Ok(Self::from_bits(new)),
        }
    }

    /// Why the counter does not take `bits`, if it does not.
    #[must_use]
    #[inline]
    pub const fn refuse(bits: u64, caps: &CounterCaps) -> Option<Refused> {
        if let Some(refused) = when(bits & Self::RESERVED, Rule::MustBeZero) {
            return Some(refused);
        }
        if !caps.perfmon.has_any_thread()
            && let Some(refused) = when(bits & Self::ANY_THREAD, Rule::NotAvailable("AnyThread (version 3)"))
        {
            return Some(refused);
        }
        if !caps.perfmon.tsx
            && let Some(refused) = when(bits & (Self::IN_TX | Self::IN_TXCP), Rule::NotAvailable("TSX"))
        {
            return Some(refused);
        }
        if caps.counter.number() != 2 {
            return when(bits & Self::IN_TXCP, Rule::Forbidden("IN_TXCP exists in counter 2 only"));
        }
        None
    }

    /// Whether code at this privilege level (CPL, 0 to 3) is counted.
    #[must_use]
    #[inline]
    pub const fn counts_at(self, cpl: u8) -> bool {
        if cpl == 0 { self.os() } else { self.user() }
    }

    /// Whether the condition holds in a cycle with `events` events.
    #[must_use]
    #[inline]
    pub const fn holds(self, events: u64) -> bool {
        match self.cmask() {
            0 => events > 0,
            cmask => (events >= cmask as u64) != self.invert(),
        }
    }

    /// By how much the counter grows in a cycle with `events` events, after a cycle with `before` events.
    ///
    /// With `edge` it grows by one when the condition holds that did not hold before; that it holds anew without having
    /// ceased in between cannot be seen.
    #[must_use]
    #[inline]
    pub const fn increment(self, before: u64, events: u64) -> u64 {
        if self.edge() {
            (self.holds(events) && !self.holds(before)) as u64
        } else if self.cmask() == 0 {
            events
        } else {
            self.holds(events) as u64
        }
    }

    /// What threshold, inversion and edge detection make of the events of a cycle.
    #[must_use]
    #[inline]
    pub const fn condition(self) -> Condition {
        Condition {
            threshold: self.cmask(),
            inverted: self.invert(),
            inverted_zero: InvertedZero::Ignored,
            edges: self.edge(),
        }
    }

    /// What makes the PMi pin toggle.
    #[must_use]
    #[inline]
    pub const fn pin(self) -> PinToggle {
        if self.pin_control() { PinToggle::Event } else { PinToggle::Overflow }
    }
}

#[inline]
const fn when(bits: u64, rule: Rule) -> Option<Refused> {
    if bits == 0 { None } else { Some(Refused::new(NAME, bits, rule)) }
}

#[cfg(test)]
#[path = "perfevtsel_tests.rs"]
mod tests;
