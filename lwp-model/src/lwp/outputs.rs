//! Outputs of one cycle. They are functions of registers only.

use super::config::Config;
use super::event::MISSES;
use super::state::{CtlState, Fault, MemCmd, State, StoreState};
use super::straps::{AddressPolicy, LeavePolicy, MissedMode};

/// All outputs of one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Whether nothing may retire, and no operation is accepted.
    pub stall: bool,
    /// Whether the group of the last cycle was cut after the lane `cut_lane`.
    pub cut_valid: bool,
    /// Last accepted lane of the group that was cut. Valid with `cut_valid`.
    pub cut_lane: u8,
    /// Whether the core must not leave ring 3 yet.
    pub drain: bool,
    /// Whether the core must abort and replay the load whose data returned in the last cycle.
    pub flush_req: bool,
    /// Whether the core must keep the addresses of loads.
    pub addr_track: bool,
    /// Whether the result of the operation is valid, in this one cycle.
    pub rsp_valid: bool,
    /// Fault of the operation. Valid with `rsp_valid`.
    pub rsp_fault: Fault,
    /// Whether a write or a write probe of the operation failed. Valid with `rsp_valid` and a page fault.
    pub rsp_fault_write: bool,
    /// rAX, value of an RDMSR, or context word of a save. Valid with `rsp_valid` unless there is a fault.
    pub rsp_rdata: u64,
    /// Linear address of the first failing byte. Valid with `rsp_valid` and a page fault.
    pub rsp_fault_addr: u64,
    /// Whether a memory request is pending, until it is granted or withdrawn.
    pub mem_req: bool,
    /// Command of the request. Valid with `mem_req`.
    pub mem_cmd: MemCmd,
    /// Bytes of the aligned 8 that are accessed. Valid with `mem_req`.
    pub mem_be: u8,
    /// Linear address, low 3 bits 0. Valid with `mem_req`.
    pub mem_addr: u64,
    /// Data to write in the bytes of `mem_be`, 0 in all other bytes. Valid with `mem_req`.
    pub mem_wdata: u64,
    /// Whether a #PF trap is requested, until `pf_ack`.
    pub pf_valid: bool,
    /// Whether a write failed. Valid with `pf_valid`.
    pub pf_write: bool,
    /// Whether it is a fault rather than a trap: the instruction in lane `cut_lane` was undone. Valid with `pf_valid`.
    pub pf_abort: bool,
    /// Linear address of the first failing byte. Valid with `pf_valid`.
    pub pf_addr: u64,
    /// Whether the threshold interrupt is requested, until `irq_ack`.
    pub irq: bool,
    /// LWPMSR0, which is CPUID 8000_001C EAX.
    pub msr0: u32,
}

impl Outputs {
    /// Returns the outputs of a unit with these registers and straps.
    #[must_use]
    pub const fn of(state: &State, straps: &Config) -> Self {
        Self {
            stall: stall(state, straps),
            cut_valid: state.retire.cut_valid,
            cut_lane: state.retire.cut_lane,
            drain: drain(state, straps),
            flush_req: state.retire.flush_req,
            addr_track: addr_track(state, straps),
            rsp_valid: matches!(state.ctl.st, CtlState::Done),
            rsp_fault: state.ctl.fault,
            rsp_fault_write: state.ctl.fault_write,
            rsp_rdata: state.ctl.rdata,
            rsp_fault_addr: state.ctl.fault_addr,
            mem_req: state.port.req,
            mem_cmd: state.port.cmd,
            mem_be: state.port.be,
            mem_addr: state.port.addr,
            mem_wdata: state.port.wdata,
            pf_valid: state.pf.valid,
            pf_write: state.pf.write,
            pf_abort: state.pf.abort,
            pf_addr: state.pf.addr,
            irq: state.irq.valid,
            msr0: state.session.msr0.eax(),
        }
    }
}

/// Whether nothing may retire.
pub(super) const fn stall(state: &State, straps: &Config) -> bool {
    let running = state.retire.was_ring3 && state.session.active;
    let storing =
        !matches!(state.store.st, StoreState::Idle) || running && (state.records[0].event != 0 || owed(state, straps));
    !matches!(state.ctl.st, CtlState::Idle)
        || straps.sync() && storing
        || running && state.pending
        || state.retire.was_ring3 && state.pf.valid && state.pf.abort
}

/// Whether MissedEvents in memory must be updated.
pub(super) const fn owed(state: &State, straps: &Config) -> bool {
    match straps.missed_mode {
        MissedMode::Memory => state.ring.missed != 0,
        MissedMode::Cached => state.ring.missed == u16::MAX,
    }
}

const fn drain(state: &State, straps: &Config) -> bool {
    let stored = matches!(state.store.st, StoreState::Idle) && state.records[0].event == 0 && !owed(state, straps);
    matches!(straps.leave_policy, LeavePolicy::Drain)
        && state.session.active
        && state.retire.was_ring3
        && !state.pf.valid
        && !stored
}

const fn addr_track(state: &State, straps: &Config) -> bool {
    matches!(straps.address_policy, AddressPolicy::NextLoad)
        && state.session.active
        && state.live(MISSES)
        && state.events[MISSES].counter == 0
        && (state.retire.was_ring3 || !straps.address_gate)
}
