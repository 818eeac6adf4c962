//! What a debugger sees of a run.

use super::computer::Fault;
use lwp_regs::debug::Slots;
use std::fmt;

/// A stop of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event {
    /// Why.
    pub cause: Cause,
    /// Offset in the code of the address that the handler finds on its stack.
    pub ip: u64,
    /// RF of the image there; Linux sets it for an instruction breakpoint.
    pub rf: bool,
    /// ECX: iterations that a string instruction has left.
    pub count: u32,
}

/// Why a program stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// #DB: breakpoints and BS of DR6; neither for INT1.
    Debug(Slots, bool),
    /// INT3, with the breakpoints that a #DB inside of the operating system has left.
    Breakpoint(Slots),
    /// A fault.
    Fault(Fault),
}

/// Situations that are counted, with what they are.
pub const SITUATIONS: [&str; 9] = [
    "breakpoints at an instruction or its data",
    "several breakpoints in one #DB",
    "single steps",
    "a step and a breakpoint in one #DB",
    "stops between two iterations",
    "INT1",
    "INT3",
    "faults",
    "frames with RF = 1",
];

impl Event {
    /// Returns which of the [`SITUATIONS`] the stop is.
    pub(super) fn situations(&self) -> [bool; SITUATIONS.len()] {
        let (slots, bs) = match self.cause {
            Cause::Debug(slots, bs) => (slots, bs),
            Cause::Breakpoint(_) | Cause::Fault(_) => (Slots::empty(), false),
        };
        let hit = !slots.is_empty();
        [
            hit,
            slots.slots().count() > 1,
            bs,
            bs && hit,
            (hit || bs) && self.count > 0,
            self.cause == Cause::Debug(Slots::empty(), false),
            matches!(self.cause, Cause::Breakpoint(_)),
            matches!(self.cause, Cause::Fault(_)),
            self.rf,
        ]
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cause {
            Cause::Debug(slots, bs) => {
                let none = slots.is_empty() && !bs;
                write!(
                    f,
                    "#DB{}{}",
                    list(slots),
                    if bs {
                        " BS"
                    } else if none {
                        " (INT1)"
                    } else {
                        ""
                    }
                )?;
            }
            Cause::Breakpoint(slots) => write!(f, "#BP{}", list(slots))?,
            Cause::Fault(Fault::Undefined) => f.write_str("#UD")?,
            Cause::Fault(Fault::Protection) => f.write_str("#GP")?,
        }
        write!(f, " at +{}{}", self.ip, if self.rf { ", RF" } else { "" })?;
        if self.count == 0 { Ok(()) } else { write!(f, ", {} left", self.count) }
    }
}

fn list(slots: Slots) -> String {
    slots.slots().map(|slot| format!(" B{}", slot.number())).collect()
}

/// Returns a run in one line.
#[must_use]
pub fn line(events: &[Event]) -> String {
    events.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
