//! Architectural performance counters: general, fixed, global.

use crate::board::{flag, input, input8, output};
use crate::failure::{Failed, OrTell};
use crate::machine::Machine;
use lwp_regs::perf::Levels;
use lwp_regs::access::CounterBus;
use lwp_regs::perf::OverflowHandler;
use lwp_regs::perf::architectural::{
    ArchitecturalEvent, CounterCaps, FixedControl, Ia32FixedCtrCtrl, Ia32PerfEvtSel, Ia32PerfGlobalCtrl,
    Ia32PerfGlobalOvfCtrl, Ia32PerfGlobalStatus, Ia32Pmc, PerfEvtSelBuilder, PerfmonCaps,
};

pub fn run(machine: &mut Machine) -> Result<(), Failed> {
    let caps = PerfmonCaps::detect(machine).or_tell()?;
    caps.validate().or_tell()?;
    let caps = caps.read_capabilities(machine).or_tell()?;
    let counter = caps.counter(input8()).or_tell()?;
    let event = ArchitecturalEvent::from_code(input8(), input8()).or_tell()?;
    let mut builder = PerfEvtSelBuilder::new(&caps, event).levels(Levels::User).cycles_with_at_least(input8());
    if flag() {
        // SAFETY: the firmware does not run; nothing overflows.
        let handler = unsafe { OverflowHandler::installed() };
        builder = builder.levels(Levels::All).edge().interrupt(&handler).any_thread();
    }
    let select = builder.build(counter).or_tell()?;
    counter.select().write_unchecked(machine, select.with_enable(false)).or_tell()?;
    counter.counter().write_unchecked(machine, input().into()).or_tell()?;
    counter.select().write_unchecked(machine, select).or_tell()?;
    if let Some(full) = counter.full_width(&caps) {
        full.write_unchecked(machine, input().into()).or_tell()?;
    }
    global(machine, &caps)?;
    output(machine.rdpmc(counter.rdpmc_selector()).or_tell()?);

    // A guest writes the same registers.
    let caps_of = CounterCaps::new(caps, counter);
    output(Ia32PerfEvtSel::check_write(select, input(), &caps_of).or_tell()?.into_bits());
    output(Ia32Pmc::check_write(Ia32Pmc::new(), input(), &caps).or_tell()?.into_bits());
    Ok(())
}

/// The fixed counters, all on, and what has overflowed.
fn global(machine: &mut Machine, caps: &PerfmonCaps) -> Result<(), Failed> {
    let mut control = Ia32FixedCtrCtrl::new();
    for fixed in caps.all_fixed() {
        control = control.with_counter(fixed, FixedControl::new().with_user(flag()).with_os(flag()));
        output(fixed.counter().read(machine).or_tell()?.into_bits());
    }
    Ia32FixedCtrCtrl::MSR.write_unchecked(machine, control).or_tell()?;
    if caps.has_global_control() {
        Ia32PerfGlobalCtrl::MSR.write_unchecked(machine, Ia32PerfGlobalCtrl::all(caps)).or_tell()?;
        let status = Ia32PerfGlobalStatus::MSR.read(machine).or_tell()?;
        caps.all_counters().for_each(|counter| output(status.overflowed(counter)));
        Ia32PerfGlobalOvfCtrl::MSR.write_unchecked(machine, Ia32PerfGlobalOvfCtrl::acknowledge(status)).or_tell()?;
    }
    Ok(())
}
