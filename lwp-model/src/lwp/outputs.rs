//! What the unit shows in one cycle: functions of registers alone.

use super::state::{CtlState, Fault, MemCmd, State};

/// All outputs of one cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Nothing may retire and no operation is accepted.
    pub stall: bool,
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
    /// First failing byte.
    pub pf_addr: u64,
    /// The threshold interrupt is requested, until acknowledged.
    pub irq: bool,
    /// LWPMSR0, which is CPUID 8000_001C EAX.
    pub msr0: u32,
}

impl Outputs {
    /// Reads the outputs from the registers.
    #[must_use]
    pub const fn of(state: &State) -> Self {
        Self {
            stall: !matches!(state.ctl.st, CtlState::Idle),
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
            pf_valid: state.requests.pf_valid,
            pf_write: state.requests.pf_write,
            pf_addr: state.requests.pf_addr,
            irq: state.requests.irq,
            msr0: state.session.msr0.eax(),
        }
    }
}
