//! The machines that the driver runs on, and what each test wants of them.

use lwp_model::Moore;
use lwp_model::lwp::{Config, Inputs, Lane, Lwp, Outputs};
use lwp_regs::lwp::driver::{Policy, Processor, Profiler, find};
use lwp_regs::lwp::session::Idle;
use lwp_regs::lwp::{
    BufferView, EdxLayout, EventId, EventRecord, Features, LwpCaps, LwpcbBuilder, LwpcbImage, LwpcbMemory, PresenceBit,
    Session, ThresholdHandler,
};
use sim_harness::lwp::device::RtlDevice;
use sim_harness::lwp::machine::{Machine, Program, Stop};
use sim_harness::rtl::{BuildId, Flavour};

/// The machine with the model in it, and the one with the RTL, of the same sizes.
pub(crate) type ModelMachine = Machine<4, Lwp<4, 8, 31>>;
pub(crate) type RtlMachine = Machine<4, RtlDevice<4>>;

/// What such a machine is built around.
pub(crate) trait Device: Moore<Inputs = Inputs<4>, Outputs = Outputs> {}

impl<D: Moore<Inputs = Inputs<4>, Outputs = Outputs>> Device for D {}

/// A session of a thread on a machine.
pub(crate) type Thread<'a, D> = Session<&'a Machine<4, D>, Idle<'a>>;

pub(crate) fn model(straps: &Config) -> ModelMachine {
    Machine::of_model(straps).unwrap()
}

/// The build that checks its assertions.
pub(crate) fn rtl(straps: &Config) -> RtlMachine {
    Machine::of_rtl(BuildId::from_name("lwp_w4").unwrap(), Flavour::Traced, straps).unwrap()
}

/// Runs a generic function on both machines, fresh from reset, with the same straps. What they give is equal, and is the
/// result.
macro_rules! on_both {
    ($straps:expr, $body:expr) => {{
        let straps: lwp_model::lwp::Config = $straps;
        let (model, rtl) = ($crate::driver_support::model(&straps), $crate::driver_support::rtl(&straps));
        let of_model = $body(&model);
        let of_rtl = $body(&rtl);
        assert_eq!(of_model, of_rtl, "model and RTL differ");
        assert!(!rtl.into_device().into_rtl().take_assertion(), "an assertion of the RTL failed");
        of_model
    }};
}
pub(crate) use on_both;

/// What LWP can do on this machine, as the driver finds it.
pub(crate) fn caps<D: Device>(machine: &Machine<4, D>) -> LwpCaps {
    find(machine, PresenceBit::PROJECT, EdxLayout::AsPrinted).unwrap()
}

/// LWP enabled with everything that the machine has.
pub(crate) fn enabled<D: Device>(machine: &Machine<4, D>) -> Processor<&Machine<4, D>> {
    // SAFETY: nothing interrupts in this test.
    let handler = unsafe { ThresholdHandler::installed() };
    let policy = Policy::new().want(Features::EVENTS).interrupt(handler);
    Processor::enable(machine, &caps(machine), &policy).unwrap()
}

/// LWP enabled without the interrupt.
pub(crate) fn enabled_for_polling<D: Device>(machine: &Machine<4, D>) -> Processor<&Machine<4, D>> {
    Processor::enable(machine, &caps(machine), &Policy::new().want(Features::EVENTS)).unwrap()
}

/// A thread that is to store a record for every `interval`th instruction. Its memory is not mapped yet.
pub(crate) fn thread<'a, D: Device>(
    machine: &'a Machine<4, D>,
    memory: &'a mut LwpcbMemory,
    buffer: BufferView<'a>,
    interval: u32,
    threshold_records: u32,
) -> Thread<'a, D> {
    let block = LwpcbBuilder::new(&caps(machine))
        .buffer(buffer.address(), buffer.size())
        .threshold_records(threshold_records)
        .event(EventId::INSTRUCTIONS_RETIRED, interval)
        .build()
        .unwrap();
    Session::new(machine, &block, memory, buffer)
}

/// Maps the block and the buffer of a thread.
pub(crate) fn map<D: Device>(machine: &Machine<4, D>, thread: &Thread<'_, D>) {
    for region in thread.regions() {
        // SAFETY: the memory is that of a session, which accesses it by volatile accesses only; it outlives the last run.
        unsafe { machine.map(region) };
    }
}

pub(crate) fn start<'a, D: Device>(thread: Thread<'a, D>) -> Profiler<'a, &'a Machine<4, D>> {
    // SAFETY: block and buffer outlive the session, which each test stops, or which ends with its machine.
    unsafe { Profiler::start(thread) }.unwrap()
}

/// Runs a program that needs no kernel.
pub(crate) fn run<D: Device>(machine: &Machine<4, D>, lanes: impl Iterator<Item = Lane>) {
    assert_eq!(machine.run(&mut Program::new(lanes)), Ok(Stop::Ended));
}

/// The block as it is in memory, without the address of the buffer, which is another one in each run.
pub(crate) fn block_of<D: Device>(thread: &Thread<'_, D>) -> LwpcbImage {
    LwpcbImage { base: 0, ..*thread.block().unwrap().image() }
}

/// Where the instructions of each program are.
pub(crate) const FIRST: u64 = 0x40_0000;

/// The addresses of the records.
pub(crate) fn addresses(records: &[EventRecord]) -> Vec<u64> {
    records.iter().map(EventRecord::address).collect()
}

/// The address of the `n`th instruction of a [straight line](sim_harness::lwp::machine::straight_line), counted from 1.
pub(crate) const fn nth(n: u64) -> u64 {
    FIRST + 4 * (n - 1)
}
