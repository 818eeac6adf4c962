//! Straps and inputs of the event qualification, generated in stretches: what a core shows at any moment, whether a core could do it or not.
//!
//! A stretch has a privilege level and an instruction set. Addresses, opcodes and values of registers are few, so that ranges and matchers
//! hit and miss. Many scenarios begin with a set-up that thaws the counters, as little is counted otherwise.

use super::registers::{rearm, request, set_up};
use super::shown::{fetch, issue, mem, retire};
use crate::lockstep::UnitCycle;
use lwp_model::Choice;
use lwp_model::itanium::{Config, Inputs, IsmOrder, RegRequest, UpOnInterruption};
use proptest::array;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Cycles of a stretch at most.
const STRETCH: usize = 12;

/// Straps and cycles of inputs.
#[derive(Clone, Debug)]
pub struct Scenario<const BUNDLES: usize> {
    /// The straps.
    pub straps: Config,
    /// The cycles from power-up on.
    pub cycles: Vec<UnitCycle<Inputs<BUNDLES>>>,
}

/// Generates scenarios of up to `stretches` times 12 cycles after a set-up and the first cycle, which is one of reset.
pub fn scenario<const BUNDLES: usize>(stretches: usize) -> BoxedStrategy<Scenario<BUNDLES>> {
    let begins = prop_oneof![4 => set_up(), 1 => Just(Vec::new())];
    (straps(), begins, vec(stretch::<BUNDLES>(), 1..=stretches))
        .prop_map(|(straps, begins, stretches)| {
            let first = UnitCycle { reset: true, inputs: Inputs::default() };
            let ask = |reg: RegRequest| UnitCycle { reset: false, inputs: Inputs { reg, ..Inputs::default() } };
            let cycles = [first].into_iter().chain(begins.into_iter().map(ask)).chain(stretches.into_iter().flatten());
            Scenario { straps, cycles: cycles.collect() }
        })
        .boxed()
}

/// Generates straps.
pub fn straps() -> BoxedStrategy<Config> {
    (select(IsmOrder::ALL), select(UpOnInterruption::ALL), any::<bool>())
        .prop_map(|(ism_order, up_on_interruption, freeze_always)| Config {
            ism_order,
            up_on_interruption,
            freeze_always,
        })
        .boxed()
}

/// Generates cycles at one level with one instruction set, or the end of a handler; rarely a reset, or the set-up once more.
fn stretch<const BUNDLES: usize>() -> BoxedStrategy<Vec<UnitCycle<Inputs<BUNDLES>>>> {
    let level = || prop_oneof![3 => Just(0_u8), 2 => Just(3_u8), 2 => 0..=3_u8];
    let cycles =
        (level(), prop::bool::weighted(0.25), vec(inputs::<BUNDLES>(), 1..=STRETCH)).prop_map(|(cpl, psr_is, all)| {
            let cycle = |inputs: Inputs<BUNDLES>| UnitCycle { reset: false, inputs: Inputs { cpl, psr_is, ..inputs } };
            all.into_iter().map(cycle).collect::<Vec<_>>()
        });
    let ask = |reg: RegRequest| UnitCycle { reset: false, inputs: Inputs { reg, ..Inputs::default() } };
    let again = set_up().prop_map(move |all| all.into_iter().map(ask).collect::<Vec<_>>());
    let handler = (rearm(), inputs::<BUNDLES>(), level()).prop_map(move |((all, race), inputs, cpl)| {
        let last = UnitCycle { reset: false, inputs: Inputs { cpl, reg: race, ..inputs } };
        all.into_iter().map(ask).chain([last]).collect::<Vec<_>>()
    });
    let reset = inputs::<BUNDLES>().prop_map(|inputs| vec![UnitCycle { reset: true, inputs }]);
    prop_oneof![1 => reset, 2 => again, 6 => handler, 31 => cycles].boxed()
}

/// Generates the inputs of a cycle but for level and instruction set.
fn inputs<const BUNDLES: usize>() -> BoxedStrategy<Inputs<BUNDLES>> {
    let bundles = (array::uniform(fetch()), array::uniform(issue()), array::uniform(retire()));
    let rest = (0..4_u8, array::uniform(mem()), any::<bool>());
    let pins = (prop::bool::weighted(0.04), prop::bool::weighted(0.2));
    (bundles, rest, pins, prop::option::weighted(0.3, request()))
        .prop_map(|((fetch, issue, retire), (ia32, mem, core_clock), (int_valid, irq_ack), reg)| Inputs {
            fetch,
            issue,
            retire,
            ia32,
            mem,
            core_clock,
            cpl: 0,
            psr_is: false,
            int_valid,
            irq_ack,
            reg: reg.unwrap_or_default(),
        })
        .boxed()
}
