//! Outputs: from the model's type to the header's struct.

use super::abi::LwpOutputs;
use lwp_model::lwp::Outputs;

impl From<&Outputs> for LwpOutputs {
    #[inline]
    fn from(from: &Outputs) -> Self {
        Self {
            stall: from.stall.into(),
            cut_valid: from.cut_valid.into(),
            cut_lane: from.cut_lane,
            drain: from.drain.into(),
            flush_req: from.flush_req.into(),
            addr_track: from.addr_track.into(),
            rsp_valid: from.rsp_valid.into(),
            rsp_fault: from.rsp_fault as u8,
            rsp_fault_write: from.rsp_fault_write.into(),
            mem_req: from.mem_req.into(),
            mem_cmd: from.mem_cmd as u8,
            mem_be: from.mem_be,
            pf_valid: from.pf_valid.into(),
            pf_write: from.pf_write.into(),
            pf_abort: from.pf_abort.into(),
            irq: from.irq.into(),
            msr0: from.msr0,
            reserved: 0,
            rsp_rdata: from.rsp_rdata,
            rsp_fault_addr: from.rsp_fault_addr,
            mem_addr: from.mem_addr,
            mem_wdata: from.mem_wdata,
            pf_addr: from.pf_addr,
        }
    }
}
