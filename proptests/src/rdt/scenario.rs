//! Straps and inputs of the shared cache, generated in stretches: accesses, memory, power, requests, resets.
//!
//! A stretch has rates, and a seed from which its cycles follow at little cost. Rates shrink to 0, which is a quiet stretch.

use super::random::{Chance, bits};
use super::requests::request;
use super::straps::straps;
use super::traffic::{Lines, lines};
use crate::lockstep::UnitCycle;
use crate::straps::Draw;
use lwp_model::Choice;
use lwp_model::rdt::{Config, Inputs, LpInputs, Memory, ModeInputs, Sizes};
use lwp_model::retire::{IntKind, OpMode, RegRequest};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Cycles of a stretch at most.
const STRETCH: u8 = 64;

/// Ways that the inputs can ask for: all of every build.
const ALL: (u8, u8) = (31, 15);

/// Straps and cycles of inputs.
#[derive(Clone, Debug)]
pub struct Scenario<const LP: usize> {
    /// The straps, which are legal.
    pub straps: Config,
    /// The cycles from power-up on.
    pub cycles: Vec<UnitCycle<Inputs<LP>>>,
}

/// How often something happens, in 16ths of the cycles.
#[derive(Clone, Copy, Debug)]
struct Rates {
    access: u8,
    write: u8,
    code: u8,
    grant: u8,
    answer: u8,
    local: u8,
    request: u8,
    interrupted: u8,
    unavailable: u8,
    flicker: u8,
}

/// Cycles that have rates, power and mode in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    reset: bool,
    cycles: u8,
    rates: Rates,
    /// The logical processor that alone accesses memory, if there is one.
    alone: Option<u8>,
    power: (u8, u8),
    mode: ModeInputs,
    /// `show` goes through the sets, one after the other.
    steps: bool,
    seed: u64,
}

/// Generates scenarios of up to `stretches` times 64 cycles after the first cycle, which is one of reset, for a build of these sizes.
pub fn scenario<const LP: usize>(sizes: Sizes, stretches: usize) -> BoxedStrategy<Scenario<LP>> {
    (straps(sizes), lines(), vec(stretch(), 1..=stretches))
        .prop_map(|(straps, lines, stretches)| Scenario { straps, cycles: cycles(&straps, &lines, &stretches) })
        .boxed()
}

/// Generates the same under these straps.
pub fn under<const LP: usize>(straps: Config, stretches: usize) -> BoxedStrategy<Scenario<LP>> {
    (lines(), vec(stretch(), 1..=stretches))
        .prop_map(move |(lines, stretches)| Scenario { straps, cycles: cycles(&straps, &lines, &stretches) })
        .boxed()
}

/// Returns the cycles of these stretches, behind one of reset.
fn cycles<const LP: usize>(straps: &Config, lines: &Lines, stretches: &[Stretch]) -> Vec<UnitCycle<Inputs<LP>>> {
    let mut cycles = vec![UnitCycle { reset: true, inputs: Inputs::default() }];
    let mut shown = 0;
    for stretch in stretches {
        stretch.play(straps, lines, &mut shown, &mut cycles);
    }
    cycles
}

/// Generates a stretch. About one in forty is a reset of a cycle.
pub(super) fn stretch() -> BoxedStrategy<Stretch> {
    let parts = (rates(), power(), mode(), alone(), any::<bool>());
    let whole = (parts, 1..=STRETCH, any::<u64>().no_shrink(), prop::bool::weighted(0.025));
    whole
        .prop_map(|((rates, power, mode, alone, steps), cycles, seed, reset)| Stretch {
            reset,
            cycles: if reset { 1 } else { cycles },
            rates,
            alone,
            power,
            mode,
            steps,
            seed,
        })
        .boxed()
}

fn rates() -> BoxedStrategy<Rates> {
    let often = || prop_oneof![2 => Just(0_u8), 2 => 1..=4_u8, 3 => 5..=15_u8, 2 => Just(16_u8)];
    let seldom = || prop_oneof![3 => Just(0_u8), 1 => 1..=4_u8, 1 => Just(16_u8)];
    let memory = || prop_oneof![1 => Just(0_u8), 2 => 1..=6_u8, 2 => 7..=15_u8, 4 => Just(16_u8)];
    let access = (often(), often(), seldom());
    let rare = || prop_oneof![12 => Just(0_u8), 2 => 1..=3_u8, 1 => Just(16_u8)];
    (access, memory(), memory(), often(), often(), (seldom(), rare(), rare()))
        .prop_map(|((access, write, code), grant, answer, local, request, (interrupted, unavailable, flicker))| Rates {
            access,
            write,
            code,
            grant,
            answer,
            local,
            request,
            interrupted,
            unavailable,
            flicker,
        })
        .boxed()
}

/// Generates the ways that shall have power: mostly all, else few, none, or any number.
fn power() -> BoxedStrategy<(u8, u8)> {
    let ways = |all: u8| prop_oneof![3 => Just(all), 2 => 0..=2_u8, 2 => 0..=all];
    prop_oneof![5 => Just(ALL), 3 => (ways(ALL.0), ways(ALL.1))].boxed()
}

/// Generates a mode: mostly level 0, so that registers are written.
fn mode() -> BoxedStrategy<ModeInputs> {
    let any = (0..4_u8, select(OpMode::ALL));
    let any = any.prop_map(|(cpl, op_mode)| ModeInputs { cpl, op_mode });
    prop_oneof![5 => Just(ModeInputs { cpl: 0, op_mode: OpMode::Long64 }), 1 => any].boxed()
}

fn alone() -> BoxedStrategy<Option<u8>> {
    prop_oneof![3 => Just(None), 1 => (0..8_u8).prop_map(Some)].boxed()
}

impl Stretch {
    /// Appends its cycles. `shown` is the set that `show` names next.
    fn play<const LP: usize>(
        &self,
        straps: &Config,
        lines: &Lines,
        shown: &mut u16,
        cycles: &mut Vec<UnitCycle<Inputs<LP>>>,
    ) {
        let (mut draw, mut last) = (Draw::new(self.seed), None);
        for _ in 0..self.cycles {
            let mut inputs = self.inputs(straps, lines, &mut draw, last);
            if self.steps {
                inputs.show = *shown;
                *shown = (*shown + 1) % (1 << 12);
            }
            last = Some(inputs.reg).filter(|reg| reg.valid).or(last);
            cycles.push(UnitCycle { reset: self.reset, inputs });
        }
    }

    fn inputs<const LP: usize>(
        &self,
        straps: &Config,
        lines: &Lines,
        draw: &mut Draw,
        last: Option<RegRequest>,
    ) -> Inputs<LP> {
        let rates = &self.rates;
        let mut inputs = Inputs {
            mem: Memory {
                mem_gnt: draw.in_16(rates.grant),
                mem_local: draw.in_16(rates.local),
                mem_rvalid: draw.in_16(rates.answer),
            },
            qm_unavailable: draw.in_16(rates.unavailable),
            mode: self.mode,
            ..Inputs::default()
        };
        let (l3_power, l2_power) =
            if draw.in_16(rates.flicker) { (draw.below(32) as u8, draw.below(16) as u8) } else { self.power };
        (inputs.power.l3_power, inputs.power.l2_power) = (l3_power, l2_power);
        if !self.steps {
            inputs.show = if draw.in_16(1) { draw.below(1 << 12) } else { draw.below(64) } as u16;
        }
        for (number, lp) in inputs.lp.iter_mut().enumerate() {
            *lp = self.processor(
                straps,
                lines,
                draw,
                number % LP == usize::from(self.alone.unwrap_or(number as u8)) % LP,
            );
        }
        if draw.in_16(rates.request) {
            inputs.reg = request(draw, straps, last);
        } else if draw.in_16(1) {
            // What is not valid has no effect.
            inputs.reg = RegRequest { valid: false, ..request(draw, straps, last) };
        }
        inputs
    }

    /// What a logical processor shows; `accesses` is whether it may access memory.
    fn processor(&self, straps: &Config, lines: &Lines, draw: &mut Draw, accesses: bool) -> LpInputs {
        let mut lp = LpInputs::default();
        if accesses && draw.in_16(self.rates.access) {
            lp.req_valid = true;
            lp.req_write = draw.in_16(self.rates.write);
            lp.req_code = draw.in_16(self.rates.code);
            lp.req_addr = lines.address(draw, straps, 0);
        } else if draw.in_16(1) {
            // What is not valid has no effect.
            (lp.req_write, lp.req_code, lp.req_addr) = (true, true, bits(draw) & ((1 << 52) - 1));
        }
        if draw.in_16(self.rates.interrupted) {
            lp.int_valid = true;
            lp.int_kind = IntKind::ALL[draw.below(IntKind::ALL.len())];
        }
        lp
    }
}
