//! Pauses between records of the LBR stack, of which one is longer than a record can tell.

use super::scenario::Scenario;
use crate::lockstep::UnitCycle;
use lwp_model::retire::{Branch, BranchKind, Mode, OpMode, RegOp, RegRequest, Retired};
use lwp_model::trace::{Config, Format, Inputs, Lane};

/// Clocks that a record can hold.
const MOST: usize = 0xFFFF;

/// Short pauses, which come first.
const SHORT: usize = 20;

/// Returns pause `number`, if there is one: a core switches the stack on, takes no branch for `number` clocks, then takes two. In the last one it
/// takes none until more clocks have gone by than a record can hold.
#[must_use]
pub fn pause<const LANES: usize>(number: usize) -> Option<Scenario<LANES>> {
    let clocks = if number < SHORT { number } else { MOST + 5 };
    (number <= SHORT).then(|| paused(clocks))
}

fn paused<const LANES: usize>(clocks: usize) -> Scenario<LANES> {
    let mode = Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 };
    let quiet = Inputs { mode, core_clock: true, ..Inputs::default() };
    let reg = RegRequest { valid: true, op: RegOp::Wrmsr, lp: 0, number: 0x1D9, wdata: 1 };
    let mut lanes = [Lane::default(); LANES];
    lanes[0] = Lane {
        retired: Retired { valid: true, counts: true, ip: 0x1000 },
        branch: Branch { kind: BranchKind::JmpRel, taken: true, next: 0x2000, ..Branch::default() },
        ..Lane::default()
    };
    let branch = Inputs { lanes, ..quiet };
    let pause = core::iter::repeat_n(quiet, clocks);
    let inputs = [Inputs { reg, ..quiet }].into_iter().chain(pause).chain([branch, quiet, branch, quiet]);
    let first = UnitCycle { reset: true, inputs: Inputs::default() };
    let straps = Config { lbr_format: Format::Info, ..Config::default() };
    let cycles = core::iter::once(first).chain(inputs.map(|inputs| UnitCycle { reset: false, inputs })).collect();
    Scenario { straps, cycles }
}
