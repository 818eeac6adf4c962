//! The small worlds of the shared cache, in its small build.
//!
//! A memory is no part of a state of the walk. So the caches stay as they were cleared: no access of a world fills a way.

use crate::world::{AnyWorld, boxed};
use lwp_model::rdt::{Config, Inputs, LpInputs, Memory, Power, Vendor};
use lwp_model::retire::{RegOp, RegRequest};

/// The model with the sizes of the small worlds.
pub type Unit = lwp_model::rdt::Rdt<2, 8, 4, 4, 2, 4, 4>;

/// Registers of the model.
pub type State = <Unit as lwp_model::Unit>::State;

/// Power for all ways.
const POWER: Power = Power { l3_power: 31, l2_power: 15 };
/// Power for no way.
const OFF: Power = Power { l3_power: 0, l2_power: 0 };

const L3_QOS_CFG: u32 = 0xC81;
const EVTSEL: u32 = 0xC8D;
const CTR: u32 = 0xC8E;
const PQR_ASSOC: u32 = 0xC8F;
const L3_MASK: u32 = 0xC90;
const THROTTLE: u32 = 0xD50;

/// One small world.
#[derive(Clone, Debug)]
pub struct World {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is in it, in a line.
    pub about: &'static str,
    /// The straps.
    pub straps: Config,
    /// The cycles from reset to the root.
    pub way_in: Vec<Inputs<2>>,
    /// What can happen in a cycle.
    pub letters: Vec<Inputs<2>>,
}

impl crate::World for World {
    type Unit = Unit;
    const BUILD: &'static str = "rdt_s8w4";

    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn straps(&self) -> Config {
        self.straps
    }

    fn way_in(&self) -> Vec<Inputs<2>> {
        self.way_in.clone()
    }

    fn letters(&self, _: &State) -> usize {
        self.letters.len()
    }

    fn letter(&self, _: &State, letter: usize) -> Inputs<2> {
        self.letters[letter]
    }
}

/// Nothing but power.
fn with(power: Power) -> Inputs<2> {
    Inputs { power, ..Inputs::default() }
}

/// A request for a register, with power for all ways.
fn asks(op: RegOp, lp: u8, number: u32, wdata: u64) -> Inputs<2> {
    Inputs { reg: RegRequest { valid: true, op, lp, number, wdata }, ..with(POWER) }
}

/// WRMSR by logical processor `lp`.
fn wrmsr(lp: u8, number: u32, wdata: u64) -> Inputs<2> {
    asks(RegOp::Wrmsr, lp, number, wdata)
}

/// RDMSR by logical processor `lp`.
fn rdmsr(lp: u8, number: u32) -> Inputs<2> {
    asks(RegOp::Rdmsr, lp, number, 0)
}

/// The memories are cleared.
fn cleared(power: Power) -> Vec<Inputs<2>> {
    vec![with(power); 8]
}

/// The default straps with occupancy as the only event: bandwidth would count for ever.
fn counting_lines() -> Config {
    Config { events: 1, ..Config::default() }
}

/// The L3 cache alone, without delays.
fn l3_only() -> Config {
    let straps =
        Config { l2: false, l2_sets: 0, l2_ways: 0, l2_cat: false, l2_cdp: false, l2_cos: 0, ..counting_lines() };
    Config { mba: false, mba_cos: 0, ..straps }
}

/// Logical processor 0 reads or writes a line, 1 reads one; memory takes a request and answers, each or not.
fn accesses(power: Power) -> Vec<Inputs<2>> {
    let access =
        |write, line: u64| LpInputs { req_valid: true, req_write: write, req_addr: line << 6, ..LpInputs::default() };
    let first = [LpInputs::default(), access(false, 1), access(true, 1)];
    let second = [LpInputs::default(), access(false, 2)];
    let memory = [(false, false), (false, true), (true, false), (true, true)];
    let both = first.iter().flat_map(|one| second.iter().map(move |other| [*one, *other]));
    both.flat_map(|lp| {
        memory.map(|(mem_gnt, mem_rvalid)| {
            let mem = Memory { mem_gnt, mem_local: false, mem_rvalid };
            Inputs { lp, mem, ..with(power) }
        })
    })
    .collect()
}

/// No access: association, selection with its settling time, and CDP with the classes that are left.
fn association() -> World {
    World {
        name: "association",
        about: "RMID and class of two logical processors, CDP that halves the classes, a selection that settles",
        straps: Config { settle: 3, l3_cos: 3, ..l3_only() },
        way_in: cleared(POWER),
        letters: vec![
            with(POWER),
            wrmsr(0, PQR_ASSOC, 1 << 32 | 3),
            wrmsr(0, PQR_ASSOC, 2 << 32),
            wrmsr(1, PQR_ASSOC, 4),
            wrmsr(1, PQR_ASSOC, 3 << 32 | 1),
            wrmsr(0, L3_QOS_CFG, 0),
            wrmsr(0, L3_QOS_CFG, 1),
            wrmsr(0, L3_QOS_CFG, 2),
            wrmsr(1, EVTSEL, 1 | 2 << 32),
            wrmsr(1, EVTSEL, 2),
            rdmsr(1, CTR),
            rdmsr(0, PQR_ASSOC),
            wrmsr(1, CTR, 0),
        ],
    }
}

/// The L3 cache of AMD, of whose ways the class may fill none, and a delay.
fn paced() -> World {
    let straps = Config {
        vendor: Vendor::Amd,
        width: 25,
        mba: true,
        mba_cos: 1,
        mba_linear: false,
        mba_max: 8,
        mba_period: 2,
        ..l3_only()
    };
    World {
        name: "paced",
        about: "two logical processors read and write past an L3 cache whose mask is empty, one of them delayed",
        straps,
        way_in: cleared(POWER)
            .into_iter()
            .chain([wrmsr(0, L3_MASK, 0), wrmsr(0, L3_MASK + 1, 0), wrmsr(0, THROTTLE + 1, 8)])
            .chain([wrmsr(1, PQR_ASSOC, 1 << 32 | 1)])
            .collect(),
        letters: accesses(POWER),
    }
}

/// Both caches without power.
fn unpowered() -> World {
    World {
        name: "unpowered",
        about: "two logical processors read and write past two caches without power",
        straps: Config { mba: false, mba_cos: 0, ..counting_lines() },
        way_in: cleared(OFF),
        letters: accesses(OFF),
    }
}

/// Walks through both caches, which are empty.
fn walks() -> World {
    let ways = |l3_power, l2_power| with(Power { l3_power, l2_power });
    World {
        name: "walks",
        about: "ways of two empty caches lose power and get it back, in the middle of a walk, too",
        straps: Config { mba: false, mba_cos: 0, ..counting_lines() },
        way_in: cleared(POWER),
        letters: vec![ways(31, 15), ways(2, 15), ways(0, 1), ways(1, 0), ways(3, 2)],
    }
}

/// Every world, smallest first.
#[must_use]
pub fn all() -> Vec<World> {
    vec![walks(), association(), unpowered(), paced()]
}

/// The worlds as those of any unit.
pub(crate) fn worlds() -> Vec<Box<dyn AnyWorld>> {
    boxed(all())
}
