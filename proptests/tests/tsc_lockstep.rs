//! The time-stamp counter: model and RTL agree in every output and every register in every cycle.

use lwp_model::Unit;
use lwp_model::tsc::Tsc;
use proptests::lockstep::{UnitCycle, agree, recorded, rows_agree};
use proptests::runner::{DEFAULT_SEED, check, draw};
use proptests::tsc::scenario::{Scenario, scenario};
use sim_harness::rtl::{BuildId, Flavour};

/// Stretches of a scenario at most.
const STRETCHES: usize = 50;

fn agrees<const LP: usize>(build: BuildId, flavour: Flavour, scenario: &Scenario) -> Result<(), String> {
    let recording = recorded::<Tsc<LP>>(&scenario.straps, &scenario.cycles);
    agree::<Tsc<LP>>(build, flavour, &scenario.straps, &recording)
}

#[test]
fn one_processor_agrees() {
    check("tsc_lockstep", "one_processor_agrees", &scenario(STRETCHES), |case| {
        agrees::<1>(BuildId::TscLp1, Flavour::Fast, case)
    });
}

#[test]
fn four_processors_agree() {
    check("tsc_lockstep", "four_processors_agree", &scenario(STRETCHES), |case| {
        agrees::<4>(BuildId::TscLp4, Flavour::Fast, case)
    });
}

#[test]
fn assertions_hold() {
    check("tsc_lockstep", "assertions_hold", &scenario(STRETCHES), |case| {
        agrees::<1>(BuildId::TscLp1, Flavour::Traced, case)?;
        agrees::<4>(BuildId::TscLp4, Flavour::Traced, case)
    });
}

/// Every bit of every output and register rises and falls in the first 600 of the same scenarios, however many cases a run has.
#[test]
fn every_bit_toggles() {
    let fields = <Tsc<4> as Unit>::OUTPUT_FIELDS;
    let words = <Tsc<4> as Unit>::OUTPUT_WORDS;
    let (mut rises, mut falls) = (vec![0_u32; words], vec![0_u32; words]);
    let strategy = scenario(STRETCHES);
    for case in 0..600 {
        let case = draw(DEFAULT_SEED + case, &strategy);
        let rows = recorded::<Tsc<4>>(&case.straps, &case.cycles).rows::<Tsc<4>>(&case.straps);
        for (before, after) in rows.outputs.chunks_exact(words).zip(rows.outputs.chunks_exact(words).skip(1)) {
            for word in 0..words {
                rises[word] |= !before[word] & after[word];
                falls[word] |= before[word] & !after[word];
            }
        }
    }
    let still = fields.iter().filter(|field| {
        (0..words).any(|word| {
            let mask = field.mask_in(word);
            (rises[word] & falls[word] & mask) != mask
        })
    });
    let still: Vec<&str> = still.map(|field| field.name).collect();
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
    let mut rows = recorded::<Tsc<1>>(&straps, &cycles).rows::<Tsc<1>>(&straps);
    assert_eq!(rows_agree::<Tsc<1>>(BuildId::TscLp1, Flavour::Fast, &straps, &rows), Ok(()));
    let words = <Tsc<1> as Unit>::OUTPUT_WORDS;
    let field =
        <Tsc<1> as Unit>::OUTPUT_FIELDS.iter().find(|field| field.name == "state.processors[0].counter").unwrap();
    rows.outputs[4 * words + field.word] ^= 1;
    let difference = rows_agree::<Tsc<1>>(BuildId::TscLp1, Flavour::Fast, &straps, &rows).unwrap_err();
    let beginning = "model (expected) and RTL differ in cycle 4: state.processors[0].counter ";
    assert!(difference.starts_with(beginning), "{difference}");
}
