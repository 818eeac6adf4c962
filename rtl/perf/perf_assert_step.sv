// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Facts about two cycles of one logical processor that hold whatever the inputs. Not part of the hardware.
//
// Registers are compared with those and with the inputs of the cycle before. Reset clears both, so the facts hold
// there too.

module perf_assert_step
  import retire_pkg::*;
  import perf_pkg::*;
#(
  parameter int unsigned LogicalProcessors = 1,
  parameter int unsigned GeneralCounters   = 2,
  parameter int unsigned FixedCounters     = 0,
  parameter int unsigned FixedEntries      = 1,
  // The logical processor.
  parameter int unsigned Processor         = 0
) (
  input logic                           clk_i,
  input logic                           rst_ni,

  // Not all that the unit sees has facts of its own.
  // verilator lint_off UNUSEDSIGNAL
  input config_t                        cfg_i,
  input logic                           bus_tick_i,
  input logic                           core_clock_i,
  input lp_in_t                         lp_in_i,
  input reg_request_t                   reg_i,
  // The local APIC's entry is written in memory.
  input logic                           apic_write_i,
  input general_t [GeneralCounters-1:0] general_i,
  input fixed_t [FixedEntries-1:0]      fixed_i,
  input lp_t                            lp_i,
  // verilator lint_on UNUSEDSIGNAL
  input answer_t                        answer_i
);

  //////////////////////
  // The cycle before //
  //////////////////////

  logic         past_valid_q, past_tick_q, past_clock_q, past_freeze_q, past_pmi_q, past_ack_q, past_pce_q;
  logic         past_apic_q;
  logic [1:0]   past_level_q;
  reg_request_t past_reg_q;
  // Not every register has facts of its own.
  // verilator lint_off UNUSEDSIGNAL
  lp_t          past_lp_q;
  // verilator lint_on UNUSEDSIGNAL

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_valid_q  <= 1'b0;
      past_tick_q   <= 1'b0;
      past_clock_q  <= 1'b0;
      past_freeze_q <= 1'b0;
      past_pmi_q    <= 1'b0;
      past_ack_q    <= 1'b0;
      past_pce_q    <= 1'b0;
      past_apic_q   <= 1'b0;
      past_level_q  <= '0;
      past_reg_q    <= '0;
      past_lp_q     <= '{lvt_mask: 1'b1, default: '0};
    end else begin
      past_valid_q  <= 1'b1;
      past_tick_q   <= bus_tick_i;
      past_clock_q  <= core_clock_i;
      past_freeze_q <= lp_in_i.freeze;
      past_pmi_q    <= lp_in_i.freeze_on_pmi;
      past_ack_q    <= lp_in_i.irq_ack;
      past_pce_q    <= lp_in_i.pce;
      past_apic_q   <= apic_write_i;
      past_level_q  <= level(lp_in_i.op_mode, lp_in_i.cpl);
      past_reg_q    <= reg_i;
      past_lp_q     <= lp_i;
    end
  end

  localparam logic [2:0] LpMask = 3'(LogicalProcessors - 1);

  // In the cycle before, this processor asked. Its WRMSR was done.
  logic asked, done, wrote;
  assign asked = past_reg_q.reg_valid && ((past_reg_q.reg_lp & LpMask) == 3'(Processor));
  assign done  = answer_i.reg_done && (answer_i.reg_result == ResultDone);
  assign wrote = asked && done && (past_reg_q.reg_op == RegWrmsr);

  logic        p6, global_control;
  logic [31:0] number;
  assign p6             = cfg_i.personality == 2'd0;
  assign global_control = cfg_i.personality >= 2'd2;
  assign number         = past_reg_q.reg_number;

  ////////////
  // Answer //
  ////////////

  Answered:    assert property (@(posedge clk_i) answer_i.reg_done == past_reg_q.reg_valid);
  // P6-07
  MsrAllowed:  assert property (@(posedge clk_i)
      !(asked && done && (past_reg_q.reg_op inside {RegRdmsr, RegWrmsr})) || (past_level_q == 2'd0));
  // P6-08, P6-34
  PmcAllowed:  assert property (@(posedge clk_i)
      !(asked && done && (past_reg_q.reg_op == RegRdpmc)) || (past_level_q == 2'd0) || past_pce_q);
  WriteEmpty:  assert property (@(posedge clk_i) !wrote || (answer_i.reg_rdata == '0));

  //////////////
  // Counters //
  //////////////

  logic enable0_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) enable0_q <= 1'b0;
    else enable0_q <= general_i[0].select[22];
  end

  for (genvar c = 0; c < int'(GeneralCounters); c++) begin : gen_general
    // verilator lint_off UNUSEDSIGNAL
    general_t r, past_q;
    // verilator lint_on UNUSEDSIGNAL
    logic     to_counter, to_select, stopped;
    assign r          = general_i[c];
    assign to_counter = wrote && ((number == MsrCounter + 32'(c)) || (number == MsrFullCounter + 32'(c)));
    assign to_select  = wrote && (number == MsrSelect + 32'(c));
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) past_q <= '{on: 1'b1, default: '0};
      else past_q <= r;
    end
    // Frozen, disabled, at no level, or without a clock.
    assign stopped = past_freeze_q || !past_q.on || !(p6 ? enable0_q : past_q.select[22]) ||
                     (past_q.select[17:16] == 2'd0) || !(past_clock_q || past_tick_q);

    // P6-10
    SelectKept:     assert property (@(posedge clk_i) to_select || (r.select == past_q.select));
    // P6-15, P6-26, P6-40, P6-41, APM-29
    NoCountStopped: assert property (@(posedge clk_i) !stopped || to_counter || (r.counter == past_q.counter));
    // P6-38
    NoOverStopped:  assert property (@(posedge clk_i) !stopped || !r.overflow);
    // P6-37, APM-14
    Written32:      assert property (@(posedge clk_i)
        !(wrote && (number == MsrCounter + 32'(c))) || (r.counter[31:0] == past_reg_q.reg_wdata[31:0]));
    // P6-22, APM-27
    PinOneClock:    assert property (@(posedge clk_i) (r.pin == past_q.pin) || past_tick_q);
    PinApart:       assert property (@(posedge clk_i) !(past_q.pin && past_tick_q) || !r.pin);
    // APM-38
    StatusSet:      assert property (@(posedge clk_i) !(global_control && r.overflow) || r.status);
    // DCTL-12
    FrozenByPmi:    assert property (@(posedge clk_i)
        !(global_control && lp_i.pmi && past_pmi_q && (4'(c) < cfg_i.counters)) || !r.on);
  end

  for (genvar k = 0; k < int'(FixedCounters); k++) begin : gen_fixed
    // verilator lint_off UNUSEDSIGNAL
    fixed_t r, past_q;
    // verilator lint_on UNUSEDSIGNAL
    logic   to_counter, stopped;
    assign r          = fixed_i[k];
    assign to_counter = wrote && (number == MsrFixed + 32'(k));
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) past_q <= '0;
      else past_q <= r;
    end
    assign stopped = past_freeze_q || !past_q.on || (past_q.control[1:0] == 2'd0) || !(past_clock_q || past_tick_q);

    ControlKept:    assert property (@(posedge clk_i)
        (wrote && (number == MsrFixedControl)) || (r.control == past_q.control));
    FixedNoCountStopped: assert property (@(posedge clk_i) !stopped || to_counter || (r.counter == past_q.counter));
    FixedNoOverStopped:  assert property (@(posedge clk_i) !stopped || !r.overflow);
    FixedStatusSet:      assert property (@(posedge clk_i) !r.overflow || r.status);
    // DCTL-12
    FixedFrozenByPmi:    assert property (@(posedge clk_i) !(lp_i.pmi && past_pmi_q) || !r.on);
  end

  ///////////////
  // Interrupt //
  ///////////////

  // P6-24, APM-28: an interrupt stays as it is until it is taken, and comes of a request alone.
  IrqStays:    assert property (@(posedge clk_i)
      !(past_lp_q.irq && !past_ack_q) || (lp_i.irq && (lp_i.irq_mode == past_lp_q.irq_mode) &&
                                          (lp_i.irq_vector == past_lp_q.irq_vector)));
  IrqOfPmi:    assert property (@(posedge clk_i)
      !lp_i.irq || (past_lp_q.irq && !past_ack_q) || (lp_i.pmi && !past_lp_q.lvt_mask));
  // P6-46
  LvtKept:     assert property (@(posedge clk_i)
      (wrote && (number == MsrLvt)) || past_apic_q ||
      ((lp_i.lvt_vector == past_lp_q.lvt_vector) && (lp_i.lvt_mode == past_lp_q.lvt_mode)));
  MaskedReset: assert property (@(posedge clk_i) past_valid_q || (lp_i.lvt_mask && !lp_i.irq));

endmodule
