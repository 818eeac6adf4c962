//! Breakpoints and the handler of #DB.

use crate::board::{flag, input, input8, input32, output};
use crate::failure::{Failed, OrTell};
use crate::machine::Machine;
use lwp_regs::debug::{
    Access, Breakpoint, BreakpointLimits, BreakpointSet, Cpl, DebugCaps, DebugEntry, DebugFrame, Delivery, Dr6, Dr7,
    Eflags, Length, Slot, WriteWatch,
};

/// A length that the outside wants.
fn length() -> Length {
    [Length::One, Length::Two, Length::Four, Length::Eight][usize::from(input8() & 3)]
}

pub fn run(machine: &mut Machine) -> Result<(), Failed> {
    let caps = DebugCaps::detect(machine);
    let limits = BreakpointLimits::new(&caps, input());
    let watch = WriteWatch::save(input(), length(), |address, _| address ^ input());
    let set = BreakpointSet::new()
        .with(Slot::Dr0, Breakpoint::execute(input()), &limits)
        .or_tell()?
        .with(Slot::Dr1, watch.breakpoint(), &limits)
        .or_tell()?
        .with(Slot::Dr2, Breakpoint::io(input() as u16, length()), &limits)
        .or_tell()?;
    // SAFETY: the handler is `exception`.
    unsafe { set.arm(machine) }.or_tell()?;
    for slot in set.hit_by(Access::Write { address: input(), bytes: input32() }).slots() {
        output(slot as u8);
    }
    exception(machine)?;
    output(BreakpointSet::read(machine).or_tell()?.free().is_some());

    // A guest writes the registers.
    output(Dr6::check_write(Dr6::RESET, input(), &caps).or_tell()?.into_bits());
    output(Dr7::check_write(Dr7::RESET, input(), &caps).or_tell()?.into_bits());
    Ok(())
}

/// What #DB leads to.
fn exception(machine: &mut Machine) -> Result<(), Failed> {
    let mut frame = DebugFrame { ip: input(), cs: input() as u16, flags: Eflags::from_bits(input()) };
    let entry = DebugEntry::enter(machine).or_tell()?;
    output(entry.status().bd() || frame.delivery(Cpl::USER) != Delivery::SameLevel);
    for slot in entry.data_hits().slots() {
        output(slot.register().read(machine).or_tell()?.into_bits());
    }
    entry.step(&mut frame, |cpl| cpl == Cpl::USER);
    frame.flags = entry.resume(frame.flags);
    output(frame.flags.into_bits());
    let hits = entry.instruction_hits();
    if flag() {
        // SAFETY: the breakpoints that are left are expected by this handler.
        return unsafe { entry.leave_with(machine, |control| control.without(hits)) }.or_tell();
    }
    // SAFETY: as above.
    unsafe { entry.leave(machine) }.or_tell()
}
