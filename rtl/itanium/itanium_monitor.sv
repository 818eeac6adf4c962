// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Monitor: whether what happens in this cycle is monitored, by freeze, process, privilege level and instruction set.
//
// Specification: sections 6.1.3, 6.1.3.2 and 6.1.3.3. Contract: docs/src/itanium/cycle.md, "6. Monitor". Requirements
// ITA-14 to ITA-16, ITA-43 to ITA-47, ITA-54, ITA-56.

module itanium_monitor
  import itanium_pkg::*;
(
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
  // Bit l: level l is monitored.
  input  logic [3:0] plm_i,
  // The monitor is a system-level monitor, else a user-level one.
  input  logic       pm_i,
  // Bits 25:24 of the register: instruction sets that are left out.
  input  logic [1:0] ism_i,

  // The monitor is on in this cycle.
  output logic       on_o
);

  // Bit 0 leaves out IA-64 code, bit 1 IA-32 code.
  logic [1:0] out;
  assign out = (ism_order_i == IsmPrinted) ? {ism_i[0], ism_i[1]} : ism_i;

  assign on_o = !fr_i && (pm_i ? pp_i : up_i) && plm_i[cpl_i] && !(psr_is_i ? out[1] : out[0]);

endmodule
