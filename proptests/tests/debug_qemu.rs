//! The debug unit next to QEMU: a kernel runs scenarios at levels 0 and 3 and reports each exception; model and RTL run the same ones in
//! lockstep. Needs the Debian package qemu-system-x86 and the Rust target x86_64-unknown-none: `tools/scripts/setup rust emulator`.
//!
//! QEMU differs from the contract. A [`processor`] without time has each difference as a switch: without any it reports what the unit reports,
//! with all of them what QEMU reports. Chapter: docs/src/debug/qemu.md.

mod core;
mod differences;
mod examples;
#[allow(dead_code, reason = "the kernel uses the rest")]
#[path = "../../lwp-regs/examples/bare-metal/src/scenarios/list/mod.rs"]
mod list;
mod processor;
mod program;
mod report;
mod tasks;
mod watchpoints;

use core::Habit;
use differences::{Difference, Differences, VERSION};
use list::tasks::TaskScenario;
use list::{Line, Scenario};
use lwp_model::Unit;
use lwp_model::debug::{Config, DebugUnit, Inputs};
use proptests::lockstep::{UnitCycle, agree, recorded};
use report::Report;
use sim_harness::rtl::{BuildId, Flavour};
use std::fmt::Debug;

/// QEMU has no transactions.
const STRAPS: Config = Config { rtm: false, ..Config::DEFAULT };

/// Scenarios, those of two tasks included.
const SCENARIOS: usize = 1303;

fn text(lines: &[Line]) -> Vec<String> {
    lines.iter().map(ToString::to_string).collect()
}

/// Model and RTL agree in these cycles.
fn in_lockstep<const LANES: usize, const ACCESSES: usize>(build: BuildId, cycles: &[UnitCycle<Inputs<LANES>>])
where
    DebugUnit<LANES, ACCESSES>: Unit<Config = Config, Inputs = Inputs<LANES>>,
{
    let recording = recorded::<DebugUnit<LANES, ACCESSES>>(&STRAPS, cycles);
    assert_eq!(agree::<DebugUnit<LANES, ACCESSES>>(build, Flavour::Traced, &STRAPS, &recording), Ok(()));
}

/// What a core with the unit reports, by the model and the RTL in lockstep: one lane, each instruction asked for, and four lanes.
fn of_unit(scenario: &Scenario) -> Vec<Line> {
    let (cycles, one) = core::run::<1, 1>(STRAPS, scenario, Habit { asks: true, width: 1 });
    in_lockstep::<1, 1>(BuildId::DebugL1a1, &cycles);
    let (cycles, four) = core::run::<4, 2>(STRAPS, scenario, Habit { asks: false, width: 4 });
    in_lockstep::<4, 2>(BuildId::DebugL4a2, &cycles);
    assert_eq!(one, four, "one lane and four lanes: {scenario:#?}");
    one
}

/// The same of a program of two tasks.
fn of_unit_with_tasks(scenario: &TaskScenario) -> Vec<Line> {
    let (cycles, one) = tasks::run::<1, 1>(STRAPS, scenario);
    in_lockstep::<1, 1>(BuildId::DebugL1a1, &cycles);
    let (cycles, four) = tasks::run::<4, 2>(STRAPS, scenario);
    in_lockstep::<4, 2>(BuildId::DebugL4a2, &cycles);
    assert_eq!(one, four, "{scenario:#?}");
    one
}

/// Calls `visit` with name, contents and report of every scenario, by a processor with these differences.
fn each_with(differences: Differences, mut visit: impl FnMut(String, &dyn Debug, Vec<Line>)) {
    list::each(&mut |scenario| visit(scenario.name.to_string(), scenario, processor::run(scenario, differences)));
    list::tasks::each(&mut |scenario| visit(scenario.to_string(), scenario, tasks::expected(scenario, differences)));
}

#[test]
fn the_unit_reports_what_the_contract_requires() {
    list::each(&mut |scenario| {
        let contract = processor::run(scenario, Differences::NONE);
        assert_eq!(text(&of_unit(scenario)), text(&contract), "unit and contract: {scenario:#?}");
    });
}

// DBG-19, DBG-21: L0 to L3 are 0 behind the switch, G0 to G3 stay; by JMP, CALL, IRET and a task gate
// DBG-15, DBG-67, DBG-74: T of the second TSS, and TF of both
#[test]
fn the_unit_reports_task_switches_as_the_contract_requires() {
    list::tasks::each(&mut |scenario| {
        let contract = tasks::expected(scenario, Differences::NONE);
        assert_eq!(text(&of_unit_with_tasks(scenario)), text(&contract), "unit and contract: {scenario:#?}");
    });
}

#[test]
fn qemu_differs_as_listed_and_not_otherwise() {
    let version = report::version();
    let mut report = Report::of_qemu();
    let (mut scenarios, mut others) = (0, Vec::new());
    each_with(Differences::ALL, |name, scenario, expected| {
        let (qemu, expected) = (report.next(&name), text(&expected));
        if qemu != expected {
            others.push(format!("{scenario:#?}\nQEMU: {qemu:#?}\nexpected of it: {expected:#?}"));
        }
        scenarios += 1;
    });
    report.end();
    assert_eq!(scenarios, SCENARIOS, "the chapter has their number");
    let first = others.first().map(String::as_str).unwrap_or_default();
    assert!(
        others.is_empty(),
        "{} scenarios differ; the list is of QEMU {VERSION}, this is {version}\n{first}",
        others.len()
    );
}

/// Without one of the differences, at least one report of QEMU would not be explained.
#[test]
fn each_difference_is_observed() {
    let mut of_qemu = Vec::new();
    each_with(Differences::ALL, |_, _, lines| of_qemu.push(lines));
    for difference in Difference::ALL {
        let mut reports = Vec::new();
        each_with(Differences::ALL.without(*difference), |_, _, lines| reports.push(lines));
        assert_ne!(reports, of_qemu, "{difference:?} explains nothing");
    }
}

#[test]
fn the_chapter_lists_the_differences() {
    let page = include_str!("../../docs/src/debug/qemu.md");
    for difference in Difference::ALL {
        assert!(page.contains(&difference.row()), "docs/src/debug/qemu.md lacks the row\n{}", difference.row());
    }
    assert!(page.contains(&format!("{SCENARIOS} scenarios")), "number of scenarios");
    let rows = page.lines().filter(|line| line.starts_with("| `")).count();
    assert_eq!(rows, Difference::ALL.len(), "rows of differences");
}

/// The directed scenario with this name, at level 0 and with this kind of gate, leads to these lines, in the unit and in QEMU.
fn agreed(name: &'static str, trap_gate: bool, expected: &[&str]) {
    let mut found = 0;
    list::each(&mut |scenario| {
        let same = scenario.name == list::Name::Directed(name);
        if same && !scenario.user && scenario.trap_gate == trap_gate && found == 0 {
            assert_eq!(text(&of_unit(scenario)), expected, "{name}");
            // Another test compares it with QEMU.
            assert_eq!(text(&processor::run(scenario, Differences::ALL)), expected, "{name}, QEMU");
            found += 1;
        }
    });
    assert_eq!(found, 1, "{name}");
}
