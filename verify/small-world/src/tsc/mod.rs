//! The small worlds of the time-stamp counter: two logical processors.
//!
//! A counter has 64 bits and never comes back by itself. So time stands still where a world ends: there are letters with a tick only while no
//! counter is far, and a write leads back.

mod parts;

use crate::world::{AnyWorld, boxed};
use lwp_model::Choice;
use lwp_model::retire::{OpMode, Processor, RegOp, RegRequest};
use lwp_model::tsc::{Config, DeepSleep, Inputs, State, Tsc};
use lwp_regs::tsc::{TscRate, TscWrite};
use parts::*;

/// Logical processors of the small worlds.
pub const PROCESSORS: usize = 2;

/// The model with the sizes of the small worlds.
pub type Unit = Tsc<PROCESSORS>;

/// Who asks: level, mode, CR4.TSD.
pub type Level = (u8, OpMode, bool);

/// One small world.
#[derive(Clone, Debug)]
pub struct World {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is in it, in a line.
    pub about: &'static str,
    /// The straps.
    pub straps: Config,
    /// Pins and clocks in which no time passes.
    pub still: Vec<Processor>,
    /// Those in which time passes.
    pub moving: Vec<Processor>,
    /// Whether time stands still in this state.
    pub far: fn(&State<PROCESSORS>) -> bool,
    /// Who asks.
    pub levels: Vec<Level>,
    /// What is asked.
    pub requests: Vec<RegRequest>,
}

impl World {
    /// Pins and clocks that there are in this state.
    fn clocks(&self, state: &State<PROCESSORS>) -> usize {
        self.still.len() + if (self.far)(state) { 0 } else { self.moving.len() }
    }
}

impl crate::World for World {
    type Unit = Unit;
    const BUILD: &'static str = "tsc_lp2";

    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn straps(&self) -> Config {
        self.straps
    }

    fn letters(&self, state: &State<PROCESSORS>) -> usize {
        self.clocks(state) * self.levels.len() * self.requests.len()
    }

    fn letter(&self, state: &State<PROCESSORS>, letter: usize) -> Inputs {
        let clocks = self.clocks(state);
        let (clock, rest) = (letter % clocks, letter / clocks);
        let processor = *self.still.get(clock).unwrap_or_else(|| &self.moving[clock - self.still.len()]);
        let (cpl, op_mode, tsd) = self.levels[rest % self.levels.len()];
        Inputs { processor, cpl, op_mode, tsd, reg: self.requests[rest / self.levels.len()] }
    }
}

/// Both counters count from below 0 over 0, each with its own writes. Three parts make a tick, of which the crystal brings two.
fn count() -> World {
    World {
        name: "count",
        about: "two counters over 2^64, written and read one by one; a fraction of thirds",
        straps: Config {
            adjust: false,
            aux: false,
            art_whole: 0,
            art_rest: 2,
            art_denominator: 3,
            ..Config::default()
        },
        still: vec![Processor::default(), Processor { halted: true, stpclk: true, ..bus(7) }],
        moving: vec![crystal(), Processor { halted: true, stpclk: true, dpslp: true, ..crystal() }],
        far: |state| counters(state).any(|counter| counter >= 3),
        levels: vec![SYSTEM],
        requests: vec![
            nothing(),
            write(COUNTER, 0, 2_u64.wrapping_neg()),
            write(COUNTER, 1, 3_u64.wrapping_neg()),
            write(ADJUST, 1, 5),
            ask(RegOp::Rdtsc, COUNTER, 0),
            ask(RegOp::Rdmsr, COUNTER, 1),
            // Of two logical processors the number has one bit.
            ask(RegOp::Rdtsc, COUNTER, 7),
        ],
    }
}

/// The adjustment, coupled both ways, of two logical processors.
fn together() -> World {
    World {
        name: "together",
        about: "counter and IA32_TSC_ADJUST move each other; one time for both; a fraction of halves",
        straps: Config { aux: false, art_whole: 1, art_rest: 1, art_denominator: 2, ..Config::default() },
        still: vec![Processor::default()],
        moving: vec![crystal()],
        far: |state| elapsed(state) >= 5,
        levels: vec![SYSTEM],
        requests: vec![
            nothing(),
            write(COUNTER, 0, 1_u64.wrapping_neg()),
            write(COUNTER, 1, 2),
            write(ADJUST, 0, 1),
            write(ADJUST, 1, 1),
            ask(RegOp::Rdmsr, ADJUST, 0),
            ask(RegOp::Rdtsc, COUNTER, 1),
        ],
    }
}

/// The ratio of the first cycle, whatever it is, and deep sleep, which stops the counter.
fn boot() -> World {
    World {
        name: "boot",
        about: "the ratio of the first cycle counts for ever; ratios change; DPSLP# stops the counter",
        straps: Config { rate: TscRate::ConstantBoot, deep_sleep: DeepSleep::Stop, ..of_bus() },
        still: vec![
            Processor { core_ratio: 3, ..Processor::default() },
            Processor { core_ratio: 4, ..crystal() },
            Processor { dpslp: true, ..bus(4) },
        ],
        moving: vec![bus(3), bus(4), Processor { halted: true, stpclk: true, ..bus(0) }],
        far: |state| counters(state).any(|counter| counter >= 3),
        levels: vec![SYSTEM],
        requests: vec![
            nothing(),
            write(COUNTER, 0, 2_u64.wrapping_neg()),
            write(COUNTER, 1, 2_u64.wrapping_neg()),
            ask(RegOp::Rdtsc, COUNTER, 0),
        ],
    }
}

/// The rate follows the ratio of each tick.
fn variable() -> World {
    World {
        name: "variable",
        about: "each tick of the bus clock is worth its own ratio, in halves",
        straps: Config { rate: TscRate::Variable, ..of_bus() },
        still: vec![Processor { core_ratio: 9, ..crystal() }],
        moving: vec![bus(0), bus(1), bus(2), Processor { dpslp: true, ..bus(5) }],
        ..boot()
    }
}

/// WRMSR that sets the low 32 bits and clears the others; IA32_TSC_AUX with bits that it does not have.
fn narrow() -> World {
    World {
        name: "narrow",
        about: "WRMSR of 32 bits, a carry over bit 32; IA32_TSC_AUX and RDTSCP",
        straps: Config {
            write_width: TscWrite::Low32,
            adjust: false,
            art_whole: 1,
            art_rest: 0,
            art_denominator: 1,
            ..Config::default()
        },
        still: vec![Processor::default()],
        moving: vec![crystal()],
        far: |state| counters(state).any(|counter| (2..1 << 31).contains(&counter) || counter > 1 << 32),
        levels: vec![SYSTEM],
        requests: vec![
            nothing(),
            write(COUNTER, 0, 2_u64.wrapping_neg()),
            write(COUNTER, 0, 1 << 32),
            write(COUNTER, 1, 2_u64.wrapping_neg()),
            write(COUNTER, 1, 0),
            write(AUX, 0, 0x89AB_CDEF),
            write(AUX, 1, 0x7654_3210),
            write(AUX, 1, 1 << 32),
            ask(RegOp::Rdtscp, COUNTER, 0),
            ask(RegOp::Rdmsr, AUX, 1),
        ],
    }
}

/// Which request faults for whom.
fn access() -> World {
    let modes = [OpMode::Real, OpMode::Virtual8086, OpMode::Protected, OpMode::Compatibility, OpMode::Long64];
    let levels = modes.into_iter().flat_map(|mode| (0..4).flat_map(move |cpl| [(cpl, mode, false), (cpl, mode, true)]));
    let numbers = [COUNTER, ADJUST, AUX, COUNTER + 1];
    let asked = RegOp::ALL.iter().flat_map(|&op| numbers.map(|number| RegRequest { wdata: 1, ..ask(op, number, 0) }));
    World {
        name: "access",
        about: "every operation on every register in every mode, level and CR4.TSD",
        straps: Config::default(),
        still: vec![Processor::default()],
        moving: Vec::new(),
        far: |_| true,
        levels: levels.collect(),
        requests: asked.chain([nothing(), write(AUX, 0, 1 << 63), write(COUNTER, 0, 1 << 63)]).collect(),
    }
}

/// The same of a processor without adjustment and auxiliary register, and of one without a counter.
fn lacking() -> [World; 2] {
    let without = Config { adjust: false, aux: false, ..access().straps };
    let absent = Config { present: false, ..without };
    [
        World { name: "without", about: "as access, without IA32_TSC_ADJUST and RDTSCP", straps: without, ..access() },
        World {
            name: "absent",
            about: "as access, without a counter; the crystal ticks",
            straps: absent,
            moving: vec![crystal()],
            far: |_| false,
            ..access()
        },
    ]
}

/// Every world, the quickest first.
#[must_use]
pub fn all() -> Vec<World> {
    let [without, absent] = lacking();
    vec![absent, without, access(), boot(), variable(), narrow(), together(), count()]
}

/// The world with this name.
#[must_use]
pub fn find(name: &str) -> Option<World> {
    all().into_iter().find(|world| world.name == name)
}

/// The same for the list of all units.
pub(crate) fn worlds() -> Vec<Box<dyn AnyWorld>> {
    boxed(all())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Machine, World as _};

    /// Each letter is another one, in a state that is near and in one that is far.
    #[test]
    fn letters_are_the_product() {
        for world in all() {
            let mut state = *world.enter(Machine::new(world.model())).state();
            assert!(world.name == "access" || world.name == "without" || !(world.far)(&state), "{}", world.name);
            for far in [false, true] {
                let letters = world.letters(&state);
                let all: Vec<_> = (0..letters).map(|letter| world.letter(&state, letter)).collect();
                for (at, one) in all.iter().enumerate().take(60) {
                    assert!(!all[..at].contains(one), "{}: {one:?}, far {far}", world.name);
                }
                state.processors[0].counter = 1000.into();
            }
        }
    }
}
