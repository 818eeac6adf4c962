//! Units that are wrong are noticed, and units that use what the documents leave open are not.

use super::super::Coverage;
use super::super::Reading;
use super::super::around::{Around, Random, straps};
use super::bugs::{BUGS, Bug};
use super::fake::Fake;
use super::model::Shows;
use super::model::run;
use lwp_model::itanium::{Outputs, RegResult};

const RUNS: u64 = 60;
/// Runs in which each bug has to be noticed twice.
const TRIES: u64 = 300;
const CYCLES: u64 = 3000;

fn play<const B: usize, const E: usize>(bug: Bug, seed: u64) -> Result<Coverage, String> {
    let straps = straps(&mut Random::new(seed));
    run::<B, E>(&mut Fake::<B, E>::new(&straps, bug, seed), &straps, Around::new(seed, E as u8), CYCLES)
}

#[test]
fn what_is_left_open_is_accepted() {
    let mut total = Coverage::default();
    for seed in 0..RUNS {
        total += play::<1, 4>(Bug::None, seed).unwrap_or_else(|text| panic!("seed {seed}, {text}"));
        total += play::<2, 16>(Bug::None, seed).unwrap_or_else(|text| panic!("seed {seed}, {text}"));
    }
    println!("{total:#?}");
    for (what, count) in total.list() {
        assert!(count > 0, "no {what}");
    }
}

#[test]
fn bugs_are_noticed() {
    let mut missed = Vec::new();
    for bug in BUGS {
        let mut noticed = (0..TRIES).filter(|seed| play::<1, 4>(*bug, *seed).is_err());
        let second = noticed.nth(1);
        println!("{bug:?}: noticed a second time in run {second:?}");
        if second.is_none() {
            missed.push(bug);
        }
    }
    assert!(missed.is_empty(), "not noticed: {missed:?}");
}

/// The outputs with one thing changed.
fn changes(out: &Outputs) -> Vec<(&'static str, Outputs)> {
    let with = |what, change: &dyn Fn(&mut Outputs)| {
        let mut out = *out;
        change(&mut out);
        (what, out)
    };
    let mut all = vec![
        with("irq", &|out| out.irq ^= true),
        with("psr", &|out| out.psr_up ^= true),
        with("psr", &|out| out.psr_sp ^= true),
        with("psr", &|out| out.psr_pp ^= true),
        with("on", &|out| out.iear_on ^= true),
        with("on", &|out| out.dear_on ^= true),
        with("on", &|out| out.btb_on ^= true),
        with("done", &|out| out.reg_done ^= true),
    ];
    all.extend((0..4).map(|bit| with("pin", &|out| out.pin ^= 1 << bit)));
    if out.reg_done {
        all.extend((0..64).map(|bit| with("rdata", &|out| out.reg_rdata ^= 1 << bit)));
        for result in [RegResult::Done, RegResult::NotMine, RegResult::PrivilegedOperation, RegResult::ReservedRegister]
        {
            if result != out.reg_result {
                all.push(with("result", &|out| out.reg_result = result));
            }
        }
    }
    all
}

#[test]
fn a_changed_output_is_noticed() {
    let mut seen: Vec<(&str, u64, u64)> = Vec::new();
    for seed in 0..12 {
        let straps = straps(&mut Random::new(seed));
        let mut unit = Fake::<1, 4>::new(&straps, Bug::None, seed);
        let mut around = Around::new(seed, 4);
        let mut reading = Reading::<1, 4>::new(&straps);
        for cycle in 0..1500 {
            let out = unit.shown();
            let inputs = around.input(&out);
            // The first cycles set the registers.
            for (what, wrong) in if cycle > 100 { changes(&out) } else { Vec::new() } {
                let noticed = reading.clone().cycle(true, &inputs, &wrong).is_err();
                let at = seen.iter().position(|(other, ..)| *other == what);
                let at = at.unwrap_or_else(|| {
                    seen.push((what, 0, 0));
                    seen.len() - 1
                });
                seen[at].1 += 1;
                seen[at].2 += u64::from(noticed);
            }
            reading.cycle(true, &inputs, &out).unwrap();
            unit.take(&inputs);
        }
    }
    for (what, made, noticed) in seen {
        println!("{what}: {noticed} of {made}");
        let least = if ["psr", "done", "result"].contains(&what) { 98 } else { 70 };
        assert!(noticed * 100 >= made * least, "{what}: {noticed} of {made} changes are noticed");
    }
}
