extern crate std;
use super::*;
use crate::access::GeneralProtection;
use crate::perf::architectural::caps::tests::{YONAH, caps};
use crate::perf::architectural::{CounterIndex, Ia32PerfEvtSel};
use crate::perf::virtual_counter::machine::Machine;
use crate::perf::virtual_counter::{
    AmdCounters, ArchitecturalCounters, Control, CounterHardware, CounterWidth, Counts, P6FamilyCounters, TaskCounters,
    TscOnly,
};
use crate::refused::Refused;
use std::format;
use std::string::ToString;

type Hw = ArchitecturalCounters<Machine>;
type Driver = Perfctr<u8, CounterIndex, Ia32PerfEvtSel, 1, 2>;
type Fault = CallError<GeneralProtection>;

/// Tasks below 4 exist; task 1 has attached to task 2.
struct System;

impl Tasks<u8> for System {
    fn exists(&self, task: u8) -> bool {
        task < 4
    }
    fn is_attached(&self, caller: u8, task: u8) -> bool {
        (caller, task) == (1, 2)
    }
}

fn hw() -> Hw {
    ArchitecturalCounters::new(Machine::new(Some(caps(YONAH))), caps(YONAH)).unwrap()
}

fn index() -> CounterIndex {
    caps(YONAH).counter(0).unwrap()
}

fn instructions() -> Control<CounterIndex, Ia32PerfEvtSel, 1> {
    Control::new().with_tsc().count(index(), Ia32PerfEvtSel::from_bits(0x0041_00C0)).unwrap()
}

fn driver(hw: &mut Hw) -> Driver {
    let mut driver = Perfctr::new(Options { init_tests: false, ..Options::ALL });
    let info = Info::of(hw, 2, 1);
    driver.init(hw, &[], info).unwrap();
    driver
}

#[test]
fn objects_are_freed_with_their_last_reference() {
    let mut hw = hw();
    let mut driver = driver(&mut hw);
    let own = driver.open::<()>(&System, 2, 2, true).unwrap();
    let remote = driver.open::<()>(&System, 1, 2, false).unwrap();
    assert_eq!(driver.in_use(), 1);
    driver.release(own);
    driver.exit(&mut hw, 2).unwrap();
    assert_eq!(driver.in_use(), 1, "the other file");
    assert_eq!(driver.stop(&remote, (&System, 1), &mut hw), Err(Fault::Unlinked));
    driver.release(remote);
    assert_eq!(driver.in_use(), 0);
}

#[test]
fn what_is_refused_leaves_nothing() {
    let mut hw = hw();
    let mut driver = driver(&mut hw);
    let refused = [(1, 9, Fault::NoSuchTask), (1, 3, Fault::NotAttached)];
    for (caller, task, error) in refused {
        assert_eq!(driver.open(&System, caller, task, true), Err(error));
        assert_eq!(driver.open(&System, caller, task, false), Err(error));
    }
    assert_eq!(driver.in_use(), 0);
    let first = driver.open::<()>(&System, 0, 0, true).unwrap();
    assert_eq!(driver.open(&System, 0, 0, true), Err(Fault::Exists));
    let second = driver.open::<()>(&System, 3, 3, true).unwrap();
    assert_eq!(driver.open(&System, 1, 9, true), Err(Fault::NoMemory), "allocated first");
    for file in [first, second] {
        driver.release(file);
    }
}

#[test]
fn a_switch_that_contradicts_the_one_before() {
    let mut hw = hw();
    let mut driver = driver(&mut hw);
    let file = driver.open::<()>(&System, 0, 0, true).unwrap();
    driver.control(&file, (&System, 0), &mut hw, instructions()).unwrap();
    assert_eq!(driver.switch(&mut hw, None, Some(0)), Err(Fault::Inconsistent), "it runs already");
    driver.switch(&mut hw, Some(0), None).unwrap();
    assert_eq!(driver.switch(&mut hw, Some(0), None), Err(Fault::Inconsistent), "it does not run");
    driver.options.checks = false;
    assert_eq!(driver.switch(&mut hw, Some(0), None), Ok(0));
    driver.release(file);
}

#[test]
fn a_page_that_changes_is_read_again() {
    let mut hw = hw();
    let mut counters = TaskCounters::new(instructions());
    counters.resume(&mut hw).unwrap();
    let mut generations = [0, 1, 1, 1].into_iter();
    let page = || Page { generation: generations.next().unwrap(), overflowed: 0, counters };
    assert_eq!(read_mapped(page, &mut hw), Ok(Counts { tsc: 0, pmc: [0] }));
    assert_eq!(generations.next(), None, "twice two copies");
}

/// Counters with a fault of their own.
struct Broken {
    keeps: u64,
    moves: u64,
    time: u64,
    shown: u64,
    clock: u64,
}

impl CounterHardware for Broken {
    type Counter = CounterIndex;
    type Select = Ia32PerfEvtSel;
    type Fault = ();

    fn width(&self) -> CounterWidth {
        CounterWidth::new(40).unwrap()
    }
    fn preset(&self, period: u64) -> Result<u64, Refused> {
        Ok(period)
    }
    fn tsc(&mut self) -> Result<u64, ()> {
        self.clock += self.time;
        Ok(self.clock)
    }
    fn read(&mut self, _: CounterIndex) -> Result<u64, ()> {
        let shown = self.shown;
        self.shown += self.moves;
        Ok(shown)
    }
    fn write_counter(&mut self, _: CounterIndex, value: u64) -> Result<(), ()> {
        self.shown = value & self.keeps;
        Ok(())
    }
    fn write_select(&mut self, _: CounterIndex, _: Ia32PerfEvtSel) -> Result<(), ()> {
        Ok(())
    }
    fn clear_overflow(&mut self, _: CounterIndex) -> Result<(), ()> {
        Ok(())
    }
}

// VPC-17: the tests of the initialisation find counters that are narrower, that move, and time that stands
#[test]
fn broken_counters_are_found_at_initialisation() {
    let fine = || Broken { keeps: u64::MAX, moves: 0, time: 1, shown: 0, clock: 0 };
    let tried = |mut hw: Broken| {
        let mut driver = Driver::new(Options::ALL);
        let info = Info::of(&hw, 1, 1);
        let result = driver.init(&mut hw, &[index()], info);
        assert_eq!(driver.open::<()>(&System, 0, 0, false).is_ok_and(|file| file.object.is_none()), result.is_ok());
        result
    };
    assert_eq!(tried(fine()), Ok(()));
    let lost = SelfTestError::Lost { written: 0xFF_FFFF_FFFF, read: 0xFFFF_FFFF };
    assert_eq!(tried(Broken { keeps: 0xFFFF_FFFF, ..fine() }), Err(lost));
    let moves = SelfTestError::Moves { before: 0xFF_FFFF_FFFF, after: 0x100_0000_0000 };
    assert_eq!(tried(Broken { moves: 1, ..fine() }), Err(moves));
    assert_eq!(tried(Broken { time: 0, ..fine() }), Err(SelfTestError::TimeStands));
    let mut untried = Driver::new(Options { init_tests: false, ..Options::ALL });
    let mut hw = Broken { keeps: 0, ..fine() };
    let info = Info::of(&hw, 1, 1);
    assert_eq!(untried.init(&mut hw, &[index()], info), Ok(()));
}

#[test]
fn errors_have_their_numbers_and_say_what_to_do() {
    let all = [
        (Fault::NoDevice, 19),
        (Fault::NoSuchTask, 3),
        (Fault::NotAttached, 1),
        (Fault::Exists, 17),
        (Fault::NoMemory, 12),
        (Fault::NoCounters, 22),
        (Fault::Unlinked, 3),
        (Fault::UnknownCommand, 22),
        (Fault::NothingOverflowed, 1),
        (Fault::Busy, 16),
        (Fault::NoSuchCpu, 22),
        (Fault::CpuTwice, 22),
        (Fault::BadAddress, 14),
        (Fault::Inconsistent, 5),
        (Fault::Fault(GeneralProtection::Privilege), 5),
    ];
    for (at, (error, errno)) in all.iter().enumerate() {
        assert_eq!(error.errno(), *errno, "{error:?}");
        assert!(all[..at].iter().all(|(other, _)| other.to_string() != error.to_string()));
    }
    let of = [SelfTestError::TimeStands, SelfTestError::Lost { written: 1, read: 0 }, SelfTestError::Fault("no")];
    assert!(of.iter().all(|error| !error.to_string().is_empty()));
    assert_eq!(
        format!("{}", SelfTestError::<&str>::Moves { before: 1, after: 2 }),
        "a stopped counter went from 0x1 to 0x2"
    );
}

// a second control would forget what the first one has enabled, and what the counter showed before
#[test]
fn a_processor_is_controlled_once() {
    let mut cpus = [hw(), hw()];
    let info = Info::of(&cpus[0], 1, 2);
    let mut driver: Global<_, _, 1, 2> = Global::new(Options::ALL, Some(info));
    let of = |cpu| CpuControl { cpu, control: instructions() };
    assert_eq!(driver.control(&mut cpus, &[of(1), of(0), of(1)], 0), Err(Fault::CpuTwice));
    assert!(cpus.iter_mut().all(|hw| hw.bus_mut().take_steps().is_empty()));
    assert_eq!((driver.active(), driver.control(&mut cpus, &[of(1), of(0)], 0)), (0, Ok(2)));
    driver.stop(&mut cpus).unwrap();
    assert!(cpus.iter_mut().all(|hw| hw.bus_mut().select[0] == 0));
}

// VPC-12: the P6 family and AMD's K7 and K8 interrupt on overflow, a processor with time alone does not. Of the processors that do, the
// Pentium 4 has no counters here
#[test]
fn what_is_reported() {
    let machine = || Machine::new(None);
    let info = |counters, width, interrupts| Info { counters, width, interrupts, cpus: 1 };
    assert_eq!(Info::of(&hw(), 2, 1), info(2, 40, true));
    assert_eq!(Info::of(&P6FamilyCounters::new(machine()), 2, 1), info(2, 40, true));
    assert_eq!(Info::of(&AmdCounters::new(machine()), 4, 1), info(4, 48, true));
    assert_eq!(Info::of(&TscOnly(machine()), 0, 1), info(0, 64, false));
}
