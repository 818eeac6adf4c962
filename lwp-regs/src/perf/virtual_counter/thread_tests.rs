extern crate std;
use super::*;
use crate::perf::architectural::caps::tests::{YONAH, caps};
use crate::perf::architectural::{CounterIndex, Ia32PerfEvtSel};
use crate::perf::virtual_counter::machine::{Machine, Step::*};
use crate::perf::virtual_counter::{ArchitecturalCounters, Control, Counts};

type Traced = Thread<CounterIndex, Ia32PerfEvtSel, 1>;

/// A thread that counts instructions in counter `number`, and time.
fn counting(number: u8) -> Traced {
    let counter = caps(YONAH).counter(number).unwrap();
    let control = Control::new().with_tsc().count(counter, Ia32PerfEvtSel::from_bits(0x0041_00C0)).unwrap();
    let mut thread = Traced::new();
    assert!(thread.attach(TaskCounters::new(control)).is_none());
    thread
}

fn hw() -> ArchitecturalCounters<Machine> {
    ArchitecturalCounters::new(Machine::new(Some(caps(YONAH))), caps(YONAH)).unwrap()
}

// VPC-30, VPC-31: the debug registers and the counters, of which a new thread has none
#[test]
fn a_new_thread_has_no_counters() {
    let thread = Traced::new();
    assert_eq!(thread.debugreg, [0; 8]);
    assert!(thread.counters().is_none());
    assert!(counting(0).counters().is_some());
}

// VPC-33: the counters of the previous thread are suspended before those of the next are resumed
#[test]
fn switch_in_order() {
    let (mut hw, mut idle, mut a, mut b) = (hw(), Traced::new(), counting(0), counting(1));
    Traced::switch(&mut idle, &mut a, &mut hw).unwrap();
    hw.bus_mut().take_steps();
    Traced::switch(&mut a, &mut b, &mut hw).unwrap();
    let suspend = [Wrmsr(0x186, 0), Rdtsc, Rdpmc(0)];
    let resume = [Wrmsr(0x187, 0x0041_00C0), Rdtsc, Rdpmc(1)];
    assert_eq!(hw.bus_mut().take_steps(), [suspend, resume].concat());
    assert!(!a.counters().unwrap().is_running() && b.counters().unwrap().is_running());
}

// VPC-04, VPC-06: two threads share a counter and see their own counts only
#[test]
fn threads_see_their_own_counts() {
    let (mut hw, mut a, mut b) = (hw(), counting(0), counting(0));
    for round in 0..10 {
        Traced::switch(&mut b, &mut a, &mut hw).unwrap();
        hw.bus_mut().run(100, 3 + round);
        Traced::switch(&mut a, &mut b, &mut hw).unwrap();
        hw.bus_mut().run(40, 1000);
    }
    b.counters_mut().unwrap().sample(&mut hw).unwrap();
    assert_eq!(a.counters().unwrap().sums(), Counts { tsc: 1000, pmc: [75] });
    assert_eq!(b.counters().unwrap().sums(), Counts { tsc: 400, pmc: [10_000] });
}

// VPC-52: a counter wraps with interrupts off, and its interrupt arrives in the next thread
#[test]
fn an_overflow_that_is_found_at_the_switch() {
    let (mut hw, mut b) = (hw(), counting(1));
    let counter = caps(YONAH).counter(0).unwrap();
    let sampled = Ia32PerfEvtSel::from_bits(0x0051_00C0);
    let control = Control::new().interrupt_after(&hw, counter, sampled, 1000).unwrap();
    let mut a = Traced::new();
    a.attach(TaskCounters::new(control));
    assert_eq!(Traced::switch(&mut b, &mut a, &mut hw), Ok(0));
    hw.bus_mut().run(0, 1003);
    assert_eq!(Traced::switch(&mut a, &mut b, &mut hw), Ok(0b1));
    assert_eq!(b.counters_mut().unwrap().overflow(&mut hw), Ok(0), "the interrupt finds nothing");
    a.counters_mut().unwrap().iresume(&mut hw).unwrap();
    assert_eq!(Traced::switch(&mut b, &mut a, &mut hw), Ok(0));
    assert_eq!(hw.bus_mut().pmc[0], 0xFF_FFFF_FC18, "a new period of 1000");
    hw.bus_mut().run(0, 999);
    assert_eq!(a.counters_mut().unwrap().overflow(&mut hw), Ok(0));
    hw.bus_mut().run(0, 1);
    assert_eq!(a.counters_mut().unwrap().overflow(&mut hw), Ok(0b1));
    assert_eq!(a.counters().unwrap().sums().pmc, [2003]);
}

// VPC-32: a thread that ends gives its counters back, stopped
#[test]
fn exit_releases() {
    let (mut hw, mut idle, mut thread) = (hw(), Traced::new(), counting(0));
    Traced::switch(&mut idle, &mut thread, &mut hw).unwrap();
    hw.bus_mut().run(9, 8);
    let last = thread.exit(&mut hw).unwrap().unwrap();
    assert_eq!(last.sums(), Counts { tsc: 9, pmc: [8] });
    assert_eq!(hw.bus_mut().select[0], 0, "nothing counts on");
    assert!(thread.counters().is_none());
    assert!(thread.exit(&mut hw).unwrap().is_none());
}

// VPC-34: the child has no counters; the parent's go on
#[test]
fn fork() {
    let (mut hw, mut idle, mut parent) = (hw(), Traced::new(), counting(0));
    parent.debugreg[7] = 0x400;
    Traced::switch(&mut idle, &mut parent, &mut hw).unwrap();
    let child = parent.fork();
    assert!(child.counters().is_none());
    assert_eq!(child.debugreg[7], 0x400);
    hw.bus_mut().run(5, 5);
    assert_eq!(parent.counters().unwrap().read(&mut hw), Ok(Counts { tsc: 5, pmc: [5] }));
}
