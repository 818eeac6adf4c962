//! What virtual counters need of a processor.

use super::CounterWidth;
use crate::perf::amd::AmdPerfCtl;
use crate::perf::architectural::Ia32PerfEvtSel;
use crate::refused::Refused;
use core::fmt::Debug;

/// What is written to a register that says what a counter counts.
pub trait CounterSelect: Copy + Debug {
    /// Counts nothing.
    const DISABLED: Self;

    /// Whether the counter counts.
    #[must_use]
    fn is_enabled(self) -> bool;

    /// Whether the counter interrupts on overflow.
    #[must_use]
    fn interrupts(self) -> bool;
}

impl CounterSelect for Ia32PerfEvtSel {
    const DISABLED: Self = Self::RESET;

    fn is_enabled(self) -> bool {
        self.enable()
    }

    fn interrupts(self) -> bool {
        self.interrupt()
    }
}

impl CounterSelect for AmdPerfCtl {
    const DISABLED: Self = Self::RESET;

    fn is_enabled(self) -> bool {
        self.enable()
    }

    fn interrupts(self) -> bool {
        self.interrupt()
    }
}

/// The counters of one logical processor.
pub trait CounterHardware {
    /// A counter that exists.
    type Counter: Copy + Debug + PartialEq;
    /// What a counter counts.
    type Select: CounterSelect;
    /// What a failing access yields.
    type Fault;

    /// Whether a counter that overflows can interrupt.
    const INTERRUPTS: bool = true;

    /// Width of the counters.
    fn width(&self) -> CounterWidth;

    /// What to write to a counter for it to overflow after `period` events.
    ///
    /// # Errors
    ///
    /// [`Refused`] when the counter cannot be preset so.
    fn preset(&self, period: u64) -> Result<u64, Refused>;

    /// The time-stamp counter.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn tsc(&mut self) -> Result<u64, Self::Fault>;

    /// The count.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn read(&mut self, counter: Self::Counter) -> Result<u64, Self::Fault>;

    /// Writes a counter, which has to be disabled; use [`program`](Self::program), which sees to that.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn write_counter(&mut self, counter: Self::Counter, value: u64) -> Result<(), Self::Fault>;

    /// Writes what a counter counts.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn write_select(&mut self, counter: Self::Counter, select: Self::Select) -> Result<(), Self::Fault>;

    /// Forgets that a counter has overflowed, where the processor remembers it.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn clear_overflow(&mut self, counter: Self::Counter) -> Result<(), Self::Fault>;

    /// Disables a counter.
    ///
    /// # Errors
    ///
    /// The fault that the access raised.
    fn disable(&mut self, counter: Self::Counter) -> Result<(), Self::Fault> {
        self.write_select(counter, Self::Select::DISABLED)
    }

    /// Has a counter count `select` from `value` on: disables it, presets it, then enables it as `select` says.
    ///
    /// # Errors
    ///
    /// The fault that an access raised; the counter is disabled then, unless it was the first.
    fn program(&mut self, counter: Self::Counter, value: u64, select: Self::Select) -> Result<(), Self::Fault> {
        self.disable(counter)?;
        self.write_counter(counter, value)?;
        self.write_select(counter, select)
    }
}
