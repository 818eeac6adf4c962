//! The small worlds of the shared cache, in its small build.
//!
//! A memory is no part of a state of the walk. So the caches stay as they were cleared: no world accesses them.

use crate::world::{AnyWorld, boxed};
use lwp_model::rdt::{Config, Inputs, Power};
use lwp_model::retire::{RegOp, RegRequest};

/// The model with the sizes of the small worlds.
pub type Unit = lwp_model::rdt::Rdt<2, 8, 4, 4, 2, 4, 4>;

/// Registers of the model.
pub type State = <Unit as lwp_model::Unit>::State;

/// Power for all ways.
const POWER: Power = Power { l3_power: 31, l2_power: 15 };

const L3_QOS_CFG: u32 = 0xC81;
const EVTSEL: u32 = 0xC8D;
const CTR: u32 = 0xC8E;
const PQR_ASSOC: u32 = 0xC8F;

/// One small world.
#[derive(Clone, Debug)]
pub struct World {
    /// Its name on the command line.
    pub name: &'static str,
    /// What is in it, in a line.
    pub about: &'static str,
    /// The straps.
    pub straps: Config,
    /// What is asked of the registers.
    pub requests: Vec<RegRequest>,
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

    /// The memories are cleared, with power for all ways.
    fn way_in(&self) -> Vec<Inputs<2>> {
        vec![with(POWER); 8]
    }

    fn letters(&self, _: &State) -> usize {
        1 + self.requests.len()
    }

    fn letter(&self, _: &State, letter: usize) -> Inputs<2> {
        let reg = letter.checked_sub(1).map_or_else(RegRequest::default, |letter| self.requests[letter]);
        Inputs { reg, ..with(POWER) }
    }
}

/// Nothing but power.
fn with(power: Power) -> Inputs<2> {
    Inputs { power, ..Inputs::default() }
}

/// WRMSR by logical processor `lp`.
fn wrmsr(lp: u8, number: u32, wdata: u64) -> RegRequest {
    RegRequest { valid: true, op: RegOp::Wrmsr, lp, number, wdata }
}

/// RDMSR by logical processor `lp`.
fn rdmsr(lp: u8, number: u32) -> RegRequest {
    RegRequest { valid: true, op: RegOp::Rdmsr, lp, number, wdata: 0 }
}

/// The L3 cache alone, with occupancy as its only event.
fn l3_only() -> Config {
    let straps =
        Config { l2: false, l2_sets: 0, l2_ways: 0, l2_cat: false, l2_cdp: false, l2_cos: 0, ..Config::default() };
    Config { events: 1, mba: false, mba_cos: 0, ..straps }
}

/// No access: association, selection with its settling time, and CDP with the classes that are left.
fn association() -> World {
    World {
        name: "association",
        about: "RMID and class of two logical processors, CDP that halves the classes, a selection that settles",
        straps: Config { settle: 3, l3_cos: 3, ..l3_only() },
        requests: vec![
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

/// Every world, smallest first.
#[must_use]
pub fn all() -> Vec<World> {
    vec![association()]
}

/// The worlds as those of any unit.
pub(crate) fn worlds() -> Vec<Box<dyn AnyWorld>> {
    boxed(all())
}
