//! What the driver does to the registers.

use super::check_tests::{CODE, NOP, TABLE, of};
use super::script::File::{Dbr, Dcr, Ibr, Pmc, Pmd, Psr};
use super::script::{File, Script};
use super::*;
use crate::bits::U4;
use crate::itanium::{AddressRange, Counter, Depth, Event, MonitorPlan, PmcFault, Scope};
use core::num::NonZeroU32;

const PERIOD: NonZeroU32 = NonZeroU32::new(1000).unwrap();
/// The count that overflows after a period, as the register has it.
const PRESET: u64 = 0xFFFF_FFFF_FFFF_FC18;

/// The loads that miss in a table, sampled, and all loads there, of nops in a page of code.
fn configuration() -> Configuration {
    let measure = |event| of(event).in_instructions(CODE).matching(NOP).in_data(TABLE);
    let misses = measure(Event::L1dReadMissesRetired).interrupting_after(PERIOD);
    let loads = measure(Event::LoadsRetired).with_threshold(1).from_count(5);
    Configuration::new([Some(misses), None, Some(loads), None]).unwrap()
}

/// A processor on which software has used everything before.
fn used() -> Script {
    let mut bus = Script::default();
    for index in 0..8 {
        bus.set(Ibr, index, 0x1111_1111_1111_1111 & !(1 << 63));
        bus.set(Dbr, index, 0x0111_1111_1111_1111);
    }
    for (index, value) in [(0, 0x20), (5, 0x28), (7, 0x28), (8, 7), (9, 7), (11, 0x0200_0048), (13, 0x3_FFFF_0000_0001)]
    {
        bus.set(Pmc, index, value);
    }
    bus.set(Dcr, 0, 0x7F01);
    bus
}

// freeze first, thaw last; masks off before addresses change; counts before selections
#[test]
fn start_writes_every_register() {
    let mut bus = used();
    let _ = configuration().start(&mut bus).unwrap();
    let ranges = [
        (Ibr, 1, 0),
        (Ibr, 0, 0x4000_0000),
        (Ibr, 1, 0x0FFF_FFFF_FFFF_F000),
        (Ibr, 3, 0),
        (Ibr, 2, 0),
        (Ibr, 3, 0),
        (Ibr, 5, 0),
        (Ibr, 4, 0),
        (Ibr, 5, 0),
        (Ibr, 7, 0),
        (Ibr, 6, 0),
        (Ibr, 7, 0),
        (Dbr, 1, 0),
        (Dbr, 0, 0x6000_0000),
        (Dbr, 1, 0x0FFF_FFFF_FFFF_0000),
        (Dbr, 3, 0),
        (Dbr, 2, 0),
        (Dbr, 3, 0),
        (Dbr, 5, 0),
        (Dbr, 4, 0),
        (Dbr, 5, 0),
        (Dbr, 7, 0),
        (Dbr, 6, 0),
        (Dbr, 7, 0),
    ];
    let monitors = [
        (Pmc, 13, 0x3_FFFF_0000_0000),
        (Pmc, 8, 0x8000_4000_0000_0000),
        (Pmc, 11, 0x0200_0048),
        (Pmc, 9, u64::MAX),
        (Dcr, 0, 0x7F00),
        (Pmd, 4, PRESET),
        (Pmc, 4, 0x0200_6628),
        (Pmd, 5, 0),
        (Pmc, 5, 0),
        (Pmd, 6, 5),
        (Pmc, 6, 0x0210_6C08),
        (Pmd, 7, 0),
        (Pmc, 7, 0),
    ];
    let writes = bus.writes();
    let (first, rest) = writes.split_first().unwrap();
    let (last, middle) = rest.split_last().unwrap();
    assert_eq!((*first, *last), ((Pmc, 0, 1), (Pmc, 0, 0)));
    assert_eq!(middle, [&ranges[..], &monitors[..]].concat());
}

// without ranges the breakpoint registers are not touched
#[test]
fn start_leaves_what_it_does_not_need() {
    let mut bus = used();
    let _ = Configuration::new([Some(of(Event::CpuCycles)), None, None, None]).unwrap().start(&mut bus).unwrap();
    assert!(bus.trace.iter().all(|access| !matches!(access, super::script::Access::Read(Ibr | Dbr, _))));
    assert!(bus.writes().iter().all(|(file, ..)| !matches!(file, Ibr | Dbr | Psr)));
    let unconstrained = [(13, 0x3_FFFF_0000_0001), (8, u64::MAX), (9, u64::MAX), (11, 0x1200_0048)];
    assert!(unconstrained.into_iter().all(|(index, value)| bus.get(Pmc, index) == value));
}

#[test]
fn two_opcodes() {
    let tagged = |umask| of(Event::Ia64InstRetired).with_umask(U4::masked(umask));
    let mut bus = used();
    let second = tagged(2).matching(NOP);
    let _ = Configuration::new([Some(tagged(3)), Some(second), None, None]).unwrap().start(&mut bus).unwrap();
    assert_eq!((bus.get(Pmc, 8), bus.get(Pmc, 9)), (u64::MAX, 0x8000_4000_0000_0000));
    assert_eq!((bus.get(Pmc, 4), bus.get(Pmc, 5)), (0x0203_0808, 0x0202_0808));
}

// pairs that are breakpoints stay, and blocks go to the others
#[test]
fn breakpoints() {
    let code = AddressRange::new(0x4000_0FF0, 0x4000_201F).unwrap();
    let start = |bus: &mut Script| {
        let retired = of(Event::Ia64InstRetired).in_instructions(code);
        Configuration::new([Some(retired), None, None, None]).unwrap().start(bus)
    };
    let mut bus = used();
    bus.set(Ibr, 3, 0x8FFF_FFFF_FFFF_FFFF);
    let _ = start(&mut bus).unwrap();
    let addresses = [0, 2, 4, 6].map(|index| bus.get(Ibr, index));
    assert_eq!(addresses, [0x4000_0FF0, 0x1111_1111_1111_1111, 0x4000_1000, 0x4000_2000]);
    assert_eq!(bus.get(Ibr, 3), 0x8FFF_FFFF_FFFF_FFFF);
    bus.set(Ibr, 5, 0x8FFF_FFFF_FFFF_FFFF);
    assert_eq!(start(&mut bus), Err(StartError::Breakpoints(Shared::Instructions)));
    assert_eq!(bus.get(Pmc, 0), 1, "frozen");
}

// a data breakpoint would be part of the range, unless it has no level
#[test]
fn data_breakpoints() {
    for (mask, taken) in [(0x8000_0000_0000_0000, false), (0x4100_0000_0000_0000, true), (0x8800_0000_0000_0000, true)]
    {
        let mut bus = used();
        bus.set(Dbr, 5, mask);
        let started = configuration().start(&mut bus).map(drop);
        assert_eq!(started, if taken { Err(StartError::Breakpoints(Shared::Data)) } else { Ok(()) }, "{mask:#x}");
    }
}

// wherever an access faults, monitoring is frozen, and the next try starts as the first would have
#[test]
fn a_fault_at_the_start() {
    let mut good = used();
    let _ = configuration().start(&mut good).unwrap();
    for step in 0..good.trace.len() {
        let mut bus = Script { broken: Some(step), ..used() };
        assert_eq!(configuration().start(&mut bus), Err(StartError::Fault(PmcFault::PrivilegedOperation)));
        assert!(step == 0 || bus.get(Pmc, 0) == 1, "step {step}");
        assert_eq!(bus.get(Dcr, 0), 0x7F01, "step {step}");
        let _ = configuration().start(&mut bus).unwrap();
        assert_eq!(bus.registers, good.registers, "step {step}");
    }
}

#[test]
fn totals_have_64_bits() {
    let mut bus = used();
    let mut running = configuration().start(&mut bus).unwrap();
    bus.set(Pmd, 6, 0xFFFF_FFFF_FFFF_FFFF);
    bus.set(Pmd, 5, 99);
    assert_eq!(running.read(&mut bus).unwrap().of(Counter::Six), 0xFFFF_FFFF - 5);
    bus.set(Pmd, 6, 10);
    let counts = running.read(&mut bus).unwrap();
    assert_eq!(counts.of(Counter::Six), 0x1_0000_0000 + 5);
    assert_eq!((counts.of(Counter::Four), counts.of(Counter::Five)), (0, 0), "PMD[5] measures nothing");
    assert_eq!(running.configuration(), &configuration());
}

// ITA-19: the overflow handler is frozen, saves, loads, and thaws last
#[test]
fn an_overflow() {
    let mut bus = used();
    let mut running = configuration().start(&mut bus).unwrap();
    for period in 1..=3u64 {
        bus.set(Pmc, 0, 0x11);
        bus.set(Pmd, 4, 2);
        bus.set(Pmd, 6, 5 + 10 * period);
        bus.trace.clear();
        let overflow = running.handle_overflow(&mut bus).unwrap();
        assert!(overflow.overflowed(Counter::Four) && !overflow.overflowed(Counter::Six));
        assert_eq!(bus.writes(), [(Pmd, 4, PRESET), (Pmc, 0, 0)]);
        let counts = running.read(&mut bus).unwrap();
        assert_eq!((counts.of(Counter::Four), counts.of(Counter::Six)), (1002 * period, 10 * period));
    }
}

// an overflow of a counter that does not interrupt is noted with the freeze of every overflow; it just goes on
#[test]
fn an_overflow_without_interrupt() {
    let mut bus = used();
    let mut running = configuration().start(&mut bus).unwrap();
    bus.set(Pmc, 0, 0x41);
    bus.set(Pmd, 6, 3);
    bus.trace.clear();
    assert!(running.handle_overflow(&mut bus).unwrap().overflowed(Counter::Six));
    assert_eq!(bus.writes(), [(Pmc, 0, 0)]);
    assert_eq!(running.read(&mut bus).unwrap().of(Counter::Six), (1 << 32) - 2);
}

#[test]
fn a_fault_in_the_handler_loses_nothing() {
    for step in 0..7 {
        let mut bus = used();
        let mut running = configuration().start(&mut bus).unwrap();
        bus.set(Pmc, 0, 0x11);
        bus.set(Pmd, 4, 2);
        bus.broken = Some(bus.trace.len() + step);
        assert_eq!(running.handle_overflow(&mut bus), Err(PmcFault::PrivilegedOperation), "step {step}");
        assert_eq!(bus.get(Pmc, 0) & 1, 1, "frozen");
        assert!(running.handle_overflow(&mut bus).unwrap().overflowed(Counter::Four));
        assert_eq!(running.read(&mut bus).unwrap().of(Counter::Four), 1002, "step {step}");
        assert_eq!((bus.get(Pmd, 4), bus.get(Pmc, 0)), (PRESET, 0));
    }
}

// another configuration runs in between; the counts go on where they were
#[test]
fn contexts() {
    let mut bus = used();
    let running = configuration().start(&mut bus).unwrap();
    let registers = bus.registers.clone();
    bus.set(Pmd, 4, PRESET + 7);
    bus.set(Pmd, 6, 25);
    let suspended = running.suspend(&mut bus).unwrap();
    assert_eq!(bus.get(Pmc, 0), 1);
    assert_eq!((suspended.counts().of(Counter::Four), suspended.counts().of(Counter::Six)), (7, 20));
    let cycles = of(Event::CpuCycles);
    let other = Configuration::new([Some(cycles), Some(cycles), Some(cycles), Some(cycles)]).unwrap();
    let other = other.start(&mut bus).unwrap().suspend(&mut bus).unwrap();
    assert!(!other.overflow().overflowed(Counter::Four));
    let mut running = suspended.resume(&mut bus).unwrap();
    let expected = registers.into_iter().map(|(register, value)| match register {
        (Pmd, 4) => (register, PRESET + 7),
        (Pmd, 6) => (register, 25),
        _ => (register, value),
    });
    assert!(bus.registers.clone().into_iter().eq(expected));
    bus.set(Pmd, 6, 26);
    assert_eq!(running.read(&mut bus).unwrap().of(Counter::Six), 21);
}

// an overflow that comes with the switch is in the context; the counter begins its next period
#[test]
fn a_context_with_an_overflow() {
    let mut bus = used();
    let running = configuration().start(&mut bus).unwrap();
    bus.set(Pmc, 0, 0x11);
    bus.set(Pmd, 4, 2);
    let suspended = running.suspend(&mut bus).unwrap();
    assert!(suspended.overflow().overflowed(Counter::Four));
    assert_eq!(suspended.counts().of(Counter::Four), 1002);
    let mut running = suspended.resume(&mut bus).unwrap();
    assert_eq!((bus.get(Pmd, 4), bus.get(Pmc, 0)), (PRESET, 0));
    assert_eq!(running.read(&mut bus).unwrap().of(Counter::Four), 1002);
}

/// A processor on which counter 4 overflowed between the read and the write of PMC[0] of the next freeze: the read finds
/// neither `fr` nor the bit, and the write erases both.
fn erased(bus: &mut Script) {
    bus.set(Pmc, 0, 0);
    bus.set(Pmd, 4, 2);
    bus.set(Pmd, 6, 3); // this one has no interrupt, and just goes on
}

#[test]
fn an_overflow_whose_bit_is_erased_is_found_at_the_switch() {
    let mut bus = used();
    let running = configuration().start(&mut bus).unwrap();
    erased(&mut bus);
    let suspended = running.suspend(&mut bus).unwrap();
    assert_eq!(suspended.overflow().overflow(), U4::of::<1>());
    let mut running = suspended.resume(&mut bus).unwrap();
    assert_eq!((bus.get(Pmd, 4), bus.get(Pmd, 6)), (PRESET, 3));
    assert_eq!(running.read(&mut bus).unwrap().of(Counter::Four), 1002);
}

// the handler of another overflow, with a fault at each of its accesses, and none
#[test]
fn an_overflow_whose_bit_is_erased_is_found_by_the_handler() {
    for step in 0..9 {
        let mut bus = used();
        let mut running = configuration().start(&mut bus).unwrap();
        erased(&mut bus);
        bus.broken = (step < 8).then_some(bus.trace.len() + step);
        let overflow = running.handle_overflow(&mut bus);
        let overflow = if step < 8 { running.handle_overflow(&mut bus) } else { overflow }.unwrap();
        assert_eq!(overflow.overflow(), U4::of::<1>(), "step {step}");
        assert_eq!((bus.get(Pmd, 4), bus.get(Pmc, 0)), (PRESET, 0));
        assert_eq!(running.read(&mut bus).unwrap().of(Counter::Four), 1002);
    }
}

// a counter that interrupts once in 2^32 events begins at 0, and its count can fall below what was read only
#[test]
fn a_whole_turn_whose_bit_is_erased() {
    let mut bus = used();
    let turn = of(Event::CpuCycles).interrupting_after(PERIOD).from_count(0);
    let mut running = Configuration::new([Some(turn), None, None, None]).unwrap().start(&mut bus).unwrap();
    bus.set(Pmd, 4, 0xFFFF_FFFF_FFFF_FFFE);
    running.read(&mut bus).unwrap();
    bus.set(Pmd, 4, 1);
    running.read(&mut bus).unwrap();
    assert!(running.handle_overflow(&mut bus).unwrap().overflowed(Counter::Four));
    assert_eq!(running.read(&mut bus).unwrap().of(Counter::Four), (1 << 32) + 1);
}

// DCR.pp belongs to the processor: a switch gives it back, and `stop` what the last resume found
#[test]
fn a_switch_gives_dcr_back() {
    let mut bus = used();
    let running = configuration().start(&mut bus).unwrap();
    assert_eq!(bus.get(Dcr, 0), 0x7F00);
    let begin = bus.trace.len();
    let suspended = running.suspend(&mut bus).unwrap();
    assert_eq!(bus.get(Dcr, 0), 0x7F01);
    bus.set(Dcr, 0, 0x7E00);
    let running = suspended.resume(&mut bus).unwrap();
    running.stop(&mut bus).unwrap();
    assert_eq!(bus.get(Dcr, 0), 0x7E00);
    for step in begin..begin + 8 {
        let mut bus = Script { broken: Some(step), ..used() };
        let running = configuration().start(&mut bus).unwrap();
        erased(&mut bus);
        let (running, error) = running.suspend(&mut bus).unwrap_err();
        assert_eq!(error, PmcFault::PrivilegedOperation);
        let suspended = running.suspend(&mut bus).unwrap();
        assert_eq!((bus.get(Dcr, 0), suspended.overflow().overflow()), (0x7F01, U4::of::<1>()), "step {step}");
        assert_eq!(suspended.counts().of(Counter::Four), 1002);
    }
}

#[test]
fn the_bits_of_the_process() {
    let mut bus = used();
    bus.set(Psr, 0, 0x2000);
    let running = configuration().start(&mut bus).unwrap();
    for (chosen, psr) in [(true, 0x2004), (false, 0x2000)] {
        running.enter(&mut bus, chosen).unwrap();
        assert_eq!(bus.get(Psr, 0), psr);
    }
    let plan = MonitorPlan::new(Scope::SystemWide, Depth::WithInterrupts);
    let everywhere = Measurement::new(Event::CpuCycles, plan);
    let running = Configuration::new([Some(everywhere); 4]).unwrap().start(&mut bus).unwrap();
    running.enter(&mut bus, false).unwrap();
    assert_eq!((bus.get(Psr, 0), bus.get(Dcr, 0)), (0x20_2000, 0x7F01));
}

// nothing is selected or constrained, DCR is as it was, monitoring is frozen
#[test]
fn stop() {
    let mut bus = used();
    let running = configuration().start(&mut bus).unwrap();
    bus.set(Pmd, 6, 25);
    let counts = running.stop(&mut bus).unwrap();
    assert_eq!(counts.of(Counter::Six), 20);
    let values = |file: File, indices: [u8; 4]| indices.map(|index| bus.get(file, index));
    assert_eq!(values(Pmc, [4, 5, 6, 7]), [0; 4]);
    assert_eq!(values(Pmc, [8, 9, 11, 13]), [u64::MAX, u64::MAX, 0x1200_0048, 0x3_FFFF_0000_0001]);
    assert_eq!((values(Ibr, [1, 3, 5, 7]), values(Dbr, [1, 3, 5, 7])), ([0; 4], [0; 4]));
    assert_eq!((bus.get(Dcr, 0), bus.get(Pmc, 0)), (0x7F01, 1));
}

// breakpoints that a debugger has set meanwhile are its own
#[test]
fn stop_leaves_breakpoints() {
    let mut bus = used();
    let running = configuration().start(&mut bus).unwrap();
    let (ibr, read, write) = (0x8F00_0000_0000_0000, 0x8F00_0000_0000_0000, 0x4F00_0000_0000_0000);
    for (file, index, mask) in [(Ibr, 3, ibr), (Dbr, 5, read), (Dbr, 7, write)] {
        bus.set(file, index, mask);
    }
    running.stop(&mut bus).unwrap();
    let values = |file: File| [1, 3, 5, 7].map(|index| bus.get(file, index));
    assert_eq!((values(Ibr), values(Dbr)), ([0, ibr, 0, 0], [0, 0, read, write]));
}

#[test]
fn a_fault_at_the_stop() {
    let mut started = used();
    let mut good = started.clone();
    let _ = configuration().start(&mut started).unwrap();
    let running = configuration().start(&mut good).unwrap();
    let begin = good.trace.len();
    running.stop(&mut good).unwrap();
    for step in begin..good.trace.len() {
        let mut bus = Script { broken: Some(step), ..used() };
        let running = configuration().start(&mut bus).unwrap();
        bus.set(Pmd, 4, PRESET + 7);
        let (running, error) = running.stop(&mut bus).unwrap_err();
        assert_eq!(error, PmcFault::PrivilegedOperation);
        assert_eq!(running.stop(&mut bus).unwrap().of(Counter::Four), 7, "step {step}");
        bus.set(Pmd, 4, PRESET);
        assert_eq!(bus.registers, good.registers, "step {step}");
    }
}
