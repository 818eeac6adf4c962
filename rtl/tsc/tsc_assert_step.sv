// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions about two successive cycles, for all inputs. Not part of the hardware.
//
// They compare registers with the registers and inputs of the previous cycle. Reset clears both, so the assertions hold
// in reset.

module tsc_assert_step
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

  // Straps and pins that no assertion reads are passed through.
  // verilator lint_off UNUSEDSIGNAL
  // Straps, constant after reset.
  input config_t                     cfg_i,
  // Pins, states and clock ticks of the processor.
  input processor_t                  processor_i,
  // verilator lint_on UNUSEDSIGNAL
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

  /////////////////////
  // The cycle before //
  /////////////////////

  logic              past_valid_q, past_dpslp_q, past_base_q, past_tsd_q;
  logic [1:0]        past_cpl_q;
  op_mode_e          past_op_mode_q;
  reg_request_t      past_reg_q;
  logic [TicksW-1:0] past_ticks_q;
  rate_t             past_rate_q;

  // The time base has a tick in this cycle.
  logic base;
  assign base = (cfg_i.rate == RateInvariant) ? processor_i.crystal_tick : processor_i.bus_tick;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_valid_q   <= 1'b0;
      past_dpslp_q   <= 1'b0;
      past_base_q    <= 1'b0;
      past_tsd_q     <= 1'b0;
      past_cpl_q     <= '0;
      past_op_mode_q <= ModeReal;
      past_reg_q     <= '0;
      past_ticks_q   <= '0;
      past_rate_q    <= '0;
    end else begin
      past_valid_q   <= 1'b1;
      past_dpslp_q   <= processor_i.dpslp;
      past_base_q    <= base;
      past_tsd_q     <= tsd_i;
      past_cpl_q     <= cpl_i;
      past_op_mode_q <= op_mode_i;
      past_reg_q     <= reg_i;
      past_ticks_q   <= ticks_i;
      past_rate_q    <= rate_i;
    end
  end

  // Request of the previous cycle: it came from level 0; it is done; its kind.
  logic privileged, done, read_time, read_both, read_msr, write_msr;
  assign privileged = (past_op_mode_q == ModeReal) || ((past_op_mode_q != ModeV86) && (past_cpl_q == 2'd0));
  assign done       = answer_i.reg_done && (answer_i.reg_result == ResultDone);
  assign read_time  = past_reg_q.reg_valid && (past_reg_q.reg_op inside {RegRdtsc, RegRdtscp});
  assign read_both  = past_reg_q.reg_valid && (past_reg_q.reg_op == RegRdtscp);
  assign read_msr   = past_reg_q.reg_valid && (past_reg_q.reg_op == RegRdmsr);
  assign write_msr  = past_reg_q.reg_valid && (past_reg_q.reg_op == RegWrmsr);

  logic to_counter, to_adjust, to_aux;
  assign to_counter = write_msr && done && (past_reg_q.reg_number == MsrTimeStampCounter);
  assign to_adjust  = write_msr && done && (past_reg_q.reg_number == MsrTscAdjust);
  assign to_aux     = write_msr && done && (past_reg_q.reg_number == MsrTscAux);

  ///////////
  // Reset //
  ///////////

  // In reset, and in the first cycle after it, the registers of the rate are 0.
  RateReset:        assert property (@(posedge clk_i) past_valid_q || (rate_i == '0));
  // In reset, and in the first cycle after it, there is no answer.
  AnswerReset:      assert property (@(posedge clk_i) past_valid_q || (answer_i == '0));

  //////////
  // Rate //
  //////////

  // TSC-05
  NoTickStopped:    assert property (@(posedge clk_i)
      !(past_dpslp_q && (cfg_i.deep_sleep == DeepSleepStop)) || (past_ticks_q == '0));
  // TSC-06, TSC-07, TSC-13
  NoTickBetween:    assert property (@(posedge clk_i) (past_base_q && cfg_i.present) || (past_ticks_q == '0));
  // TSC-05
  FractionStopped:  assert property (@(posedge clk_i)
      (past_base_q && cfg_i.present && !(past_dpslp_q && (cfg_i.deep_sleep == DeepSleepStop))) ||
      (rate_i.fraction == past_rate_q.fraction));
  // TSC-07
  BootOnce:         assert property (@(posedge clk_i)
      !past_rate_q.booted || (rate_i.booted && (rate_i.boot_ratio == past_rate_q.boot_ratio)));
  // TSC-07
  BootFirst:        assert property (@(posedge clk_i)
      rate_i.booted == (past_valid_q && (cfg_i.rate == RateConstantBoot)));

  ////////////
  // Answer //
  ////////////

  // Each request has one answer, in the next cycle. There is no other answer.
  Answered:         assert property (@(posedge clk_i) answer_i.reg_done == past_reg_q.reg_valid);
  // TSC-11
  TimeAllowed:      assert property (@(posedge clk_i) !(read_time && done) || privileged || !past_tsd_q);
  // TSC-11
  TimeNotMine:      assert property (@(posedge clk_i) !read_time || (answer_i.reg_result != ResultNotMine));
  // TSC-12
  MsrAllowed:       assert property (@(posedge clk_i) !((read_msr || write_msr) && done) || privileged);
  // TSC-14
  AuxReserved:      assert property (@(posedge clk_i) !to_aux || (past_reg_q.reg_wdata[63:32] == '0));
  WriteShowsNothing: assert property (@(posedge clk_i) !write_msr || (answer_i.reg_rdata == '0));
  AuxWithTime:      assert property (@(posedge clk_i) read_both || (answer_i.reg_aux == '0));

  ////////////////////////
  // Logical processors //
  ////////////////////////

  localparam logic [2:0] LpMask = 3'(LogicalProcessors - 1);

  // TSC-12: what a write of the counter asks for.
  logic [63:0] value;
  assign value = (cfg_i.write_width == WriteLow32) ? 64'(past_reg_q.reg_wdata[31:0]) : past_reg_q.reg_wdata;

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_processors
    logic        asked;
    lp_t         lp, past_q;
    logic [63:0] ticks, elapsed, past_elapsed;
    assign asked        = (past_reg_q.reg_lp & LpMask) == 3'(i);
    assign lp           = processors_i[i];
    assign ticks        = 64'(past_ticks_q);
    assign elapsed      = lp.counter - lp.adjust;
    assign past_elapsed = past_q.counter - past_q.adjust;

    // Each processor has a register of its own here, because a vector of all is too wide for a property.
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        past_q <= '0;
      end else begin
        past_q <= lp;
      end
    end

    // Value that RDMSR reads.
    logic [63:0] msr;
    assign msr = (past_reg_q.reg_number == MsrTimeStampCounter) ? past_q.counter :
                 (past_reg_q.reg_number == MsrTscAdjust) ? past_q.adjust : 64'(past_q.aux);

    // TSC-03, TSC-20: in reset, and in the first cycle after it.
    LpReset:        assert property (@(posedge clk_i) past_valid_q || (lp == '0));
    // TSC-02, TSC-17
    CounterTicks:   assert property (@(posedge clk_i)
        (asked && (to_counter || to_adjust)) || (lp.counter == past_q.counter + ticks));
    // TSC-23
    AdjustKept:     assert property (@(posedge clk_i)
        (asked && (to_counter || to_adjust)) || (lp.adjust == past_q.adjust));
    // TSC-14, TSC-17
    AuxKept:        assert property (@(posedge clk_i) (asked && to_aux) || (lp.aux == past_q.aux));
    // TSC-12
    CounterWritten: assert property (@(posedge clk_i) !(asked && to_counter) || (lp.counter == value + ticks));
    // TSC-22
    AdjustWritten:  assert property (@(posedge clk_i)
        !(asked && to_adjust) || (lp.adjust == past_reg_q.reg_wdata));
    // TSC-14
    AuxWritten:     assert property (@(posedge clk_i) !(asked && to_aux) || (lp.aux == past_reg_q.reg_wdata[31:0]));
    // TSC-21, TSC-22
    SameX:          assert property (@(posedge clk_i) !cfg_i.adjust || (elapsed == past_elapsed + ticks));
    // TSC-15
    ReadAtOnce:     assert property (@(posedge clk_i)
        !(asked && read_time && done) || ((answer_i.reg_rdata == past_q.counter) &&
        (answer_i.reg_aux == (past_q.aux & {32{read_both}}))));
    // TSC-12, TSC-14, TSC-19
    MsrRead:        assert property (@(posedge clk_i) !(asked && read_msr && done) || (answer_i.reg_rdata == msr));
  end

endmodule
