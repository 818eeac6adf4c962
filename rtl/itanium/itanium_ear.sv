// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Event address registers and branch trace buffer: whether they may record what happens in a cycle. The unit has their
// control registers and not the registers themselves.
//
// Specification: sections 6.1.3.2 and 6.1.3.3. Contract: docs/src/itanium/cycle.md, "6. Monitor". Requirements ITA-54,
// ITA-55.

module itanium_ear
  import itanium_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic       clk_i,
  // Asynchronous reset, active low.
  input  logic       rst_ni,

  // Strap `ism_order`.
  input  logic       ism_order_i,
  // PMC[0].fr: nothing is monitored.
  input  logic       fr_i,
  // PSR.up: user-level monitors are on.
  input  logic       up_i,
  // PSR.pp: system-level monitors are on.
  input  logic       pp_i,
  // Current privilege level.
  input  logic [1:0] cpl_i,
  // IA-32 code runs.
  input  logic       psr_is_i,

  // What is captured is chosen outside of the unit.
  // verilator lint_off UNUSEDSIGNAL
  // PMC[10], of the instruction event address registers.
  input  pmc10_t     pmc10_i,
  // PMC[11], of the data event address registers.
  input  pmc11_t     pmc11_i,
  // PMC[12], of the branch trace buffer.
  input  pmc12_t     pmc12_i,
  // verilator lint_on UNUSEDSIGNAL

  // Registers: each may record the events of the last cycle.
  output ear_t       ear_o
);

  ear_t ear_d, ear_q;
  logic btb_on;

  itanium_monitor u_iear (
    .ism_order_i,
    .fr_i,
    .up_i,
    .pp_i,
    .cpl_i,
    .psr_is_i,
    .plm_i(pmc10_i.plm),
    .pm_i (pmc10_i.pm),
    .ism_i(pmc10_i.ism),
    .on_o (ear_d.iear_on)
  );

  itanium_monitor u_dear (
    .ism_order_i,
    .fr_i,
    .up_i,
    .pp_i,
    .cpl_i,
    .psr_is_i,
    .plm_i(pmc11_i.plm),
    .pm_i (pmc11_i.pm),
    .ism_i(pmc11_i.ism),
    .on_o (ear_d.dear_on)
  );

  // PMC[12] has no `ism`: the branch trace buffer is for IA-64 code alone.
  itanium_monitor u_btb (
    .ism_order_i,
    .fr_i,
    .up_i,
    .pp_i,
    .cpl_i,
    .psr_is_i,
    .plm_i(pmc12_i.plm),
    .pm_i (pmc12_i.pm),
    .ism_i(2'b00),
    .on_o (btb_on)
  );

  assign ear_d.btb_on = btb_on && !psr_is_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ear_q <= '0;
    end else begin
      ear_q <= ear_d;
    end
  end

  assign ear_o = ear_q;

endmodule
