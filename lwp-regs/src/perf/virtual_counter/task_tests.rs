extern crate std;
use super::*;
use crate::access::GeneralProtection;
use crate::perf::amd::{AmdGlobalStatus, AmdPerfCaps, AmdPerfCtl};
use crate::perf::architectural::caps::tests::{SKYLAKE_SP, YONAH, caps};
use crate::perf::architectural::{CounterIndex, Ia32PerfCapabilities, Ia32PerfEvtSel, PerfmonCaps};
use crate::perf::virtual_counter::machine::{Machine, Step, Step::*};
use crate::perf::virtual_counter::{AmdCounters, ArchitecturalCounters, ControlError, TscOnly};
use crate::refused::Rule;
use std::vec::Vec;

type Hw = ArchitecturalCounters<Machine>;
type IntelControl = Control<CounterIndex, Ia32PerfEvtSel, 2>;
type Task = TaskCounters<CounterIndex, Ia32PerfEvtSel, 2>;

const INSTRUCTIONS: Ia32PerfEvtSel = Ia32PerfEvtSel::from_bits(0x0041_00C0);
const CYCLES: Ia32PerfEvtSel = Ia32PerfEvtSel::from_bits(0x0041_003C);
/// Instructions, with an interrupt.
const SAMPLED: Ia32PerfEvtSel = Ia32PerfEvtSel::from_bits(0x0051_00C0);

fn hw(leaf: [u32; 4]) -> Hw {
    ArchitecturalCounters::new(Machine::new(Some(caps(leaf))), caps(leaf)).unwrap()
}

fn index(number: u8) -> CounterIndex {
    caps(YONAH).counter(number).unwrap()
}

/// The time-stamp counter, and two counters that are added up.
fn plain() -> Task {
    let control = IntelControl::new().with_tsc().count(index(0), INSTRUCTIONS).unwrap();
    TaskCounters::new(control.count(index(1), CYCLES).unwrap())
}

/// Counter 0 interrupts every 1000 events, counter 1 is added up.
fn sampling(hw: &Hw) -> Task {
    let control = IntelControl::new().with_tsc().interrupt_after(hw, index(0), SAMPLED, 1000).unwrap();
    TaskCounters::new(control.count(index(1), CYCLES).unwrap())
}

// VPC-39: control, cstatus, start, sums
#[test]
fn state() {
    let hw = hw(YONAH);
    let task = sampling(&hw);
    assert_eq!(task.cstatus(), CStatus { has_tsc: true, counters: 2, interrupting: 1 });
    assert!(task.cstatus().has_interrupting() && !plain().cstatus().has_interrupting());
    assert_eq!(task.start(), Counts { tsc: 0, pmc: [0xFF_FFFF_FC18, 0] }, "-1000 in 40 bits");
    assert_eq!(task.sums(), Counts { tsc: 0, pmc: [0, 0] });
    let selects: Vec<_> = task.control().counters().map(|programmed| programmed.select).collect();
    assert_eq!(selects, [SAMPLED, CYCLES]);
}

// VPC-06, VPC-35, VPC-38, VPC-40: suspend adds, sample adds and goes on; read at any time
#[test]
fn counts() {
    let (mut hw, mut task) = (hw(YONAH), plain());
    hw.bus_mut().tsc = 5000;
    hw.bus_mut().pmc = [77, 88, 0, 0, 0, 0, 0, 0];
    task.resume(&mut hw).unwrap();
    assert_eq!(task.start(), Counts { tsc: 5000, pmc: [77, 88] });
    hw.bus_mut().run(100, 10);
    assert_eq!(task.read(&mut hw), Ok(Counts { tsc: 100, pmc: [10, 10] }));
    assert_eq!(task.sums(), Counts { tsc: 0, pmc: [0, 0] });
    task.sample(&mut hw).unwrap();
    task.sample(&mut hw).unwrap();
    assert_eq!(task.sums(), Counts { tsc: 100, pmc: [10, 10] }, "a second sample adds nothing");
    assert_eq!(task.start(), Counts { tsc: 5100, pmc: [87, 98] });
    hw.bus_mut().run(50, 5);
    task.suspend(&mut hw).unwrap();
    assert_eq!(task.sums(), Counts { tsc: 150, pmc: [15, 15] });
    hw.bus_mut().run(1000, 1000);
    assert_eq!(task.read(&mut hw), Ok(Counts { tsc: 150, pmc: [15, 15] }), "it does not run");
    task.resume(&mut hw).unwrap();
    hw.bus_mut().run(1, 1);
    assert_eq!(task.read(&mut hw), Ok(Counts { tsc: 151, pmc: [16, 16] }));
}

// VPC-05: the hardware has 40 bits, the sums 64
#[test]
fn a_wrap_while_running() {
    let (mut hw, mut task) = (hw(YONAH), plain());
    hw.bus_mut().pmc[0] = 0xFF_FFFF_FFF0;
    task.resume(&mut hw).unwrap();
    for _ in 0..3 {
        hw.bus_mut().run(0, 0x80_0000_0000);
        task.sample(&mut hw).unwrap();
    }
    assert_eq!(task.sums().pmc[0], 0x180_0000_0000);
}

// VPC-37: presets of counters that interrupt, then control, then the counters are read to start; in each of the two
// ways to write a counter. APM-30: a counter is disabled before it is preset
#[test]
fn resume_in_order() {
    let mut hw = hw(YONAH);
    let mut task = sampling(&hw);
    task.resume(&mut hw).unwrap();
    let after_preset = [Wrmsr(0x186, 0x0051_00C0), Wrmsr(0x187, 0x0041_003C), Rdtsc, Rdpmc(1)];
    assert_eq!(hw.bus_mut().take_steps(), [&[Wrmsr(0x186, 0), Wrmsr(0xC1, 0xFFFF_FC18)], &after_preset[..]].concat());
    task.resume(&mut hw).unwrap();
    assert_eq!(hw.bus_mut().take_steps(), [], "it runs already");

    let caps = PerfmonCaps { capabilities: Ia32PerfCapabilities::from_bits(1 << 13), ..caps(SKYLAKE_SP) };
    let mut hw = ArchitecturalCounters::new(Machine::new(Some(caps)), caps).unwrap();
    sampling(&hw).resume(&mut hw).unwrap();
    let preset = [Wrmsr(0x186, 0), Wrmsr(0x4C1, 0xFFFF_FFFF_FC18)];
    assert_eq!(hw.bus_mut().take_steps(), [&preset, &after_preset[..]].concat());
}

// VPC-35: counters are stopped, read, added
#[test]
fn suspend_in_order() {
    let (mut hw, mut task) = (hw(YONAH), plain());
    task.resume(&mut hw).unwrap();
    hw.bus_mut().take_steps();
    task.suspend(&mut hw).unwrap();
    assert_eq!(hw.bus_mut().take_steps(), [Wrmsr(0x186, 0), Wrmsr(0x187, 0), Rdtsc, Rdpmc(0), Rdpmc(1)]);
    task.suspend(&mut hw).unwrap();
    assert_eq!(hw.bus_mut().take_steps(), []);
}

// VPC-07: reading takes RDTSC and RDPMC, no register access
#[test]
fn reading_needs_no_msr() {
    let (mut hw, mut task) = (hw(YONAH), plain());
    task.resume(&mut hw).unwrap();
    hw.bus_mut().take_steps();
    task.read(&mut hw).unwrap();
    task.sample(&mut hw).unwrap();
    assert_eq!(hw.bus_mut().take_steps(), [Rdtsc, Rdpmc(0), Rdpmc(1), Rdtsc, Rdpmc(0), Rdpmc(1)]);
}

// VPC-52: overflow, report, iresume, next overflow
#[test]
fn overflow_and_iresume() {
    let mut hw = hw(SKYLAKE_SP);
    let mut task = sampling(&hw);
    hw.enable_all().unwrap();
    task.resume(&mut hw).unwrap();
    hw.bus_mut().run(600, 600);
    assert_eq!(task.overflow(&mut hw), Ok(0), "not yet: someone else's interrupt");
    assert_eq!((task.is_running(), task.is_halted()), (true, false));
    hw.bus_mut().run(410, 410);
    hw.bus_mut().take_steps();
    assert_eq!(task.overflow(&mut hw), Ok(0b01), "ten events after the end of the period");
    let stopped = [Wrmsr(0x186, 0), Wrmsr(0x187, 0), Rdtsc, Rdpmc(0), Rdpmc(1)];
    assert_eq!(hw.bus_mut().take_steps(), [&stopped[..], &[Wrmsr(0x390, 1), Rdtsc]].concat());
    assert!(task.is_halted());
    assert_eq!(task.sums(), Counts { tsc: 1010, pmc: [1010, 1010] });

    hw.bus_mut().run(90, 90);
    assert_eq!(task.read(&mut hw), Ok(Counts { tsc: 1100, pmc: [1010, 1010] }), "only the time goes on");
    assert_eq!(task.overflow(&mut hw), Ok(0), "reported once");
    task.iresume(&mut hw).unwrap();
    hw.bus_mut().run(999, 999);
    assert_eq!(task.overflow(&mut hw), Ok(0), "a whole new period");
    hw.bus_mut().run(1, 1);
    assert_eq!(task.overflow(&mut hw), Ok(0b01));
    assert_eq!(task.sums(), Counts { tsc: 2100, pmc: [2010, 2010] });
    hw.bus_mut().take_steps();
    task.suspend(&mut hw).unwrap();
    task.iresume(&mut hw).unwrap();
    assert_eq!(hw.bus_mut().take_steps(), [Rdtsc], "a task that is not running only remembers");
    assert!(!task.is_halted() && !task.is_running());
}

#[test]
fn a_counter_that_interrupts_goes_on_where_it_was_suspended() {
    let mut hw = hw(YONAH);
    let mut task = sampling(&hw);
    task.resume(&mut hw).unwrap();
    hw.bus_mut().run(0, 400);
    task.suspend(&mut hw).unwrap();
    assert_eq!(task.start().pmc[0], 0xFF_FFFF_FDA8, "-600");
    hw.bus_mut().pmc = [3; 8]; // another task has used the counters
    task.resume(&mut hw).unwrap();
    assert_eq!(hw.bus_mut().pmc[0], 0xFF_FFFF_FDA8);
    hw.bus_mut().run(0, 600);
    assert_eq!(task.overflow(&mut hw), Ok(0b01));
    assert_eq!(task.sums().pmc, [1000, 1000]);
}

#[test]
fn an_overflow_that_is_found_after_the_task_is_suspended() {
    let mut hw = hw(YONAH);
    let mut task = sampling(&hw);
    task.resume(&mut hw).unwrap();
    hw.bus_mut().run(0, 1003);
    task.suspend(&mut hw).unwrap();
    hw.bus_mut().take_steps();
    assert_eq!(task.overflow(&mut hw), Ok(0b01));
    assert_eq!(task.overflow(&mut hw), Ok(0), "reported once");
    assert_eq!(plain().overflow(&mut hw), Ok(0));
    assert_eq!(hw.bus_mut().take_steps(), [], "no access: version 1 has no overflow status");
    assert!(task.is_halted() && !task.is_running());
    assert_eq!(task.start().pmc[0], 0xFF_FFFF_FC18, "a new period");
}

// a write of the counter extends the sign of 32 bits; nobody has asked for the overflow before the task is resumed
#[test]
fn a_counter_far_behind_its_overflow_is_resumed() {
    for far in [0x7FFF_FFFF, 0x8000_0000, 0x1_8000_0003] {
        let mut hw = hw(YONAH);
        let mut task = sampling(&hw);
        task.resume(&mut hw).unwrap();
        hw.bus_mut().run(0, 1000 + far);
        task.suspend(&mut hw).unwrap();
        task.resume(&mut hw).unwrap();
        hw.bus_mut().run(0, 7);
        assert_eq!(task.overflow(&mut hw), Ok(0b01));
        assert_eq!(task.sums().pmc, [1007 + far; 2]);
    }
}

#[test]
fn a_fault_starts_nothing_and_adds_nothing() {
    for accesses in 0..6 {
        let mut hw = hw(YONAH);
        let mut task = sampling(&hw);
        hw.bus_mut().faults_after = accesses;
        assert_eq!(task.resume(&mut hw), Err(GeneralProtection::Privilege), "access {accesses}");
        assert!(!task.is_running());
    }
    for accesses in 0..5 {
        let mut hw = hw(YONAH);
        let mut task = plain();
        task.resume(&mut hw).unwrap();
        hw.bus_mut().run(7, 7);
        hw.bus_mut().faults_after = accesses;
        assert_eq!(task.suspend(&mut hw), Err(GeneralProtection::Privilege));
        assert_eq!(task.sums(), Counts { tsc: 0, pmc: [0, 0] });
        hw.bus_mut().faults_after = usize::MAX;
        task.suspend(&mut hw).unwrap();
        assert_eq!(task.sums(), Counts { tsc: 7, pmc: [7, 7] }, "nothing is lost by asking again");
    }
}

// VPC-03: with a time-stamp counter alone everything works, with no counter
#[test]
fn tsc_only() {
    let mut hw = TscOnly(Machine::new(None));
    let mut task: TaskCounters<_, _, 1> = TaskCounters::new(Control::new().with_tsc());
    task.resume(&mut hw).unwrap();
    hw.0.run(100, 0);
    task.suspend(&mut hw).unwrap();
    hw.0.run(1000, 0);
    task.resume(&mut hw).unwrap();
    hw.0.run(20, 0);
    assert_eq!(task.read(&mut hw), Ok(Counts { tsc: 120, pmc: [0] }));
    assert_eq!(task.overflow(&mut hw), Ok(0));
}

#[test]
fn amd() {
    let mut hw = AmdCounters::new(Machine::new(None));
    let counter = AmdPerfCaps::new(true).counter(5).unwrap();
    let select = AmdPerfCtl::from_bits(0x0051_00C0);
    let control = Control::<_, _, 1>::new().interrupt_after(&hw, counter, select, 0x1_0000_0000).unwrap();
    let mut task = TaskCounters::new(control);
    task.resume(&mut hw).unwrap();
    let preset = Wrmsr(0xC001_020B, 0xFFFF_0000_0000);
    let steps = [Wrmsr(0xC001_020A, 0), preset, Wrmsr(0xC001_020A, 0x0051_00C0)];
    assert_eq!(hw.bus_mut().take_steps(), steps);
    hw.bus_mut().run(0, 0xFFFF_FFFF);
    assert_eq!(task.overflow(&mut hw), Ok(0));
    hw.bus_mut().run(0, 1);
    assert_eq!(task.overflow(&mut hw), Ok(1));
    assert_eq!(task.sums().pmc, [0x1_0000_0000]);
}

// AMD's PerfMonV2: the status of the counter that has overflowed is cleared, once it is stopped, and no other
#[test]
fn amd_with_a_global_status() {
    let mut caps = AmdPerfCaps::new(true);
    (caps.perfmon_v2, caps.v2_counters) = (true, 6);
    let mut hw = AmdCounters::with_caps(Machine::new(None), &caps);
    hw.bus_mut().amd = caps;
    let select = AmdPerfCtl::from_bits(0x0051_00C0);
    let index = |number| caps.counter(number).unwrap();
    let control = Control::<_, _, 2>::new().interrupt_after(&hw, index(5), select, 100).unwrap();
    let control = control.interrupt_after(&hw, index(1), select, 300).unwrap();
    let mut task = TaskCounters::new(control);
    task.resume(&mut hw).unwrap();
    hw.bus_mut().run(0, 99);
    hw.bus_mut().take_steps();
    assert_eq!(task.overflow(&mut hw), Ok(0));
    let cleared = |hw: &mut AmdCounters<Machine>| -> Vec<Step> {
        let steps = hw.bus_mut().take_steps().into_iter();
        steps.filter(|step| matches!(step, Wrmsr(0xC000_0302, _))).collect()
    };
    assert_eq!(cleared(&mut hw), [], "no overflow, nothing to clear");

    hw.bus_mut().run(0, 1);
    // Another's overflow, of which the task knows nothing.
    hw.bus_mut().status = AmdGlobalStatus::from_bits(hw.bus_mut().status.into_bits() | 0x4);
    assert_eq!(hw.bus_mut().status.into_bits(), 0x24);
    assert_eq!(task.overflow(&mut hw), Ok(0b01));
    let steps = hw.bus_mut().take_steps();
    let stopped = [Wrmsr(0xC001_020A, 0), Wrmsr(0xC001_0202, 0)];
    assert_eq!((&steps[..2], steps.last()), (&stopped[..], Some(&Wrmsr(0xC000_0302, 0x20))));
    assert_eq!(hw.bus_mut().status.into_bits(), 0x4);

    task.iresume(&mut hw).unwrap();
    hw.bus_mut().run(0, 200);
    assert_eq!(hw.bus_mut().status.into_bits(), 0x26, "both at once");
    assert_eq!(task.overflow(&mut hw), Ok(0b11));
    assert_eq!(cleared(&mut hw), [Wrmsr(0xC000_0302, 0x20), Wrmsr(0xC000_0302, 0x02)]);
    assert_eq!(hw.bus_mut().status.into_bits(), 0x4);
}

// the register is not written where CPUID does not report it; a write would fault
#[test]
fn amd_without_a_global_status() {
    let caps = AmdPerfCaps::new(true);
    let counter = caps.counter(0).unwrap();
    for mut hw in [AmdCounters::new(Machine::new(None)), AmdCounters::with_caps(Machine::new(None), &caps)] {
        assert_eq!(hw.clear_overflow(counter), Ok(()));
        assert_eq!(hw.bus_mut().take_steps(), []);
    }
    let mut wrong = AmdCounters::with_caps(Machine::new(None), &AmdPerfCaps { perfmon_v2: true, ..caps });
    assert_eq!(wrong.clear_overflow(counter), Err(GeneralProtection::NoSuchRegister));
}

// APM-30: the driver's order, which the machine of these tests would refuse otherwise
#[test]
fn program_disables_presets_enables() {
    let mut hw = hw(YONAH);
    hw.program(index(0), 5, INSTRUCTIONS).unwrap();
    hw.program(index(0), 6, INSTRUCTIONS).unwrap();
    let once = |value| [Wrmsr(0x186, 0), Wrmsr(0xC1, value), Wrmsr(0x186, 0x0041_00C0)];
    assert_eq!(hw.bus_mut().take_steps(), [once(5), once(6)].concat());
    let refused = hw.write_counter(index(0), 7).unwrap_err();
    assert!(matches!(refused, GeneralProtection::Refused(_)), "written while enabled");
}

#[test]
fn controls_that_make_no_sense() {
    let hw = hw(YONAH);
    let one = || IntelControl::new().count(index(0), INSTRUCTIONS).unwrap();
    assert_eq!(one().count(index(0), CYCLES), Err(ControlError::CounterTwice));
    assert_eq!(one().count(index(1), SAMPLED), Err(ControlError::UnexpectedInterrupt));
    assert_eq!(one().count(index(1), Ia32PerfEvtSel::from_bits(0x0001_00C0)), Err(ControlError::Disabled));
    assert_eq!(one().interrupt_after(&hw, index(1), CYCLES, 5), Err(ControlError::NoInterrupt));
    let period = |period| one().interrupt_after(&hw, index(1), SAMPLED, period);
    assert!(period(1 << 31).is_ok());
    let Err(ControlError::Period(refused)) = period((1 << 31) + 1) else { panic!("too long for 32 bits") };
    assert_eq!(refused.rule, Rule::AtMost(1 << 31));
    let two = one().count(index(1), CYCLES).unwrap();
    let third = caps(SKYLAKE_SP).counter(2).unwrap();
    assert_eq!(two.count(third, CYCLES), Err(ControlError::TooMany { most: 2 }));
}

#[test]
fn a_full_width_period_ends_at_the_sign() {
    let caps = PerfmonCaps { capabilities: Ia32PerfCapabilities::from_bits(1 << 13), ..caps(SKYLAKE_SP) };
    let hw = ArchitecturalCounters::new(Machine::new(Some(caps)), caps).unwrap();
    assert_eq!(hw.preset(1 << 47), Ok(0x8000_0000_0000));
    assert_eq!(hw.preset((1 << 47) + 1).unwrap_err().rule, Rule::AtMost(1 << 47));
}
