//! The ports of a cycle as the independent reading takes them.

use super::reading::{LaneIn, PortsIn, PortsOut, Straps};
use lwp_model::Choice;
use lwp_model::trace::{Config, Inputs, Lane, Outputs};

/// The straps.
#[must_use]
pub fn straps(straps: &Config) -> Straps {
    Straps {
        lbr_depth: straps.lbr_depth.code(),
        lbr_format: straps.lbr_format.code(),
        lbr_numbers: straps.lbr_numbers.code(),
        lbr_tr: straps.lbr_tr,
        ds: straps.ds,
        ds_cpl: straps.ds_cpl,
        dtes64: straps.dtes64,
        pmi_freeze: straps.pmi_freeze,
        smm_freeze: straps.smm_freeze,
        rtm: straps.rtm,
        pebs_counters: straps.pebs_counters,
        pebs_format: straps.pebs_format,
        linear: straps.linear.code(),
        db_message: straps.db_message,
    }
}

fn lane(lane: &Lane) -> LaneIn {
    LaneIn {
        valid: lane.retired.valid,
        counts: lane.retired.counts,
        ip: lane.retired.ip,
        branch_kind: lane.branch.kind.code(),
        branch_taken: lane.branch.taken,
        branch_pred_valid: lane.branch.pred_valid,
        branch_pred_ok: lane.branch.pred_ok,
        branch_next: lane.branch.next,
        in_tx: lane.transaction.in_tx,
        tx_abort: lane.transaction.tx_abort,
    }
}

/// The inputs.
#[must_use]
pub fn inputs<const LANES: usize>(inputs: &Inputs<LANES>) -> PortsIn {
    let Inputs { partial, lanes, mode, cs_base, far_base, far_long, int, core_clock, pmi, pebs, btm_ready, mem, reg } =
        inputs;
    PortsIn {
        partial: *partial,
        lanes: lanes.iter().map(lane).collect(),
        cpl: mode.cpl,
        smm: mode.smm,
        op_mode: mode.op_mode.code(),
        cs_base: *cs_base,
        far_base: *far_base,
        far_long: *far_long,
        int_valid: int.valid,
        int_kind: int.kind.code(),
        int_vector: int.vector,
        int_from: int.from,
        int_to: int.to,
        core_clock: *core_clock,
        pmi: *pmi,
        pebs_overflow: pebs.overflow,
        pebs_event: pebs.event,
        state_value: pebs.state_value,
        btm_ready: *btm_ready,
        mem_gnt: mem.gnt,
        mem_rvalid: mem.rvalid,
        mem_err: mem.err,
        mem_rdata: mem.rdata,
        reg_valid: reg.valid,
        reg_op: reg.op.code(),
        reg_lp: reg.lp,
        reg_number: reg.number,
        reg_wdata: reg.wdata,
    }
}

/// The outputs.
#[must_use]
pub fn outputs(out: &Outputs) -> PortsOut {
    PortsOut {
        stall: out.stall,
        btm_valid: out.btm_valid,
        btm_from: out.btm_from,
        btm_to: out.btm_to,
        btm_predicted: out.btm_predicted,
        mem_req: out.mem.req,
        mem_cmd: out.mem.cmd.code(),
        mem_be: out.mem.be,
        mem_addr: out.mem.addr,
        mem_wdata: out.mem.wdata,
        ds_pmi: out.ds_pmi,
        stored: out.stored,
        lost: out.lost,
        pebs_armed: out.pebs_armed,
        state_index: out.state_index,
        reload_valid: out.reload_valid,
        reload_counter: out.reload_counter,
        reload_value: out.reload_value,
        btf: out.btf,
        freeze_on_pmi: out.freeze_on_pmi,
        freeze_while_smm: out.freeze_while_smm,
        rtm_debug: out.rtm_debug,
        reg_ready: out.reg_ready,
        reg_done: out.reg_done,
        reg_result: out.reg_result.code(),
        reg_rdata: out.reg_rdata,
    }
}
