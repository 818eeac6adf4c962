// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The environment of the proofs: reset and straps. No input of the unit has a rule, so every one is free.

module formal_env
  import trace_pkg::*;
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
  assign cfg_o = DefaultStraps;
`else
  // "Constant after reset."
  formal_const #(.WIDTH($bits(config_t))) u_straps (.Y(cfg_o));

  // "Illegal combinations": the table under "Straps", line by line.
  always_comb begin
    StrapsDepth:    assume (32'(last_entry(cfg_o)) < Entries);
    StrapsFormat:   assume (3'(cfg_o.lbr_format) <= 3'd5);
    StrapsLinear:   assume (2'(cfg_o.linear) != 2'd3);
    StrapsCounters: assume (cfg_o.pebs_counters <= 3'd4);
    StrapsStore:    assume (cfg_o.ds || !(cfg_o.ds_cpl || cfg_o.dtes64 || (cfg_o.pebs_counters != '0)));
    StrapsLong:     assume (!cfg_o.dtes64 || (cfg_o.linear != Linear32));
    StrapsPebs:     assume ((cfg_o.pebs_format == '0) || (cfg_o.dtes64 && (cfg_o.pebs_counters != '0)));
  end
`endif

endmodule
