//! What a task wants counted.

use super::{CounterHardware, CounterSelect};
use crate::refused::Refused;
use core::fmt;

/// One counter of a [`Control`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Programmed<C, S> {
    /// The counter.
    pub counter: C,
    /// What it counts.
    pub select: S,
    /// What it is preset to, for it to overflow in time, if it is one that interrupts.
    pub preset: Option<u64>,
}

/// What a task wants counted: the time-stamp counter or not, and up to `N` counters, at most 32.
///
/// `C` and `S` are those of the [`CounterHardware`] that it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control<C, S, const N: usize> {
    tsc: bool,
    counters: [Option<Programmed<C, S>>; N],
}

/// A [`Control`] in short.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct CStatus {
    /// The time-stamp counter is in use.
    pub has_tsc: bool,
    /// Number of counters in use, those included that interrupt.
    pub counters: u8,
    /// Number of those that interrupt.
    pub interrupting: u8,
}

impl CStatus {
    /// Whether a counter interrupts.
    #[must_use]
    #[inline]
    pub const fn has_interrupting(self) -> bool {
        self.interrupting > 0
    }
}

impl<C: Copy + PartialEq, S: CounterSelect, const N: usize> Control<C, S, N> {
    const FITS_A_MASK: () = assert!(N <= 32, "a mask of counters has 32 bits");

    /// Nothing.
    #[must_use]
    #[inline]
    pub const fn new() -> Self {
        let () = Self::FITS_A_MASK;
        Self { tsc: false, counters: [None; N] }
    }

    /// With the time-stamp counter: time that advances only while the task runs.
    #[must_use]
    #[inline]
    pub const fn with_tsc(mut self) -> Self {
        self.tsc = true;
        self
    }

    /// With `counter` adding up `select`, which does not interrupt.
    ///
    /// # Errors
    ///
    /// [`ControlError`].
    pub fn count(self, counter: C, select: S) -> Result<Self, ControlError> {
        if select.interrupts() {
            return Err(ControlError::UnexpectedInterrupt);
        }
        self.push(Programmed { counter, select, preset: None })
    }

    /// With `counter` adding up `select`, which interrupts, every `period` events.
    ///
    /// # Errors
    ///
    /// [`ControlError`].
    pub fn interrupt_after<H>(self, hw: &H, counter: C, select: S, period: u64) -> Result<Self, ControlError>
    where
        H: CounterHardware<Counter = C, Select = S>,
    {
        if !select.interrupts() {
            return Err(ControlError::NoInterrupt);
        }
        let preset = hw.preset(period).map_err(ControlError::Period)?;
        self.push(Programmed { counter, select, preset: Some(preset) })
    }

    /// The counters, in the order of the virtual ones.
    pub fn counters(&self) -> impl Iterator<Item = &Programmed<C, S>> {
        self.counters.iter().flatten()
    }

    /// The same in short.
    #[must_use]
    pub fn cstatus(&self) -> CStatus {
        CStatus {
            has_tsc: self.tsc,
            counters: self.counters().count() as u8,
            interrupting: self.counters().filter(|programmed| programmed.preset.is_some()).count() as u8,
        }
    }

    fn push(mut self, programmed: Programmed<C, S>) -> Result<Self, ControlError> {
        if !programmed.select.is_enabled() {
            return Err(ControlError::Disabled);
        }
        if self.counters().any(|other| other.counter == programmed.counter) {
            return Err(ControlError::CounterTwice);
        }
        let free = self.counters.iter_mut().find(|slot| slot.is_none()).ok_or(ControlError::TooMany { most: N })?;
        *free = Some(programmed);
        Ok(self)
    }
}

impl<C: Copy + PartialEq, S: CounterSelect, const N: usize> Default for Control<C, S, N> {
    fn default() -> Self {
        Self::new()
    }
}

/// Why a counter cannot be added to a [`Control`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum ControlError {
    /// There is no room for another counter.
    TooMany {
        /// How many there is room for.
        most: usize,
    },
    /// The counter is in use already.
    CounterTwice,
    /// The enable bit is not set: nothing would be counted.
    Disabled,
    /// The counter would interrupt, but no period is given.
    UnexpectedInterrupt,
    /// A period is given, but the counter would not interrupt.
    NoInterrupt,
    /// The counter cannot be preset for this period.
    Period(Refused),
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooMany { most } => write!(f, "more than {most} counters; count fewer events at a time"),
            Self::CounterTwice => f.write_str("the counter is in use already; choose another"),
            Self::Disabled => f.write_str("the counter's enable bit is 0, so it would count nothing; set it"),
            Self::UnexpectedInterrupt => f.write_str("the counter would interrupt; give a period or clear INT"),
            Self::NoInterrupt => f.write_str("the counter would not interrupt at the end of its period; set INT"),
            Self::Period(refused) => write!(f, "the period cannot be had: {refused}"),
        }
    }
}

impl core::error::Error for ControlError {}
