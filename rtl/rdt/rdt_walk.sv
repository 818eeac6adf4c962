// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Walk: the ways that have power. A cache that loses ways is walked through first.
//
// Specification: sections 8.4, 9.6.1. Contract: docs/src/rdt/cycle.md, "Choice". Requirements RDTM-32, RDTA-23.

module rdt_walk
  import rdt_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic       clk_i,
  // Asynchronous reset, active low.
  input  logic       rst_ni,

  // Straps `l3_ways`, `l2_ways`.
  input  logic [4:0] l3_ways_i,
  input  logic [3:0] l2_ways_i,

  // Ways that shall have power.
  input  power_in_t  wanted_i,
  // No access and no walk is in progress.
  input  logic       idle_i,
  // Last cycle of clear.
  input  logic       cleared_i,

  // The L2 cache, the L3 cache loses ways in this cycle.
  output logic       l2_shrinks_o,
  output logic       l3_shrinks_o,
  // Registers.
  output power_t     power_o
);

  logic [4:0] l3_wanted;
  logic [3:0] l2_wanted;
  assign l3_wanted = (wanted_i.l3_power < l3_ways_i) ? wanted_i.l3_power : l3_ways_i;
  assign l2_wanted = (wanted_i.l2_power < l2_ways_i) ? wanted_i.l2_power : l2_ways_i;

  power_t power_d, power_q;

  // The L2 cache comes first.
  assign l2_shrinks_o = idle_i && (l2_wanted < power_q.l2_on);
  assign l3_shrinks_o = idle_i && !l2_shrinks_o && (l3_wanted < power_q.l3_on);

  always_comb begin
    power_d = power_q;
    if (cleared_i || (idle_i && !l3_shrinks_o)) power_d.l2_on = l2_wanted;
    if (cleared_i || (idle_i && !l2_shrinks_o)) power_d.l3_on = l3_wanted;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      power_q <= '0;
    end else begin
      power_q <= power_d;
    end
  end

  assign power_o = power_q;

endmodule
