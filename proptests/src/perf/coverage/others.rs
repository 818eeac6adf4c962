//! What a counter counts of other logical processors, and what makes all of them stand still.

use super::crosses::Cover;
use super::moment::Moment;
use crate::coverage::Bins;
use lwp_model::perf::Personality;
use lwp_model::retire::{IntKind, OpMode};

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize>
    Moment<'_, LP, GENERAL, FIXED, LANES>
{
    /// Privilege level of a logical processor.
    fn level(&self, lp: usize) -> u8 {
        match self.inputs.lp[lp].op_mode {
            OpMode::Real => 0,
            OpMode::Virtual8086 => 3,
            _ => self.inputs.lp[lp].cpl,
        }
    }

    /// Counters that count, by whether the level of their own processor is one that they count.
    pub(super) fn any_thread(&self, lp: usize, bins: &mut Bins) {
        // In a cycle with a request it may be a write that changes the counter.
        if self.inputs.reg.valid {
            return;
        }
        let own = |system: bool, user: bool| usize::from(if self.level(lp) == 0 { system } else { user });
        for (now, next) in self.now.general[lp].iter().zip(&self.next.general[lp]) {
            let bit = |index: u32| now.select >> index & 1 != 0;
            if now.counter != next.counter {
                bins.hit(Cover::AnyThread, [0, usize::from(bit(21)), own(bit(17), bit(16))]);
            }
        }
        for (now, next) in self.now.fixed[lp].iter().zip(&self.next.fixed[lp]) {
            let bit = |index: u8| now.control.into_bits() >> index & 1 != 0;
            if now.counter != next.counter {
                bins.hit(Cover::AnyThread, [1, usize::from(bit(2)), own(bit(0), bit(1))]);
            }
        }
    }

    pub(super) fn freeze(&self, lp: usize, bins: &mut Bins) {
        let (inputs, now, next) = (&self.inputs.lp[lp], &self.now.lp[lp], &self.next.lp[lp]);
        let kind = inputs.int_valid.then_some(inputs.int_kind);
        let version_2 = self.straps.personality >= Personality::Version2;
        let causes = [
            inputs.freeze,
            next.pmi && inputs.freeze_on_pmi,
            kind == Some(IntKind::Smi) && inputs.freeze_while_smm,
            version_2 && kind == Some(IntKind::Rsm) && now.smm_frozen,
        ];
        for (cause, _) in causes.into_iter().enumerate().filter(|(_, holds)| *holds) {
            bins.hit(Cover::Freeze, [self.personality(), cause]);
        }
    }
}
