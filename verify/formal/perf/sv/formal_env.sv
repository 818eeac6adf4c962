// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The environment of the proofs: reset and straps. No input of the unit has a rule, so every one is free.

module formal_env
  import perf_pkg::*;
  import formal_pkg::*;
(
  input  logic    clk_i,
  output logic    rst_no,
  output config_t cfg_o
);

  // "Reset is asynchronous, active low." The first cycle of a run is one of reset; none follows.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
  end
  assign rst_no = started_q;

`ifdef FORMAL_DEFAULT_STRAPS
  assign cfg_o = DefaultStraps;
`else
  // "Constant after reset."
  formal_const #(.WIDTH($bits(config_t))) u_straps (.Y(cfg_o));

  // "Illegal combinations": the table under "Straps".
  logic p6;
  assign p6 = cfg_o.personality == 2'd0;
  always_comb begin
    StrapsCounters:     assume ((cfg_o.counters != 4'd0) && (32'(cfg_o.counters) <= General));
    StrapsFixed:        assume (32'(cfg_o.fixed) <= Fixed);
    StrapsWidth:        assume ((cfg_o.width >= 6'd32) && (cfg_o.width <= 6'd48));
    StrapsFixedWidth:   assume ((cfg_o.fixed_width >= 6'd32) && (cfg_o.fixed_width <= 6'd48));
    StrapsP6:           assume (!p6 || ((cfg_o.counters == 4'd2) && (cfg_o.width == 6'd40)));
    StrapsFixedVersion: assume ((cfg_o.personality >= 2'd2) || (cfg_o.fixed == 2'd0));
    StrapsAnyThread:    assume (!cfg_o.any_thread || (cfg_o.personality == 2'd3));
    StrapsP6Has:        assume (!p6 || !(cfg_o.pdcm || cfg_o.fast_read || cfg_o.x2apic));
    StrapsCapabilities: assume (cfg_o.pdcm || (cfg_o.capabilities == '0));
    StrapsMetrics:      assume (!cfg_o.capabilities[15]);
    StrapsInvZero:      assume (p6 || !cfg_o.inv_zero);
    StrapsSel1En:       assume (p6 || !cfg_o.sel1_en);
  end
`endif

endmodule
