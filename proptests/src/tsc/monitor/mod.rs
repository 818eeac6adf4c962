//! Rules of the document that hold for the model and for the RTL: one family per file.
//!
//! A monitor sees one cycle at a time: the inputs, the ports and registers in that cycle, and those in the next one. It
//! does not know how the one follows from the other: not how many ticks a cycle has, only that all processors count the
//! same.

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
    /// The inputs of this cycle.
    pub inputs: &'a Inputs,
    /// The ports and registers in this cycle.
    pub now: &'a Shown,
    /// The ports and registers in the next cycle.
    pub next: &'a Shown,
}

impl Step<'_> {
    /// Returns the index of the processor that makes the request.
    fn asked(&self) -> usize {
        usize::from(self.inputs.reg.lp) % self.now.processors.len()
    }

    /// Whether the request of this cycle has the result *done* in the next one.
    fn done(&self) -> bool {
        self.inputs.reg.valid && self.next.result == RegResult::Done
    }

    /// Returns the number of the register that is written.
    fn written(&self) -> Option<u32> {
        (self.done() && self.inputs.reg.op == RegOp::Wrmsr).then_some(self.inputs.reg.number)
    }
}

/// Returns an error with a text unless the condition holds.
macro_rules! ensure {
    ($condition:expr, $($text:tt)+) => {
        if !$condition {
            return Err(format!($($text)+));
        }
    };
}
use ensure;

/// Runs every family over a run of a unit with these straps: its inputs, and the rows of outputs and registers that it
/// showed.
///
/// # Errors
///
/// Describes the first rule that is broken, and the cycle.
pub fn watch<U: Unit>(straps: &Config, cycles: &[UnitCycle<Inputs>], rows: &[u32]) -> Result<(), String> {
    watch_cycles::<U>(straps, cycles, rows).map_err(|(_, text)| text)
}

/// Runs every family in the same way, and returns the number of the cycle with the error.
///
/// # Errors
///
/// As for [`watch`].
pub fn watch_cycles<U: Unit>(straps: &Config, cycles: &[UnitCycle<Inputs>], rows: &[u32]) -> Result<(), (u64, String)> {
    let view = View::of::<U>();
    let shown = rows.chunks_exact(U::OUTPUT_WORDS).enumerate().map(|(number, row)| {
        // The text has no number, because the cycle may be one of reset.
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
