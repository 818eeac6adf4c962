//! What does not depend on what: classes that share nothing, interruptions, and the window that shows a set.

use lwp_model::retire::IntKind;
use proptest::prelude::*;
use proptests::lockstep::{agree, recorded, rtl_rows};
use proptests::rdt::isolation::{Rivals, hits, rivals};
use proptests::rdt::scenario::{Scenario, scenario};
use proptests::rdt::{Build, Large, Small};
use proptests::runner::{check, draw};
use sim_harness::rtl::{BuildId, Flavour};

/// Stretches of a scenario at most.
const STRETCHES: usize = 30;

/// Plays rivals on the model, has the RTL agree, and tells whether the first logical processor noticed a difference.
fn noticed<U: Build<LP>, const LP: usize>(build: BuildId, rivals: &Rivals<LP>) -> Result<bool, String> {
    let runs = rivals.play::<U>();
    for run in &runs {
        let recording = recorded::<U>(&rivals.straps, &run.cycles);
        agree::<U>(build, Flavour::Fast, &rivals.straps, &recording)?;
    }
    Ok(hits(&runs[0]) != hits(&runs[1]))
}

fn apart<U: Build<LP>, const LP: usize>(name: &str, build: BuildId) {
    check("rdt_isolation", name, &rivals::<LP>(U::SIZES, true), |rivals| match noticed::<U, LP>(build, rivals)? {
        false => Ok(()),
        true => Err("what a class hits tells what another class does".into()),
    });
}

// RDTA-02, RDTA-08: masks without a way in common isolate
#[test]
fn two_classes_do_not_see_each_other() {
    apart::<Small, 2>("two_classes_do_not_see_each_other", BuildId::RdtS8w4);
}

#[test]
fn four_logical_processors_do_not_see_each_other() {
    apart::<Large, 4>("four_logical_processors_do_not_see_each_other", BuildId::RdtS64w16);
}

/// The check above would pass if nothing were ever displaced; this one shows that it can fail.
#[test]
fn a_shared_class_is_noticed() {
    let strategy = rivals::<2>(Small::SIZES, false);
    let seen = (0..40).filter(|&seed| noticed::<Small, 2>(BuildId::RdtS8w4, &draw(seed, &strategy)) == Ok(true));
    let seen = seen.count();
    assert!(seen >= 10, "only {seen} of 40 notice");
}

/// The scenario with other interruptions.
fn interrupted<const LP: usize>(scenario: &Scenario<LP>) -> Scenario<LP> {
    let mut other = scenario.clone();
    for (number, cycle) in other.cycles.iter_mut().enumerate() {
        for (lp, shown) in cycle.inputs.lp.iter_mut().enumerate() {
            shown.int_valid = !shown.int_valid;
            shown.int_kind = if (number + lp) % 3 == 0 { IntKind::Rsm } else { IntKind::Smi };
        }
    }
    other
}

/// The scenario that shows other sets.
fn shown<const LP: usize>(scenario: &Scenario<LP>) -> Scenario<LP> {
    let mut other = scenario.clone();
    for (number, cycle) in other.cycles.iter_mut().enumerate() {
        cycle.inputs.show = (number % 64) as u16;
    }
    other
}

/// Compares the outputs and registers of the RTL, but for those that `skip` names, in both scenarios.
fn same<U: Build<LP>, const LP: usize>(
    build: BuildId,
    one: &Scenario<LP>,
    other: &Scenario<LP>,
    skip: &str,
) -> Result<(), String> {
    let of = |scenario: &Scenario<LP>| {
        let rows = recorded::<U>(&scenario.straps, &scenario.cycles).rows::<U>(&scenario.straps);
        let rtl = rtl_rows::<U>(build, &scenario.straps, &rows.inputs);
        if rtl == rows.outputs { Ok(rtl) } else { Err("model and RTL differ".to_owned()) }
    };
    let (one, other) = (of(one)?, of(other)?);
    let fields = U::OUTPUT_FIELDS.iter().filter(|field| !field.name.starts_with(skip));
    let fields: Vec<_> = fields.collect();
    let rows = one.chunks_exact(U::OUTPUT_WORDS).zip(other.chunks_exact(U::OUTPUT_WORDS)).enumerate();
    for (cycle, (one, other)) in rows.filter(|(_, (one, other))| one != other) {
        if let Some(field) = fields.iter().find(|field| field.of(one) != field.of(other)) {
            return Err(format!("{} differs in cycle {cycle}", field.name));
        }
    }
    Ok(())
}

// RDTM-33, RDTA-24: neither an SMI nor RSM changes a register
#[test]
fn an_interruption_changes_nothing() {
    check("rdt_isolation", "an_interruption_changes_nothing", &scenario::<2>(Small::SIZES, STRETCHES), |case| {
        same::<Small, 2>(BuildId::RdtS8w4, case, &interrupted(case), "nothing")
    });
}

#[test]
fn the_window_affects_nothing_else() {
    check("rdt_isolation", "the_window_affects_nothing_else", &scenario::<2>(Small::SIZES, STRETCHES), |case| {
        same::<Small, 2>(BuildId::RdtS8w4, case, &shown(case), "state.show.")
    });
}

/// The checks above can fail: a request that is not made, and the window itself, are noticed.
#[test]
fn what_does_matter_is_noticed() {
    let case = draw(2007, &(scenario::<2>(Small::SIZES, STRETCHES), any::<bool>())).0;
    let mut other = case.clone();
    for cycle in &mut other.cycles {
        cycle.inputs.lp[0].req_valid = false;
        cycle.inputs.reg.valid = false;
    }
    assert!(same::<Small, 2>(BuildId::RdtS8w4, &case, &other, "nothing").is_err());
    assert!(same::<Small, 2>(BuildId::RdtS8w4, &case, &shown(&case), "nothing").is_err());
}
