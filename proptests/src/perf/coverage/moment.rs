//! What a cycle meets.

use super::crosses::Cover;
use crate::coverage::Bins;
use crate::perf::straps::FACTORS;
use lwp_model::perf::{Config, Inputs, Outputs, State};
use lwp_model::retire::{RegOp, RegRequest, RegResult};
use recording::Recording;

/// A cycle out of reset, and the registers of the next one.
pub(super) struct Moment<'a, const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> {
    pub straps: &'a Config,
    pub inputs: &'a Inputs<LP, LANES>,
    pub now: &'a State<LP, GENERAL, FIXED>,
    pub next: &'a State<LP, GENERAL, FIXED>,
}

/// Recording of a unit of this size.
type Run<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> =
    Recording<Inputs<LP, LANES>, Outputs<LP, GENERAL, FIXED>, State<LP, GENERAL, FIXED>>;

/// Counts what a run of a unit with these straps meets, from power-up on.
pub fn sample<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>(
    straps: &Config,
    recording: &Run<LP, GENERAL, FIXED, LANES>,
    bins: &mut Bins,
) {
    let mut first = 0;
    for factor in FACTORS.iter() {
        bins.hit(Cover::StrapValue, [first + factor.level(straps)]);
        first += factor.levels;
    }
    for pair in recording.cycles.windows(2) {
        let [cycle, after] = pair else { continue };
        if cycle.rst_n && after.rst_n {
            let moment = Moment { straps, inputs: &cycle.inputs, now: &cycle.state, next: &after.state };
            moment.request(bins);
            for lp in 0..LP {
                moment.processor(lp, bins);
                moment.any_thread(lp, bins);
                moment.freeze(lp, bins);
                moment.pins(lp, bins);
                moment.together(lp, bins);
                moment.entry(lp, bins);
            }
        }
    }
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>
    Moment<'_, LP, GENERAL, FIXED, LANES>
{
    pub(super) fn personality(&self) -> usize {
        self.straps.personality as usize
    }

    fn request(&self, bins: &mut Bins) {
        let RegRequest { valid: true, op, number, .. } = self.inputs.reg else { return };
        let operation = match op {
            RegOp::Rdmsr => 0,
            RegOp::Wrmsr => 1,
            RegOp::Rdpmc => 2,
            _ => 3,
        };
        let result = match self.next.answer.reg_result {
            RegResult::Done => 0,
            RegResult::GeneralProtection => 1,
            _ => 2,
        };
        bins.hit(Cover::Result, [self.personality(), operation, result]);
        if operation < 2 && result == 0 {
            bins.hit(Cover::Access, [self.personality(), operation, register(number)]);
        }
    }

    fn processor(&self, lp: usize, bins: &mut Bins) {
        for (now, next) in self.now.general[lp].iter().zip(&self.next.general[lp]) {
            let bit = |index: u32| (now.select >> index & 1) as usize;
            if next.overflow {
                bins.hit(Cover::Overflow, [self.personality(), 0, bit(20)]);
            }
            // In a cycle with a request it may be a write that changes the counter.
            if now.counter != next.counter && !self.inputs.reg.valid {
                let threshold = (now.select >> 24).min(2) as usize;
                bins.hit(Cover::Counts, [self.personality(), bit(18), bit(23), threshold]);
                bins.hit(Cover::Levels, [self.personality(), bit(16) + 2 * bit(17)]);
            }
        }
        for (now, next) in self.now.fixed[lp].iter().zip(&self.next.fixed[lp]) {
            if next.overflow {
                let interrupts = usize::from(now.control.into_bits() >> 3 & 1);
                bins.hit(Cover::Overflow, [self.personality(), 1, interrupts]);
            }
        }
        let (now, next) = (&self.now.lp[lp], &self.next.lp[lp]);
        if next.pmi && next.irq {
            let joins = if !now.irq { 0 } else { 1 + usize::from(!self.inputs.lp[lp].irq_ack) };
            bins.hit(Cover::Interrupt, [usize::from(next.irq_mode / 2), joins]);
        }
    }
}

/// A register by its number.
const fn register(number: u32) -> usize {
    match number {
        0xC1..=0xC8 => 0,
        0x186..=0x18D => 1,
        0x4C1..=0x4C8 => 2,
        0x309..=0x30B => 3,
        0x345 => 4,
        0x38D => 5,
        0x38E => 6,
        0x38F => 7,
        0x390 => 8,
        0x834 => 9,
        _ => 10,
    }
}
