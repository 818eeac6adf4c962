//! Cycles in which each line of the event bus shows the bits of its own number, so that a counter that watches another line differs.

use crate::lockstep::UnitCycle;
use lwp_model::Choice;
use lwp_model::perf::{Config, Events, Inputs, Lane, Line};
use lwp_model::retire::{BranchKind, IntKind, OpMode, RegOp, RegRequest};
use lwp_regs::perf::p6::P6Model;
use lwp_regs::perf::p6::event::{BusAgent, EVENTS};

/// A cycle of a unit with two counters.
pub type Cycle = UnitCycle<Inputs<1, 4>>;

/// Bits of the number of a line, counted from 1.
const BITS: u32 = 7;

/// A cycle of the operating system with these clocks.
fn system(core_clock: bool, bus_tick: bool) -> Inputs<1, 4> {
    let mut inputs = Inputs { core_clock, bus_tick, core_ratio: 4, ..Inputs::default() };
    inputs.lp[0].op_mode = OpMode::Long64;
    inputs.lp[0].halted = true;
    inputs
}

/// Returns a write of an event select, in a cycle without any clock.
#[must_use]
pub fn select(counter: u32, code: u8, mask: u8) -> Cycle {
    let enable = if counter == 0 { 1 << 22 } else { 0 };
    let wdata = u64::from(code) | u64::from(mask) << 8 | 3 << 16 | enable;
    let reg = RegRequest { valid: true, op: RegOp::Wrmsr, lp: 0, number: 0x186 + counter, wdata };
    UnitCycle { reset: false, inputs: Inputs { reg, ..system(false, false) } }
}

/// Returns cycles in which each line shows its number bit by bit; then the lanes, an interrupt, and a processor that is not halted.
pub fn lines(core_clock: bool, bus_tick: bool) -> impl Iterator<Item = Cycle> {
    let bus = (0..BITS).map(move |bit| {
        let mut events = Events::default();
        for (place, line) in Line::ALL.iter().enumerate() {
            events.set(*line, ((place + 1) >> bit & 1) as u8);
        }
        let mut inputs = system(core_clock, bus_tick);
        inputs.lp[0].events = events;
        inputs
    });
    let mut lanes = system(core_clock, bus_tick);
    let branch = |branch_taken, branch_pred_ok| Lane {
        valid: true,
        counts: true,
        branch_kind: BranchKind::Cond,
        branch_taken,
        branch_pred_valid: true,
        branch_pred_ok,
    };
    lanes.lanes[0] =
        [branch(true, true), branch(false, false), branch(true, false), Lane { counts: false, ..branch(true, true) }];
    let mut interrupt = system(core_clock, bus_tick);
    (interrupt.lp[0].int_valid, interrupt.lp[0].int_kind) = (true, IntKind::Nmi);
    let mut runs = system(core_clock, bus_tick);
    runs.lp[0].halted = false;
    bus.chain([lanes, interrupt, runs]).map(|inputs| UnitCycle { reset: false, inputs })
}

/// Returns cycles in which both counters overflow by an event whose pins follow the clock ratio, at several ratios.
fn odd() -> impl Iterator<Item = Cycle> {
    let count = |counter: u32| {
        let reg = RegRequest { valid: true, op: RegOp::Wrmsr, lp: 0, number: 0xC1 + counter, wdata: u64::MAX };
        UnitCycle { reset: false, inputs: Inputs { reg, ..system(false, false) } }
    };
    let at = move |code, core_ratio| {
        let events = lines(true, true).map(move |mut cycle| {
            cycle.inputs.core_ratio = core_ratio;
            cycle
        });
        [select(0, code, 0), select(1, code, 0), count(0), count(1)].into_iter().chain(events)
    };
    [0x7A, 0x7B].into_iter().flat_map(move |code| (2..8).flat_map(move |ratio| at(code, ratio)))
}

/// Returns the straps of a P6, and cycles in which both counters count each event of the table: with its usual unit mask and that of all
/// agents by each of the clocks, and with the masks 00H to 10H, 20H and FFH; last the overflows whose pins follow the clock ratio. There is
/// one for each model of the P6.
#[must_use]
pub fn listed(number: u64) -> Option<(Config, Vec<Cycle>)> {
    let p6_model = *P6Model::ALL.get(number as usize)?;
    let both = |code, mask| [select(0, code, mask), select(1, code, mask)].into_iter();
    let usual = EVENTS.iter().flat_map(|event| {
        let usual = event.unit_mask().default_mask().unwrap_or(0x0F);
        // The bus transactions of all agents have a clock of their own.
        let any = BusAgent::Any.bits();
        let masks = [usual].into_iter().chain((event.unit_mask().allows(any) && usual != any).then_some(any));
        masks.flat_map(|mask| both(event.code(), mask).chain(lines(true, false)).chain(lines(false, true)))
    });
    let masks = EVENTS.iter().flat_map(|event| (0..=0x10).chain([0x20, 0xFF]).map(move |mask| (event.code(), mask)));
    let masks = masks.flat_map(|(code, mask)| both(code, mask).chain(lines(true, true)));
    let reset = UnitCycle { reset: true, inputs: Inputs::default() };
    Some((
        Config { p6_model, ..Config::default() },
        [reset].into_iter().chain(usual).chain(masks).chain(odd()).collect(),
    ))
}
