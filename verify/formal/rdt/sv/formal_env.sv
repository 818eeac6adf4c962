// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The environment of the proofs: reset and straps. No input of the unit has a rule, so every one is free.

module formal_env
  import rdt_pkg::*;
  import formal_pkg::*;
(
  input  logic    clk_i,
  output logic    rst_no,
  output config_t cfg_o
);

  // "All reset to 0 (asynchronous, active low)." The first cycle of a run is one of reset; none follows.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
  end
  assign rst_no = started_q;

`ifdef FORMAL_DEFAULT_STRAPS
  always_comb begin
    cfg_o = DefaultStraps;
`ifdef FORMAL_FEW
    // Counters begin just before they wrap.
    cfg_o.start = '1;
`endif
`ifdef FORMAL_NARROW
    // The L2 cache has one set.
    cfg_o.l2_sets = '0;
`endif
  end
`else
  // "Constant after reset."
  formal_const #(.WIDTH($bits(config_t))) u_straps (.Y(cfg_o));

  // "Illegal combinations": the table under "Straps", line by line.
  always_comb begin
    StrapsLine:    assume ((cfg_o.line >= 4'd4) && (cfg_o.line <= 4'd8));
    StrapsL3Size:  assume ((32'(last_set(cfg_o.l3_sets)) < L3Sets) && (cfg_o.l3_ways != '0) && (32'(cfg_o.l3_ways) <= L3Ways));
    StrapsL2Size:  assume (!cfg_o.l2 || ((32'(last_set(cfg_o.l2_sets)) < L2Sets) && (cfg_o.l2_ways != '0) &&
                                         (32'(cfg_o.l2_ways) <= L2Ways)));
    StrapsNoL2:    assume (cfg_o.l2 || ((cfg_o.l2_sets == '0) && (cfg_o.l2_ways == '0) && !cfg_o.l2_cat));
    StrapsSparse:  assume (!cfg_o.sparse || (cfg_o.vendor != VendorAmd));
    StrapsRmids:   assume ((32'(cfg_o.max_rmid) < Rmids) && (cfg_o.l3_max_rmid <= cfg_o.max_rmid));
    StrapsNoRmids: assume (monitoring(cfg_o) || (cfg_o.max_rmid == '0));
    StrapsWidth:   assume ((cfg_o.width >= 6'd24) && (cfg_o.width <= 6'd62) &&
                           (8'(cfg_o.width) + 8'(cfg_o.scale) <= 8'd62));
    StrapsAmd:     assume (!monitoring(cfg_o) || (cfg_o.vendor != VendorAmd) || (cfg_o.width != 6'd24));
    StrapsClasses: assume ((32'(cfg_o.l3_cos) < Classes) && (32'(cfg_o.l2_cos) < Classes) && (32'(cfg_o.mba_cos) < Classes));
    StrapsNothing: assume ((cfg_o.l3_cat || ((cfg_o.l3_cos == '0) && !cfg_o.l3_cdp)) &&
                           (cfg_o.l2_cat || ((cfg_o.l2_cos == '0) && !cfg_o.l2_cdp)) && (cfg_o.mba || (cfg_o.mba_cos == '0)));
    StrapsPair:    assume ((!cfg_o.l3_cdp || (cfg_o.l3_cos != '0)) && (!cfg_o.l2_cdp || (cfg_o.l2_cos != '0)));
    StrapsDelay:   assume (!cfg_o.mba || ((cfg_o.mba_max != '0) && (cfg_o.mba_period != '0)));
    StrapsPercent: assume (!cfg_o.mba || !cfg_o.mba_linear || (cfg_o.mba_max <= 12'd99));
  end
`endif

endmodule
