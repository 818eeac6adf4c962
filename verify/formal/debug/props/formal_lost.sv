// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Lost: an interruption without `db_ack` leaves DR6, and leaves nothing pending and nothing held. A request that is
// neither taken nor lost stays as it is.
//
// Rows: DBG-11, DBG-58, DBG-59.

module formal_lost
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

  logic pending, interrupted, unacknowledged, rsm_was, smi_was, to_dr6, to_dr7, gate_was, waits;
  assign pending        = valid_i && was_i.request.db_valid;
  assign interrupted    = valid_i && was_in_i.interrupted.int_valid;
  assign unacknowledged = interrupted && !was_in_i.db_ack;
  assign rsm_was        = valid_i && system(was_in_i, was_i, IntRsm);
  assign smi_was        = valid_i && system(was_in_i, was_i, IntSmi);
  assign to_dr6         = valid_i && moves_to(cfg_i, was_in_i, was_i, 6);
  assign to_dr7         = valid_i && moves_to(cfg_i, was_in_i, was_i, 7);
  assign gate_was       = valid_i && enters_task(was_in_i, was_i);
  assign waits          = pending && !was_in_i.interrupted.int_valid && !was_in_i.db_ack;

  // A #DB of the task that the interruption enters, or of a MOV in its cycle.
  logic of_task, of_mov;
  assign of_task = gate_was && was_in_i.interrupted.int_t;
  assign of_mov  = valid_i && requests(was_in_i, was_i) && (result(cfg_i, was_in_i, was_i) == ResultDb);

  always_comb begin
    // DBG-11, DBG-58: RSM restores DR6, and MOV writes it.
    LostDr6:     assert (!unacknowledged || rsm_was || to_dr6 || (st_i.registers.dr6 == was_i.registers.dr6));
    // A lost request ends no guard.
    LostGd:      assert (!unacknowledged || rsm_was || smi_was || to_dr7 ||
                         (st_i.registers.dr7.gd == was_i.registers.dr7.gd));
    // DBG-58
    LostPending: assert (!unacknowledged || of_task || of_mov || !st_i.request.db_valid);
    LostRequest: assert (!(pending && unacknowledged) || of_task || (st_i.request == '0));
    LostTask:    assert (!(unacknowledged && of_task) ||
                         (st_i.request == request_t'{db_valid: 1'b1, db_class: ClassTrap, db_b: '0,
                          db_bd: 1'b0, db_bs: 1'b0, db_bt: 1'b1}));
    // DBG-59: with or without an acknowledgement nothing is held.
    LostHeld:    assert (!interrupted || ((st_i.held == '0) && !out_i.hold));
    LostFlags:   assert (!interrupted || (!st_i.flags.shadow && !st_i.flags.in_rep && !st_i.flags.passed &&
                                          (st_i.flags.string_n == '0)));
    // DBG-11
    Dr6Changes:  assert (!valid_i || own(was_in_i, was_i) || rsm_was || to_dr6 ||
                         (st_i.registers.dr6 == was_i.registers.dr6));
    // Until it is taken or lost a request stays, and nothing else changes.
    Waits:       assert (!waits || ((st_i.request == was_i.request) && (st_i.registers == was_i.registers) &&
                                    (st_i.flags == was_i.flags) && (st_i.held == was_i.held)));
    WaitsQuiet:  assert (!waits || ((st_i.cut == '0) && (st_i.ask == '0) && (st_i.frame == '0) &&
                                    (st_i.answer == '0)));
    // A request that is taken ends; another one follows from the task's T alone.
    TakenEnds:   assert (!(valid_i && taken(was_in_i, was_i)) || of_task || (st_i.request == '0));
  end
  always_comb begin
    CoverLost:   cover (pending && unacknowledged && !of_task && (was_i.request.db_b != '0) && (was_i.held == '0));
    CoverHeld:   cover (!pending && unacknowledged && (was_i.held.hit != '0) && was_i.flags.shadow);
    CoverTask:   cover (pending && unacknowledged && of_task);
    CoverAgain:  cover (valid_i && own(was_in_i, was_i) && of_task && was_i.request.db_bt);
    CoverPart:   cover (unacknowledged && (was_i.held.hit != '0) && !was_i.flags.shadow && !was_i.flags.in_rep);
  end

endmodule
