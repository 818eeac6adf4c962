//! The time-stamp counter: features, stamps, processors made to agree.

use crate::board::{input, input32, output};
use crate::failure::{Failed, OrTell};
use crate::machine::Machine;
use lwp_regs::tsc::{
    CrystalRatio, Elapsed, Stamp, TimeStampCounter, TimeStampDisable, TscAdjust, TscAux, TscFeatures, TscState, TscWrite,
};

pub fn run(machine: &mut Machine) -> Result<(), Failed> {
    output(TscFeatures::detect(machine).bits());
    let ratio = CrystalRatio::from_cpuid([input32(), input32(), input32(), input32()]).or_tell()?;
    output(ratio.tsc_hertz().unwrap_or(0));
    output(ratio.tsc(input(), input()));
    let before = Stamp::now(machine).or_tell()?;
    let after = Stamp::now(machine).or_tell()?;
    if let Elapsed::Ticks(ticks) = after.since(before) {
        output(ticks);
    }
    output(after.since_with(before, |processor| input() ^ u64::from(processor)));
    TscAdjust::RESET.synchronise(machine).or_tell()?;
    TscAux::MSR.update_unchecked(machine, |_| TscAux::from_bits(input32().into())).or_tell()?;
    let now = TimeStampCounter::MSR.read(machine).or_tell()?;
    output(now.since(TimeStampCounter::from_bits(input())));
    output(TimeStampDisable::KernelOnly.in_cr4(input()));

    // The same as a hypervisor keeps it.
    let state = TscState::RESET.write_counter(input(), TscWrite::All).after(input()).write_adjust(input());
    output(state.counter.into_bits());
    Ok(())
}
