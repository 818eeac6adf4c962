//! Straps and inputs of the performance counters, generated in stretches: what is counted, requests, interruptions, clocks, resets.

use super::Sizes;
use super::requests::{apic, request};
use super::straps::straps;
use crate::lockstep::UnitCycle;
use crate::straps::Draw;
use lwp_model::Choice;
use lwp_model::perf::{Config, Events, Inputs, Lane, Line, Lp};
use lwp_model::retire::{BranchKind, IntKind, OpMode};
use proptest::array::uniform;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Cycles of a stretch at most.
const STRETCH: usize = 12;

/// Straps and what happens.
#[derive(Clone, Debug)]
pub struct Scenario<const LP: usize, const LANES: usize> {
    /// Legal straps.
    pub straps: Config,
    /// Cycles from power-up on.
    pub cycles: Vec<UnitCycle<Inputs<LP, LANES>>>,
}

/// Returns scenarios of up to `stretches` times 12 cycles after the first, which is one of reset. In a stretch the modes and control
/// bits stay as they are; one stretch of some twenty is a reset.
pub fn scenario<const LP: usize, const LANES: usize>(
    sizes: Sizes,
    stretches: usize,
) -> BoxedStrategy<Scenario<LP, LANES>> {
    (straps(sizes), vec(stretch(), 1..=stretches))
        .prop_map(|(straps, stretches)| {
            let first = UnitCycle { reset: true, inputs: Inputs::default() };
            Scenario { straps, cycles: [first].into_iter().chain(stretches.into_iter().flatten()).collect() }
        })
        .boxed()
}

/// Returns scenarios for a long run, in which drawing takes most of the time: up to `stretches` stretches as in [`scenario`], then the same ones
/// in `orders` other orders, which meet other states. Any order is legal: nothing but the state connects two stretches.
pub fn long_scenario<const LP: usize, const LANES: usize>(
    sizes: Sizes,
    stretches: usize,
    orders: usize,
) -> BoxedStrategy<Scenario<LP, LANES>> {
    let shuffles = vec(any::<u64>().no_shrink(), orders);
    (straps(sizes), vec(stretch(), 1..=stretches), shuffles)
        .prop_map(|(straps, mut stretches, shuffles)| {
            let mut cycles = vec![UnitCycle { reset: true, inputs: Inputs::default() }];
            cycles.extend(stretches.iter().flatten().cloned());
            for seed in shuffles {
                Draw::new(seed).shuffle(&mut stretches);
                cycles.extend(stretches.iter().flatten().cloned());
            }
            Scenario { straps, cycles }
        })
        .boxed()
}

/// Some cycles with the same modes and control bits, or a reset.
fn stretch<const LP: usize, const LANES: usize>() -> BoxedStrategy<Vec<UnitCycle<Inputs<LP, LANES>>>> {
    let cycles = (vec(stays(), LP), vec(inputs::<LP, LANES>(), 1..=STRETCH)).prop_map(|(stays, cycles)| {
        let with = |mut inputs: Inputs<LP, LANES>| {
            for (lp, stays) in inputs.lp.iter_mut().zip(&stays) {
                *lp = Lp {
                    cpl: stays.cpl,
                    op_mode: stays.op_mode,
                    pce: stays.pce,
                    freeze_on_pmi: stays.freeze_on_pmi,
                    freeze_while_smm: stays.freeze_while_smm,
                    halted: stays.halted,
                    ..*lp
                };
            }
            UnitCycle { reset: false, inputs }
        };
        cycles.into_iter().map(with).collect()
    });
    let reset = inputs().prop_map(|inputs| vec![UnitCycle { reset: true, inputs }]);
    prop_oneof![1 => reset, 20 => cycles].boxed()
}

/// What stays in a stretch.
fn stays() -> BoxedStrategy<Lp> {
    // Mostly the system, whose writes are obeyed.
    let level =
        (prop_oneof![3 => Just(0), 1 => 0..=3_u8], prop_oneof![4 => Just(OpMode::Long64), 1 => select(OpMode::ALL)]);
    let bit = || prop::bool::weighted(0.3);
    (level, any::<bool>(), bit(), bit(), bit())
        .prop_map(|(level, pce, freeze_on_pmi, freeze_while_smm, halted)| {
            let (cpl, op_mode) = level;
            Lp { cpl, op_mode, pce, freeze_on_pmi, freeze_while_smm, halted, ..Lp::default() }
        })
        .boxed()
}

/// The inputs of a cycle but for what stays.
fn inputs<const LP: usize, const LANES: usize>() -> BoxedStrategy<Inputs<LP, LANES>> {
    let ratio = prop_oneof![2 => Just(4), 2 => Just(6), 1 => any::<u8>()];
    let clocks = (any::<bool>(), ratio, prop::bool::weighted(0.85));
    let lanes = vec(vec(lane(), LANES), LP);
    (clocks, lanes, vec(processor(), LP), request(), apic())
        .prop_map(|(clocks, lanes, lp, reg, apic)| {
            let (bus_tick, core_ratio, core_clock) = clocks;
            Inputs {
                bus_tick,
                core_ratio,
                core_clock,
                lanes: core::array::from_fn(|own| core::array::from_fn(|lane| lanes[own][lane])),
                lp: core::array::from_fn(|own| lp[own]),
                reg,
                apic,
            }
        })
        .boxed()
}

fn lane() -> BoxedStrategy<Lane> {
    let kind = prop_oneof![2 => Just(BranchKind::None), 2 => select(BranchKind::ALL)];
    (uniform::<_, 5>(any::<bool>()), kind)
        .prop_map(|([valid, counts, branch_taken, known, branch_pred_ok], branch_kind)| Lane {
            valid,
            counts,
            branch_kind,
            branch_taken,
            branch_pred_valid: known,
            branch_pred_ok,
        })
        .boxed()
}

fn processor() -> BoxedStrategy<Lp> {
    let seldom = |share: f64| prop::bool::weighted(share);
    let interruption = (seldom(0.1), select(IntKind::ALL));
    let pulses = (seldom(0.1), seldom(0.05), seldom(0.05), any::<bool>());
    (events(), interruption, pulses)
        .prop_map(|(events, (int_valid, int_kind), (partial, freeze, ds_pmi, irq_ack))| Lp {
            events,
            int_valid,
            int_kind,
            partial,
            freeze,
            ds_pmi,
            irq_ack,
            ..Lp::default()
        })
        .boxed()
}

/// The event bus: empty, a few lines, or all lines with numbers by which neighbours differ.
fn events() -> BoxedStrategy<Events> {
    let few = vec((select(Line::ALL), 1..=15_u8), 0..4).prop_map(|lines| {
        let mut events = Events::default();
        lines.into_iter().for_each(|(line, number)| events.set(line, number));
        events
    });
    let all = (0..16_u8, 0..16_u8, 0..4_u32).prop_map(|(step, first, shift)| {
        let mut events = Events::default();
        for (place, line) in Line::ALL.iter().enumerate() {
            events.set(*line, ((place as u8).wrapping_mul(step).wrapping_add(first) & 15) >> shift);
        }
        events
    });
    prop_oneof![2 => few, 3 => all].boxed()
}
