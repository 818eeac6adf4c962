// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions that no illegal combination of straps is given, in reset or later. Not part of the hardware.
//
// Contract: docs/src/lwp/ports.md, "Straps".

module lwp_assert_straps
  import lwp_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input logic    clk_i,
  // Some straps are legal in every combination.
  // verilator lint_off UNUSEDSIGNAL
  // Straps, constant after reset.
  input config_t cfg_i
  // verilator lint_on UNUSEDSIGNAL
);

  logic fault;
  assign fault = cfg_i.fault_policy == PolicyFault;

  StrapsHaveFilter:         assert property (@(posedge clk_i) cfg_i.latency_filter || cfg_i.level_filter);
  StrapsSeedNotZero:        assert property (@(posedge clk_i) cfg_i.lfsr_seed != '0);
  StrapsFaultIsSync:        assert property (@(posedge clk_i) !fault || cfg_i.store_timing);
  StrapsFaultIsOnePerInstr: assert property (@(posedge clk_i) !fault || !cfg_i.gather_policy || cfg_i.one_per_instr);
  StrapsSeveralNeedAll:     assert property (@(posedge clk_i) cfg_i.one_per_instr || cfg_i.gather_policy);
  StrapsPhaseNeedsStep:     assert property (@(posedge clk_i) !cfg_i.latency_phase || cfg_i.latency_step);
  StrapsNthNotZero:         assert property (@(posedge clk_i) cfg_i.tail_nth != '0);
  StrapsNthNeedsLazy:       assert property (@(posedge clk_i) cfg_i.tail_reread || (cfg_i.tail_nth <= 4'd1));
  StrapsSelectKnown:        assert property (@(posedge clk_i) cfg_i.gather_select != 2'd3);
  StrapsLeaveKnown:         assert property (@(posedge clk_i) cfg_i.leave_policy != 2'd3);
  StrapsPredictionKnown:    assert property (@(posedge clk_i) cfg_i.prediction != 2'd3);

endmodule
