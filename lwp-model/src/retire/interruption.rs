//! What transfers control without an instruction that asks for it.

use crate::choice::choice;

/// Kind of an interruption.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum IntKind {
    /// An interrupt, external or from the local APIC.
    #[default]
    Interrupt = 0,
    /// An exception.
    Exception = 1,
    /// A non-maskable interrupt.
    Nmi = 2,
    /// A system-management interrupt.
    Smi = 3,
    /// RSM: the return from System Management Mode.
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
