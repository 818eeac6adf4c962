// SPDX-License-Identifier: MIT OR Apache-2.0
//
// No illegal combination of straps is given, in reset or later. Not part of the hardware.
//
// Contract: docs/src/perf/ports.md, "Straps".

module perf_assert_straps
  import perf_pkg::*;
#(
  parameter int unsigned GeneralCounters = 2,
  parameter int unsigned FixedCounters   = 0
) (
  input logic    clk_i,
  // Not every strap has a rule.
  // verilator lint_off UNUSEDSIGNAL
  input config_t cfg_i
  // verilator lint_on UNUSEDSIGNAL
);

  logic p6;
  assign p6 = cfg_i.personality == 2'd0;

  StrapsCounters:     assert property (@(posedge clk_i)
      (cfg_i.counters != 4'd0) && (32'(cfg_i.counters) <= GeneralCounters));
  StrapsFixed:        assert property (@(posedge clk_i) !(32'(cfg_i.fixed) > FixedCounters));
  StrapsWidth:        assert property (@(posedge clk_i) (cfg_i.width >= 6'd32) && (cfg_i.width <= 6'd48));
  StrapsFixedWidth:   assert property (@(posedge clk_i)
      (cfg_i.fixed_width >= 6'd32) && (cfg_i.fixed_width <= 6'd48));
  StrapsP6:           assert property (@(posedge clk_i)
      !p6 || ((cfg_i.counters == 4'd2) && (cfg_i.width == 6'd40)));
  StrapsFixedVersion: assert property (@(posedge clk_i) cfg_i.personality[1] || (cfg_i.fixed == 2'd0));
  StrapsAnyThread:    assert property (@(posedge clk_i) !cfg_i.any_thread || (cfg_i.personality == 2'd3));
  StrapsP6Has:        assert property (@(posedge clk_i) !p6 || !(cfg_i.pdcm || cfg_i.fast_read || cfg_i.x2apic));
  StrapsCapabilities: assert property (@(posedge clk_i) cfg_i.pdcm || (cfg_i.capabilities == '0));
  StrapsMetrics:      assert property (@(posedge clk_i) !cfg_i.capabilities[15]);
  StrapsInvZero:      assert property (@(posedge clk_i) p6 || !cfg_i.inv_zero);
  StrapsSel1En:       assert property (@(posedge clk_i) p6 || !cfg_i.sel1_en);

endmodule
