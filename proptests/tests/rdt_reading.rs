//! The independent reading of the shared cache: what model and RTL show at their ports is what the documents say. And runs with a bit
//! changed, which the reading has to notice.

use lwp_model::rdt::{Config, Outputs};
use proptests::capsule::note_property;
use proptests::floor::Floors;
use proptests::ports::{Shown, input_rows, of_model, of_rtl};
use proptests::rdt::reading::{Coverage, Reading, outputs};
use proptests::rdt::scenario::scenario;
use proptests::rdt::{Build, Large, Small};
use proptests::runner::{check, draw};
use sim_harness::rtl::BuildId;
use std::cell::RefCell;

/// Stretches of a scenario at most.
const STRETCHES: usize = 50;

/// What was counted, and in 1000 cases of the small and of the large build when it was measured
/// (`cargo test --release -p proptests --test suite rdt_reading::anything -- --nocapture`).
type Rate = (&'static str, fn(&Coverage) -> u64, [u64; 2]);

const FLOORS: [Rate; 20] = [
    ("hits of the L2 cache", |seen| seen.l2_hits, [12_000, 15_000]),
    ("hits of the L3 cache", |seen| seen.l3_hits, [8800, 11_000]),
    ("fills", |seen| seen.fills, [19_000, 17_000]),
    ("fills that a mask of the L3 cache limits", |seen| seen.masked_l3, [6500, 6400]),
    ("fills that a mask of the L2 cache limits", |seen| seen.masked_l2, [3600, 4700]),
    ("fills of code under a mask of its own", |seen| seen.masked_code, [860, 770]),
    ("fills while ways lack power", |seen| seen.fills_without_power, [660, 690]),
    ("accesses past the caches", |seen| seen.passed, [1900, 1600]),
    ("lines written back", |seen| seen.write_backs, [6000, 4600]),
    ("lines taken over by another RMID", |seen| seen.taken_over, [5300, 5600]),
    ("walks", |seen| seen.walks, [5400, 5600]),
    ("reads of an occupancy", |seen| seen.occupancies + seen.occupancies_in_progress, [1500, 1300]),
    ("reads of a bandwidth", |seen| seen.bandwidths, [2900, 1800]),
    ("reads of the local bandwidth", |seen| seen.local_bandwidths, [1400, 900]),
    ("reads with Error", |seen| seen.errors, [11_000, 11_000]),
    ("reads with Unavailable", |seen| seen.unavailables, [7000, 7000]),
    ("RMIDs and classes written", |seen| seen.associated, [29_000, 29_000]),
    ("masks written", |seen| seen.masks_written, [34_000, 35_000]),
    ("delays written", |seen| seen.delays_written, [14_000, 14_000]),
    ("refused writes", |seen| seen.refused, [28_000, 29_000]),
];

fn read<const LP: usize, U: Build<LP>>(straps: &Config, cycles: &[Shown<U>]) -> Result<Coverage, (u64, String)> {
    let mut reading = Reading::<LP>::new(straps);
    for (number, (rst_n, inputs, out)) in cycles.iter().enumerate() {
        reading.cycle(*rst_n, inputs, out).map_err(|text| (number as u64, format!("cycle {number}: {text}")))?;
    }
    Ok(*reading.coverage())
}

/// Reads the model, or the RTL, in many runs, and asks that everything was there to be read.
fn read_all<const LP: usize, U: Build<LP>>(name: &str, build: BuildId, rtl: bool) {
    let total = RefCell::new(Coverage::default());
    let cases = check("rdt_reading", name, &scenario::<LP>(U::SIZES, STRETCHES), |run| {
        let mut shown = of_model::<U>(run.straps, run.cycles.iter().cloned(), |_| ());
        if rtl {
            shown = of_rtl::<U>(build, &run.straps, &shown, outputs::<U, LP>)?;
        }
        *total.borrow_mut() += read::<LP, U>(&run.straps, &shown).map_err(|(cycle, text)| {
            note_property::<U>("reading", build, &run.straps, &input_rows::<U>(&shown), (cycle, &text));
            text
        })?;
        Ok(())
    });
    let seen = *total.borrow();
    println!("{name}: {cases} cases, {seen:?}");
    let counts = FLOORS.map(|(what, count, rates)| (what, count(&seen), rates[usize::from(LP > 2)]));
    Floors { test: name, cases, counts: &counts }.check();
    // A reading that gives up judges nothing.
    assert!(seen.unjudged * 100 <= seen.fills + seen.l3_hits, "{} accesses were not judged", seen.unjudged);
    assert!(seen.lost * 50 <= cases, "{} runs were not followed to their end", seen.lost);
}

#[test]
fn anything_on_the_small_model_is_as_the_documents_allow() {
    read_all::<2, Small>("anything_on_the_small_model_is_as_the_documents_allow", BuildId::RdtS8w4, false);
}

#[test]
fn anything_on_the_large_model_is_as_the_documents_allow() {
    read_all::<4, Large>("anything_on_the_large_model_is_as_the_documents_allow", BuildId::RdtS64w16, false);
}

#[test]
fn anything_on_the_small_rtl_is_as_the_documents_allow() {
    read_all::<2, Small>("anything_on_the_small_rtl_is_as_the_documents_allow", BuildId::RdtS8w4, true);
}

#[test]
fn anything_on_the_large_rtl_is_as_the_documents_allow() {
    read_all::<4, Large>("anything_on_the_large_rtl_is_as_the_documents_allow", BuildId::RdtS64w16, true);
}

/// The outputs with one thing changed that the documents decide.
fn changes(out: &Outputs<2>) -> Vec<Outputs<2>> {
    let with = |change: &dyn Fn(&mut Outputs<2>)| {
        let mut out = *out;
        change(&mut out);
        out
    };
    let mut all = Vec::new();
    if out.reg_done {
        all.extend((0..64).map(|bit| with(&|out| out.reg_rdata ^= 1 << bit)));
    }
    for lp in 0..2 {
        if out.lp[lp].done {
            all.push(with(&|out| out.lp[lp].l2_hit ^= true));
            all.push(with(&|out| out.lp[lp].l3_hit ^= true));
        }
    }
    if out.mem_req {
        all.push(with(&|out| out.mem_write ^= true));
        all.extend((0..52).map(|bit| with(&|out| out.mem_addr ^= 1 << bit)));
        all.extend((0..5).map(|bit| with(&|out| out.mem_rmid ^= 1 << bit)));
    }
    all
}

// A reading that takes any outputs would pass the tests above.
#[test]
fn a_changed_output_is_noticed() {
    let (mut tried, mut missed) = (0, 0);
    for seed in 0..12 {
        let run = draw(seed, &scenario::<2>(Small::SIZES, 12));
        let shown = of_model::<Small>(run.straps, run.cycles.iter().cloned(), |_| ());
        assert_eq!(read::<2, Small>(&run.straps, &shown).err(), None);
        for at in (0..shown.len()).step_by(17).filter(|at| shown[*at].0) {
            for other in changes(&shown[at].2) {
                let mut changed = shown.clone();
                changed[at].2 = other;
                tried += 1;
                missed += u64::from(read::<2, Small>(&run.straps, &changed).is_ok());
            }
        }
    }
    println!("{tried} changes, {missed} not noticed");
    assert!(tried > 500, "only {tried} changes");
    assert_eq!(missed, 0, "changes of {tried} that are not noticed");
}
