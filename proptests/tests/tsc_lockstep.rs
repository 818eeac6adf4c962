//! The time-stamp counter: model and RTL agree in every output and every register in every cycle.

use lwp_model::Unit;
use lwp_model::tsc::Tsc;
use proptests::runner::check;
use proptests::tsc::scenario::{Scenario, scenario};
use proptests::unit_lockstep::{UnitCycle, unit_agrees, unit_rows};
use sim_harness::rtl::{BuildId, Flavour};
use std::cell::RefCell;

fn agrees<const LP: usize>(build: BuildId, flavour: Flavour, scenario: &Scenario) -> Result<(), String> {
    unit_agrees::<Tsc<LP>>(build, flavour, &scenario.straps, &scenario.cycles)
}

#[test]
fn one_processor_agrees() {
    check("tsc_lockstep", "one_processor_agrees", &scenario(300), |case| {
        agrees::<1>(BuildId::TscLp1, Flavour::Fast, case)
    });
}

#[test]
fn four_processors_agree() {
    check("tsc_lockstep", "four_processors_agree", &scenario(300), |case| {
        agrees::<4>(BuildId::TscLp4, Flavour::Fast, case)
    });
}

#[test]
fn assertions_hold() {
    check("tsc_lockstep", "assertions_hold", &scenario(300), |case| {
        agrees::<1>(BuildId::TscLp1, Flavour::Traced, case)?;
        agrees::<4>(BuildId::TscLp4, Flavour::Traced, case)
    });
}

/// Every bit of every output and register rises and falls in the same scenarios.
#[test]
fn every_bit_toggles() {
    let fields = <Tsc<4> as Unit>::OUTPUT_FIELDS;
    let words = <Tsc<4> as Unit>::OUTPUT_WORDS;
    let ways = RefCell::new((vec![0_u32; words], vec![0_u32; words]));
    check("tsc_lockstep", "every_bit_toggles", &scenario(300), |case| {
        let (_, expected) = unit_rows::<Tsc<4>>(&case.straps, &case.cycles);
        let (rises, falls) = &mut *ways.borrow_mut();
        for (before, after) in expected.chunks_exact(words).zip(expected.chunks_exact(words).skip(1)) {
            for word in 0..words {
                rises[word] |= !before[word] & after[word];
                falls[word] |= before[word] & !after[word];
            }
        }
        Ok(())
    });
    let (rises, falls) = ways.into_inner();
    let still = fields.iter().filter(|field| {
        (0..words).any(|word| {
            let mask = field.mask_in(word);
            (rises[word] & falls[word] & mask) != mask
        })
    });
    let still: Vec<&str> = still.map(|field| field.name).collect();
    // A result of 1, 2 or 4: bits 0 to 2 of the field all move.
    assert_eq!(still, Vec::<&str>::new(), "fields with a bit that does not rise and fall");
}

/// A difference is told by cycle and field.
#[test]
fn a_difference_is_named() {
    let straps = lwp_model::tsc::Config::default();
    let mut cycles = vec![UnitCycle::<lwp_model::tsc::Inputs> { reset: true, ..UnitCycle::default() }; 2];
    cycles.extend([UnitCycle::default(); 4]);
    for cycle in &mut cycles {
        cycle.inputs.processor.crystal_tick = true;
    }
    assert_eq!(unit_agrees::<Tsc<1>>(BuildId::TscLp1, Flavour::Fast, &straps, &cycles), Ok(()));
    let (inputs, mut expected) = unit_rows::<Tsc<1>>(&straps, &cycles);
    let words = <Tsc<1> as Unit>::OUTPUT_WORDS;
    let field =
        <Tsc<1> as Unit>::OUTPUT_FIELDS.iter().find(|field| field.name == "state.processors[0].counter").unwrap();
    expected[4 * words + field.word] ^= 1;
    let mut strap_row = vec![0; <Tsc<1> as Unit>::STRAP_WORDS];
    Tsc::<1>::pack_straps(&straps, &mut strap_row);
    let mut rtl = sim_harness::rtl::Rtl::new(BuildId::TscLp1, Flavour::Fast, &strap_row);
    let divergence = rtl.replay(&inputs, &expected).unwrap_err();
    assert_eq!(divergence.cycle_in_batch, 4);
}
