//! A session of Lightweight Profiling: the control block, the ring, the records.

use crate::board::{flag, input, input8, input32, output};
use crate::failure::{Failed, OrTell, tell};
use crate::machine::Machine;
use lwp_regs::lwp::driver::{Doorbell, Profiler, find};
use lwp_regs::lwp::{
    BufferView, ByMsr, EdxLayout, Event, EventBuffer, EventId, EventRecord, LwpCaps, Lwpcb, LwpcbBuilder, LwpcbError,
    LwpcbMemory, PresenceBit, Session,
};

/// What the handler of the threshold interrupt rings.
static BELL: Doorbell = Doorbell::new();

/// The block that the outside wants.
fn block(caps: &LwpCaps, buffer: &BufferView<'_>) -> Result<Lwpcb, LwpcbError> {
    let mut builder = LwpcbBuilder::new(caps)
        .buffer(buffer.address(), buffer.size())
        .random(input8())
        .threshold_records(input32())
        .event(EventId::INSTRUCTIONS_RETIRED, input32())
        .event(EventId::BRANCHES_RETIRED, input32())
        .event(EventId::DCACHE_MISSES, input32());
    if flag() {
        builder = builder.no_direct_branches();
    }
    builder.build()
}

/// Tells what is in a record.
fn take(record: EventRecord) {
    output(record.core());
    output(record.rip(input()));
    match Event::decode(record) {
        Event::Branch(branch) => {
            output(branch.taken());
            output(branch.predicted() == Some(false));
            output(branch.next_address());
        }
        Event::Dcache(miss) => {
            output(miss.latency());
            output(miss.data_address().unwrap_or(0));
        }
        _ => output(record.extra()),
    }
}

pub fn run(machine: &mut Machine) -> Result<(), Failed> {
    let caps = find(machine, PresenceBit::PROJECT, EdxLayout::AsPrinted).or_tell()?;
    let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<64>::new());
    let buffer = buffer.view();
    let block = block(&caps, &buffer).or_tell()?;
    let mut idle = Session::new(ByMsr(machine), &block, &mut memory, buffer);
    idle.edit(|block| block.set_interval(input8().into(), input32())).or_tell()?;

    // SAFETY: block and buffer outlive the session, which is stopped below or ends the firmware.
    let mut profiler = unsafe { Profiler::start(idle) }.map_err(|failed| tell(&failed.error))?;
    while flag() {
        BELL.ring(); // the interrupt
        output(profiler.answer(&BELL, take).or_tell()?);
        output(profiler.poll(take).or_tell()?);
        output(profiler.drain_all(take).or_tell()?);
        output(profiler.session().watch().flags().into_bits());
    }
    let stopped = profiler.stop(take).map_err(|failed| tell(&failed.error))?;
    output(stopped.taken.or_tell()?);
    output(stopped.missed);
    Ok(())
}
