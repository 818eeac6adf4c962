//! The functions of `lwp-regs` for breakpoints on three machines: the scripted fake, the model and the Verilated RTL. Model and RTL give the same,
//! to the cycle.

use lwp_model::Moore;
use lwp_model::debug::{Config, DbClass, DebugUnit, Inputs, Lane, LaneKind, Outputs, Special};
use lwp_model::retire::{Access as Shown, Io, Mode, OpMode, Retired};
use lwp_regs::access::{DebugBus, DebugFault};
use lwp_regs::debug::{
    Access, Breakpoint, BreakpointLimits, BreakpointSet, Change, DebugCaps, DebugEntry, Dr6, Dr7, Eflags,
    ExceptionClass, Length, Slot, Slots, WriteWatch,
};
use lwp_regs::fake::FakeMsrs;
use sim_harness::core::MachineFault;
use sim_harness::debug::machine::{DebugException, Delivered, Machine};
use sim_harness::device::RtlDevice;
use sim_harness::rtl::{BuildId, Flavour};
use std::fmt::Debug;

type Unit = DebugUnit<4, 2>;

/// What a machine is built around.
pub(crate) trait Device: Moore<Inputs = Inputs<4>, Outputs = Outputs> {}
impl<D: Moore<Inputs = Inputs<4>, Outputs = Outputs>> Device for D {}

/// Runs a generic function on the model and on the RTL, fresh from reset. Both give the same, which is the result.
macro_rules! on_both {
    ($body:expr) => {{
        let (mut model, mut rtl) = $crate::driver_debug::machines();
        let of_model = ($body(&mut model), model.cycles());
        let of_rtl = ($body(&mut rtl), rtl.cycles());
        assert_eq!(of_model, of_rtl, "model and RTL differ");
        assert!(!rtl.into_device().into_rtl().take_assertion(), "an assertion of the RTL failed");
        of_model.0
    }};
}
pub(crate) use on_both;

/// A machine with the model, and one with the RTL.
pub(crate) fn machines() -> (Machine<Unit, 4>, Machine<RtlDevice<Unit>, 4>) {
    let straps = Config::default();
    let rtl = Machine::of_rtl(BuildId::DebugL4a2, Flavour::Traced, &straps).unwrap();
    (Machine::of_model(&straps).unwrap(), rtl)
}

pub(crate) fn limits() -> BreakpointLimits {
    BreakpointLimits::new(&DebugCaps::INTEL_64, 1 << BreakpointLimits::CR4_DE)
}

/// An instruction.
pub(crate) fn at(ip: u64) -> Lane {
    Lane { retired: Retired { valid: true, counts: true, ip }, ..Lane::default() }
}

/// One that writes four bytes.
fn writing(addr: u64) -> Lane {
    let mut lane = at(0x400);
    lane.accesses[0] = Shown { read: false, write: true, addr, size: 4 };
    lane
}

/// The variable's address.
const VARIABLE: u64 = 0x5000;

/// Watches a variable while a program writes 7 to its neighbour and then 8, 8 and 9 to it. `write` says whether a write to an address raised
/// #DB. The same code for all machines.
fn watch<B: DebugBus<Fault: Debug>>(bus: &mut B, mut write: impl FnMut(&mut B, u64) -> bool) -> Vec<Change<u32>> {
    let mut memory = 5;
    let mut watch = WriteWatch::save(VARIABLE, Length::Four, |_, _| memory);
    let set = BreakpointSet::new().with(Slot::Dr2, watch.breakpoint(), &limits()).unwrap();
    // SAFETY: this function handles each #DB.
    unsafe { set.arm(bus) }.unwrap();
    let mut changes = Vec::new();
    for (address, value) in [(VARIABLE + 4, 7), (VARIABLE, 8), (VARIABLE, 8), (VARIABLE, 9)] {
        if address == VARIABLE {
            memory = value;
        }
        if write(bus, address) {
            let entry = DebugEntry::enter(bus).unwrap();
            assert_eq!((entry.hits(), entry.class()), (Slots::DR2, ExceptionClass::Trap));
            changes.extend(watch.report(bus, Slot::Dr2, |_, _| memory).unwrap());
            // SAFETY: the same function handles the next one.
            unsafe { entry.leave(bus) }.unwrap();
        }
    }
    changes
}

/// A write on the fake, on which breakpoints do not fire by themselves.
fn write_on_fake(fake: &mut FakeMsrs<'_, 0, DebugFault>, address: u64) -> bool {
    let registers = fake.debug_registers_mut();
    let hits = registers.breakpoints().hit_by(Access::Write { address, bytes: 4 });
    registers.set_status(registers.status().with_conditions(hits));
    !hits.is_empty()
}

fn watch_on_machine<D: Device>(machine: &mut Machine<D, 4>) -> Vec<Change<u32>> {
    watch(machine, |machine, address| machine.execute(&writing(address), Io::default()).is_some())
}

// DBG-53: the value from before the write, which the debugger had saved, and the new one
#[test]
fn a_variable_is_watched_on_three_machines() {
    let change = |old, new| Change { address: VARIABLE, old, new };
    let expected = [change(5, 8), change(8, 8), change(8, 9)];
    assert_eq!(watch(&mut FakeMsrs::<0, DebugFault>::default(), write_on_fake), expected);
    assert_eq!(on_both!(watch_on_machine), expected);
}

/// Stops before an instruction, and steps past it: what was delivered, what DR6 reported, and whether the next visit stops again.
fn past_a_breakpoint<D: Device>(machine: &mut Machine<D, 4>) -> (Delivered, Dr6, [bool; 2]) {
    let set = BreakpointSet::new().with(Slot::Dr0, Breakpoint::execute(0x404), &limits()).unwrap();
    // SAFETY: this function handles each #DB.
    unsafe { set.arm(machine) }.unwrap();
    assert_eq!(machine.execute(&at(0x400), Io::default()), None);
    let stopped = machine.execute(&at(0x404), Io::default()).expect("a breakpoint");
    let entry = DebugEntry::enter(machine).unwrap();
    let image = entry.resume(Eflags::from_bits(0x202).with_rf(stopped.rf));
    let status = entry.status();
    // SAFETY: the breakpoint is still expected.
    unsafe { entry.leave(machine) }.unwrap();
    let iret = Lane { debug: Special { kind: LaneKind::Iret, rf_image: image.rf(), t_flag: false }, ..at(0x9000) };
    assert_eq!(machine.execute(&iret, Io::default()), None);
    let visits = [(); 2].map(|()| machine.execute(&at(0x404), Io::default()).is_some());
    (stopped, status, visits)
}

// DBG-47, DBG-48: RF = 0 in the frame; with RF = 1 in the image the instruction is executed once
#[test]
fn a_handler_steps_past_a_breakpoint() {
    let (stopped, status, visits) = on_both!(past_a_breakpoint);
    assert_eq!(stopped, Delivered { class: DbClass::Fault, rf: false });
    assert_eq!((status.into_bits(), visits), (0xFFFF_0FF1, [false, true]));
}

/// A MOV while DR7.GD protects the registers, and MOVs that fault.
fn refused<D: Device>(machine: &mut Machine<D, 4>) -> (Delivered, Dr6, Vec<DebugException>) {
    // SAFETY: general detect is handled below.
    unsafe { Dr7::DR.write(machine, Dr7::RESET.with_gd(true)) }.unwrap();
    let mut faults = vec![Dr6::read(machine).unwrap_err()];
    let delivered = machine.deliver(0x500).expect("general detect");
    let entry = DebugEntry::enter(machine).unwrap();
    let (status, protects) = (entry.status(), entry.control().gd());
    assert!(!protects, "the processor has cleared GD");
    // SAFETY: no breakpoint is on.
    unsafe { entry.leave(machine) }.unwrap();
    // SAFETY: nothing is written.
    faults.push(unsafe { machine.write_dr(lwp_regs::access::DebugRegister::Dr6, 1 << 32) }.unwrap_err());
    faults.push(machine.read_dr(lwp_regs::access::DebugRegister::Dr4).unwrap_err());
    machine.set_mode(Mode { cpl: 3, smm: false, op_mode: OpMode::Long64 });
    faults.push(Dr7::read(machine).unwrap_err());
    (delivered, status, faults)
}

// DBG-05, DBG-09, DBG-25, DBG-62
#[test]
fn accesses_are_refused() {
    let (delivered, status, faults) = on_both!(refused);
    assert_eq!((delivered, status.into_bits()), (Delivered { class: DbClass::Fault, rf: true }, 0xFFFF_2FF0));
    let fault = DebugException::Fault;
    let (ud, gp) = (fault(MachineFault::InvalidOpcode), fault(MachineFault::GeneralProtection));
    assert_eq!(faults, [DebugException::Pending, gp, ud, gp]);
}
