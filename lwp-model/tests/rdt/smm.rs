//! System management interrupts, and other interruptions: no rule reads them.

use super::bench::{
    Bench, EVTSEL, Found, L2_MASK, L3_MASK, L3_QOS_CFG, PQR_ASSOC, THROTTLE, assoc, evtsel, l3_only, load, store,
};
use lwp_model::Choice;
use lwp_model::rdt::{Config, Outputs};
use lwp_model::retire::IntKind;

/// What a program does, with this interruption in every cycle: the outputs and registers of a unit with every register in use.
fn story(int: Option<IntKind>) -> Vec<(Outputs<2>, String)> {
    let mut bench = Bench::new(Config { settle: 2, ..Config::default() });
    bench.int = int;
    let mut seen = Vec::new();
    let mut note = |bench: &Bench| seen.push((bench.unit.outputs(), format!("{:?}", bench.unit.state())));
    for (number, value) in [
        (L3_MASK, 0b0011),
        (L2_MASK, 0b01),
        (THROTTLE, 30),
        (L3_QOS_CFG, 1),
        (EVTSEL, evtsel(1, 1)),
        (PQR_ASSOC, assoc(1, 0)),
    ] {
        bench.wrmsr(0, number, value);
        note(&bench);
    }
    for cycle in 0..200_u64 {
        let line = 8 + 4 * (cycle / 10 % 5);
        bench.cycle([store(line), load(line + 1)]);
        bench.power.l3_power = if cycle % 90 > 70 { 2 } else { 4 };
        note(&bench);
    }
    seen
}

// RDTM-33, RDTA-24: neither an SMI nor RSM nor another interruption changes a register, in any cycle
#[test]
fn no_interruption_changes_a_register() {
    let without = story(None);
    assert!(without.iter().any(|(out, _)| out.mem_write) && without.iter().any(|(out, _)| out.walking));
    for int in IntKind::ALL.iter().copied() {
        let with = story(Some(int));
        let different = without.iter().zip(&with).position(|(without, with)| without != with);
        assert_eq!((different, with.len()), (None, without.len()), "{int:?}");
    }
}

// RDTM-33, RDTA-24: the handler is charged to the interrupted RMID, and fills the ways of the interrupted class
#[test]
fn a_handler_is_the_interrupted_thread() {
    let mut bench = Bench::new(l3_only());
    bench.wrmsr(0, L3_MASK + 1, 0b0010);
    bench.assign(0, 1, 1);
    bench.access(0, load(8));
    bench.int = Some(IntKind::Smi);
    bench.idle();
    bench.int = None;
    assert_eq!(bench.access(0, load(16)), Found::Nowhere);
    assert_eq!((bench.rdmsr(0, PQR_ASSOC), bench.rdmsr(0, L3_MASK + 1)), (Ok(assoc(1, 1)), Ok(0b0010)));
    bench.int = Some(IntKind::Rsm);
    bench.idle();
    bench.int = None;
    // What the thread had is gone: this is what it notices of the handler.
    assert_eq!(bench.access(0, load(8)), Found::Nowhere);
    assert_eq!((bench.l3_lines(0), bench.counts(1), bench.counts(0)), ([0, 8, 0, 0], (1, 3, 3), (0, 0, 0)));
}

// RDTM-34: a handler that saves IA32_PQR_ASSOC, takes numbers of its own and restores it leaves the thread's data alone
#[test]
fn a_handler_with_numbers_of_its_own() {
    let mut bench = Bench::new(l3_only());
    bench.wrmsr(0, L3_MASK + 1, 0b0010);
    bench.wrmsr(0, L3_MASK + 2, 0b0100);
    bench.assign(0, 1, 1);
    bench.access(0, load(8));
    bench.int = Some(IntKind::Smi);
    let saved = bench.rdmsr(0, PQR_ASSOC).unwrap();
    bench.int = None;
    bench.assign(0, 3, 2);
    bench.accesses(0, &[load(16), load(24)]);
    bench.wrmsr(0, PQR_ASSOC, saved);
    bench.int = Some(IntKind::Rsm);
    assert_eq!(bench.access(0, load(8)), Found::L3);
    assert_eq!((bench.counts(1), bench.counts(3)), ((1, 1, 1), (1, 2, 2)));
}

// RDTA-25: a handler takes the power from a way of the cache: the thread's mask is ignored when it runs again, until the way has power
#[test]
fn a_handler_that_manages_power() {
    let mut bench = Bench::new(l3_only());
    bench.wrmsr(0, L3_MASK + 1, 0b0010);
    bench.assign(0, 1, 1);
    bench.access(0, load(8));
    assert_eq!(bench.l3_lines(0), [0, 8, 0, 0]);
    bench.int = Some(IntKind::Smi);
    bench.idle();
    bench.int = None;
    bench.power.l3_power = 3;
    // A walk of 8 sets at 2 cycles each, between two idle cycles.
    bench.pass(18);
    assert_eq!((bench.unit.outputs().l3_on, bench.unit.outputs().walking), (3, false));
    bench.int = Some(IntKind::Rsm);
    bench.idle();
    bench.int = None;
    bench.accesses(0, &[load(16), load(24)]);
    assert_eq!(bench.l3_lines(0), [16, 8, 24, 0], "outside of the mask");
    assert_eq!((bench.rdmsr(0, PQR_ASSOC), bench.rdmsr(0, L3_MASK + 1)), (Ok(assoc(1, 1)), Ok(0b0010)));
    bench.power.l3_power = 4;
    bench.pass(2);
    bench.access(0, load(32));
    assert_eq!(bench.l3_lines(0), [16, 32, 24, 0], "the mask holds again");
}
