// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Abort: a #DB that arises inside an RTM region without advanced debugging is of class abort, and leaves DR6 and GD when it is
// taken. With advanced debugging it is a rollback, which clears bit 16 of DR6; every other #DB sets it. An INT3 inside a
// region is never accepted.
//
// Rows: DBG-16, DBG-23, DBG-80, DBG-81, DBG-82, DCTL-15.

module formal_abort
  import retire_pkg::*;
  import debug_pkg::*;
  import formal_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input out_t    out_i,
  input state_t  st_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input state_t  was_i
);

  // The pending request arose in the cycle before: with a cut, a question or otherwise.
  logic arose;
  assign arose = valid_i && st_i.request.db_valid && (!was_i.request.db_valid || delivers(was_in_i, was_i));

  // It arose inside a region.
  logic in_region;
  always_comb begin
    in_region = 1'b0;
    if (st_i.cut.cut_valid) begin
      for (int unsigned l = 0; l < Lanes; l++) begin
        if (32'(st_i.cut.cut_lane) == l) in_region = was_in_i.lanes[l].transaction.in_tx;
      end
    end else if (st_i.ask.ask_done || st_i.request.db_bd) in_region = was_in_i.ask.ask_in_tx;
    if (!cfg_i.rtm) in_region = 1'b0;
  end

  // Remembered of the pending request: it arose inside a region, with advanced debugging.
  logic region, advanced, region_q, advanced_q;
  assign region   = arose ? in_region : region_q;
  assign advanced = arose ? was_i.registers.dr7.rtm && was_in_i.rtm_debug : advanced_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      region_q   <= 1'b0;
      advanced_q <= 1'b0;
    end else begin
      region_q   <= region;
      advanced_q <= advanced;
    end
  end

  logic taken_was, own_was, rsm_was, to_dr6, to_dr7;
  assign taken_was = valid_i && taken(was_in_i, was_i);
  assign own_was   = valid_i && own(was_in_i, was_i);
  assign rsm_was   = valid_i && was_in_i.interrupted.int_valid && (was_in_i.interrupted.int_kind == IntRsm);
  assign to_dr6    = valid_i && moves_to(cfg_i, was_in_i, was_i, 6);
  assign to_dr7    = valid_i && moves_to(cfg_i, was_in_i, was_i, 7);

  // The request of the cycle before is an abort; a rollback.
  logic abort, rollback, alone;
  assign abort    = valid_i && was_i.request.db_valid && region_q && !advanced_q;
  assign rollback = valid_i && was_i.request.db_valid && region_q && advanced_q;
  assign alone    = taken_was && abort && !was_in_i.interrupted.int_valid;

  always_comb begin
    // DBG-23, DBG-80, DBG-81, DCTL-15
    ClassAborts:   assert (!(st_i.request.db_valid && region && !advanced) || (st_i.request.db_class == ClassAbort));
    ClassRolls:    assert (!(st_i.request.db_valid && region && advanced) || (st_i.request.db_class == ClassRollback));
    ClassOutside:  assert (!(st_i.request.db_valid && !region) || (st_i.request.db_class inside {ClassTrap, ClassFault}));
    // DBG-80
    AbortDr6:      assert (!abort || rsm_was || (st_i.registers.dr6 == was_i.registers.dr6));
    AbortDr6Own:   assert (!alone || (st_i.registers == was_i.registers));
    AbortNoFrame:  assert (!alone || (!st_i.frame.frame_valid && !st_i.request.db_valid));
    AbortFlags:    assert (!alone || ((st_i.flags == '0) && (st_i.held == '0)));
    // DBG-81, DBG-82
    RollbackSets:  assert (!(rollback && taken_was) || st_i.registers.dr6.in_tx);
    RollbackTells: assert (!(rollback && taken_was) || (((was_i.request.db_b & ~st_i.registers.dr6.b) == '0) &&
                           (st_i.registers.dr6.bs || !was_i.request.db_bs) &&
                           (st_i.registers.dr6.bt || !was_i.request.db_bt)));
    // DBG-16
    OthersClear:   assert (!own_was || rollback || !st_i.registers.dr6.in_tx);
    InTxRises:     assert (!(valid_i && st_i.registers.dr6.in_tx) || was_i.registers.dr6.in_tx || to_dr6 || rsm_was ||
                           (rollback && taken_was));
    // Without the strap no region exists.
    NoRegion:      assert (cfg_i.rtm || !region_q);
  end

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lanes
    lane_t lane;
    logic  int3, cut_here;
    assign lane     = was_in_i.lanes[l];
    assign int3     = cfg_i.rtm && (lane.debug.kind == KindInt3) && lane.transaction.in_tx && !lane.transaction.tx_abort;
    assign cut_here = valid_i && st_i.cut.cut_valid && (32'(st_i.cut.cut_lane) == l);
    always_comb begin
      // DBG-80, DBG-81
      Int3Refused: assert (!(valid_i && int3) || !accepted(was_in_i, was_i, st_i.cut, l));
      Int3Before:  assert (!(cut_here && int3) || st_i.cut.cut_before);
      CoverInt3:   cover (cut_here && int3 && (st_i.request.db_b == '0) && (st_i.request.db_class == ClassRollback));
    end
  end

  always_comb begin
    CoverAborts:   cover (alone && (was_i.request.db_b != '0));
    CoverKept:     cover (alone && was_i.registers.dr7.gd && (was_i.registers.dr6.b != '0));
    CoverRollback: cover (rollback && own_was && (st_i.registers.dr6.b != '0) && !was_i.registers.dr6.in_tx);
    CoverAsked:    cover (arose && region && st_i.ask.ask_done);
    CoverCleared:  cover (own_was && was_i.registers.dr6.in_tx && !st_i.registers.dr6.in_tx);
  end

endmodule
