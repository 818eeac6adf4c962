//! Lightweight Profiling across a switch of threads and a loss of power: by the save and restore port, by the pointer.

use crate::board::{input, output, word};
use crate::failure::{Failed, OrTell, tell};
use crate::machine::{Fault, Machine};
use lwp_regs::access::MsrBus;
use lwp_regs::lwp::context::{SavedContext, SmmLwpArea};
use lwp_regs::lwp::driver::{Policy, Processor, SwitchFailed, find};
use lwp_regs::lwp::{EdxLayout, Features, LwpContextPort, LwpVolatileState, PresenceBit};

/// A core with a port: words of the board.
struct Core<'m>(&'m mut Machine);

impl LwpContextPort for Core<'_> {
    type Fault = Fault;

    unsafe fn save_word(&mut self, index: u8) -> Result<u64, Fault> {
        // SAFETY: the board has the port here.
        Ok(unsafe { word(16 + usize::from(index)).read_volatile() })
    }

    unsafe fn restore_word(&mut self, index: u8, value: u64) -> Result<(), Fault> {
        // SAFETY: as above.
        unsafe { word(16 + usize::from(index)).write_volatile(value) };
        Ok(())
    }
}

impl MsrBus for Core<'_> {
    type Fault = Fault;

    unsafe fn rdmsr(&mut self, address: u32) -> Result<u64, Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { self.0.rdmsr(address) }
    }

    unsafe fn wrmsr(&mut self, address: u32, value: u64) -> Result<(), Fault> {
        // SAFETY: passed on to the caller as it is.
        unsafe { self.0.wrmsr(address, value) }
    }
}

pub fn run(machine: &mut Machine) -> Result<(), Failed> {
    let caps = find(machine, PresenceBit::PROJECT, EdxLayout::AsPrinted).or_tell()?;
    let policy = Policy::new().want(Features::all());
    let core = Processor::enable(Core(machine), &caps, &policy).map_err(|failed| tell(&failed.error))?;

    // A thread that comes from elsewhere: its state is checked.
    let state = LwpVolatileState::from_words(core::array::from_fn(|_| input()));
    let (mut from, mut to) = (SavedContext::inactive(), SavedContext::try_from(state).or_tell()?);
    // SAFETY: the port is there, and what runs next is the thread that was entered.
    let core = match unsafe { core.switch(&mut from, &mut to) } {
        Ok(core) => core,
        Err(SwitchFailed::NotLeft { fault, .. } | SwitchFailed::NotEntered { fault, .. }) => return Err(tell(&fault)),
        Err(SwitchFailed::Stuck { .. }) => return Err(tell(&"stuck")),
    };
    from.into_state().to_words().into_iter().for_each(output);

    // SAFETY: the address space of the block is the only one.
    let (pointer, between) = unsafe { core.leave() }.map_err(|failed| tell(&failed.error))?;
    // SAFETY: as above.
    let core = unsafe { between.enter(pointer) }.map_err(|failed| tell(&failed.fault))?;
    let mut core = core.disable().map_err(|failed| tell(&failed.error))?;

    // SAFETY: the port is there; the area is that of this core.
    let area = unsafe { SmmLwpArea::save(&mut core) }.or_tell()?;
    area.check().or_tell()?;
    area.to_words().into_iter().for_each(output);
    // SAFETY: as above.
    unsafe { area.restore(&mut core) }.or_tell()
}
