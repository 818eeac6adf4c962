//! What the unit shows in one cycle: functions of registers alone.

use super::config::Config;
use super::event::MISSES;
use super::state::{CtlState, Fault, MemCmd, State, StoreState};
use super::straps::{AddressPolicy, LeavePolicy, MissedMode};

/// All outputs of one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Nothing may retire and no operation is accepted.
    pub stall: bool,
    /// The group of the last cycle was cut.
    pub cut_valid: bool,
    /// After this lane.
    pub cut_lane: u8,
    /// Ring 3 must not be left yet.
    pub drain: bool,
    /// The load whose data returned in the last cycle is to be aborted and replayed.
    pub flush_req: bool,
    /// Addresses of loads are to be kept.
    pub addr_track: bool,
    /// The control operation is done.
    pub rsp_valid: bool,
    /// How it ended.
    pub rsp_fault: Fault,
    /// With a page fault: a write or a write probe failed.
    pub rsp_fault_write: bool,
    /// rAX or MSR value; without meaning on a fault.
    pub rsp_rdata: u64,
    /// With a page fault: first failing byte.
    pub rsp_fault_addr: u64,
    /// A memory request stands.
    pub mem_req: bool,
    /// Its command.
    pub mem_cmd: MemCmd,
    /// Bytes of the aligned 8 that are meant.
    pub mem_be: u8,
    /// Linear address, low 3 bits 0.
    pub mem_addr: u64,
    /// Data of a write, in the byte lanes of `mem_be`.
    pub mem_wdata: u64,
    /// A #PF trap is requested, until acknowledged.
    pub pf_valid: bool,
    /// A write failed.
    pub pf_write: bool,
    /// Not a trap but a fault: the instruction in lane `cut_lane` was undone.
    pub pf_abort: bool,
    /// First failing byte.
    pub pf_addr: u64,
    /// The threshold interrupt is requested, until acknowledged.
    pub irq: bool,
    /// LWPMSR0, which is CPUID 8000_001C EAX.
    pub msr0: u32,
}

impl Outputs {
    /// Reads the outputs from the registers of a unit with these straps.
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

/// Nothing may retire.
pub(super) const fn stall(state: &State, straps: &Config) -> bool {
    let running = state.retire.was_ring3 && state.session.active;
    let storing =
        !matches!(state.store.st, StoreState::Idle) || running && (state.records[0].event != 0 || owed(state, straps));
    !matches!(state.ctl.st, CtlState::Idle)
        || straps.sync() && storing
        || running && state.pending
        || state.retire.was_ring3 && state.pf.valid && state.pf.abort
}

/// MissedEvents in memory has to be brought up to date.
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
