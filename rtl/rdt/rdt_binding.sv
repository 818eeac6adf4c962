// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Binding: RMID, class and selection of one logical processor, and the cycles until data are available.
//
// Contract: docs/src/rdt/cycle.md, "4. Settling" and "5. Register requests". Requirements RDTM-08 to RDTM-10, RDTM-22.

module rdt_binding
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // Strap `settle`.
  input  logic [7:0]  settle_i,

  // IA32_PQR_ASSOC, IA32_QM_EVTSEL of the logical processor is written in this cycle.
  input  logic        association_i,
  input  logic        selection_i,
  // The value. What WRMSR accepts has no other bit than those used here.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [63:0] wdata_i,
  // verilator lint_on UNUSEDSIGNAL

  // Registers.
  output binding_t    binding_o
);

  binding_t binding_d, binding_q;

  always_comb begin
    binding_d = binding_q;
    if (binding_q.settle != '0) binding_d.settle = binding_q.settle - 8'd1;
    if (association_i) begin
      binding_d.rmid = wdata_i[4:0];
      binding_d.cos  = wdata_i[35:32];
    end
    if (selection_i) begin
      binding_d.event_id   = wdata_i[7:0];
      binding_d.event_rmid = wdata_i[43:32];
      binding_d.settle     = settle_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      binding_q <= '0;
    end else begin
      binding_q <= binding_d;
    end
  end

  assign binding_o = binding_q;

endmodule
