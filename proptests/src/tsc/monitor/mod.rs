//! Rules of the document that hold of model and RTL each: one family a file.
//!
//! A monitor sees one cycle at a time: what went in, what ports and registers show, and what they show in the next cycle. It knows
//! nothing of how the one follows from the other: not how many ticks a cycle has, only that all processors count the same.

mod answers;
mod privilege;
mod registers;
mod time;
mod view;

pub use view::{Shown, View};

use crate::lockstep::UnitCycle;
use lwp_model::Unit;
use lwp_model::retire::{RegOp, RegResult};
use lwp_model::tsc::{Config, Inputs};

/// One step, from a cycle to the next.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// The straps.
    pub straps: &'a Config,
    /// What the unit sees in this cycle.
    pub inputs: &'a Inputs,
    /// What ports and registers show in this cycle.
    pub now: &'a Shown,
    /// What they show in the next one.
    pub next: &'a Shown,
}

impl Step<'_> {
    /// The processor that is asked.
    fn asked(&self) -> usize {
        usize::from(self.inputs.reg.lp) % self.now.processors.len()
    }

    /// The request of this cycle is answered in the next one with done.
    fn done(&self) -> bool {
        self.inputs.reg.valid && self.next.result == RegResult::Done
    }

    /// The number of the register that is written.
    fn written(&self) -> Option<u32> {
        (self.done() && self.inputs.reg.op == RegOp::Wrmsr).then_some(self.inputs.reg.number)
    }
}

/// Fails with a text unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($text:tt)+) => {
        if !$condition {
            return Err(format!($($text)+));
        }
    };
}
use ensure;

/// Runs every family over a run of a unit with these straps: its inputs, and the rows of outputs and registers that it showed.
///
/// # Errors
///
/// The first rule that is broken, and the cycle.
pub fn watch<U: Unit>(straps: &Config, cycles: &[UnitCycle<Inputs>], rows: &[u32]) -> Result<(), String> {
    watch_cycles::<U>(straps, cycles, rows).map_err(|(_, text)| text)
}

/// The same, with the number of the cycle.
///
/// # Errors
///
/// As [`watch`].
pub fn watch_cycles<U: Unit>(straps: &Config, cycles: &[UnitCycle<Inputs>], rows: &[u32]) -> Result<(), (u64, String)> {
    let view = View::of::<U>();
    let shown = rows.chunks_exact(U::OUTPUT_WORDS).enumerate().map(|(number, row)| {
        // Text without a number, as it may be of a cycle in reset.
        view.shown(row).map_err(|text| (number as u64, text))
    });
    let shown = shown.collect::<Result<Vec<Shown>, _>>()?;
    for (number, (cycle, pair)) in cycles.iter().zip(shown.windows(2)).enumerate() {
        let [now, next] = pair else { continue };
        let reset_next = cycles.get(number + 1).is_some_and(|cycle| cycle.reset);
        let at = |text: String| (number as u64, format!("cycle {number}: {text}"));
        if reset_next {
            continue;
        }
        if cycle.reset {
            registers::after_reset(next).map_err(at)?;
            continue;
        }
        let step = Step { straps, inputs: &cycle.inputs, now, next };
        answers::check(&step)
            .and_then(|()| privilege::check(&step))
            .and_then(|()| registers::check(&step))
            .and_then(|()| time::check(&step))
            .map_err(at)?;
    }
    Ok(())
}
