//! A delay bounds how often a logical processor gets to the L3 cache, and how long it waits: decision RDT-09.

use super::{Checked, Moment, ensure};
use crate::rdt::delay::{Price, delay};
use lwp_model::rdt::{Stage, Step};

/// A logical processor under one delay.
#[derive(Clone, Copy, Debug, Default)]
struct Follow {
    price: Option<Price>,
    /// By how much the accesses of the worst window that ends here exceed what it earned.
    excess: u64,
    /// Cycles for which its access has waited for credit.
    waited: u64,
    /// Times that another was chosen while it was ready.
    passed: usize,
}

/// Every logical processor.
#[derive(Clone, Debug)]
pub(super) struct Pace<const LP: usize>([Follow; LP]);

impl<const LP: usize> Default for Pace<LP> {
    fn default() -> Self {
        Self([Follow::default(); LP])
    }
}

impl<const LP: usize> Pace<LP> {
    pub(super) fn check(&mut self, moment: &Moment<'_, LP>, checked: &mut Checked) -> Result<(), String> {
        let Moment { straps, now, next, .. } = moment;
        for (lp, follow) in self.0.iter_mut().enumerate() {
            let price = Price::of(straps, delay(straps, now, lp, LP));
            if follow.price != Some(price) {
                *follow = Follow { price: Some(price), ..Follow::default() };
            }
            let any = now.job.step == Step::Idle && matches!(next.job.step, Step::L2Read | Step::L3Read);
            let waits = now.lp[lp].stage == Stage::L3 && u64::from(now.lp[lp].credit) < price.cost;
            let own = any && usize::from(next.job.turn) == lp;
            let ready = now.lp[lp].stage != Stage::None && !waits && !own;
            follow.passed = if ready { follow.passed + usize::from(any) } else { 0 };
            ensure!(follow.passed < LP, "{lp} was ready, and {} others were chosen", follow.passed);
            let chosen =
                now.job.step == Step::Idle && next.job.step == Step::L3Read && usize::from(next.job.turn) == lp;
            checked.paced += u64::from(chosen && price.cost > 0);
            follow.excess = follow.excess.saturating_sub(price.rate) + if chosen { price.cost } else { 0 };
            ensure!(follow.excess <= price.cost, "{lp} is chosen more often than {price:?} allows");
            let most = if price.rate == 0 { 0 } else { price.cost.div_ceil(price.rate) };
            follow.waited = if waits { follow.waited + 1 } else { 0 };
            ensure!(follow.waited <= most, "{lp} waits for credit for more than {most} cycles");
        }
        Ok(())
    }
}
