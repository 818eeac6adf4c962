// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions about two successive cycles, for all inputs. Not part of the hardware.
//
// They compare registers with the registers and inputs of the previous cycle. Reset clears both, so the assertions hold
// in reset.
//
// Contract: docs/src/itanium/state.md, "What always holds"; docs/src/itanium/cycle.md.

module itanium_assert_step
  import itanium_pkg::*;
#(
  // Bundles that can be fetched, issued and retired in a cycle: 1, 2.
  parameter int unsigned Bundles    = 1,
  // Bundles in flight whose tags are kept: 4, 8, 16.
  parameter int unsigned TagEntries = 4
) (
  // Clock: all registers change at its rising edge.
  input logic                 clk_i,
  // Asynchronous reset, active low.
  input logic                 rst_ni,

  // What no assertion reads is passed through.
  // verilator lint_off UNUSEDSIGNAL
  // Straps, constant after reset.
  input config_t              cfg_i,
  // Per bundle: it is fetched.
  input fetch_t [Bundles-1:0] fetch_i,
  // Per bundle: its first instruction is issued.
  input issue_t [Bundles-1:0] issue_i,
  // A period of the core's clock begins in this cycle.
  input logic                 core_clock_i,
  // Current privilege level.
  input logic [1:0]           cpl_i,
  // IA-32 code runs.
  input logic                 psr_is_i,
  // An interruption is delivered.
  input logic                 int_valid_i,
  // The interrupt is taken.
  input logic                 irq_ack_i,
  // Register request.
  input reg_request_t         reg_i,
  // All registers of the unit.
  input state_t               state_i
  // verilator lint_on UNUSEDSIGNAL
);

  ////////////////////////
  // The previous cycle //
  ////////////////////////

  logic                  past_valid_q, past_clock_q, past_is_q, past_int_q, past_ack_q;
  logic [1:0]            past_cpl_q;
  // Bit e: entry e is fetched or issued.
  logic [MaxEntries-1:0] named, past_named_q;
  // verilator lint_off UNUSEDSIGNAL
  reg_request_t          past_reg_q;
  state_t                past_q;
  // verilator lint_on UNUSEDSIGNAL

  always_comb begin
    named = '0;
    for (int b = 0; b < int'(Bundles); b++) begin
      if (fetch_i[b].valid) named[fetch_i[b].id & 4'(TagEntries - 1)] = 1'b1;
      if (issue_i[b].valid) named[issue_i[b].id & 4'(TagEntries - 1)] = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_valid_q <= 1'b0;
      past_clock_q <= 1'b0;
      past_is_q    <= 1'b0;
      past_int_q   <= 1'b0;
      past_ack_q   <= 1'b0;
      past_cpl_q   <= '0;
      past_named_q <= '0;
      past_reg_q   <= '0;
      past_q       <= '0;
    end else begin
      past_valid_q <= 1'b1;
      past_clock_q <= core_clock_i;
      past_is_q    <= psr_is_i;
      past_int_q   <= int_valid_i;
      past_ack_q   <= irq_ack_i;
      past_cpl_q   <= cpl_i;
      past_named_q <= named;
      past_reg_q   <= reg_i;
      past_q       <= state_i;
    end
  end

  // A request was made in the previous cycle; it moved to a register; to that of a file and an index.
  logic       made, moved;
  logic [2:0] file;
  logic [7:0] index;
  assign made  = past_valid_q && past_reg_q.reg_valid && !past_int_q;
  assign moved = made && (past_reg_q.reg_op == OpWrite) && (past_cpl_q == 2'd0);
  assign file  = past_reg_q.reg_number[10:8];
  assign index = past_reg_q.reg_number[7:0];

  // verilator lint_off UNUSEDSIGNAL
  status_t status, was;
  // verilator lint_on UNUSEDSIGNAL
  assign status = state_i.status;
  assign was    = past_q.status;

  // PMC[0] was written.
  logic thawed;
  assign thawed = moved && (file == FilePmc) && (index == 8'd0);

  ////////////
  // Freeze //
  ////////////

  // Only software unfreezes.
  FreezeStays:   assert property (@(posedge clk_i) !past_q.freeze.fr || state_i.freeze.fr || thawed);
  OverflowStays: assert property (@(posedge clk_i)
      ((past_q.freeze.overflow & ~state_i.freeze.overflow) == '0) || thawed);
  IrqFreezes:    assert property (@(posedge clk_i)
      past_q.freeze.irq || !state_i.freeze.irq || (state_i.freeze.fr && (state_i.freeze.overflow != '0)));
  IrqStays:      assert property (@(posedge clk_i) !past_q.freeze.irq || state_i.freeze.irq || past_ack_q);

  //////////////
  // Counters //
  //////////////

  for (genvar c = 0; c < int'(Counters); c++) begin : gen_counters
    // A pin of the previous cycle has no assertion.
    // verilator lint_off UNUSEDSIGNAL
    counter_t counter, past;
    // verilator lint_on UNUSEDSIGNAL
    assign counter = state_i.counter[c];
    assign past    = past_q.counter[c];

    // PMD[4 + c], PMC[4 + c] was written; the counter was off by what PMC[0], the PSR or PMC[4 + c] say.
    logic loaded, programmed, frozen, process_off, level_off, set_off;
    assign loaded      = moved && (file == FilePmd) && (index == 8'd4 + 8'(c));
    assign programmed  = moved && (file == FilePmc) && (index == 8'd4 + 8'(c));
    assign frozen      = past_valid_q && past_q.freeze.fr;
    assign process_off = past_valid_q && ((past.pm && !was.pp) || (!past.pm && !was.up));
    assign level_off   = past_valid_q && (((past.plm >> past_cpl_q) & 4'd1) == '0);
    assign set_off     = past_valid_q && (past.ism == 2'b11);

    logic still;
    assign still = ((counter.count == past.count) || loaded) && !counter.pin;

    FrozenStill:  assert property (@(posedge clk_i) !frozen || still);
    ProcessStill: assert property (@(posedge clk_i) !process_off || still);
    LevelStill:   assert property (@(posedge clk_i) !level_off || still);
    SetStill:     assert property (@(posedge clk_i) !set_off || still);
    // A period of the core's clock counts at most once.
    ClockStill:   assert property (@(posedge clk_i)
        !past_valid_q || past_clock_q || (past.es != EsCpuCycles) || still);
    // No cycle has more than six events.
    CountsSix:    assert property (@(posedge clk_i)
        !past_valid_q || loaded || (counter.count - past.count <= 32'd6));
    // A pin is a wrap; without a write the count is small then.
    PinWraps:     assert property (@(posedge clk_i)
        !counter.pin || (past.ev && (past.count >= 32'hFFFF_FFFA) && (loaded || (counter.count < 32'd6))));
    // A wrap with `oi` is noted and requests an interrupt.
    WrapNoted:    assert property (@(posedge clk_i)
        !past_valid_q || loaded || !past.oi || (counter.count >= past.count) ||
        (state_i.freeze.fr && state_i.freeze.overflow[c] && state_i.freeze.irq));
    Programmed:   assert property (@(posedge clk_i)
        !past_valid_q || programmed ||
        ({counter.plm, counter.ev, counter.oi, counter.pm, counter.es, counter.umask, counter.threshold, counter.ism} ==
         {past.plm, past.ev, past.oi, past.pm, past.es, past.umask, past.threshold, past.ism}));
  end

  ////////////
  // Status //
  ////////////

  // PSR.pp at level 0 only, or by an interruption.
  PpPrivileged:  assert property (@(posedge clk_i)
      (status.pp == was.pp) || (made && (past_cpl_q == 2'd0)) || past_int_q);
  SpPrivileged:  assert property (@(posedge clk_i) (status.sp == was.sp) || (made && (past_cpl_q == 2'd0)));
  DcrPrivileged: assert property (@(posedge clk_i)
      (status.dcr_pp == was.dcr_pp) || (moved && (file == FileCr) && (index == 8'd0)));
  PpCopied:      assert property (@(posedge clk_i) !past_int_q || (status.pp == was.dcr_pp));
  UpAtInt:       assert property (@(posedge clk_i)
      !past_int_q || (status.up == (was.up && (cfg_i.up_on_interruption == UpKept))));
  // An application changes PSR.up, and only while PSR.sp is 0.
  UpSecured:     assert property (@(posedge clk_i)
      !past_valid_q || past_int_q || (status.up == was.up) || (made && ((past_cpl_q == 2'd0) || !was.sp)));

  //////////
  // Tags //
  //////////

  for (genvar e = 0; e < int'(MaxEntries); e++) begin : gen_entries
    // Nobody but the bundle's fetch and issue changes its tags. Nothing changes while IA-32 code runs.
    TagCarried: assert property (@(posedge clk_i)
        !past_valid_q || (state_i.tag[e] == past_q.tag[e]) || (past_named_q[e] && !past_is_q));
  end

  ///////////////////////
  // Address registers //
  ///////////////////////

  BtbIa64:   assert property (@(posedge clk_i) !past_is_q || !state_i.ear.btb_on);
  EarFrozen: assert property (@(posedge clk_i) !past_q.freeze.fr || (state_i.ear == '0));

  ////////////
  // Answer //
  ////////////

  answer_t answer;
  assign answer = state_i.answer;

  AnswerAlways:  assert property (@(posedge clk_i) answer.reg_done == made);
  AnswerRead:    assert property (@(posedge clk_i) (answer.reg_rdata == '0) || (past_reg_q.reg_op == OpRead));
  // Registers other than the PMDs are for level 0; a refused request changes none.
  AnswerLevel:   assert property (@(posedge clk_i)
      !made || (past_cpl_q == 2'd0) || (answer.reg_result != ResultDone) ||
      ((past_reg_q.reg_op >= OpSum) && (past_reg_q.reg_op <= OpUm)) ||
      ((past_reg_q.reg_op == OpRead) && (file == FilePmd)));
  // What is secured is hidden.
  AnswerSecured: assert property (@(posedge clk_i)
      !made || (past_cpl_q == 2'd0) || !was.sp || (answer.reg_rdata == '0));
  KeptLevel:     assert property (@(posedge clk_i)
      !past_valid_q || moved ||
      ({state_i.matcher, state_i.pmc10, state_i.pmc11, state_i.pmc12, state_i.pmc13, state_i.ibr, state_i.dbr} ==
       {past_q.matcher, past_q.pmc10, past_q.pmc11, past_q.pmc12, past_q.pmc13, past_q.ibr, past_q.dbr}));

endmodule
