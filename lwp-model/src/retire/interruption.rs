//! Interruption: a transfer of control that no instruction requests, or RSM.

use crate::choice::choice;

/// Kind of an interruption.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum IntKind {
    /// External interrupt, or one from the local APIC.
    #[default]
    Interrupt = 0,
    /// Exception.
    Exception = 1,
    /// NMI.
    Nmi = 2,
    /// SMI.
    Smi = 3,
    /// RSM.
    Rsm = 4,
    /// Not used, acts as an interrupt.
    Unused5 = 5,
    /// Not used, acts as an interrupt.
    Unused6 = 6,
    /// Not used, acts as an interrupt.
    Unused7 = 7,
}

choice!(IntKind {
    Interrupt = "interrupt",
    Exception = "exception",
    Nmi = "NMI",
    Smi = "SMI",
    Rsm = "RSM",
    Unused5 = "unused 5",
    Unused6 = "unused 6",
    Unused7 = "unused 7",
});

impl IntKind {
    /// Returns the kind that this one acts as: itself, or an interrupt for a code that is not used.
    #[must_use]
    pub const fn acts_as(self) -> Self {
        match self {
            Self::Unused5 | Self::Unused6 | Self::Unused7 => Self::Interrupt,
            used => used,
        }
    }
}

/// An interruption, in a cycle of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interruption {
    /// Whether an interruption is delivered in this cycle. The other fields are valid with it.
    pub valid: bool,
    /// Kind of an interruption.
    pub kind: IntKind,
    /// Vector of an interrupt or exception; 2 for NMI; 0 for SMI and RSM.
    pub vector: u8,
    /// Address of the instruction before which the interruption is taken.
    pub from: u64,
    /// Address of the first instruction executed afterwards.
    pub to: u64,
}
