//! Lightweight Profiling: a record for every tenth instruction, taken from the ring buffer.

use lwp_regs::lwp::driver::{Profiler, RunError, ScopedProfiler};
use lwp_regs::lwp::session::{Session, SessionError};
use lwp_regs::lwp::{EventBuffer, EventId, LwpCaps, LwpInstructions, LwpcbBuilder, LwpcbError, LwpcbMemory};

/// Profiles `work` and returns how many records there were. LWP is off again on every way out.
fn profile<I: LwpInstructions>(lwp: I, caps: &LwpCaps, work: impl FnOnce()) -> Result<Option<u32>, LwpcbError> {
    let (mut memory, mut buffer) = (LwpcbMemory::new(), EventBuffer::<8>::new());
    let buffer = buffer.view();
    let block = LwpcbBuilder::new(caps)
        .buffer(buffer.address(), buffer.size())
        .event(EventId::INSTRUCTIONS_RETIRED, 10)
        .build()?;
    let session = Session::new(lwp, &block, &mut memory, buffer);
    let take = |profiler: &mut ScopedProfiler<'_, '_, I>| -> Result<u32, SessionError<I::Fault>> {
        work();
        let mut records = 0;
        profiler.drain_all(|_| records += 1)?;
        Ok(records)
    };
    // SAFETY: block and buffer live until the session has ended, and only the hardware writes them.
    match unsafe { Profiler::run(session, |_| (), |profiler, _| take(profiler)) } {
        Ok(profiled) => Ok(Some(profiled.value)),
        Err(RunError::StillActive { .. }) => panic!("LWP cannot be switched off, and the block must not be freed"),
        Err(_) => Ok(None),
    }
}

#[cfg(not(target_os = "none"))]
fn main() {
    use lwp_regs::fake::FakeLwp;
    use lwp_regs::lwp::EdxLayout;
    let caps = LwpCaps::from_cpuid([0, 0x0103_2040, 0x8000_002A, 0x1F], EdxLayout::AsPrinted).expect("it has LWP");
    let cpu = FakeLwp::new(0);
    assert_eq!(profile(&cpu, &caps, || cpu.retire_many(45)), Ok(Some(4)));
}
