//! Requests, changes of the PSR, interruptions, resets.

use super::crosses::Cover;
use super::moment::Moment;
use crate::coverage::Bins;
use lwp_model::itanium::{Inputs, RegOp, RegResult, State, UpOnInterruption};

/// Counts the request and the interruption of a cycle.
pub(super) fn sample<const BUNDLES: usize, const ENTRIES: usize>(
    moment: &Moment<'_, BUNDLES, ENTRIES>,
    bins: &mut Bins,
) {
    let (inputs, status) = (moment.inputs, &moment.now.status);
    let level = usize::from(inputs.cpl);
    if inputs.int_valid {
        let cleared = usize::from(moment.straps.up_on_interruption == UpOnInterruption::Cleared);
        let (up, pp, dcr_pp) = (status.up.into(), status.pp.into(), status.dcr_pp.into());
        bins.hit(Cover::Interruption, [cleared, up, pp, dcr_pp, inputs.reg.valid.into(), level.min(1)]);
    } else if inputs.reg.valid {
        moment.request(bins);
    }
}

/// Counts the last cycle before a reset.
pub(super) fn reset<const BUNDLES: usize>(inputs: &Inputs<BUNDLES>, last: &State, bins: &mut Bins) {
    let (irq, fr) = (last.freeze.irq.into(), last.freeze.fr.into());
    bins.hit(Cover::Reset, [irq, fr, inputs.reg.valid.into(), last.status.up.into()]);
}

impl<const BUNDLES: usize, const ENTRIES: usize> Moment<'_, BUNDLES, ENTRIES> {
    fn request(&self, bins: &mut Bins) {
        let reg = &self.inputs.reg;
        let (operation, level) = ((reg.op as usize).saturating_sub(6), usize::from(self.inputs.cpl));
        let result = match self.next.answer.reg_result {
            RegResult::Done => 0,
            RegResult::NotMine => 1,
            RegResult::PrivilegedOperation => 2,
            _ => 3,
        };
        bins.hit(Cover::Result, [operation, level, result]);
        let (file, index) = ((reg.number >> 8 & 7) as usize, (reg.number & 0xFF) as usize);
        if let RegOp::ReadFile | RegOp::WriteFile = reg.op {
            let class = match index {
                0 => 0,
                1..=3 => 1,
                4..=7 => 2,
                8 | 9 => 3,
                10..=13 => index - 6,
                _ => 8,
            };
            bins.hit(Cover::Move, [file.min(5), class, usize::from(reg.op == RegOp::WriteFile), level]);
        }
        match (reg.op, file, index) {
            (RegOp::ReadFile, 1, 4..=7) => self.counter_read(index - 4, bins),
            (RegOp::WriteFile, 4, 0) if result == 0 => {
                let status = &self.now.status;
                bins.hit(Cover::Dcr, [(reg.wdata & 1) as usize, status.dcr_pp.into(), status.pp.into()]);
            }
            _ => {}
        }
        if operation >= 3 && result == 0 {
            let status = &self.now.status;
            let bit = |place: u32| (reg.wdata >> place & 1) as usize;
            let source = bit(2) + 2 * bit(20) + 4 * bit(21);
            let (sp, up, pp) = (status.sp.into(), status.up.into(), status.pp.into());
            bins.hit(Cover::Status, [operation - 3, level.min(1), sp, up, pp, source]);
        }
    }

    /// Counts the read of a counter, whose count may change in the same cycle.
    fn counter_read(&self, c: usize, bins: &mut Bins) {
        let (counter, after) = (&self.now.counter[c], &self.next.counter[c]);
        let (level, sp) = (usize::from(self.inputs.cpl), usize::from(self.now.status.sp));
        let count = if counter.count == after.count { (counter.count >> 31) as usize } else { 2 };
        bins.hit(Cover::CounterRead, [level.min(1), sp, counter.pm.into(), count]);
    }
}
