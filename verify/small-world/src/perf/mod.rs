//! The small worlds of the performance counters: a P6 with its two counters, counters of version 2 with their global control, and two
//! logical processors with fixed counters and AnyThread.
//!
//! A counter has 40 bits and returns only after as many events. So events end where a world ends: there are letters with an event only
//! while no counter is far above 0, and a write leads back.

mod parts;
mod two;

use crate::world::{AnyWorld, boxed};
use lwp_model::Choice;
use lwp_model::perf::{Apic, Config, Inputs, Perf, Personality, Sel1En, State};
use lwp_model::retire::{OpMode, RegOp, RegRequest};
use parts::*;
pub use two::all as all_of_two;

/// The unit of the build `perf_c2`, or `perf_c4` with two logical processors.
pub type Unit<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> =
    Perf<LP, GENERAL, FIXED, LANES>;

/// A small world of one logical processor with two counters.
pub type One = World<1, 2, 0, 4>;
/// A small world of two logical processors with four general and three fixed counters.
pub type Two = World<2, 4, 3, 2>;

/// One small world.
#[derive(Clone, Debug)]
pub struct World<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> {
    /// Name on the command line.
    pub name: &'static str,
    /// What is in it, in a line.
    pub about: &'static str,
    /// Straps.
    pub straps: Config,
    /// Inputs in which nothing is counted.
    pub still: Vec<Inputs<LP, LANES>>,
    /// Those with events.
    pub moving: Vec<Inputs<LP, LANES>>,
    /// What is asked, and written to the local APIC's entry.
    pub requests: Vec<(RegRequest, Apic)>,
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> World<LP, GENERAL, FIXED, LANES> {
    /// Inputs that there are in this state, without requests.
    fn present(&self, state: &State<LP, GENERAL, FIXED>) -> usize {
        let general = state.general.iter().flatten().map(|general| general.counter);
        let mut counters = general.chain(state.fixed.iter().flatten().map(|fixed| fixed.counter));
        let far = counters.any(|counter| (2..1 << 39).contains(&counter));
        self.still.len() + if far { 0 } else { self.moving.len() }
    }
}

impl<const LP: usize, const GENERAL: usize, const FIXED: usize, const LANES: usize> crate::World
    for World<LP, GENERAL, FIXED, LANES>
{
    type Unit = Unit<LP, GENERAL, FIXED, LANES>;
    const BUILD: &'static str = if LP == 1 { "perf_c2" } else { "perf_c4" };

    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn straps(&self) -> Config {
        self.straps
    }

    fn letters(&self, state: &State<LP, GENERAL, FIXED>) -> usize {
        self.present(state) * self.requests.len()
    }

    fn letter(&self, state: &State<LP, GENERAL, FIXED>, letter: usize) -> Inputs<LP, LANES> {
        let present = self.present(state);
        let (number, request) = (letter % present, letter / present);
        let inputs = *self.still.get(number).unwrap_or_else(|| &self.moving[number - self.still.len()]);
        let (reg, apic) = self.requests[request];
        Inputs { reg, apic, ..inputs }
    }
}

/// Counter 0 overflows with an interrupt, which is masked, delivered, acknowledged and joined.
fn interrupt() -> One {
    World {
        name: "interrupt",
        about: "an overflow, the local APIC's entry and its mask on delivery, requests that join",
        straps: Config { mask_on_delivery: true, ..Config::default() },
        still: vec![core(), acknowledged(core()), buffer(core()), Inputs { core_clock: false, ..retires(1) }],
        moving: vec![retires(1), acknowledged(retires(2))],
        requests: vec![
            nothing(),
            write(SELECT0, INSTRUCTIONS | INT | EN),
            write(COUNTER0, 2_u64.wrapping_neg() & 0xFFFF_FFFF),
            entry(0x31),
            entry(0x400),
            entry(0x1_0032),
            ask(RegOp::Rdmsr, COUNTER0),
        ],
    }
}

/// Both counters under the one enable, and what clearing register 1 stops.
fn enable() -> One {
    World {
        name: "enable",
        about: "EN of register 0 is for both counters; register 1 alone is cleared; bit 22 of register 1 is dropped",
        straps: Config { sel1_en: Sel1En::Ignored, ..Config::default() },
        still: vec![core()],
        moving: vec![retires(1)],
        requests: vec![
            nothing(),
            write(SELECT0, INSTRUCTIONS | EN),
            write(SELECT0, INSTRUCTIONS),
            write(SELECT0 + 1, INSTRUCTIONS | EN),
            write(SELECT0 + 1, 0),
            write(COUNTER0, 1_u64.wrapping_neg() & 0xFFFF_FFFF),
            write(COUNTER0 + 1, 1_u64.wrapping_neg() & 0xFFFF_FFFF),
            ask(RegOp::Rdpmc, 0),
            ask(RegOp::Rdpmc, 1),
        ],
    }
}

/// Threshold, inversion and edge of a counter, whose condition is remembered.
fn condition() -> One {
    World {
        name: "condition",
        about: "CMASK 2, INV and E: the condition of the last cycle, with a core clock that pauses",
        straps: Config::default(),
        still: vec![Inputs { core_clock: false, ..retires(3) }, frozen(retires(3))],
        moving: vec![core(), retires(1), retires(2), retires(4)],
        requests: vec![
            nothing(),
            write(SELECT0, INSTRUCTIONS | 2 << 24 | E | EN),
            write(SELECT0, INSTRUCTIONS | 2 << 24 | INV | EN),
            write(SELECT0, INSTRUCTIONS | 2 << 24 | INV | E | EN),
            write(SELECT0, INSTRUCTIONS | INV | EN),
            write(COUNTER0, 3_u64.wrapping_neg() & 0xFFFF_FFFF),
        ],
    }
}

/// A pin on events and on overflow, and an odd event with its ratios.
fn pin() -> One {
    World {
        name: "pin",
        about: "a pin from one bus tick to the next, on events and on overflow; the odd event 7AH and its ratios",
        straps: Config::default(),
        still: vec![core(), ticks(core(), 4), ticks(core(), 5)],
        moving: vec![retires(1), ticks(retires(1), 6), drives(core()), ticks(drives(core()), 4)],
        requests: vec![
            nothing(),
            write(SELECT0, INSTRUCTIONS | PC | EN),
            write(SELECT0, INSTRUCTIONS | EN),
            write(SELECT0, 0x7A | LEVELS | PC | EN),
            write(COUNTER0, 1_u64.wrapping_neg() & 0xFFFF_FFFF),
        ],
    }
}

/// Which request faults for whom.
fn access() -> One {
    let modes = [OpMode::Real, OpMode::Virtual8086, OpMode::Protected, OpMode::Compatibility, OpMode::Long64];
    let levels = modes.into_iter().flat_map(|mode| (0..4).flat_map(move |cpl| [(cpl, mode, false), (cpl, mode, true)]));
    let still = levels.map(|(cpl, op_mode, pce)| {
        let mut inputs = core();
        (inputs.lp[0].cpl, inputs.lp[0].op_mode, inputs.lp[0].pce) = (cpl, op_mode, pce);
        inputs
    });
    let numbers = [COUNTER0, COUNTER0 + 1, COUNTER0 + 2, SELECT0, SELECT0 + 1, SELECT0 + 2, 0x4C1, 0x309, 0x38F, 0x834];
    let asked = RegOp::ALL.iter().flat_map(|&op| numbers.map(|number| ask(op, number)));
    let selectors = [0, 1, 2, 1 << 30, 1 << 31].map(|number| ask(RegOp::Rdpmc, number));
    World {
        name: "counter access",
        about: "every operation on every register in every mode, level and CR4.PCE",
        straps: Config::default(),
        still: still.collect(),
        moving: Vec::new(),
        requests: asked.chain(selectors).chain([nothing(), write(SELECT0, 1 << 21), write(SELECT0, 1 << 32)]).collect(),
    }
}

/// The global control of version 2: enables, status, what freezes and what thaws.
fn global() -> One {
    World {
        name: "global control",
        about: "enables and status of version 2: overflow, freeze by an interrupt and by an SMI, thaw by RSM and by a write",
        straps: Config { personality: Personality::Version2, ..Config::default() },
        still: vec![core(), buffer(core()), smi(core()), rsm(core()), smi(freezing(core()))],
        moving: vec![retires(1), freezing(retires(1)), smi(freezing(retires(1)))],
        requests: vec![
            nothing(),
            write(SELECT0, INSTRUCTIONS | INT | EN),
            write(SELECT0, 0),
            write(COUNTER0, 1_u64.wrapping_neg() & 0xFFFF_FFFF),
            write(CONTROL, 0),
            write(CONTROL, 3),
            write(CLEAR, 1),
            write(CLEAR, 1 << 62),
            ask(RegOp::Rdmsr, STATUS),
            write(STATUS, 0),
        ],
    }
}

/// Every world of one logical processor, the quickest first.
#[must_use]
pub fn all() -> Vec<One> {
    vec![access(), enable(), pin(), condition(), global(), interrupt()]
}

/// The same for the list of all units.
pub(crate) fn worlds() -> Vec<Box<dyn AnyWorld>> {
    boxed(all()).into_iter().chain(boxed(all_of_two())).collect()
}
