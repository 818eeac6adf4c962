//! Straps: the choices that are fixed after reset.

use crate::choice::choice;

/// The two bits of `ism`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum IsmOrder {
    /// Bit 24 leaves out IA-64, bit 25 IA-32: IA-64 only is 10.
    #[default]
    Field,
    /// The other way round: IA-64 only is 01.
    Printed,
}

/// PSR.up when an interruption is delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum UpOnInterruption {
    /// Keeps its value.
    #[default]
    Kept,
    /// Becomes 0.
    Cleared,
}

choice!(IsmOrder { Field = "field", Printed = "printed" });
choice!(UpOnInterruption { Kept = "kept", Cleared = "cleared" });

/// The straps of the unit, in the order of the RTL's `config_t`. All combinations are legal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The two bits of `ism`.
    pub ism_order: IsmOrder,
    /// PSR.up when an interruption is delivered.
    pub up_on_interruption: UpOnInterruption,
    /// Whether every overflow freezes monitoring, not only one with PMC\[i\].oi.
    pub freeze_always: bool,
}
