//! The nine figures of the document, by the run of the page `docs/src/itanium/figures.md`.

use super::bench::*;
use super::processes::{Entry, Run};
use lwp_model::itanium::{Config, UpOnInterruption};
use lwp_regs::itanium::Depth::{User, UserAndKernel, WithInterrupts};
use lwp_regs::itanium::Scope::{MultipleProcesses, SingleProcess, SystemWide};
use lwp_regs::itanium::{Depth, MonitorPlan, Scope};

/// PMD\[4\] with PSR.up kept at an interruption, and with PSR.up cleared.
fn counts(scope: Scope, depth: Depth) -> [u32; 2] {
    let cleared = Config { up_on_interruption: UpOnInterruption::Cleared, ..Config::default() };
    [Config::default(), cleared].map(|straps| Run::of_plan(MonitorPlan::new(scope, depth), scope).count(straps))
}

// ITA-57, ITA-66: Figure 6-6 (a)
#[test]
fn one_process_at_user_level() {
    assert_eq!(counts(SingleProcess, User), [100, 100]);
}

// ITA-58: Figure 6-6 (b)
#[test]
fn one_process_with_its_kernel() {
    assert_eq!(counts(SingleProcess, UserAndKernel), [147, 140]);
}

// ITA-59, ITA-51: Figure 6-6 (c)
#[test]
fn one_process_with_interrupts() {
    assert_eq!(counts(SingleProcess, WithInterrupts), [171, 171]);
}

// ITA-60: Figure 6-7 (a)
#[test]
fn several_processes_at_user_level() {
    assert_eq!(counts(MultipleProcesses, User), [300, 300]);
}

// ITA-61: Figure 6-7 (b)
#[test]
fn several_processes_with_their_kernel() {
    assert_eq!(counts(MultipleProcesses, UserAndKernel), [408, 390]);
}

// ITA-62: Figure 6-7 (c)
#[test]
fn several_processes_with_interrupts() {
    assert_eq!(counts(MultipleProcesses, WithInterrupts), [421, 421]);
}

// ITA-63: Figure 6-8 (a)
#[test]
fn all_processes_at_user_level() {
    assert_eq!(counts(SystemWide, User), [600, 600]);
}

// ITA-64: Figure 6-8 (b)
#[test]
fn all_processes_with_their_kernel() {
    assert_eq!(counts(SystemWide, UserAndKernel), [781, 750]);
}

// ITA-65: Figure 6-8 (c)
#[test]
fn all_processes_with_interrupts() {
    assert_eq!(counts(SystemWide, WithInterrupts), [781, 781]);
}

// ITA-63: Figure 6-8 (a) as it is printed, with pm = 1
#[test]
fn all_processes_at_user_level_as_printed() {
    let run = Run { pmc4: at_levels(RETIRED, 0, 0b1000) | PM, dcr: 0, psr: [PP; 3], system_call: Entry::Epc };
    assert_eq!(run.count(Config::default()), 600);
}

// ITA-51: two runs that tell the settings of 6-6 (c) apart
#[test]
fn one_process_with_other_settings() {
    let run = Run::of_plan(MonitorPlan::new(SingleProcess, WithInterrupts), SingleProcess);
    assert_eq!(Run { dcr: 0, ..run }.count(Config::default()), 140);
    assert_eq!(Run { system_call: Entry::Break, ..run }.count(Config::default()), 281);
}

// ITA-66: the settings of the nine, by hand
#[test]
fn settings() {
    for (depth, pmc4, dcr, bit) in [
        (User, at_levels(RETIRED, 0, 0b1000), 0, UP),
        (UserAndKernel, at_levels(RETIRED, 0, 0b1001), 0, UP),
        (WithInterrupts, at_levels(RETIRED, 0, 0b1001) | PM, 1, PP),
    ] {
        for (scope, psr) in [(SingleProcess, [bit, 0, 0]), (MultipleProcesses, [bit, bit, 0]), (SystemWide, [bit; 3])] {
            let run = Run::of_plan(MonitorPlan::new(scope, depth), scope);
            assert_eq!(run, Run { pmc4, dcr, psr, system_call: Entry::Epc });
        }
    }
}

// ITA-19, ITA-53: a count of each process, by a handler that saves and loads while monitoring is frozen
#[test]
fn counts_of_each_process() {
    let run = Run::of_plan(MonitorPlan::new(SystemWide, User), SystemWide);
    assert_eq!(run.counts_of_each(Config::default()), [100, 200, 300]);
    // The handlers are monitored here, and count nothing since they are frozen.
    let run = Run::of_plan(MonitorPlan::new(SystemWide, WithInterrupts), SystemWide);
    assert_eq!(run.counts_of_each(Config::default()), [140, 250, 360]);
}
