//! What cannot be measured, and what to change.

use crate::itanium::{Counter, Uncovered};
use core::fmt;

/// A constraint that the four counters share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Shared {
    /// Instruction address range: PMC\[13\] and the IBRs.
    Instructions,
    /// Opcodes that qualify events: PMC\[8\].
    Opcode,
    /// Opcodes that are only counted: PMC\[9\].
    SecondOpcode,
    /// Data address range: PMC\[11\] and the DBRs.
    Data,
    /// Processes: PSR.up for user-level monitors, PSR.pp for system-level ones.
    Processes,
}

impl Shared {
    const fn registers(self) -> &'static str {
        match self {
            Self::Instructions => "the instruction address range (PMC[13], IBRs)",
            Self::Opcode => "the opcode of PMC[8]",
            Self::SecondOpcode => "the opcode of PMC[9]",
            Self::Data => "the data address range (PMC[11], DBRs)",
            Self::Processes => "which processes are monitored (PSR.up, PSR.pp)",
        }
    }
}

/// Why measurements cannot be made, alone or together. The text says what to change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum MeasurementError {
    /// The event counts nothing with its unit mask or in its instruction sets.
    CountsNothing(Counter),
    /// The event is not qualified by this constraint.
    NotQualified(Counter, Shared),
    /// IA-32 code would be counted whatever its addresses and opcodes are.
    CountsIa32(Counter),
    /// The threshold is larger than that of the counter can be.
    Threshold(Counter, u8),
    /// Four pairs of registers do not cover the range.
    Range(Counter, Shared, Uncovered),
    /// Two measurements want one shared constraint to be different.
    Conflict(Shared, [Counter; 2]),
}

impl fmt::Display for MeasurementError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::CountsNothing(counter) => {
                write!(f, "PMC[{}] would count nothing; choose another unit mask or ism", counter.index())
            }
            Self::NotQualified(counter, shared) => {
                let (index, what) = (counter.index(), shared.registers());
                write!(f, "the event of PMC[{index}] is not qualified by {what}; remove it, or choose another event")
            }
            Self::CountsIa32(counter) => {
                let index = counter.index();
                write!(f, "PMC[{index}] is confined by what works for IA-64 code only; set ism to Ia64Only")
            }
            Self::Threshold(counter, max) => {
                let index = counter.index();
                write!(f, "the threshold of PMC[{index}] is at most {max}; reduce it")?;
                if *max < 7 { f.write_str(", or use PMC[4] or PMC[5]") } else { Ok(()) }
            }
            Self::Range(counter, shared, uncovered) => {
                write!(f, "PMC[{}], {}: {uncovered}", counter.index(), shared.registers())
            }
            Self::Conflict(shared, [one, other]) => {
                let (one, other, what) = (one.index(), other.index(), shared.registers());
                write!(f, "PMC[{one}] and PMC[{other}] share {what}; make it the same, or measure one after the other")
            }
        }
    }
}

impl core::error::Error for MeasurementError {}

/// Why a configuration was not started. Monitoring is frozen then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum StartError<F> {
    /// Breakpoints leave too few pairs of IBRs or DBRs; `Instructions` or `Data`.
    Breakpoints(Shared),
    /// An access faulted.
    Fault(F),
}

impl<F> From<F> for StartError<F> {
    fn from(fault: F) -> Self {
        Self::Fault(fault)
    }
}

impl<F: fmt::Debug> fmt::Display for StartError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Breakpoints(shared) => {
                write!(
                    f,
                    "breakpoints leave too few pairs for {}; remove some, or shorten the range",
                    shared.registers()
                )
            }
            Self::Fault(fault) => write!(f, "the access raised {fault:?}"),
        }
    }
}

impl<F: fmt::Debug> core::error::Error for StartError<F> {}
