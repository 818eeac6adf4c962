//! Two breakpoints, and the handler of #DB that tells which was hit.

use lwp_regs::Refused;
use lwp_regs::access::DebugBus;
use lwp_regs::debug::{Breakpoint, BreakpointLimits, BreakpointSet, DebugCaps, DebugEntry, DebugFrame, Length, Slot};

/// Stops at the instruction at `code` and at writes of the eight bytes at `data`.
fn watch(caps: &DebugCaps, cr4: u64, code: u64, data: u64) -> Result<BreakpointSet, Refused> {
    let limits = BreakpointLimits::new(caps, cr4);
    BreakpointSet::new().with(Slot::Dr0, Breakpoint::execute(code), &limits)?.with(
        Slot::Dr1,
        Breakpoint::write(data, Length::Eight),
        &limits,
    )
}

/// The body of the handler of #DB: whether the data breakpoint was hit.
fn debug_exception<B: DebugBus>(bus: &mut B, frame: &mut DebugFrame) -> Result<bool, B::Fault> {
    let entry = DebugEntry::enter(bus)?; // reads DR6, clears it, switches the breakpoints off
    let written = entry.data_hits().slots().any(|slot| slot == Slot::Dr1);
    frame.flags = entry.resume(frame.flags); // RF, if it was the instruction breakpoint
    // SAFETY: the breakpoints are expected by this very handler.
    unsafe { entry.leave(bus) }?;
    Ok(written)
}

#[cfg(not(target_os = "none"))]
fn main() {
    use lwp_regs::access::DebugFault;
    use lwp_regs::debug::{Dr6, Dr7, Eflags};
    use lwp_regs::fake::FakeMsrs;
    let mut cpu = FakeMsrs::<0, DebugFault>::default();
    assert!(watch(&DebugCaps::INTEL_64, 0, 0x40_0000, 0x1004).is_err(), "misaligned");
    let set = watch(&DebugCaps::INTEL_64, 0, 0x40_0000, 0x1000).expect("both can be watched");
    // SAFETY: the processor is a fake.
    unsafe { set.arm(&mut cpu) }.expect("nobody protects the registers");
    cpu.debug_registers_mut().set_status(Dr6::from_bits(0xFFFF_0FF2)); // breakpoint 1
    let mut frame = DebugFrame { ip: 0x40_0010, cs: 0x33, flags: Eflags::new() };
    assert_eq!(debug_exception(&mut cpu, &mut frame), Ok(true));
    assert_eq!(Dr6::DR.read(&mut cpu), Ok(Dr6::RESET));
    assert_ne!(Dr7::DR.read(&mut cpu), Ok(Dr7::RESET), "the breakpoints are on again");
}
