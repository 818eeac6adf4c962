//! Inputs: from the header's struct to the model's type.

use super::abi::{LwpInputs, LwpLane, LwpLoad};
use super::limits::check_inputs;
use super::unit::{FromGiven, Given};
use crate::failure::Failure;
use lwp_model::lwp::{BranchKind, Buffer, Control, CtlOp, Inputs, Lane, Load, Memory, Mode, OpMode};

impl<const W: usize> FromGiven for Inputs<W> {
    #[inline]
    fn check(given: Given<'_>) -> Result<(), Failure> {
        check_inputs::<W>(given.bytes)
    }

    #[inline]
    fn from_fields(fields: &LwpInputs) -> Self {
        inputs(fields)
    }
}

/// The inputs of a struct whose fields are within their limits.
#[inline]
fn inputs<const W: usize>(from: &LwpInputs) -> Inputs<W> {
    let mut inputs = Inputs {
        mode: Mode { cpl: from.cpl, smm: from.smm == 1, op_mode: OpMode::from_code(from.op_mode) },
        partial: from.partial == 1,
        lanes: [Lane::default(); W],
        buffer: Buffer {
            alloc_valid: from.alloc_valid == 1,
            alloc_entry: from.alloc_entry,
            fill_valid: from.fill_valid == 1,
            fill_entry: from.fill_entry,
            fill_ip: from.fill_ip,
            fill_latency: from.fill_latency,
            fill_source: from.fill_source,
            replay_abort: from.replay_abort == 1,
        },
        entropy: from.entropy,
        ctl: Control {
            valid: from.ctl_valid == 1,
            op: CtlOp::ALL[usize::from(from.ctl_op & 15)],
            word: from.ctl_word,
            wdata: from.ctl_wdata,
            ds_base: from.ctl_ds_base,
        },
        mem: Memory {
            gnt: from.mem_gnt == 1,
            rvalid: from.mem_rvalid == 1,
            err: from.mem_err == 1,
            rdata: from.mem_rdata,
        },
        pf_ack: from.pf_ack == 1,
        irq_ack: from.irq_ack == 1,
    };
    // In place: lanes are most of the bytes.
    for (lane, from) in inputs.lanes.iter_mut().zip(&from.lanes) {
        fill(lane, from);
    }
    inputs
}

#[inline]
fn fill(lane: &mut Lane, from: &LwpLane) {
    lane.valid = from.valid == 1;
    lane.counts = from.counts == 1;
    lane.ip = from.ip;
    lane.branch_kind = BranchKind::from_code(from.branch_kind);
    lane.branch_taken = from.branch_taken == 1;
    lane.branch_pred_valid = from.branch_pred_valid == 1;
    lane.branch_pred_ok = from.branch_pred_ok == 1;
    lane.branch_next = from.branch_next;
    for (load, from) in lane.loads.iter_mut().zip(&from.loads) {
        fill_load(load, from);
    }
}

#[inline]
const fn fill_load(load: &mut Load, from: &LwpLoad) {
    load.miss = from.miss == 1;
    load.addr_valid = from.addr_valid == 1;
    load.tagged = from.tagged == 1;
    load.addr = from.addr;
    load.latency = from.latency;
    load.source = from.source;
}
