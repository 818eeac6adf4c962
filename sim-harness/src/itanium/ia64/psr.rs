//! The processor status register.

/// User performance monitor enable.
pub(super) const UP: u64 = 1 << 2;
/// Interruption collection.
pub(super) const IC: u64 = 1 << 13;
/// External interrupts enable.
pub(super) const I: u64 = 1 << 14;
/// Secure performance monitors.
pub(super) const SP: u64 = 1 << 20;
/// Privileged performance monitor enable.
pub(super) const PP: u64 = 1 << 21;
/// Bank of r16 to r31.
pub(super) const BN: u64 = 1 << 44;
/// Where the privilege level is, 2 bits.
pub(super) const CPL: u32 = 32;
/// Where the slot to restart at is, 2 bits.
pub(super) const RI: u32 = 41;

/// The bits of the user mask.
pub(super) const USER_MASK: u64 = 0x3e;
/// The bits that mov to and from psr.l have.
pub(super) const LOW: u64 = 0xffff_ffff;
/// The bits that mov r = psr reads: the lower half, mc and it.
pub(super) const READABLE: u64 = LOW | 3 << 35;
/// The bits that the monitoring unit has.
pub(super) const MONITOR: u64 = UP | SP | PP;
/// The bits that an interruption leaves as they are: mfl, mfh, pk, dt, rt, mc, it.
pub(super) const KEPT: u64 = 3 << 4 | 1 << 15 | 1 << 17 | 1 << 27 | 1 << 35 | 1 << 36;

/// The bits of the PSR that the monitoring unit has, and shows at its outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MonitorBits {
    /// PSR.up, bit 2: monitors of user processes count.
    pub up: bool,
    /// PSR.sp, bit 20: user processes cannot read or enable monitors.
    pub sp: bool,
    /// PSR.pp, bit 21: monitors of the system count.
    pub pp: bool,
}

impl MonitorBits {
    pub(super) fn bits(self) -> u64 {
        let bit = |value: bool, mask: u64| if value { mask } else { 0 };
        bit(self.up, UP) | bit(self.sp, SP) | bit(self.pp, PP)
    }
}
