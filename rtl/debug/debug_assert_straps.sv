// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions that no illegal combination of straps is given, in reset or later. Not part of the hardware.
//
// Contract: docs/src/debug/ports.md, "Straps".

module debug_assert_straps
  import debug_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input logic    clk_i,
  // Some straps are legal in every combination.
  // verilator lint_off UNUSEDSIGNAL
  // Straps, constant after reset.
  input config_t cfg_i
  // verilator lint_on UNUSEDSIGNAL
);

  StrapsStatusKnown:    assert property (@(posedge clk_i)
      cfg_i.status inside {StatusKeepOthers, StatusReplace, StatusKeepAll});
  // DBG-51: the behaviour of the Pentium, which has neither 64-bit mode nor RTM.
  StrapsFaultRfPentium: assert property (@(posedge clk_i) cfg_i.fault_rf || !(cfg_i.long_mode || cfg_i.rtm));

endmodule
