// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The operation under way, as seen at the ports alone: from the cycle after its acceptance to that of its answer.
// What the unit keeps of it is asserted to be the same: an operation has one answer, and the one asked for.

module formal_ops
  import lwp_pkg::*;
  import lwp_state_pkg::*;
  import formal_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  input  in_t        in_i,
  input  out_t       out_i,
  input  state_t     st_i,
  output logic       busy_o,
  output ctl_op_e    op_o,
  output logic [3:0] word_o,
  output logic       ring3_o,
  // It is one whose flush may reach memory whatever the mode.
  output logic       flush_o
);

  logic       busy_q, ring3_q;
  ctl_op_e    op_q;
  logic [3:0] word_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      op_q    <= OpLlwpcb;
      word_q  <= '0;
      ring3_q <= 1'b0;
    end else if (in_i.ctl_valid && !out_i.stall) begin
      busy_q  <= 1'b1;
      op_q    <= in_i.ctl_op;
      word_q  <= in_i.ctl_word;
      ring3_q <= in_ring3(in_i);
    end else if (out_i.rsp_valid) begin
      busy_q <= 1'b0;
    end
  end

  assign busy_o  = busy_q;
  assign op_o    = op_q;
  assign word_o  = word_q;
  assign ring3_o = ring3_q;
  assign flush_o = busy_q && (op_q inside {OpLlwpcb, OpSlwpcb, OpRdMsr1, OpWrMsr1});

  always_comb begin
    OpUnderWay: assert (busy_q == ((st_i.ctl.st != CtlIdle) && !st_i.ctl.init));
    OpKept:     assert (!busy_q || ((st_i.ctl.op == op_q) && (st_i.ctl.ring3 == ring3_q)));
    OpWord:     assert (!(busy_q && (st_i.ctl.st == CtlWait) && (op_q inside {OpSave, OpRestore})) ||
                        (st_i.ctl.idx == {1'b0, word_q}));
  end

endmodule
