// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Tally: every branch of a lane, and every interruption, that is traced makes one record, and nothing else makes one; none is
// lost for want of room, and none leaves but by the bus or by the debug store.
//
// The same of PEBS: each event behind an overflow is one record, which is stored or lost, once.
//
// Rows: DCTL-06, DCTL-09, DCTL-10, DCTL-21, BTS-02, BTS-08, BTS-09.

module formal_tally
  import trace_pkg::*;
  import formal_pkg::*;
(
  input logic               clk_i,
  input logic               rst_ni,
  input config_t            cfg_i,
  input out_t               out_i,
  input state_t             st_i,
  // The cycle before, if there was one.
  input logic               valid_i,
  input in_t                was_in_i,
  input state_t             was_i,
  input shown_t [Lanes-1:0] shown_i,
  // What left and joined in it.
  input moves_t             moves_i
);

  logic [4:0] kept, total;
  assign kept  = moves_i.kept;
  assign total = moves_i.total;

  logic level0_was;
  assign level0_was = level(was_in_i) == 2'd0;

  always_comb begin
    // BTS-08: none is lost for want of room.
    Room:        assert (!valid_i || (kept + total <= 5'(Waiting)));
    // DCTL-06, BTS-02, BTS-08: one for each transfer that is traced, no other one, none twice.
    Counted:     assert (!valid_i || (st_i.waiting.count == kept + total));
    // A record leaves by the bus or by the debug store, and by nothing else.
    LeavesOnce:  assert (!(moves_i.sent && moves_i.ended));
    // DCTL-09, DCTL-10, DCTL-21
    LevelLeft:   assert (!valid_i || !was_i.control.debugctl[level0_was ? 9 : 10] || (st_i.waiting.count == kept));
    // DCTL-06
    TracesLeft:  assert (!valid_i || was_i.control.debugctl[6] || (st_i.waiting.count == kept));
  end

  //////////
  // PEBS //
  //////////

  // Events behind an overflow of a counter that is enabled; counters whose record has ended.
  logic [3:0] fired, ends, kept_on;
  assign fired = valid_i ? fires(was_in_i, was_i) : '0;
  assign ends  = valid_i ? was_i.pebs.pending & ~st_i.pebs.pending : '0;
  // Counters that a WRMSR of IA32_PEBS_ENABLE leaves on; all without one.
  assign kept_on = writes(cfg_i, was_in_i, was_i, 32'h3F1) ? was_in_i.request.reg_wdata[3:0] : '1;

  // What was told of the record that is stored.
  logic told_now, told, told_q;
  assign told_now = valid_i && (was_i.waiting.count == '0) && (out_i.notice.stored || out_i.notice.lost);
  assign told     = told_now || told_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) told_q <= 1'b0;
    else told_q <= told && (ends == '0);
  end

  always_comb begin
    // BTS-09: each is a record, and nothing else is.
    PebsFires:  assert (!valid_i || ((st_i.pebs.pending & ~was_i.pebs.pending) == fired));
    // BTS-09: an overflow waits for the next event, and for nothing else but its counter being switched off.
    PebsArmed:  assert (!valid_i || (st_i.pebs.armed == (raised(was_in_i, was_i) & ~fired & kept_on)));
    // Their format is that of the mode of the event.
    PebsFormat: assert (!valid_i || (st_i.pebs.pending_wide == ((fired != '0) ? makes_wide(cfg_i, was_in_i) :
                                     (st_i.pebs.pending != '0) && was_i.pebs.pending_wide)));
    // One ends at a time, and no new one meanwhile.
    PebsEnds:   assert ((ends & (ends - 4'd1)) == '0);
    PebsApart:  assert ((ends == '0) || (fired == '0));
    // BTS-09: it is stored or lost, once.
    PebsTold:   assert ((ends == '0) || told);
    PebsOnce:   assert (!(told_now && told_q));
    PebsOnly:   assert (!told_now || (st_i.pebs.pending != '0) || (ends != '0));
    // Behind the notice the counter's reset value is read, or the record has ended.
    PebsReset:  assert (!(told && (ends == '0)) || (st_i.store.step == StepReset));
    PebsBehind: assert ((st_i.store.step != StepReset) || (told && (ends == '0)));
  end

  always_comb begin
    CoverFull:   cover ((st_i.waiting.count == 5'(Waiting)) && (total != '0));
    CoverSkips:  cover (valid_i && was_i.control.debugctl[6] && shown_i[0].valid && (total == '0) && !shown_i[0].is_debug);
    CoverAll:    cover ((moves_i.joins == '1) && moves_i.leaves);
    CoverPebs:   cover ((ends != '0) && told_q && out_i.reload.reload_valid);
    CoverWaits:  cover (valid_i && (was_i.pebs.armed != '0) && (was_in_i.pebs.pebs_event == '0) &&
                        (st_i.pebs.armed == was_i.pebs.armed));
    CoverDrops:  cover ((ends != '0) && !told_q && out_i.notice.lost);
  end

endmodule
