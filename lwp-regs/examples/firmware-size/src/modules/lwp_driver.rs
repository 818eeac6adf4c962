//! Lightweight Profiling: found by CPUID, allowed by LWPMSR0, and by the same register bit by bit.

use crate::board::{flag, input, output};
use crate::failure::{Failed, OrTell, tell};
use crate::machine::Machine;
use lwp_regs::lwp::driver::{Policy, Processor, find};
use lwp_regs::lwp::{EdxLayout, Features, LwpCaps, LwpMsr0, PresenceBit, ThresholdHandler};

pub fn run(machine: &mut Machine) -> Result<(), Failed> {
    let caps = find(machine, PresenceBit::PROJECT, EdxLayout::AsPrinted).or_tell()?;
    report(&caps);
    let mut policy = Policy::new().want(Features::from_bits_retain(input() as u32));
    if flag() {
        // SAFETY: the firmware does not run; nothing interrupts.
        let handler = unsafe { ThresholdHandler::installed() };
        policy = policy.require(Features::IRE).interrupt(handler);
    }
    let processor = Processor::enable(&mut *machine, &caps, &policy).map_err(|failed| tell(&failed.error))?;
    output(processor.features().features().bits());
    output(caps.to_cpuid(processor.msr0(), EdxLayout::AsPrinted)[0]);
    processor.disable().map_err(|failed| tell(&failed.error))?;

    LwpMsr0::MSR.update_unchecked(machine, |msr0| msr0.with_enabled(flag()).with_bre(flag()).with_dme(flag())).or_tell()?;
    let wanted = LwpMsr0::check_write(LwpMsr0::RESET, input(), &caps).or_tell()?;
    LwpMsr0::MSR.write_unchecked(machine, wanted).or_tell()?;
    output(LwpMsr0::MSR.read(machine).or_tell()?.into_bits());
    Ok(())
}

/// What LWP can do here, and on another processor as well.
fn report(caps: &LwpCaps) {
    output(caps.available.features().bits());
    output(caps.max_latency());
    let other = LwpCaps::from_cpuid([input(), input(), input(), input()].map(|word| word as u32), EdxLayout::AsPrinted);
    if let Some(Ok(both)) = other.map(|other| caps.intersect(&other)) {
        output(both.max_events);
    }
}
