// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Answer: returns the value that the last cycle's request read, or its fault.
//
// All values of an answer are from the cycle of the request. A request that faults returns no register's value.
//
// Specification: section 8.3. Contract: docs/src/rdt/cycle.md, "5. Register requests" and "Data". Requirements RDTM-15,
// RDTM-19, RDTM-25 to RDTM-27.

module rdt_answer
  import retire_pkg::*;
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
#(
  // Logical processors: 1, 2, 4 or 8.
  parameter int unsigned LogicalProcessors = 2,
  // RMIDs with counters: 2 to 32.
  parameter int unsigned Rmids             = 4,
  // Classes of service: 2 to 16.
  parameter int unsigned Classes           = 4
) (
  // Clock: all registers change at its rising edge.
  input  logic                             clk_i,
  // Asynchronous reset, active low.
  input  logic                             rst_ni,

  // Straps `events`, `l3_max_rmid`, `width`, `scale`, `select`.
  input  logic [2:0]                       events_i,
  input  logic [4:0]                       l3_max_rmid_i,
  input  logic [5:0]                       width_i,
  input  logic [3:0]                       scale_i,
  input  logic                             select_i,

  // A request is made in this cycle.
  input  logic                             valid_i,
  // Operation of the request; valid with `valid_i`.
  input  reg_op_e                          op_i,
  // Number of the register that RDMSR reads; valid with `valid_i`.
  input  logic [31:0]                      number_i,
  // One-hot: the logical processor that makes the request.
  input  logic [LogicalProcessors-1:0]     asks_i,
  // Result of the request: done, #GP(0) or not mine; valid with a request.
  input  reg_result_e                      result_i,
  // Monitoring data are not available in this cycle.
  input  logic                             unavailable_i,

  // CDP of each cache is on.
  input  cdp_t                             cdp_i,
  // Per class: its registers.
  input  class_t [Classes-1:0]             classes_i,
  // Per logical processor: RMID, class and selection.
  input  binding_t [LogicalProcessors-1:0] binding_i,
  // Per RMID: its counters.
  input  rmid_t [Rmids-1:0]                rmid_i,

  // Result of the last cycle's request.
  output answer_t                          answer_o
);

  // What the logical processor is bound to, and the selection that it reads through.
  // verilator lint_off UNUSEDSIGNAL
  binding_t own, pair;
  // verilator lint_on UNUSEDSIGNAL
  always_comb begin
    own = '0;
    for (int unsigned i = 0; i < LogicalProcessors; i++) begin
      own |= binding_i[i] & {$bits(binding_t){asks_i[i]}};
    end
  end
  assign pair = (select_i == SelectPackage) ? binding_i[0] : own;

  //////////
  // Data //
  //////////

  rmid_t counts;
  always_comb begin
    counts = '0;
    for (int unsigned r = 0; r < Rmids; r++) begin
      if (pair.event_rmid == 12'(r)) counts |= rmid_i[r];
    end
  end

  logic                exists;
  logic [CounterW-1:0] lines, scaled, data;
  always_comb begin
    unique case (pair.event_id)
      8'd1: begin
        exists = events_i[0];
        lines  = CounterW'(counts.occupancy);
      end
      8'd2: begin
        exists = events_i[1];
        lines  = counts.total;
      end
      8'd3: begin
        exists = events_i[2];
        lines  = counts.local_lines;
      end
      default: begin
        exists = 1'b0;
        lines  = '0;
      end
    endcase
  end
  // Occupancy is not cut: it has fewer bits than the narrowest counter.
  assign scaled = lines >> scale_i;
  assign data   = scaled & ~({CounterW{1'b1}} << width_i);

  logic [63:0] ctr;
  always_comb begin
    if (!exists || (pair.event_rmid > 12'(l3_max_rmid_i))) ctr = {2'b10, 62'd0};
    else if (unavailable_i || (pair.settle != '0)) ctr = {2'b01, 62'd0};
    else ctr = {2'b00, data};
  end

  ////////////
  // Answer //
  ////////////

  // Value of the register. Registers that do not exist are not read.
  logic [63:0] msr;
  always_comb begin
    msr = '0;
    for (int unsigned n = 0; n < Classes; n++) begin
      if (number_i == MsrL3Mask + n) msr |= 64'(classes_i[n].l3_mask);
      if (number_i == MsrL2Mask + n) msr |= 64'(classes_i[n].l2_mask);
      if (number_i == MsrDelay + n) msr |= 64'(classes_i[n].delay);
    end
    unique case (number_i)
      MsrL3QosCfg: msr = 64'(cdp_i.l3);
      MsrL2QosCfg: msr = 64'(cdp_i.l2);
      MsrEvtSel:   msr = {20'd0, pair.event_rmid, 24'd0, pair.event_id};
      MsrCtr:      msr = ctr;
      MsrAssoc:    msr = {28'd0, own.cos, 27'd0, own.rmid};
      default: ;
    endcase
  end

  answer_t answer_d, answer_q;

  always_comb begin
    answer_d = '0;
    if (valid_i) begin
      answer_d.reg_done   = 1'b1;
      answer_d.reg_result = result_i;
      if ((result_i == ResultDone) && (op_i == RegRdmsr)) answer_d.reg_rdata = msr;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      answer_q <= '0;
    end else begin
      answer_q <= answer_d;
    end
  end

  assign answer_o = answer_q;

endmodule
