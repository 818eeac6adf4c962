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
  input logic                    clk_i,
  // Asynchronous reset, active low.
  input logic                    rst_ni,

  // What no assertion reads is passed through.
  // verilator lint_off UNUSEDSIGNAL
  // Straps, constant after reset.
  input config_t                 cfg_i,
  // Per bundle: it is fetched.
  input fetch_t [Bundles-1:0]    fetch_i,
  // Per bundle: its first instruction is issued.
  input issue_t [Bundles-1:0]    issue_i,
  // A period of the core's clock begins in this cycle.
  input logic                    core_clock_i,
  // Current privilege level.
  input logic [1:0]              cpl_i,
  // IA-32 code runs.
  input logic                    psr_is_i,
  // An interruption is delivered.
  input logic                    int_valid_i,
  // The interrupt is taken.
  input logic                    irq_ack_i,
  // Register request.
  input reg_request_t            reg_i,
  // Registers.
  input status_t                 status_i,
  input freeze_t                 freeze_i,
  input counter_t [Counters-1:0] counter_i,
  input matcher_t [Matchers-1:0] matcher_i,
  input pmc10_t                  pmc10_i,
  input pmc11_t                  pmc11_i,
  input pmc12_t                  pmc12_i,
  input pmc13_t                  pmc13_i,
  input ibr_t [Pairs-1:0]        ibr_i,
  input dbr_t [Pairs-1:0]        dbr_i,
  input tag_t [TagEntries-1:0]   tag_i,
  input ear_t                    ear_i,
  input answer_t                 answer_i
  // verilator lint_on UNUSEDSIGNAL
);

  ////////////////////////
  // The previous cycle //
  ////////////////////////

  localparam int unsigned EntryW = $clog2(TagEntries);

  logic                    past_valid_q, past_clock_q, past_is_q, past_int_q, past_ack_q;
  logic [1:0]              past_cpl_q;
  // Bit e: entry e is fetched or issued.
  logic [TagEntries-1:0]   named, past_named_q;
  // verilator lint_off UNUSEDSIGNAL
  reg_request_t            past_reg_q;
  status_t                 past_status_q;
  freeze_t                 past_freeze_q;
  counter_t [Counters-1:0] past_counter_q;
  matcher_t [Matchers-1:0] past_matcher_q;
  pmc10_t                  past_pmc10_q;
  pmc11_t                  past_pmc11_q;
  pmc12_t                  past_pmc12_q;
  pmc13_t                  past_pmc13_q;
  ibr_t [Pairs-1:0]        past_ibr_q;
  dbr_t [Pairs-1:0]        past_dbr_q;
  tag_t [TagEntries-1:0]   past_tag_q;
  // verilator lint_on UNUSEDSIGNAL

  always_comb begin
    named = '0;
    for (int b = 0; b < int'(Bundles); b++) begin
      if (fetch_i[b].valid) named[fetch_i[b].id[EntryW-1:0]] = 1'b1;
      if (issue_i[b].valid) named[issue_i[b].id[EntryW-1:0]] = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_valid_q   <= 1'b0;
      past_clock_q   <= 1'b0;
      past_is_q      <= 1'b0;
      past_int_q     <= 1'b0;
      past_ack_q     <= 1'b0;
      past_cpl_q     <= '0;
      past_named_q   <= '0;
      past_reg_q     <= '0;
      past_status_q  <= '0;
      past_freeze_q  <= '0;
      past_counter_q <= '0;
      past_matcher_q <= '0;
      past_pmc10_q   <= '0;
      past_pmc11_q   <= '0;
      past_pmc12_q   <= '0;
      past_pmc13_q   <= '0;
      past_ibr_q     <= '0;
      past_dbr_q     <= '0;
      past_tag_q     <= '0;
    end else begin
      past_valid_q   <= 1'b1;
      past_clock_q   <= core_clock_i;
      past_is_q      <= psr_is_i;
      past_int_q     <= int_valid_i;
      past_ack_q     <= irq_ack_i;
      past_cpl_q     <= cpl_i;
      past_named_q   <= named;
      past_reg_q     <= reg_i;
      past_status_q  <= status_i;
      past_freeze_q  <= freeze_i;
      past_counter_q <= counter_i;
      past_matcher_q <= matcher_i;
      past_pmc10_q   <= pmc10_i;
      past_pmc11_q   <= pmc11_i;
      past_pmc12_q   <= pmc12_i;
      past_pmc13_q   <= pmc13_i;
      past_ibr_q     <= ibr_i;
      past_dbr_q     <= dbr_i;
      past_tag_q     <= tag_i;
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

  // No register that only level 0 can write has changed.
  logic kept;
  assign kept = {matcher_i, pmc10_i, pmc11_i, pmc12_i, pmc13_i, ibr_i, dbr_i} ==
                {past_matcher_q, past_pmc10_q, past_pmc11_q, past_pmc12_q, past_pmc13_q, past_ibr_q, past_dbr_q};

  // PMC[0] was written.
  logic thawed;
  assign thawed = moved && (file == FilePmc) && (index == 8'd0);

  ////////////
  // Freeze //
  ////////////

  // Only software unfreezes.
  FreezeStays:   assert property (@(posedge clk_i) !past_freeze_q.fr || freeze_i.fr || thawed);
  OverflowStays: assert property (@(posedge clk_i)
      ((past_freeze_q.overflow & ~freeze_i.overflow) == '0) || thawed);
  IrqFreezes:    assert property (@(posedge clk_i)
      past_freeze_q.irq || !freeze_i.irq || (freeze_i.fr && (freeze_i.overflow != '0)));
  IrqStays:      assert property (@(posedge clk_i) !past_freeze_q.irq || freeze_i.irq || past_ack_q);

  //////////////
  // Counters //
  //////////////

  for (genvar c = 0; c < int'(Counters); c++) begin : gen_counters
    // A pin of the previous cycle has no assertion.
    // verilator lint_off UNUSEDSIGNAL
    counter_t counter, past;
    // verilator lint_on UNUSEDSIGNAL
    assign counter = counter_i[c];
    assign past    = past_counter_q[c];

    // PMD[4 + c], PMC[4 + c] was written; the counter was off by what PMC[0], the PSR or PMC[4 + c] say.
    logic loaded, programmed, frozen, process_off, level_off, set_off;
    assign loaded      = moved && (file == FilePmd) && (index == 8'd4 + 8'(c));
    assign programmed  = moved && (file == FilePmc) && (index == 8'd4 + 8'(c));
    assign frozen      = past_valid_q && past_freeze_q.fr;
    assign process_off = past_valid_q && ((past.pm && !past_status_q.pp) || (!past.pm && !past_status_q.up));
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
        (freeze_i.fr && freeze_i.overflow[c] && freeze_i.irq));
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
      (status_i.pp == past_status_q.pp) || (made && (past_cpl_q == 2'd0)) || past_int_q);
  SpPrivileged:  assert property (@(posedge clk_i)
      (status_i.sp == past_status_q.sp) || (made && (past_cpl_q == 2'd0)) || past_int_q);
  SpAtInt:       assert property (@(posedge clk_i) !past_int_q || !status_i.sp);
  DcrPrivileged: assert property (@(posedge clk_i)
      (status_i.dcr_pp == past_status_q.dcr_pp) || (moved && (file == FileCr) && (index == 8'd0)));
  PpCopied:      assert property (@(posedge clk_i) !past_int_q || (status_i.pp == past_status_q.dcr_pp));
  UpAtInt:       assert property (@(posedge clk_i)
      !past_int_q || (status_i.up == (past_status_q.up && (cfg_i.up_on_interruption == UpKept))));
  // An application changes PSR.up, and only while PSR.sp is 0.
  UpSecured:     assert property (@(posedge clk_i)
      !past_valid_q || past_int_q || (status_i.up == past_status_q.up) ||
      (made && ((past_cpl_q == 2'd0) || !past_status_q.sp)));

  //////////
  // Tags //
  //////////

  for (genvar e = 0; e < int'(TagEntries); e++) begin : gen_entries
    tag_t tag, past;
    assign tag  = tag_i[e];
    assign past = past_tag_q[e];
    // Nobody but the bundle's fetch and issue changes its tags. Nothing changes while IA-32 code runs.
    TagCarried: assert property (@(posedge clk_i)
        !past_valid_q || (tag == past) || (past_named_q[e] && !past_is_q));
  end

  ///////////////////////
  // Address registers //
  ///////////////////////

  BtbIa64:   assert property (@(posedge clk_i) !past_is_q || !ear_i.btb_on);
  EarFrozen: assert property (@(posedge clk_i) !past_freeze_q.fr || (ear_i == '0));

  ////////////
  // Answer //
  ////////////

  AnswerAlways:  assert property (@(posedge clk_i) answer_i.reg_done == made);
  AnswerRead:    assert property (@(posedge clk_i) (answer_i.reg_rdata == '0) || (past_reg_q.reg_op == OpRead));
  // Registers other than the PMDs are for level 0; a refused request changes none.
  AnswerLevel:   assert property (@(posedge clk_i)
      !made || (past_cpl_q == 2'd0) || (answer_i.reg_result != ResultDone) ||
      ((past_reg_q.reg_op >= OpSum) && (past_reg_q.reg_op <= OpUm)) ||
      ((past_reg_q.reg_op == OpRead) && (file == FilePmd)));
  // What is secured is hidden.
  AnswerSecured: assert property (@(posedge clk_i)
      !made || (past_cpl_q == 2'd0) || !past_status_q.sp || (answer_i.reg_rdata == '0));
  KeptLevel:     assert property (@(posedge clk_i) !past_valid_q || moved || kept);

endmodule
