// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions that no illegal combination of straps is given, in reset or later. Not part of the hardware.
//
// Contract: docs/src/rdt/ports.md, "Straps".

module rdt_assert_straps
  import rdt_pkg::*;
#(
  // Sets and ways of the caches, RMIDs and classes that are built.
  parameter int unsigned L3Sets  = 8,
  parameter int unsigned L3Ways  = 4,
  parameter int unsigned L2Sets  = 4,
  parameter int unsigned L2Ways  = 2,
  parameter int unsigned Rmids   = 4,
  parameter int unsigned Classes = 4
) (
  // Clock: all registers change at its rising edge.
  input logic    clk_i,
  // Some straps are legal in every combination.
  // verilator lint_off UNUSEDSIGNAL
  // Straps, constant after reset.
  input config_t cfg_i
  // verilator lint_on UNUSEDSIGNAL
);

  logic monitoring;
  assign monitoring = cfg_i.events != '0;

  StrapsLine:      assert property (@(posedge clk_i) (cfg_i.line >= 4'd4) && (cfg_i.line <= 4'd8));
  StrapsL3Sets:    assert property (@(posedge clk_i) (32'd1 << cfg_i.l3_sets) <= L3Sets);
  StrapsL3Ways:    assert property (@(posedge clk_i) (cfg_i.l3_ways != '0) && (32'(cfg_i.l3_ways) <= L3Ways));
  StrapsL2Sets:    assert property (@(posedge clk_i) !cfg_i.l2 || ((32'd1 << cfg_i.l2_sets) <= L2Sets));
  StrapsL2Ways:    assert property (@(posedge clk_i)
      !cfg_i.l2 || ((cfg_i.l2_ways != '0) && (32'(cfg_i.l2_ways) <= L2Ways)));
  StrapsL2Absent:  assert property (@(posedge clk_i)
      cfg_i.l2 || ((cfg_i.l2_sets == '0) && (cfg_i.l2_ways == '0) && !cfg_i.l2_cat));
  StrapsSparse:    assert property (@(posedge clk_i) !(cfg_i.sparse && (cfg_i.vendor == VendorAmd)));
  StrapsRmids:     assert property (@(posedge clk_i)
      (32'(cfg_i.max_rmid) < Rmids) && (cfg_i.l3_max_rmid <= cfg_i.max_rmid));
  StrapsMonitored: assert property (@(posedge clk_i) monitoring || (cfg_i.max_rmid == '0));
  StrapsWidthAmd:  assert property (@(posedge clk_i)
      !(monitoring && (cfg_i.vendor == VendorAmd) && (cfg_i.width == 6'd24)));
  StrapsWidth:     assert property (@(posedge clk_i)
      (cfg_i.width >= 6'd24) && (7'(cfg_i.width) + 7'(cfg_i.scale) <= 7'd62));
  StrapsClasses:   assert property (@(posedge clk_i)
      (32'(cfg_i.l3_cos) < Classes) && (32'(cfg_i.l2_cos) < Classes) && (32'(cfg_i.mba_cos) < Classes));
  StrapsL3Cat:     assert property (@(posedge clk_i)
      cfg_i.l3_cat || ((cfg_i.l3_cos == '0) && !cfg_i.l3_cdp));
  StrapsL2Cat:     assert property (@(posedge clk_i)
      cfg_i.l2_cat || ((cfg_i.l2_cos == '0) && !cfg_i.l2_cdp));
  StrapsMba:       assert property (@(posedge clk_i) cfg_i.mba || (cfg_i.mba_cos == '0));
  StrapsL3Cdp:     assert property (@(posedge clk_i) !cfg_i.l3_cdp || (cfg_i.l3_cos != '0));
  StrapsL2Cdp:     assert property (@(posedge clk_i) !cfg_i.l2_cdp || (cfg_i.l2_cos != '0));
  StrapsDelay:     assert property (@(posedge clk_i)
      !cfg_i.mba || ((cfg_i.mba_max != '0) && (cfg_i.mba_period != '0)));
  StrapsPercent:   assert property (@(posedge clk_i)
      !(cfg_i.mba && cfg_i.mba_linear) || (cfg_i.mba_max <= 12'd99));

endmodule
