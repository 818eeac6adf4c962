//! The small worlds of the unit of branch records: one lane, four entries, and few things that can happen in a cycle.
//!
//! The core's clock stands still, so that elapsed clocks stay 0, and addresses are few, so that stack, queue and buffers have few contents.

use crate::world::{AnyWorld, boxed};
use lwp_model::retire::{
    Branch, BranchKind, IntKind, Interruption, MemAnswer, Mode, OpMode, RegOp, RegRequest, Retired,
};
use lwp_model::trace::{Config, Inputs, Lane, Precise, State, TraceUnit};

/// Lanes of the small worlds.
pub const LANES: usize = 1;
/// Entries of the LBR stack.
pub const ENTRIES: usize = 4;

/// The model with the sizes of the small worlds.
pub type Unit = TraceUnit<LANES, ENTRIES>;

/// Addresses of the management area and of the buffer.
const AREA: u64 = 0x3000;
const BUFFER: u64 = 0x2000;

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
    pub way_in: Vec<Inputs<LANES>>,
    /// What can happen in a cycle.
    pub letters: Vec<Inputs<LANES>>,
}

impl crate::World for World {
    type Unit = Unit;
    const BUILD: &'static str = "trace_l1s4";

    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn straps(&self) -> Config {
        self.straps
    }

    fn way_in(&self) -> Vec<Inputs<LANES>> {
        self.way_in.clone()
    }

    fn letters(&self, _state: &State<ENTRIES>) -> usize {
        self.letters.len()
    }

    fn letter(&self, _state: &State<ENTRIES>, letter: usize) -> Inputs<LANES> {
        self.letters[letter]
    }
}

/// The operating system in 64-bit mode.
fn idle() -> Inputs<LANES> {
    let mode = Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 };
    Inputs { mode, far_long: true, ..Inputs::default() }
}

fn write(number: u32, wdata: u64) -> Inputs<LANES> {
    Inputs { reg: RegRequest { valid: true, op: RegOp::Wrmsr, lp: 0, number, wdata }, ..idle() }
}

/// A branch from this address that is taken.
fn branch(ip: u64) -> Inputs<LANES> {
    let branch = Branch { kind: BranchKind::JmpRel, taken: true, pred_valid: true, pred_ok: false, next: 0x1000 };
    let lane = Lane { retired: Retired { valid: true, counts: true, ip }, branch, ..Lane::default() };
    Inputs { lanes: [lane], ..idle() }
}

fn interruption(kind: IntKind, vector: u8) -> Inputs<LANES> {
    Inputs { int: Interruption { valid: true, kind, vector, from: 0x1000, to: 0x5000 }, ..idle() }
}

/// Memory takes a request, answers with each of these values, or faults.
fn memory(values: &[u64]) -> Vec<Inputs<LANES>> {
    let answer = |mem| Inputs { mem, ..idle() };
    let taken = answer(MemAnswer { gnt: true, ..MemAnswer::default() });
    let fault = answer(MemAnswer { rvalid: true, err: true, ..MemAnswer::default() });
    let read = values.iter().map(|&rdata| answer(MemAnswer { rvalid: true, rdata, ..MemAnswer::default() }));
    [taken, fault].into_iter().chain(read).collect()
}

/// IA32_DEBUGCTL: software, freezes, debug exceptions and SMM change it.
fn control() -> World {
    World {
        name: "debugctl",
        about: "IA32_DEBUGCTL: WRMSR, freeze by an interrupt, #DB, SMI, RSM",
        straps: Config { lbr_tr: true, ..Config::default() },
        way_in: Vec::new(),
        letters: [0, 0x801, 0x4803, 0x841, 0x8]
            .map(|value| write(0x1D9, value))
            .into_iter()
            .chain([idle(), Inputs { pmi: true, ..idle() }])
            .chain([interruption(IntKind::Exception, 1), interruption(IntKind::Smi, 0)])
            .chain([interruption(IntKind::Rsm, 0), Inputs { btm_ready: true, ..idle() }])
            .collect(),
    }
}

/// The LBR stack.
fn stack() -> World {
    World {
        name: "stack",
        about: "the LBR stack: two branches, an interrupt, a #DB, its pointer written; the last exception record",
        straps: Config::default(),
        way_in: vec![write(0x1D9, 1)],
        letters: vec![
            idle(),
            branch(0x1100),
            branch(0x1200),
            interruption(IntKind::Interrupt, 0x20),
            interruption(IntKind::Exception, 1),
            write(0x1C9, 0),
            write(0x1D9, 1),
        ],
    }
}

/// Messages on the bus.
fn messages() -> World {
    let ready = |inputs| Inputs { btm_ready: true, ..inputs };
    let user = |inputs: Inputs<LANES>| Inputs { mode: Mode { cpl: 3, ..inputs.mode }, ..inputs };
    World {
        name: "messages",
        about: "messages: branches at both levels, one of which is left out, the bus ready and not",
        straps: Config { db_message: false, ..Config::default() },
        way_in: vec![write(0x1D9, 0x240)],
        letters: vec![
            idle(),
            ready(idle()),
            branch(0x1100),
            user(branch(0x1100)),
            user(branch(0x1200)),
            ready(user(branch(0x1100))),
            user(interruption(IntKind::Nmi, 2)),
            user(interruption(IntKind::Exception, 1)),
            Inputs { partial: true, ..user(branch(0x1100)) },
            write(0x1D9, 0x40),
            write(0x1D9, 0x240),
        ],
    }
}

/// The debug store with a buffer of branch records.
fn store() -> World {
    World {
        name: "area",
        about: "branch records in memory: any of three addresses for each field of the area, faults, BTINT and not",
        straps: Config::default(),
        way_in: vec![write(0x600, AREA), write(0x1D9, 0x1C0)],
        letters: memory(&[BUFFER, BUFFER + 24, BUFFER + 48])
            .into_iter()
            .chain([idle(), branch(0x1100), write(0x1D9, 0x1C0), write(0x1D9, 0xC0)])
            .collect(),
    }
}

/// PEBS of one counter.
fn precise() -> World {
    let mut event = branch(0x1100);
    event.pebs = Precise { event: 1, ..Precise::default() };
    let overflow = Inputs { pebs: Precise { overflow: 1, ..Precise::default() }, ..idle() };
    World {
        name: "precise",
        about: "PEBS of a counter: overflow, event, record, reload, faults",
        straps: Config { pebs_counters: 1, ..Config::default() },
        way_in: vec![write(0x600, AREA), write(0x3F1, 1)],
        letters: memory(&[BUFFER, BUFFER + 144])
            .into_iter()
            .chain([idle(), event, overflow, write(0x3F1, 0), write(0x3F1, 1)])
            .collect(),
    }
}

/// Every world, the quickest first.
#[must_use]
pub fn all() -> Vec<World> {
    vec![messages(), control(), precise(), stack(), store()]
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

    #[test]
    fn each_letter_is_another_one() {
        for world in all() {
            for (at, one) in world.letters.iter().enumerate() {
                assert!(!world.letters[..at].contains(one), "{}: {one:?}", world.name);
            }
        }
    }
}
