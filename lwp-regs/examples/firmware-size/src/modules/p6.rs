//! The two counters of the P6 family: events, runs, overflow.

use crate::board::{flag, input, input8, input32, output};
use crate::failure::{Failed, OrTell, tell};
use crate::machine::Machine;
use lwp_regs::perf::p6::event::{BusAgent, Event, Mesi};
use lwp_regs::perf::p6::overflow::{Interrupted, OverflowSampler};
use lwp_regs::perf::p6::{
    Counter, EventSelect, Levels, P6Counters, P6Model, Run, SamplePeriod, rdpmc_serialised, runs,
};

/// An event that a tool names, as bytes that come one by one.
fn by_name() -> Option<&'static Event> {
    let name: [u8; 16] = core::array::from_fn(|_| input8());
    Event::by_mnemonic(core::str::from_utf8(&name).ok()?)
}

/// How the outside wants the event counted.
fn select(event: &'static Event) -> EventSelect {
    let select = EventSelect::new(event).levels(Levels::User).at_least(input8());
    match input8() & 3 {
        0 => select.states(Mesi::from_bits_truncate(input8())),
        1 => select.agent(BusAgent::Any),
        2 => select.edges(),
        _ => select,
    }
}

pub fn run(machine: &mut Machine) -> Result<(), Failed> {
    let model = P6Model::detect(machine).or_tell()?;
    let events = [select(by_name().or_tell()?), select(by_name().or_tell()?), select(by_name().or_tell()?)];
    for run in runs(&events) {
        let mut p6 = P6Counters::new(&mut *machine);
        p6.start(&run.setup(model).or_tell()?).or_tell()?;
        p6.pause().or_tell()?;
        for counter in Counter::ALL {
            output(p6.read(counter).or_tell()?.count().get());
        }
        p6.stop().or_tell()?;
    }
    let pair = Run::pair(events[0], events[1]).or_tell()?.setup(model).or_tell()?;
    let mut counters = *machine;
    let counted = P6Counters::new(&mut *machine).count(&pair, &mut counters, input).map_err(|error| tell(&error))?;
    counted.counts.into_iter().for_each(output);
    output(rdpmc_serialised(&mut counters, &*machine, Counter::Counter0).or_tell()?);
    sample(machine)
}

/// The handler of the overflow interrupt.
fn sample(machine: &mut Machine) -> Result<(), Failed> {
    let sampler = OverflowSampler::new(Counter::Counter0, SamplePeriod::new(input32()).or_tell()?);
    let at = Interrupted { cs: input() as u16, eip: input32(), tss: input() as u16 };
    if flag() && let Some(sample) = sampler.on_overflow(machine, at, ()).or_tell()? {
        output(sample.late_by());
    }
    Ok(())
}
