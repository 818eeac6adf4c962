extern crate std;

use super::*;
use crate::debug::{Access, BreakpointLimits, BreakpointSet, DebugCaps, DebugEntry, Dr6, Eflags, Slot, Slots};
use std::vec::Vec;

// DBG-72: the instruction that calls the handler is known by its code
#[test]
fn instructions_that_call_a_handler() {
    assert_eq!(software_interrupt([0xCD, 0x80]), Some(0x80));
    assert_eq!(software_interrupt([0xCC, 0x90]), Some(3));
    assert_eq!(software_interrupt([0xCE, 0x90]), Some(4));
    assert_eq!(software_interrupt([0xF1, 0x90]), Some(1));
    assert_eq!(software_interrupt([0x90, 0xCD]), None);
}

#[test]
fn tf_is_set_in_the_handler_only() {
    let step = StepInto::handler(0x8000);
    let mut frame = DebugFrame { ip: 0x8000, cs: 0x10, flags: Eflags::from_bits(0x46) };
    assert!(step.entered(&mut frame));
    assert_eq!(frame.flags.into_bits(), 0x1_0146);
    let mut other = DebugFrame { ip: 0x8001, cs: 0x10, flags: Eflags::from_bits(0x46) };
    assert!(!step.entered(&mut other));
    assert_eq!(other.flags.into_bits(), 0x46);
}

/// A processor that knows NOP, INT 80h and IRET, and of debugging what the manual says: an instruction breakpoint is
/// looked for while RF is 0; a trap follows an instruction that began with TF, unless it was INT n, which clears TF.
struct Processor {
    set: BreakpointSet,
    frame: DebugFrame,
    saved: Option<DebugFrame>,
}

const HANDLER: u64 = 0x8000;

/// NOP, INT 80h, NOPs; the handler is NOP, NOP, IRET.
fn code(ip: u64) -> [u8; 2] {
    match ip {
        0x1001 => [0xCD, 0x80],
        0x8002 => [0xCF, 0x90],
        _ => [0x90, 0x90],
    }
}

impl Processor {
    /// Runs until #DB and returns DR6.
    fn run(&mut self) -> Dr6 {
        loop {
            let hits = self.set.hit_by(Access::Fetch { address: self.frame.ip });
            if !self.frame.flags.rf() && !hits.is_empty() {
                return Dr6::RESET.with_conditions(hits);
            }
            self.frame.flags.set_rf(false);
            let traps = self.frame.flags.tf();
            match code(self.frame.ip) {
                [0xCD, _] => {
                    self.saved = Some(DebugFrame { ip: self.frame.ip + 2, ..self.frame });
                    self.frame.flags.set_tf(false);
                    self.frame = DebugFrame { ip: HANDLER, cs: 0x10, flags: self.frame.flags };
                    continue;
                }
                [0xCF, _] => self.frame = self.saved.take().unwrap(),
                _ => self.frame.ip += 1,
            }
            if traps {
                return Dr6::RESET.with_bs(true);
            }
        }
    }
}

/// Where a debugger stops that single-steps from 0x1000; `into` says whether it follows INT n.
fn stops(into: bool) -> Vec<u64> {
    let limits = BreakpointLimits::new(&DebugCaps::INTEL_64, 0);
    let frame = DebugFrame { ip: 0x1000, cs: 0x33, flags: Eflags::from_bits(0x302) };
    let mut processor = Processor { set: BreakpointSet::new(), frame, saved: None };
    // Far behind, so that a debugger which loses control is seen.
    processor.set.set(Slot::Dr3, Breakpoint::execute(0x1008), &limits).unwrap();
    let step = StepInto::handler(HANDLER);
    (0..6)
        .map(|_| {
            if into && software_interrupt(code(processor.frame.ip)) == Some(0x80) {
                processor.set.set(Slot::Dr0, step.breakpoint(), &limits).unwrap();
            }
            let entry = DebugEntry::decode(processor.run(), processor.set.control);
            if entry.hits().contains(Slots::DR0) {
                assert!(step.entered(&mut processor.frame));
                processor.set.remove(Slot::Dr0);
            } else {
                entry.step(&mut processor.frame, |_| true);
            }
            processor.frame.ip
        })
        .collect()
}

// DBG-72: by stepping the INT n that calls it a handler is stepped, instruction by instruction, and then the program
#[test]
fn a_handler_is_stepped() {
    assert_eq!(stops(true), [0x1001, 0x8000, 0x8001, 0x8002, 0x1003, 0x1004]);
    assert_eq!(stops(false)[..2], [0x1001, 0x1004], "TF alone steps over it");
}
