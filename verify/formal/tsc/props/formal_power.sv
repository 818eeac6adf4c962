// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Power: what stops or slows the core's clock does not reach the counter.
//
// Two runs get the same requests and the same ticks. They may differ in HLT and STPCLK# for every rate. For the
// rate invariant they may differ in the bus clock, the core's ratio and DPSLP# too; for the constant rates in the crystal and
// in the core's ratio (constant-boot: after the first cycle out of reset); for the rate variable in the crystal. Then every
// register is the same in every cycle.
//
// The two runs share their registers (verify/formal/runner/join.py), so the assertions of the proof are SameRegister and those
// below.
//
// Rows: TSC-04, TSC-07, TSC-13.

module formal_power
  import tsc_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  a_i,
  input in_t  b_i
);

  logic    rst_n;
  config_t cfg;
  out_t    out_a, out_b;
  state_t  a, b;

  formal_env  u_env (.clk_i, .rst_no(rst_n), .cfg_o(cfg));
  formal_unit u_unit_a (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(a_i), .out_o(out_a), .st_o(a));
  formal_unit u_unit_b (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i(b_i), .out_o(out_b), .st_o(b));

  logic invariant, boot, variable;
  assign invariant = cfg.rate == RateInvariant;
  assign boot      = cfg.rate == RateConstantBoot;
  assign variable  = cfg.rate == RateVariable;

  always_comb begin
    SameRequests: assume ({a_i.cpl, a_i.op_mode, a_i.tsd, a_i.request} == {b_i.cpl, b_i.op_mode, b_i.tsd, b_i.request});
    SameCrystal:  assume (!invariant || (a_i.processor.crystal_tick == b_i.processor.crystal_tick));
    SameBus:      assume (invariant || ({a_i.processor.bus_tick, a_i.processor.dpslp} ==
                          {b_i.processor.bus_tick, b_i.processor.dpslp}));
    SameRatio:    assume (!(variable || (boot && !a.rate.booted)) ||
                          (a_i.processor.core_ratio == b_i.processor.core_ratio));
  end

  always_comb begin
    // TSC-04, TSC-07, TSC-13
    SameRate:       assert (a.rate == b.rate);
    // TSC-04, TSC-07, TSC-13
    SameProcessors: assert (a.processors == b.processors);
    SameAnswers:    assert (out_a == out_b);
  end
  always_comb begin
    CoverDiffers:   cover (rst_n && (a_i.processor.halted != b_i.processor.halted) && (a.processors[0].counter > 64'd200));
  end

endmodule
