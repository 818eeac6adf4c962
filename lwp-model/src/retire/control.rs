//! Control bits.

/// Bits of CR4 of the logical processor that makes a register request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ControlBits {
    /// CR4.TSD, bit 2.
    pub tsd: bool,
    /// CR4.DE, bit 3.
    pub de: bool,
    /// CR4.PCE, bit 8.
    pub pce: bool,
}
