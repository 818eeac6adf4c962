//! Rules of the document that hold for the model and for the RTL: one family per file.
//!
//! A monitor sees one cycle at a time: the inputs, the outputs and registers in that cycle, and those in the next one. It
//! compares no data address with a range, so that it knows of memory events only the most and the fewest that count.

mod answers;
mod counting;
mod freeze;
mod outputs;
mod process;
mod registers;
mod tags;

use crate::lockstep::UnitCycle;
use lwp_model::Unit;
use lwp_model::itanium::{Config, Inputs, IsmOrder, Itanium, Outputs, RegOp, RegResult, State};
use std::ops::AddAssign;

/// Outputs and registers in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The outputs.
    pub out: Outputs,
    /// The registers.
    pub state: State,
}

/// A step, from a cycle to the next.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a, const BUNDLES: usize, const ENTRIES: usize> {
    /// The straps.
    pub straps: &'a Config,
    /// The inputs of this cycle.
    pub inputs: &'a Inputs<BUNDLES>,
    /// The registers in this cycle.
    pub now: &'a State,
    /// The registers in the next cycle.
    pub next: &'a State,
}

impl<const BUNDLES: usize, const ENTRIES: usize> Step<'_, BUNDLES, ENTRIES> {
    /// Whether a request is made.
    fn asks(&self) -> bool {
        self.inputs.reg.valid && !self.inputs.int_valid
    }

    /// Whether the request of this cycle has the result *done* in the next one.
    fn done(&self) -> bool {
        self.asks() && self.next.answer.reg_result == RegResult::Done
    }

    /// Returns the file and the index that the request names.
    fn named(&self) -> (u32, u32) {
        (self.inputs.reg.number >> 8 & 7, self.inputs.reg.number & 0xFF)
    }

    /// Returns file and index of the register that is written.
    fn written(&self) -> Option<(u32, u32)> {
        (self.done() && self.inputs.reg.op == RegOp::WriteFile).then(|| self.named())
    }

    /// Returns the entry of a number.
    fn entry(&self, id: u8) -> usize {
        usize::from(id) % ENTRIES
    }

    /// Whether a monitor with these fields is on.
    fn on(&self, plm: u8, pm: bool, ism: u8) -> bool {
        let Self { inputs, now, .. } = self;
        // ITA-46, ITA-47: a user-level monitor goes by PSR.up, a system-level one by PSR.pp.
        let process = if pm { now.status.pp } else { now.status.up };
        // ITA-14, ITA-44: the bit of the level.
        let level = plm & 1 << inputs.cpl != 0;
        // ITA-16: one bit leaves out IA-64, the other IA-32.
        let left_out = match (self.straps.ism_order, inputs.psr_is) {
            (IsmOrder::Field, false) | (IsmOrder::Printed, true) => ism & 1,
            (IsmOrder::Field, true) | (IsmOrder::Printed, false) => ism & 2,
        };
        // ITA-18: nothing is monitored with PMC[0].fr.
        !now.freeze.fr && process && level && left_out == 0
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

/// What was there to be checked, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Checked {
    /// Requests that were done.
    pub done: u64,
    /// Requests that were refused.
    pub refused: u64,
    /// Counts that moved without a write.
    pub moved: u64,
    /// Counts that stayed while their monitor was off and their event occurred.
    pub held: u64,
    /// Interruptions that changed PSR.pp.
    pub interruptions: u64,
    /// Overflows that froze monitoring.
    pub frozen: u64,
    /// Bundles that were issued and got a tag.
    pub tagged: u64,
}

impl AddAssign for Checked {
    fn add_assign(&mut self, other: Self) {
        self.done += other.done;
        self.refused += other.refused;
        self.moved += other.moved;
        self.held += other.held;
        self.interruptions += other.interruptions;
        self.frozen += other.frozen;
        self.tagged += other.tagged;
    }
}

/// Runs every family over a run of a unit with these straps: its inputs, and the rows of outputs and registers that it showed. Returns
/// what was checked.
///
/// # Errors
///
/// Describes the first rule that is broken, after the number of its cycle.
pub fn watch<const BUNDLES: usize, const ENTRIES: usize>(
    straps: &Config,
    cycles: &[UnitCycle<Inputs<BUNDLES>>],
    rows: &[u32],
) -> Result<Checked, (u64, String)> {
    let Ok(mut unit) = Itanium::<BUNDLES, ENTRIES>::new(*straps);
    let shown = rows.chunks_exact(<Itanium<BUNDLES, ENTRIES> as Unit>::OUTPUT_WORDS).map(|row| {
        // The registers of the row are read by the model's own table; nothing is stepped.
        unit.resume(row);
        Shown { out: <Itanium<BUNDLES, ENTRIES> as Unit>::unpack_outputs(row), state: *unit.state() }
    });
    let (shown, mut checked): (Vec<Shown>, _) = (shown.collect(), Checked::default());
    for (number, (cycle, pair)) in cycles.iter().zip(shown.windows(2)).enumerate() {
        let [now, next] = pair else { continue };
        let at = |text: String| (number as u64, format!("cycle {number}: {text}"));
        if cycles.get(number + 1).is_some_and(|cycle| cycle.reset) {
            continue;
        }
        outputs::check(next).map_err(at)?;
        if cycle.reset {
            registers::after_reset::<ENTRIES>(&next.state).map_err(at)?;
            continue;
        }
        let step = Step::<BUNDLES, ENTRIES> { straps, inputs: &cycle.inputs, now: &now.state, next: &next.state };
        step.check(&mut checked).map_err(at)?;
    }
    Ok(checked)
}

impl<const BUNDLES: usize, const ENTRIES: usize> Step<'_, BUNDLES, ENTRIES> {
    /// Runs every family over this step.
    fn check(&self, checked: &mut Checked) -> Result<(), String> {
        answers::check(self, checked)?;
        registers::check(self)?;
        process::check(self, checked)?;
        freeze::check(self, checked)?;
        tags::check(self, checked)?;
        counting::check(self, checked)
    }
}
