// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Guard: with DR7.GD = 1 no MOV changes a register of software, whatever the level. Each register request has the result
// of the table, and shows a value only if it is done.
//
// Rows: DBG-05, DBG-09, DBG-13, DBG-24, DBG-25, DBG-62, DBG-80, DBG-81.

module formal_guard
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

  logic        asked, guarded, own_was, smi_was, rsm_was, gate_was, switched;
  reg_result_e expected;
  assign asked    = valid_i && requests(was_in_i, was_i);
  assign guarded  = valid_i && was_i.registers.dr7.gd;
  assign expected = result(cfg_i, was_in_i, was_i);
  assign own_was  = own(was_in_i, was_i);
  assign smi_was  = system(was_in_i, was_i, IntSmi);
  assign rsm_was  = system(was_in_i, was_i, IntRsm);
  assign gate_was = enters_task(was_in_i, was_i);

  // An accepted lane switched tasks.
  always_comb begin
    switched = 1'b0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (accepted(was_in_i, was_i, st_i.cut, l) && !abort_lane(cfg_i, was_in_i.lanes[l]) &&
          (was_in_i.lanes[l].debug.kind == KindTask)) switched = 1'b1;
    end
  end

  // Class of general detect: of the region, if the MOV is inside one.
  class_e detects;
  always_comb begin
    detects = ClassFault;
    if (cfg_i.rtm && was_in_i.ask.ask_in_tx) begin
      detects = (was_i.registers.dr7.rtm && was_in_i.rtm_debug) ? ClassRollback : ClassAbort;
    end
  end

  // DR7 after this cycle, had there been no request.
  dr7_t unguarded;
  always_comb begin
    unguarded = was_i.registers.dr7;
    if (own_was) unguarded.gd = 1'b0;
    if (gate_was || switched) begin
      for (int unsigned n = 0; n < 4; n++) unguarded.enable[2*n] = 1'b0;
    end
    if (smi_was) unguarded = '0;
    if (rsm_was) unguarded = was_i.registers.smm.dr7;
  end

  always_comb begin
    // Exactly one cycle later, and nothing without a request.
    OneLater:      assert (st_i.answer.reg_done == asked);
    // DBG-05, DBG-09, DBG-24
    AsListed:      assert (st_i.answer.reg_result == (asked ? expected : ResultDone));
    // DBG-05: a refused request shows nothing of a register.
    RefusedShows:  assert ((asked && (expected == ResultDone)) || (st_i.answer.reg_rdata == '0));
    // DBG-24, DBG-62
    GuardAnswers:  assert (!(guarded && asked) ||
                           (st_i.answer.reg_result inside {ResultDb, ResultGp, ResultUd, ResultNotMine}));
    GuardNotMine:  assert (!(guarded && asked) || ((st_i.answer.reg_result == ResultNotMine) == !is_mov(was_in_i)));
    GuardAddress:  assert (!guarded || (st_i.registers.address == was_i.registers.address));
    GuardDr6:      assert (!guarded || own_was || rsm_was || (st_i.registers.dr6 == was_i.registers.dr6));
    GuardDr6Rsm:   assert (!guarded || !rsm_was || (st_i.registers.dr6 == was_i.registers.smm.dr6));
    GuardDr7:      assert (!guarded || (st_i.registers.dr7 == unguarded));
    // DBG-62: the answer #DB comes with its request, unless another #DB arises in the same cycle.
    DetectPending: assert ((st_i.answer.reg_result != ResultDb) || st_i.request.db_valid);
    DetectClass:   assert ((st_i.answer.reg_result != ResultDb) || st_i.cut.cut_valid || st_i.ask.ask_done ||
                           st_i.request.db_bt || (st_i.request.db_bd && (st_i.request.db_class == detects)));
    // A request is general detect only with such an answer.
    DetectOnly:    assert (!(valid_i && st_i.request.db_bd) || (st_i.answer.reg_result == ResultDb) ||
                           (was_i.request.db_bd && !delivers(was_in_i, was_i)));
    // DBG-13, DBG-25: when the frame is pushed, BD is set and GD cleared.
    DetectReports: assert (!(valid_i && own_was && was_i.request.db_bd) ||
                           (st_i.registers.dr6.bd && !st_i.registers.dr7.gd && st_i.frame.frame_valid));
  end
  always_comb begin
    CoverDetect:   cover (guarded && (st_i.answer.reg_result == ResultDb) && st_i.request.db_bd);
    CoverGp:       cover (guarded && (st_i.answer.reg_result == ResultGp));
    CoverUd:       cover (guarded && (st_i.answer.reg_result == ResultUd));
    CoverGives:    cover (guarded && (st_i.answer.reg_result == ResultDb) && !st_i.request.db_bd);
    CoverCleared:  cover (valid_i && own_was && was_i.request.db_bd && was_i.registers.dr7.gd);
  end

endmodule
