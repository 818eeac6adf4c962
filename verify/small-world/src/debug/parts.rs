//! What the worlds are made of.

use super::LANES;
use lwp_model::debug::{Ask, Inputs, Interrupted, Lane, LaneKind, Special};
use lwp_model::retire::{
    Access, Branch, BranchKind, Flags, IntKind, Io, Mode, OpMode, RegOp, RegRequest, Rep, Retired, Transaction,
};
use lwp_regs::debug::{Breakpoint, BreakpointSet, Enable, Slot};

/// Address of the breakpoints.
pub(super) const HERE: u64 = 0x1000;
/// Address of everything else.
pub(super) const ELSEWHERE: u64 = 0x2000;

/// The operating system in 64-bit mode, with CR4.DE.
pub(super) fn idle() -> Inputs<LANES> {
    let mode = Mode { cpl: 0, smm: false, op_mode: OpMode::Long64 };
    Inputs { mode, de: true, ..Inputs::default() }
}

/// A cycle with this lane.
pub(super) fn lane(lane: Lane) -> Inputs<LANES> {
    Inputs { lanes: [lane], ..idle() }
}

/// An instruction that does nothing.
pub(super) fn at(ip: u64) -> Lane {
    Lane { retired: Retired { valid: true, counts: true, ip }, ..Lane::default() }
}

/// An instruction of this kind.
pub(super) fn kind(kind: LaneKind, rf_image: bool, t_flag: bool) -> Lane {
    Lane { debug: Special { kind, rf_image, t_flag }, ..at(ELSEWHERE) }
}

/// An instruction with these flags.
pub(super) fn flags(tf: bool, ss_load: bool, rep: Rep) -> Lane {
    Lane { flags: Flags { tf, ss_load, rep }, ..at(ELSEWHERE) }
}

/// The same as one that writes to this address.
pub(super) fn writing(lane: Lane, addr: u64) -> Lane {
    let mut lane = lane;
    lane.accesses[0] = Access { read: false, write: true, addr, size: 1 };
    lane
}

/// The same inside a region.
pub(super) fn in_region(lane: Lane) -> Lane {
    Lane { transaction: Transaction { in_tx: true, tx_abort: false }, ..lane }
}

/// The end of a region.
pub(super) fn abort() -> Lane {
    Lane { transaction: Transaction { in_tx: false, tx_abort: true }, ..at(ELSEWHERE) }
}

/// The same as a taken branch.
pub(super) fn branching(lane: Lane) -> Lane {
    Lane { branch: Branch { kind: BranchKind::JmpRel, taken: true, ..Branch::default() }, ..lane }
}

/// Accesses of an instruction that has not retired.
pub(super) fn partial(lane: Lane) -> Inputs<LANES> {
    Inputs { partial: true, lanes: [lane], ..idle() }
}

/// An instruction with I/O at this port.
pub(super) fn ports(port: u16) -> Inputs<LANES> {
    Inputs { io: Io { valid: true, write: true, port, size: 1 }, ..lane(at(ELSEWHERE)) }
}

/// A question.
pub(super) fn ask(ip: u64) -> Inputs<LANES> {
    Inputs { ask: Ask { valid: true, in_tx: false, ip }, ..idle() }
}

/// An interruption before the instruction at this address.
pub(super) fn interruption(kind: IntKind, from: u64) -> Inputs<LANES> {
    Inputs { int: Interrupted { valid: true, kind, from, ..Interrupted::default() }, ..idle() }
}

/// The same, which takes the pending request.
pub(super) fn delivery(from: u64) -> Inputs<LANES> {
    Inputs { db_ack: true, ..interruption(IntKind::Exception, from) }
}

/// The same through a task gate.
pub(super) fn gate(rf: bool, t: bool) -> Inputs<LANES> {
    let mut inputs = delivery(ELSEWHERE);
    (inputs.int.task, inputs.int.rf, inputs.int.t) = (true, rf, t);
    inputs
}

/// The acknowledgement alone.
pub(super) fn acknowledgement() -> Inputs<LANES> {
    Inputs { db_ack: true, ..idle() }
}

/// A MOV.
pub(super) fn mov(op: RegOp, number: u32, wdata: u64) -> Inputs<LANES> {
    Inputs { reg: RegRequest { valid: true, op, lp: 0, number, wdata }, ..idle() }
}

/// The MOVs that arm these breakpoints, all of them at one address.
pub(super) fn arm(breakpoints: &[(Slot, Breakpoint)], others: u64) -> Vec<Inputs<LANES>> {
    let mut set = BreakpointSet::new();
    breakpoints.iter().for_each(|(slot, breakpoint)| set.set_unchecked(*slot, *breakpoint));
    let addresses = Slot::ALL.map(|slot| (slot.number() as u32, set.get(slot).address));
    let control = (7, set.control.into_bits() | others);
    addresses.into_iter().chain([control]).map(|(number, value)| mov(RegOp::WriteDr, number, value)).collect()
}

/// The same breakpoint, for the present task alone.
pub(super) fn local(breakpoint: Breakpoint) -> Breakpoint {
    Breakpoint { enable: Enable::LOCAL, ..breakpoint }
}

/// The same breakpoint, off.
pub(super) fn off(breakpoint: Breakpoint) -> Breakpoint {
    Breakpoint { enable: Enable::empty(), ..breakpoint }
}
