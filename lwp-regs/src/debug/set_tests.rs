use super::*;
use crate::debug::scripted::{Scripted, Step};
use crate::debug::{Condition, DebugCaps, Enable, Length};

const LIMITS: BreakpointLimits = BreakpointLimits::new(&DebugCaps::INTEL_64, 0x8);

fn four() -> BreakpointSet {
    BreakpointSet::new()
        .with(Slot::Dr0, Breakpoint::execute(0x1000), &LIMITS)
        .and_then(|set| set.with(Slot::Dr1, Breakpoint::write(0x2008, Length::Eight).local(), &LIMITS))
        .and_then(|set| set.with(Slot::Dr2, Breakpoint::io(0x3F8, Length::One), &LIMITS))
        .and_then(|set| set.with(Slot::Dr3, Breakpoint::read_write(0x4004, Length::Four).disabled(), &LIMITS))
        .unwrap()
}

// DBG-06: four breakpoints, each with address, length, operation and enable, into DR0-DR3 and DR7 and back; DBG-22: LE, GE
#[test]
fn packs_and_unpacks() {
    let set = four();
    assert_eq!(set.addresses.map(BreakpointAddress::into_bits), [0x1000, 0x2008, 0x3F8, 0x4004]);
    assert_eq!(set.control.into_bits(), 0xF290_0726);
    assert_eq!(set.get(Slot::Dr0), Breakpoint::execute(0x1000));
    assert_eq!(
        set.get(Slot::Dr1),
        Breakpoint { address: 0x2008, length: Length::Eight, condition: Condition::Write, enable: Enable::LOCAL }
    );
    assert_eq!(set.get(Slot::Dr2), Breakpoint::io(0x3F8, Length::One));
    assert_eq!(set.get(Slot::Dr3), Breakpoint::read_write(0x4004, Length::Four).disabled());
    assert_eq!(set.free(), Some(Slot::Dr3));
}

// DBG-28: refused, and the set is as it was
#[test]
fn a_refused_breakpoint_changes_nothing() {
    let mut set = four();
    let wide = Breakpoint { length: Length::Two, ..Breakpoint::execute(0x1000) };
    assert_eq!(set.set(Slot::Dr3, wide, &LIMITS).unwrap_err().bits, 0xC000_0000);
    assert_eq!(set, four());
    set.remove(Slot::Dr1);
    assert_eq!(set.get(Slot::Dr1), Breakpoint::OFF);
    assert_eq!(set.control.into_bits(), 0xF200_0722);
}

// DBG-06, DBG-12: DR6 tells which conditions held; those of breakpoints that are off mean nothing
#[test]
fn decodes_the_status() {
    assert_eq!(four().hits(Dr6::from_bits(0xFFFF_0FF3)), Slots::DR0 | Slots::DR1);
    assert_eq!(four().hits(Dr6::from_bits(0xFFFF_0FFE)), Slots::DR1 | Slots::DR2, "3 is off");
    assert_eq!(four().hits(Dr6::RESET), Slots::empty());
}

// DBG-18, DBG-20, DBG-29: an access hits what is on, by L or by G
#[test]
fn accesses() {
    let set = four();
    assert_eq!(set.hit_by(Access::Fetch { address: 0x1000 }), Slots::DR0);
    assert_eq!(set.hit_by(Access::Write { address: 0x200F, bytes: 4 }), Slots::DR1);
    assert_eq!(set.hit_by(Access::Read { address: 0x200F, bytes: 4 }), Slots::empty());
    assert_eq!(set.hit_by(Access::Io { port: 0x3F8, bytes: 1 }), Slots::DR2);
    let off = Access::Read { address: 0x4000, bytes: 8 };
    assert_eq!(set.hit_by(off), Slots::empty());
    assert_eq!(set.conditions(off), Slots::DR3);
    assert_eq!(
        hit_mask(set.control, [0x1000, 0x2008, 0x3F8, 0x4004], Access::Write { address: 0x2000, bytes: 64 }),
        Slots::DR1
    );
}

// What was read stays: LEN 10 without 64-bit mode, R/W 10 without CR4.DE, a wide instruction breakpoint
#[test]
fn undefined_contents_survive() {
    let mut bus = Scripted::new(&[
        Step::Read(7, 0x0000_0000_4E20_04FF),
        Step::Read(0, 0x8000_0000_0000_0001),
        Step::Read(1, 2),
        Step::Read(2, 3),
        Step::Read(3, 4),
    ]);
    let set = BreakpointSet::read(&mut bus).unwrap();
    bus.finished();
    assert_eq!(set.get(Slot::Dr1).condition, Condition::Io);
    assert_eq!(
        set.get(Slot::Dr2),
        Breakpoint { address: 3, length: Length::Four, condition: Condition::Io, enable: Enable::all() }
    );
    assert_eq!(set.get(Slot::Dr3).length, Length::Two, "of an instruction breakpoint");
    let mut copy = BreakpointSet { control: set.control, ..BreakpointSet::new() };
    for slot in Slot::ALL {
        copy.set_unchecked(slot, set.get(slot));
    }
    assert_eq!(copy, set);
}

#[test]
fn arming_switches_off_first_and_on_last() {
    let mut bus = Scripted::new(&[
        Step::Read(7, 0x0000_0000_0001_2702),
        Step::Write(7, 0x0000_0000_0001_0700),
        Step::Write(0, 0x1000),
        Step::Write(1, 0x2008),
        Step::Write(2, 0x3F8),
        Step::Write(3, 0x4004),
        Step::Write(6, 0xFFFF_0FF0),
        Step::Write(7, 0xF290_0726),
    ]);
    // SAFETY: the bus only compares.
    unsafe { four().arm(&mut bus) }.unwrap();
    bus.finished();
}
