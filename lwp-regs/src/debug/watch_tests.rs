#![allow(unsafe_code)] // arms a scripted bus
extern crate std;

use super::*;
use crate::debug::scripted::{Scripted, Step};
use crate::debug::{BreakpointLimits, BreakpointSet, DebugCaps};
use core::cell::{Cell, RefCell};
use std::vec::Vec;

// DBG-53: the value is saved before the breakpoint is armed; the handler has the old one and finds the new one by the
// address in the debug register
#[test]
fn old_and_new_value() {
    let memory = Cell::new(0x1111u16);
    let asked = RefCell::new(Vec::new());
    let look = |address, length: Length| {
        asked.borrow_mut().push((address, length.bytes()));
        memory.get()
    };
    let mut watch = WriteWatch::save(0x2002, Length::Two, look);
    assert_eq!(*asked.borrow(), [(0x2002, 2)], "saved at once");

    let limits = BreakpointLimits::new(&DebugCaps::IA32, 0);
    let set = BreakpointSet::new().with(Slot::Dr1, watch.breakpoint(), &limits).unwrap();
    let mut bus = Scripted::new(&[
        Step::Read(7, 0x400),
        Step::Write(7, 0x400),
        Step::Write(0, 0),
        Step::Write(1, 0x2002),
        Step::Write(2, 0),
        Step::Write(3, 0),
        Step::Write(6, 0xFFFF_0FF0),
        Step::Write(7, 0x0050_0708),
        Step::Read(1, 0x2002),
        Step::Read(1, 0x2002),
        Step::Read(1, 0x2002),
        Step::Read(1, 0x2000),
        Step::Protected(1),
    ]);
    // SAFETY: the bus only compares.
    unsafe { set.arm(&mut bus) }.unwrap();

    // The writes happen before their handler runs.
    for (old, new) in [(0x1111, 0x2222), (0x2222, 0x3333), (0x3333, 0x3333)] {
        memory.set(new);
        assert_eq!(watch.report(&mut bus, Slot::Dr1, look), Ok(Some(Change { address: 0x2002, old, new })));
    }
    assert_eq!(*asked.borrow(), [(0x2002, 2); 4]);
    // Another breakpoint's hit and a register that cannot be read change nothing.
    let before = watch;
    memory.set(0x4444);
    assert_eq!(watch.report(&mut bus, Slot::Dr1, look), Ok(None));
    assert!(watch.report(&mut bus, Slot::Dr1, look).is_err());
    assert_eq!(watch, before);
    bus.finished();
}
