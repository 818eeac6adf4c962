//! Tasks that share the counters: under any schedule each has counted what it counts alone, on the model, and the RTL agrees in every
//! register of every cycle. Drivers with a bug are found. Chapter: docs/src/perf/tasks.md.

use proptests::floor::Floors;
use proptests::perf::tasks::{Bug, Case, Sizes, architectural, case, global_sums, p6};
use proptests::runner::{DEFAULT_SEED, cases, check, setting, shrink};
use std::cell::Cell;

/// Steps of a schedule at most.
const STEPS: usize = 40;

/// What 1000 cases held, when it was measured; a quarter of it is the floor.
type Rate = (&'static str, fn(&Sizes) -> u64, u64);

fn check_all(name: &str, property: impl Fn(&Case, Bug) -> Result<Sizes, String>, rates: &[Rate]) {
    let total = Cell::new(Sizes::default());
    let cases = check("perf_tasks", name, &case(STEPS), |case| {
        let (sizes, mut sum) = (property(case, Bug::None)?, total.get());
        sum.tasks += sizes.tasks;
        sum.switches += sizes.switches;
        sum.events += sizes.events;
        sum.overflows += sizes.overflows;
        sum.strays += sizes.strays;
        total.set(sum);
        Ok(())
    });
    let total = total.get();
    println!("{name}: {cases} cases, {total:?}");
    let counts: Vec<_> = rates.iter().map(|(what, count, rate)| (*what, count(&total), *rate)).collect();
    Floors { test: name, cases, counts: &counts }.check();
}

// VPC-04, VPC-05, VPC-06, VPC-35, VPC-38, VPC-41: whatever the schedule, with counters that wrap, samples and interrupts
#[test]
fn tasks_of_a_p6_count_what_they_count_alone() {
    check_all("tasks_of_a_p6_count_what_they_count_alone", p6, &RATES);
}

// VPC-04, VPC-05, VPC-06, VPC-35, VPC-38, VPC-41: the same on two processors, between which tasks move
#[test]
fn tasks_of_two_processors_count_what_they_count_alone() {
    check_all("tasks_of_two_processors_count_what_they_count_alone", architectural, &RATES);
}

const RATES: [Rate; 5] = [
    ("tasks", |sizes| sizes.tasks, 1900),
    ("switches", |sizes| sizes.switches, 3100),
    ("events", |sizes| sizes.events, 300_000),
    ("overflows", |sizes| sizes.overflows, 1500),
    ("interrupts after their task", |sizes| sizes.strays, 30),
];

#[test]
fn the_global_mode_counts_what_all_tasks_do() {
    let events = Cell::new(0);
    check("perf_tasks", "the_global_mode_counts_what_all_tasks_do", &case(STEPS), |case| {
        events.set(events.get() + global_sums(case)?);
        Ok(())
    });
    assert!(events.get() > 100 * cases(), "{} events", events.get());
}

/// The shrunk case of a bug, in the first case from the seed on in which it shows, and the command that repeats it.
fn shrunk(bug: Bug, property: fn(&Case, Bug) -> Result<Sizes, String>) -> Option<String> {
    let first = setting("LWP_SEED").unwrap_or(DEFAULT_SEED);
    let property = |case: &Case| property(case, bug).map(drop);
    let text = |seed| {
        let found = shrink(seed, &case(STEPS), property)?;
        let test = "perf_tasks::drivers_with_a_bug_are_found --nocapture";
        let command = "cargo test --release -p proptests --test suite -- --exact";
        Some(format!("{found}\n\nrepeat with: LWP_SEED={seed} {command} {test}"))
    };
    (first..first + 40).find_map(text)
}

/// The chapter shows one of them.
#[test]
fn drivers_with_a_bug_are_found() {
    let mut all = Vec::new();
    for bug in Bug::ALL {
        for (name, property) in [("P6", p6 as fn(&Case, Bug) -> _), ("two processors", architectural)] {
            let found = shrunk(bug, property).unwrap_or_else(|| panic!("{name}, {bug:?}: not found"));
            println!("{name}, {bug:?}: {found}\n");
            all.push((name, bug, found));
        }
    }
    if setting("LWP_SEED").is_none() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/src/perf/tasks.md");
        let page = std::fs::read_to_string(page).expect("the chapter exists");
        let (.., shown) =
            all.iter().find(|(name, bug, _)| (*name, *bug) == ("P6", Bug::KeepsStart)).expect("it is one");
        assert!(page.contains(shown.as_str()), "docs/src/perf/tasks.md does not show the case\n{shown}");
    }
}
