// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Collect: makes of the lanes or of the interruption the transfers of control of a cycle, one a lane. An interruption is
// in lane 0.
//
// Specification: sections 5.2 and 5.4. Contract: docs/src/trace/cycle.md, "1. Collect".

module trace_collect
  import retire_pkg::*;
  import trace_pkg::*;
#(
  // Instructions that can retire in a cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes = 1
) (
  // Strap `rtm`: restricted transactional memory exists.
  input  logic                        rtm_i,

  // Nothing is accepted in this cycle.
  input  logic                        stall_i,
  // No instruction retires; the lanes show no branch.
  input  logic                        partial_i,
  // Lanes, in program order. `counts` does not matter.
  // verilator lint_off UNUSEDSIGNAL
  input  lane_t [RetireLanes-1:0]     lanes_i,
  // verilator lint_on UNUSEDSIGNAL
  // Interruption.
  input  interruption_t               int_i,
  // FREEZE_WHILE_SMM.
  input  logic                        freeze_smm_i,

  // Transfers, in program order; those that do not exist may stand between others.
  output transfer_t [RetireLanes-1:0] transfers_o
);

  logic interrupted, recorded;
  assign interrupted = int_i.int_valid && !stall_i;
  assign recorded    = interrupted && (int_i.int_kind != IntRsm) && !((int_i.int_kind == IntSmi) && freeze_smm_i);

  transfer_t interruption;
  always_comb begin
    interruption          = '0;
    interruption.valid    = 1'b1;
    interruption.is_far   = 1'b1;
    interruption.is_debug = (int_i.int_kind == IntException) && (int_i.int_vector == 8'd1);
    interruption.from     = int_i.int_from;
    interruption.to       = int_i.int_to;
  end

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lane
    branch_t   branch;
    logic      taken;
    transfer_t lane;
    assign branch = lanes_i[l].branch;
    assign taken  = lanes_i[l].retired.valid && (branch.branch_kind != BranchNone) && branch.branch_taken;

    always_comb begin
      lane              = '0;
      lane.valid        = 1'b1;
      lane.is_far       = branch.branch_kind >= BranchFarJmp;
      lane.predicted    = branch.branch_pred_valid && branch.branch_pred_ok;
      lane.mispredicted = branch.branch_pred_valid && !branch.branch_pred_ok;
      lane.in_tx        = rtm_i && lanes_i[l].transaction.in_tx;
      lane.tx_abort     = rtm_i && lanes_i[l].transaction.tx_abort;
      lane.from         = lanes_i[l].retired.ip;
      lane.to           = branch.branch_next;
    end

    always_comb begin
      transfers_o[l] = '0;
      if (int_i.int_valid) begin
        if (recorded && (l == 0)) transfers_o[l] = interruption;
      end else if (!stall_i && !partial_i && taken) begin
        transfers_o[l] = lane;
      end
    end
  end

endmodule
