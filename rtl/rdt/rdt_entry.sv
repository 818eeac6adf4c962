// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Entry: the access that one logical processor waits for, with the RMID and the class of the cycle of its request.
//
// Contract: docs/src/rdt/cycle.md, "2. Requests". Requirements RDTM-10, RDTM-17, RDTA-08.

module rdt_entry
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic       clk_i,
  // Asynchronous reset, active low.
  input  logic       rst_ni,

  // Straps `line`, `l2`.
  input  logic [3:0] line_i,
  input  logic       l2_i,

  // The caches are being cleared.
  input  logic       clear_i,
  // Access of the logical processor. An SMI changes nothing; of the address, the byte of a line does not matter.
  // verilator lint_off UNUSEDSIGNAL
  input  lp_in_t     lp_i,
  // verilator lint_on UNUSEDSIGNAL
  // RMID and class of the logical processor.
  input  logic [4:0] rmid_i,
  input  logic [3:0] cos_i,
  // What becomes of the access in this cycle.
  input  progress_t  progress_i,

  // A request is accepted in this cycle.
  output logic       ready_o,
  // Registers.
  output entry_t     access_o
);

  entry_t access_d, access_q;

  assign ready_o = (access_q.stage == StageNone) && !clear_i;

  always_comb begin
    access_d        = access_q;
    access_d.done   = progress_i.ends;
    access_d.l2_hit = progress_i.l2_hit;
    access_d.l3_hit = progress_i.l3_hit;
    if (ready_o && lp_i.req_valid) begin
      access_d.stage = l2_i ? StageL2 : StageL3;
      access_d.write = lp_i.req_write;
      access_d.code  = lp_i.req_code && !lp_i.req_write;
      access_d.line  = LineW'(lp_i.req_addr >> line_i);
      access_d.rmid  = rmid_i;
      access_d.cos   = cos_i;
    end
    if (progress_i.misses) access_d.stage = StageL3;
    if (progress_i.ends) access_d.stage = StageNone;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      access_q <= '0;
    end else begin
      access_q <= access_d;
    end
  end

  assign access_o = access_q;

endmodule
