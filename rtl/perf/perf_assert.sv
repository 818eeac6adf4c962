// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Facts that hold in every reachable state with legal straps, whatever the inputs. For simulation and proof alike;
// not part of the hardware.
//
// Each is one property without operators over time; facts about two cycles are in perf_assert_step. All of them hold
// in the reset state, so none needs to be disabled by reset. The rows above an assertion are those of the
// requirements that it shows.

module perf_assert
  import retire_pkg::*;
  import perf_pkg::*;
#(
  parameter int unsigned LogicalProcessors = 1,
  parameter int unsigned GeneralCounters   = 2,
  parameter int unsigned FixedCounters     = 0,
  parameter int unsigned FixedEntries      = 1
) (
  input logic                                                  clk_i,
  input logic                                                  rst_ni,

  // Not all that the unit sees has facts of its own.
  // verilator lint_off UNUSEDSIGNAL
  input config_t                                               cfg_i,
  input logic                                                  bus_tick_i,
  input logic                                                  core_clock_i,
  input lp_in_t [LogicalProcessors-1:0]                        lp_in_i,
  input reg_request_t                                          reg_i,
  // The local APIC's entry is written in memory.
  input logic                                                  apic_write_i,
  input general_t [LogicalProcessors-1:0][GeneralCounters-1:0] general_i,
  input fixed_t [LogicalProcessors-1:0][FixedEntries-1:0]      fixed_i,
  input lp_t [LogicalProcessors-1:0]                           lp_i,
  // verilator lint_on UNUSEDSIGNAL
  input answer_t                                               answer_i
);

  logic p6, global_control;
  assign p6             = cfg_i.personality == 2'd0;
  assign global_control = cfg_i.personality >= 2'd2;

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_processors
    for (genvar c = 0; c < int'(GeneralCounters); c++) begin : gen_general
      // A pin and a condition alone have no facts here.
      // verilator lint_off UNUSEDSIGNAL
      general_t r;
      // verilator lint_on UNUSEDSIGNAL
      logic     exists;
      assign r      = general_i[i][c];
      assign exists = 4'(c) < cfg_i.counters;

      // P6-01, APM-13
      InsideWidth:   assert property (@(posedge clk_i) (r.counter >> cfg_i.width) == '0);
      // APM-11
      AbsentGeneral: assert property (@(posedge clk_i)
          exists || ((r.select == '0) && (r.counter == '0) && r.on && !r.held && !r.status && !r.overflow &&
                     !r.due && !r.pin));
      // APM-39
      AlwaysOn:      assert property (@(posedge clk_i) global_control || (r.on && !r.status));
      // P6-27, APM-37
      Bit21:         assert property (@(posedge clk_i) cfg_i.any_thread || !r.select[21]);
      // P6-25
      EnInZero:      assert property (@(posedge clk_i) !p6 || (c == 0) || !r.select[22]);
    end

    for (genvar k = 0; k < int'(FixedCounters); k++) begin : gen_fixed
      fixed_t r;
      logic   exists;
      assign r      = fixed_i[i][k];
      assign exists = 2'(k) < cfg_i.fixed;

      FixedInsideWidth: assert property (@(posedge clk_i) (r.counter >> cfg_i.fixed_width) == '0);
      AbsentFixed: assert property (@(posedge clk_i) exists || (r == '0));
      // APM-37
      Bit2:        assert property (@(posedge clk_i) cfg_i.any_thread || !r.control[2]);
    end

    // The local APIC's entry alone has no facts.
    // verilator lint_off UNUSEDSIGNAL
    lp_t l;
    // verilator lint_on UNUSEDSIGNAL
    assign l = lp_i[i];

    // APM-39
    NoGlobal:    assert property (@(posedge clk_i) global_control || (!l.ds_status && !l.smm_frozen));
    // P6-24, P6-46
    NoIrq:       assert property (@(posedge clk_i) l.irq || ((l.irq_mode == '0) && (l.irq_vector == '0)));
    IrqModes:    assert property (@(posedge clk_i)
        (l.irq_mode == DeliverFixed) || (l.irq_mode == DeliverSmi) || (l.irq_mode == DeliverNmi));
    IrqVector:   assert property (@(posedge clk_i) (l.irq_vector == '0) || (l.irq_vector[7:4] != '0));
    VectorFixed: assert property (@(posedge clk_i) (l.irq_mode == DeliverFixed) || (l.irq_vector == '0));
    FixedVector: assert property (@(posedge clk_i)
        !l.irq || (l.irq_mode != DeliverFixed) || (l.irq_vector != '0));
  end

  ResultKnown:    assert property (@(posedge clk_i)
      answer_i.reg_result inside {ResultDone, ResultGp, ResultNotMine});
  ResultAnswered: assert property (@(posedge clk_i) answer_i.reg_done || (answer_i.reg_result == ResultDone));
  // P6-07, P6-34
  RefusedEmpty:   assert property (@(posedge clk_i)
      (answer_i.reg_done && (answer_i.reg_result == ResultDone)) || (answer_i.reg_rdata == '0));

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_steps
    perf_assert_step #(
      .LogicalProcessors(LogicalProcessors),
      .GeneralCounters  (GeneralCounters),
      .FixedCounters    (FixedCounters),
      .FixedEntries     (FixedEntries),
      .Processor        (i)
    ) u_step (
      .clk_i,
      .rst_ni,
      .cfg_i,
      .bus_tick_i,
      .core_clock_i,
      .lp_in_i  (lp_in_i[i]),
      .reg_i,
      .apic_write_i,
      .general_i(general_i[i]),
      .fixed_i  (fixed_i[i]),
      .lp_i     (lp_i[i]),
      .answer_i
    );
  end

  perf_assert_straps #(
    .GeneralCounters(GeneralCounters),
    .FixedCounters  (FixedCounters)
  ) u_straps (.clk_i, .cfg_i);

endmodule
