// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions that no illegal combination of straps is given, in reset or later. Not part of the hardware.
//
// Contract: docs/src/trace/ports.md, "Straps".

module trace_assert_straps
  import trace_pkg::*;
#(
  // Entries of the LBR stack that are built: 4, 8, 16 or 32.
  parameter int unsigned StackEntries = 4
) (
  // Clock: all registers change at its rising edge.
  input logic       clk_i,
  // Some straps are legal in every combination.
  // verilator lint_off UNUSEDSIGNAL
  // Straps, constant after reset.
  input config_t    cfg_i,
  // verilator lint_on UNUSEDSIGNAL
  // Number of the last entry of the LBR stack that exists.
  input logic [4:0] last_i
);

  StrapsDepthBuilt:   assert property (@(posedge clk_i) 32'(last_i) < StackEntries);
  StrapsFormatKnown:  assert property (@(posedge clk_i) cfg_i.lbr_format <= FormatInfo);
  StrapsLinearKnown:  assert property (@(posedge clk_i) cfg_i.linear inside {Linear32, Linear48, Linear57});
  StrapsCounters:     assert property (@(posedge clk_i) 32'(cfg_i.pebs_counters) <= Counters);
  StrapsDebugStore:   assert property (@(posedge clk_i)
      cfg_i.ds || (!cfg_i.ds_cpl && !cfg_i.dtes64 && (cfg_i.pebs_counters == '0)));
  StrapsLongMode:     assert property (@(posedge clk_i) !cfg_i.dtes64 || (cfg_i.linear != Linear32));
  StrapsPebsFormat:   assert property (@(posedge clk_i)
      (cfg_i.pebs_format == '0) || (cfg_i.dtes64 && (cfg_i.pebs_counters != '0)));

endmodule
