//! AMD's core performance counters.

use crate::board::{flag, input, input8, output};
use crate::failure::{Failed, OrTell};
use crate::machine::Machine;
use lwp_regs::perf::Levels;
use lwp_regs::access::CounterBus;
use lwp_regs::perf::OverflowHandler;
use lwp_regs::perf::amd::{AmdPerfCtl, AmdPerfCtlBuilder, AmdPerfCtr, AmdPerfCaps};

pub fn run(machine: &mut Machine) -> Result<(), Failed> {
    let caps = AmdPerfCaps::detect(machine).or_tell()?;
    output(caps.counters());
    let counter = caps.counter(input8()).or_tell()?;
    let mut builder = AmdPerfCtlBuilder::new(input() as u16, input8()).levels(Levels::User).cycles_with_at_least(input8());
    if flag() {
        // SAFETY: the firmware does not run; nothing overflows.
        let handler = unsafe { OverflowHandler::installed() };
        builder = builder.levels(Levels::All).edge().interrupt(&handler);
    }
    counter.counter().write_unchecked(machine, AmdPerfCtr::overflow_after(input()).or_tell()?).or_tell()?;
    counter.select().write_unchecked(machine, builder.build().or_tell()?).or_tell()?;
    output(machine.rdpmc(counter.rdpmc_selector()).or_tell()?);
    counter.select().update_unchecked(machine, |select| select.with_enable(false)).or_tell()?;
    let select = AmdPerfCtl::check_write(AmdPerfCtl::new(), input(), &()).or_tell()?;
    output(select.event());
    output(select.into_bits());
    Ok(())
}
