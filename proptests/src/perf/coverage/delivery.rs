//! Pins, overflows of one cycle, and the local APIC's entry.

use super::crosses::Cover;
use super::moment::Moment;
use crate::coverage::Bins;
use lwp_model::perf::{Personality, X2apic};
use lwp_model::retire::{RegOp, RegResult};

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>
    Moment<'_, LP, GENERAL, FIXED, LANES>
{
    pub(super) fn pins(&self, lp: usize, bins: &mut Bins) {
        for (now, next) in self.now.general[lp].iter().zip(&self.next.general[lp]) {
            if now.pin || !next.pin {
                continue;
            }
            let odd = self.straps.personality == Personality::P6 && matches!(now.select & 0xFFFF, 0x7A | 0x7B);
            let trigger = if odd { 2 } else { (now.select >> 19 & 1) as usize };
            bins.hit(Cover::Pin, [trigger, usize::from(now.due)]);
        }
    }

    pub(super) fn together(&self, lp: usize, bins: &mut Bins) {
        let general = self.now.general[lp].iter().zip(&self.next.general[lp]);
        let general = general.filter(|(_, next)| next.overflow).map(|(now, _)| now.select >> 20 & 1 != 0);
        let fixed = self.now.fixed[lp].iter().zip(&self.next.fixed[lp]);
        let fixed = fixed.filter(|(_, next)| next.overflow).map(|(now, _)| now.control.into_bits() >> 3 & 1 != 0);
        let (counters, with_int) =
            general.chain(fixed).fold((0, 0), |(all, int), has| (all + 1, int + usize::from(has)));
        if counters > 0 {
            let share = if with_int == 0 { 0 } else { 1 + usize::from(with_int == counters) };
            bins.hit(Cover::Together, [usize::min(counters, 2) - 1, share]);
        }
    }

    pub(super) fn entry(&self, lp: usize, bins: &mut Bins) {
        let asked = |number: u8| usize::from(number) % LP == lp;
        let by_msr = self.straps.x2apic == X2apic::Msr;
        let written = if by_msr {
            let reg = &self.inputs.reg;
            let done = self.next.answer.reg_result == RegResult::Done;
            reg.valid && reg.op == RegOp::Wrmsr && reg.number == 0x834 && asked(reg.lp) && done
        } else {
            self.inputs.apic.write && asked(self.inputs.apic.lp)
        };
        if written {
            let next = &self.next.lp[lp];
            let delivered = next.pmi && next.irq;
            let masks = self.straps.mask_on_delivery;
            bins.hit(Cover::Entry, [usize::from(by_msr), usize::from(delivered), usize::from(masks)]);
        }
    }
}
