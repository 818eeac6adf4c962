//! The small worlds of the debug unit: one lane, and few things that can happen in a cycle.
//!
//! The registers of the breakpoints change by few MOVs, so that a world is finite: DR6 and the flags are what moves.

mod parts;

use crate::world::{AnyWorld, boxed};
use lwp_model::debug::{Config, DebugUnit, Inputs, LaneKind, State};
use lwp_model::retire::{IntKind, OpMode, RegOp, Rep};
use lwp_regs::debug::{Breakpoint, Length, Slot, StatusKept};
use parts::*;

/// Lanes of the small worlds.
pub const LANES: usize = 1;

/// The model with the sizes of the small worlds.
pub type Unit = DebugUnit<LANES, 1>;

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
    const BUILD: &'static str = "debug_l1a1";

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

    fn letters(&self, _state: &State) -> usize {
        self.letters.len()
    }

    fn letter(&self, _state: &State, letter: usize) -> Inputs<LANES> {
        self.letters[letter]
    }
}

/// What interrupts in every world.
fn interruptions() -> [Inputs<LANES>; 5] {
    [
        delivery(HERE),
        acknowledgement(),
        interruption(IntKind::Exception, HERE),
        interruption(IntKind::Smi, ELSEWHERE),
        interruption(IntKind::Rsm, ELSEWHERE),
    ]
}

/// TF, instructions that clear it or load it, SS loads, task switches.
fn step() -> World {
    let kinds = [LaneKind::IntN, LaneKind::Int3, LaneKind::Int1];
    let stepped = kinds.map(|of| {
        let mut stepped = kind(of, false, false);
        stepped.flags.tf = true;
        lane(stepped)
    });
    let others = [
        lane(at(ELSEWHERE)),
        lane(flags(true, false, Rep::None)),
        lane(flags(true, true, Rep::None)),
        lane(flags(true, false, Rep::First)),
        lane(flags(false, false, Rep::Last)),
        lane(kind(LaneKind::Iret, true, false)),
        lane(kind(LaneKind::TaskSwitch, true, true)),
        Inputs { btf: true, ..lane(flags(true, false, Rep::None)) },
        Inputs { btf: true, ..lane(branching(flags(true, false, Rep::None))) },
        gate(true, true),
        gate(false, false),
        mov(RegOp::WriteDr, 6, 0),
    ];
    World {
        name: "step",
        about: "TF, BTF, INT n, INT3, INT1, SS loads, task switches with T, SMM",
        straps: Config::default(),
        way_in: Vec::new(),
        letters: stepped.into_iter().chain(others).chain(interruptions()).collect(),
    }
}

/// A data breakpoint, and the condition of one that is off.
fn data() -> World {
    let write = Breakpoint::write(HERE, Length::One);
    let here = |lane| writing(lane, HERE);
    World {
        name: "data",
        about: "a write at a breakpoint: in any lane, in part, at an SS load, in a fast string; another breakpoint is off",
        straps: Config { string_group: 2, status_off: true, ..Config::default() },
        way_in: arm(&[(Slot::Dr0, write), (Slot::Dr1, off(write))], 0),
        letters: [
            lane(at(ELSEWHERE)),
            lane(here(at(ELSEWHERE))),
            partial(here(at(ELSEWHERE))),
            partial(writing(at(ELSEWHERE), ELSEWHERE)),
            lane(here(flags(false, true, Rep::None))),
            lane(here(flags(true, false, Rep::None))),
            lane(here(flags(false, false, Rep::First))),
            lane(here(flags(false, false, Rep::Further))),
            lane(flags(false, false, Rep::Further)),
            lane(flags(false, false, Rep::Last)),
            lane(kind(LaneKind::IntN, false, false)),
            lane(kind(LaneKind::Int1, false, false)),
            ask(ELSEWHERE),
        ]
        .into_iter()
        .chain(interruptions())
        .collect(),
    }
}

/// An instruction breakpoint for the present task, RF, and a data breakpoint in front of it.
fn fetch() -> World {
    World {
        name: "fetch",
        about: "an instruction breakpoint: cut, asked for, behind an SS load, with RF, merged with a write but not with a step, off after a task switch",
        straps: Config { merge_next: true, status: StatusKept::All, ..Config::default() },
        way_in: arm(
            &[(Slot::Dr0, Breakpoint::write(HERE, Length::One)), (Slot::Dr2, local(Breakpoint::execute(HERE)))],
            0,
        ),
        letters: [
            lane(at(HERE)),
            lane(at(ELSEWHERE)),
            lane(writing(at(ELSEWHERE), HERE)),
            lane(writing(flags(true, false, Rep::None), HERE)),
            lane(flags(true, false, Rep::None)),
            lane(flags(false, true, Rep::None)),
            lane(flags(false, false, Rep::First)),
            lane(kind(LaneKind::Iret, true, false)),
            lane(kind(LaneKind::TaskSwitch, false, false)),
            ask(HERE),
            ask(ELSEWHERE),
            gate(true, false),
            mov(RegOp::WriteDr, 7, 0x0000_0410),
            mov(RegOp::ReadDr, 6, 0),
        ]
        .into_iter()
        .chain(interruptions())
        .collect(),
    }
}

/// I/O breakpoints, with CR4.DE and without.
fn io() -> World {
    let port = Breakpoint::io(HERE as u16, Length::Two);
    World {
        name: "io",
        about: "an I/O breakpoint of two ports, with CR4.DE and without",
        straps: Config::default(),
        way_in: arm(&[(Slot::Dr3, port)], 0),
        letters: [ports(0x1001), ports(0x1002), Inputs { de: false, ..ports(0x1001) }, lane(at(ELSEWHERE))]
            .into_iter()
            .chain(interruptions())
            .collect(),
    }
}

/// MOV to and from each register, in every mode and level, with and without CR4.DE.
fn mov_dr() -> World {
    let modes = [OpMode::Real, OpMode::Virtual8086, OpMode::Protected, OpMode::Compatibility, OpMode::Long64];
    let who = modes.into_iter().flat_map(|mode| [(mode, 0, false), (mode, 3, false), (mode, 3, true)]);
    let ops = [RegOp::ReadDr, RegOp::WriteDr, RegOp::Rdmsr];
    let asked: Vec<_> = ops
        .into_iter()
        .flat_map(|op| [0, 4, 5, 6, 7].map(|number| mov(op, number, if number == 0 { 1 << 32 } else { 0x2000 })))
        .flat_map(|asked| [false, true].map(|de| Inputs { de, ..asked }))
        .collect();
    let all = who.flat_map(|(op_mode, cpl, smm)| {
        asked.clone().into_iter().map(move |mut asked| {
            (asked.mode.op_mode, asked.mode.cpl, asked.mode.smm) = (op_mode, cpl, smm);
            asked
        })
    });
    let clears = [mov(RegOp::WriteDr, 7, 0), mov(RegOp::WriteDr, 7, 1 << 40), mov(RegOp::WriteDr, 6, 0xE00F)];
    World {
        name: "mov",
        about: "MOV DR in every mode and level, with and without CR4.DE; general detect, and who clears GD",
        straps: Config::default(),
        way_in: Vec::new(),
        letters: all.chain(clears).chain(interruptions()).collect(),
    }
}

/// Regions, with advanced debugging and without.
fn region() -> World {
    let breakpoints = [(Slot::Dr0, Breakpoint::write(HERE, Length::One)), (Slot::Dr1, Breakpoint::execute(HERE))];
    let advanced = |inputs| Inputs { rtm_debug: true, ..inputs };
    let inside = [
        lane(in_region(writing(at(ELSEWHERE), HERE))),
        lane(in_region(at(HERE))),
        lane(in_region(kind(LaneKind::Int3, false, false))),
        lane(in_region(flags(true, false, Rep::None))),
    ];
    let mut question = ask(HERE);
    question.ask.in_tx = true;
    World {
        name: "region",
        about: "breakpoints, INT3 and steps in a region: aborts and rollbacks",
        straps: Config { status: StatusKept::Nothing, ..Config::default() },
        way_in: arm(&breakpoints, 1 << 11),
        letters: inside
            .into_iter()
            .flat_map(|inputs| [inputs, advanced(inputs)])
            .chain([question, advanced(question), lane(abort()), lane(at(ELSEWHERE))])
            .chain([lane(in_region(writing(flags(false, true, Rep::None), HERE)))])
            .chain(interruptions())
            .collect(),
    }
}

/// Every world, the quickest first.
#[must_use]
pub fn all() -> Vec<World> {
    vec![io(), region(), data(), step(), fetch(), mov_dr()]
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
