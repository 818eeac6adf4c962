//! What the environment shows and takes, beside the model.

use super::*;
use crate::core::ReplayList;
use crate::traces::{self, BranchKind as Kind};
use lwp_model::trace::TraceUnit;

/// A loop of four instructions, the last of which is a taken branch.
fn program(rounds: u64) -> ReplayList {
    let at = |ip, branch| traces::Retired { ip, length: 4, cpl: 3, branch, ..traces::Retired::default() };
    let jump = traces::Branch { kind: Kind::Jcc, taken: true, next: 0x1000, predicted: Some(true) };
    let list = vec![at(0x1000, None), at(0x1004, None), at(0x1008, None), at(0x100C, Some(jump))];
    ReplayList::new(list, rounds)
}

/// Runs a setup on the model to its end; `look` sees each cycle.
fn run(
    setup: &Setup,
    straps: &Config,
    rounds: u64,
    mut look: impl FnMut(&Outputs, &Inputs<4>),
) -> Computer<4, ReplayList> {
    let mut unit = TraceUnit::<4, 32>::new(*straps).unwrap();
    let mut computer = Computer::<4, _>::new(setup, straps, program(rounds), Recorder::default());
    for _ in 0..200_000 {
        if computer.is_over() {
            assert_eq!(computer.failure(), None);
            return computer;
        }
        let out = unit.outputs();
        let inputs = *computer.cycle(&out);
        look(&out, &inputs);
        unit.step(&inputs);
    }
    panic!("the run has no end");
}

fn setup() -> Setup {
    Setup { lanes: 4, spacing: 1, lbr: true, ..Setup::default() }
}

#[test]
fn nothing_is_shown_while_the_unit_stalls_and_requests_have_cycles_of_their_own() {
    let (mut stalls, mut requests, mut interrupts) = (0, 0, 0);
    let mut before = Mode::default();
    let computer = run(&setup(), &Config::default(), 2000, |out, inputs| {
        let lanes = inputs.lanes.iter().any(|lane| lane.retired.valid);
        let busy = lanes || inputs.int.valid;
        assert!(!(out.stall && busy), "the core holds what it has");
        assert!(!inputs.reg.valid || (out.reg_ready && !busy && inputs.mode.cpl == 0));
        assert!(inputs.mode == before || !busy, "a mode change takes a cycle");
        before = inputs.mode;
        stalls += u64::from(out.stall);
        requests += u64::from(inputs.reg.valid);
        if inputs.int.valid {
            interrupts += 1;
            assert!(!out.ds_pmi, "the stack freezes first");
            assert_eq!((inputs.int.kind, inputs.int.vector, inputs.int.to), (IntKind::Interrupt, VECTOR, HANDLER));
        }
    });
    assert!(stalls > 1000 && requests > 100 && interrupts > 5, "{stalls}, {requests}, {interrupts}");
    assert_eq!((computer.retired(), computer.records.interrupts()), (8000, interrupts));
    // Each branch, and each interrupt.
    assert_eq!(
        (computer.records.stores(), computer.records.kinds()[0]),
        ((2000 + interrupts, 0), ("bts", 2000 + interrupts))
    );
}

// BTS-51: a counter that was armed when the handler switched PEBS off goes on
#[test]
fn samples_go_on_behind_every_interrupt() {
    for period in 1..12 {
        let pebs = Some(Sampling { event: Event::Instructions, period, records: 3 });
        // Branch records interrupt often, and between two instructions: also while the counter is armed.
        let buffer = Buffer { records: 16, threshold: 4, ..Buffer::default() };
        let setup = Setup { lanes: 1, spacing: 20, pebs, buffer, latency: period % 3, ..setup() };
        let computer = run(&setup, &Config::default(), 500, |_, _| {});
        let samples = computer.records.kinds().iter().find(|(name, _)| *name == "pebs").map_or(0, |(_, count)| *count);
        // One for each period and the event behind it; an interrupt may cost a part of one.
        let expected = 2000 / (period + 1);
        let lost = computer.records.interrupts();
        assert!(samples <= expected && samples + lost + 1 >= expected, "{period}: {samples} of {expected}, {lost}");
    }
}

#[test]
fn samples_are_those_of_their_levels() {
    let sampled = |levels| {
        let pebs = Some(Sampling { event: Event::Branches, period: 9, records: 8 });
        let computer = run(&Setup { levels, pebs, ..setup() }, &Config::default(), 100, |_, _| {});
        computer.records.kinds().iter().find(|(name, _)| *name == "pebs").map_or(0, |(_, count)| *count)
    };
    assert_eq!([Levels::User, Levels::Kernel, Levels::All].map(sampled), [10, 0, 10]);
}
