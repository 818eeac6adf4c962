// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions that hold in every reachable state with legal straps, for all inputs. They serve simulation and proof, and
// are not part of the hardware.
//
// Each is one property without operators over time; assertions about two cycles are in tsc_assert_step. All of them
// hold in the reset state, so none is disabled by reset. The requirement rows above an assertion are those that it
// shows.

module tsc_assert
  import retire_pkg::*;
  import tsc_pkg::*;
#(
  // Logical processors with a counter of their own: 1, 2, 4 or 8.
  parameter int unsigned LogicalProcessors = 1
) (
  // Clock: all registers change at its rising edge.
  input logic                        clk_i,
  // Asynchronous reset, active low.
  input logic                        rst_ni,

  // Straps, constant after reset.
  input config_t                     cfg_i,
  // Pins, states and clock ticks of the processor.
  input processor_t                  processor_i,
  // Current privilege level of the logical processor that makes the request, 0 to 3.
  input logic [1:0]                  cpl_i,
  // Operating mode of the logical processor that makes the request.
  input op_mode_e                    op_mode_i,
  // CR4.TSD of the logical processor that makes the request.
  input logic                        tsd_i,
  // Register request; accepted in every cycle.
  input reg_request_t                reg_i,
  // Number of ticks of the counters in this cycle.
  input logic [TicksW-1:0]           ticks_i,
  // Registers of the rate.
  input rate_t                       rate_i,
  // Per logical processor: its registers.
  input lp_t [LogicalProcessors-1:0] processors_i,
  // Result of the last cycle's request.
  input answer_t                     answer_i
);

  //////////
  // Rate //
  //////////

  logic [15:0] denominator;
  assign denominator = (cfg_i.rate == RateInvariant) ? cfg_i.art_denominator : 16'd2;

  // TSC-06, TSC-25
  FractionInside: assert property (@(posedge clk_i) rate_i.fraction < denominator);
  // TSC-07
  BootAlone:      assert property (@(posedge clk_i)
      (cfg_i.rate == RateConstantBoot) || (!rate_i.booted && (rate_i.boot_ratio == '0)));
  BootKnown:      assert property (@(posedge clk_i) rate_i.booted || (rate_i.boot_ratio == '0));

  ////////////////////////
  // Logical processors //
  ////////////////////////

  logic [63:0] counter0, adjust0, elapsed0;
  assign counter0 = processors_i[0].counter;
  assign adjust0  = processors_i[0].adjust;
  assign elapsed0 = counter0 - adjust0;

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_processors
    lp_t         lp;
    logic [63:0] elapsed;
    assign lp      = processors_i[i];
    assign elapsed = lp.counter - lp.adjust;

    // TSC-01
    AbsentCounter: assert property (@(posedge clk_i) cfg_i.present || (lp.counter == '0));
    // TSC-19
    AbsentAdjust:  assert property (@(posedge clk_i) cfg_i.adjust || (lp.adjust == '0));
    // TSC-01
    AbsentAux:     assert property (@(posedge clk_i) cfg_i.aux || (lp.aux == '0));
    // TSC-24
    OneTime:       assert property (@(posedge clk_i) !cfg_i.adjust || (elapsed == elapsed0));
    // TSC-24
    EqualCounters: assert property (@(posedge clk_i)
        !cfg_i.adjust || (lp.adjust != adjust0) || (lp.counter == counter0));
  end

  ////////////
  // Answer //
  ////////////

  ResultKnown:    assert property (@(posedge clk_i)
      answer_i.reg_result inside {ResultDone, ResultUd, ResultGp, ResultNotMine});
  ResultAnswered: assert property (@(posedge clk_i) answer_i.reg_done || (answer_i.reg_result == ResultDone));
  // TSC-11
  RefusedEmpty:   assert property (@(posedge clk_i)
      (answer_i.reg_done && (answer_i.reg_result == ResultDone)) ||
      ((answer_i.reg_rdata == '0) && (answer_i.reg_aux == '0)));

  tsc_assert_art u_art (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .crystal_tick_i(processor_i.crystal_tick),
    .fraction_i    (rate_i.fraction),
    .elapsed_i     (elapsed0)
  );

  tsc_assert_step #(
    .LogicalProcessors(LogicalProcessors)
  ) u_step (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .processor_i,
    .cpl_i,
    .op_mode_i,
    .tsd_i,
    .reg_i,
    .ticks_i,
    .rate_i,
    .processors_i,
    .answer_i
  );

  tsc_assert_straps u_straps (.clk_i, .cfg_i);

endmodule
