//! Every register of the LBR stack is written with a value, its complement, and the value again, so that each bit of it rises and falls.

use super::scenario::{Scenario, entries_of};
use crate::lockstep::UnitCycle;
use crate::straps::Draw;
use lwp_model::retire::{Mode, OpMode, RegOp, RegRequest};
use lwp_model::trace::{Config, Depth, Format, Inputs};

/// Runs with other values each.
const RUNS: u64 = 4;

/// Returns run `number` of a unit with as many entries as `depth` has, if there is one.
#[must_use]
pub fn fill<const LANES: usize>(depth: Depth, number: u64) -> Option<Scenario<LANES>> {
    let mode = Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 };
    let mut draw = Draw::new(number);
    let entries = 0..entries_of(depth) as u32;
    let numbers = [0x680, 0x6C0, 0xDC0].into_iter().flat_map(|first| entries.clone().map(move |entry| first + entry));
    let mut value = || (0..3).fold(0, |value: u64, _| value << 22 ^ draw.below(1 << 31) as u64);
    let values: Vec<(u32, u64)> = numbers.map(|number| (number, value())).collect();
    let first = UnitCycle { reset: true, inputs: Inputs::default() };
    let requests = [0, u64::MAX, 0].into_iter().flat_map(|mask| {
        let request = move |&(number, value): &(u32, u64)| {
            let write = RegRequest { valid: true, op: RegOp::Wrmsr, lp: 0, number, wdata: value ^ mask };
            [write, RegRequest { op: RegOp::Rdmsr, ..write }]
        };
        values.iter().flat_map(request).collect::<Vec<_>>()
    });
    let cycles = requests.map(|reg| UnitCycle { reset: false, inputs: Inputs { mode, reg, ..Inputs::default() } });
    let straps = Config { lbr_depth: depth, lbr_format: Format::Info, ..Config::default() };
    (number < RUNS).then(|| Scenario { straps, cycles: core::iter::once(first).chain(cycles).collect() })
}
