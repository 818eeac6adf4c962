//! Stage status: PSR.up, PSR.sp, PSR.pp, DCR.pp.

use super::config::UpOnInterruption;
use super::operation::RegOp;
use super::state::Status;
use lwp_regs::bits::U2;
use lwp_regs::itanium::{Dcr, Psr};

impl Status {
    /// The PSR, with the bits that the core has.
    #[inline]
    pub(super) const fn psr(&self, cpl: u8, psr_is: bool) -> Psr {
        Psr::new().with_up(self.up).with_sp(self.sp).with_pp(self.pp).with_cpl(U2::masked(cpl)).with_is(psr_is)
    }

    /// An interruption is delivered.
    #[inline]
    pub(super) fn interrupted(&mut self, up: UpOnInterruption) {
        let psr = self.psr(0, false).after_interruption(Dcr::new().with_pp(self.dcr_pp));
        (self.sp, self.pp) = (psr.sp(), psr.pp());
        self.up = psr.up() && up == UpOnInterruption::Kept;
    }

    /// A request that is done and writes the PSR, with this source. Other requests change nothing.
    #[inline]
    pub(super) fn written(&mut self, op: RegOp, wdata: u64) {
        let source = Psr::from_bits(wdata);
        let (up, sp, pp) = (source.up(), source.sp(), source.pp());
        match op {
            RegOp::Sum if !self.sp => self.up |= up,
            RegOp::Rum if !self.sp => self.up &= !up,
            RegOp::WritePsrUm if !self.sp => self.up = up,
            RegOp::Ssm => (self.up, self.sp, self.pp) = (self.up | up, self.sp | sp, self.pp | pp),
            RegOp::Rsm => (self.up, self.sp, self.pp) = (self.up & !up, self.sp & !sp, self.pp & !pp),
            RegOp::WritePsrL | RegOp::Rfi => (self.up, self.sp, self.pp) = (up, sp, pp),
            _ => {}
        }
    }
}
