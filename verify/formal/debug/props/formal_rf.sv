// SPDX-License-Identifier: MIT OR Apache-2.0
//
// RF: the value before the next instruction, and the value that a frame has, line by line of the two tables.
//
// Rows: DBG-40 to DBG-47, DBG-51.

module formal_rf
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

  logic own_was, entry, gate_was, smi_was, rsm_was, inside_rep, image;
  assign own_was    = valid_i && own(was_in_i, was_i);
  assign entry      = valid_i && enters(was_in_i, was_i);
  assign gate_was   = valid_i && enters_task(was_in_i, was_i);
  assign smi_was    = valid_i && system(was_in_i, was_i, IntSmi);
  assign rsm_was    = valid_i && system(was_in_i, was_i, IntRsm);
  assign inside_rep = was_i.flags.in_rep;
  assign image      = was_i.flags.rf || (inside_rep && (cfg_i.rep_rf == RepRfSet));

  // The last accepted lane, and RF behind it.
  logic  any, rf_behind;
  lane_t last;
  always_comb begin
    any       = 1'b0;
    last      = '0;
    rf_behind = was_i.flags.rf;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (valid_i && accepted(was_in_i, was_i, st_i.cut, l)) begin
        any  = 1'b1;
        last = was_in_i.lanes[l];
        if (abort_lane(cfg_i, last)) rf_behind = 1'b0;
        else if (loads_image(last)) rf_behind = last.debug.rf_image;
        else rf_behind = rf_behind && keeps_rf(cfg_i, last);
      end
    end
  end

  logic aborts, loads;
  assign aborts = any && abort_lane(cfg_i, last);
  assign loads  = any && !aborts && loads_image(last);

  // What is delivered.
  logic breakpoint, detect, rollback, trap, exception, fault, other;
  assign breakpoint = own_was && (was_i.request.db_class == ClassFault) && !was_i.request.db_bd;
  assign detect     = own_was && (was_i.request.db_class == ClassFault) && was_i.request.db_bd;
  assign rollback   = own_was && (was_i.request.db_class == ClassRollback);
  assign trap       = own_was && (was_i.request.db_class == ClassTrap);
  assign exception  = entry && !own_was && (was_in_i.interrupted.int_kind == IntException);
  assign fault      = exception && !was_in_i.interrupted.int_trap;
  assign other      = entry && !own_was && !fault;

  always_comb begin
    // DBG-41, DBG-42
    Retired:      assert (!any || (st_i.flags.rf == rf_behind));
    // DBG-42
    ImageLoaded:  assert (!loads || (st_i.flags.rf == last.debug.rf_image));
    ImageGate:    assert (!gate_was || (st_i.flags.rf == was_in_i.interrupted.int_rf));
    Entered:      assert (!entry || gate_was || !st_i.flags.rf);
    Aborted:      assert (!aborts || !st_i.flags.rf);
    AbortTaken:   assert (!(valid_i && taken(was_in_i, was_i) && !own_was && !was_in_i.interrupted.int_valid) ||
                          !st_i.flags.rf);
    SmiClears:    assert (!smi_was || !st_i.flags.rf);
    SmiKeeps:     assert (!smi_was || (st_i.registers.smm.rf == image));
    RsmRestores:  assert (!rsm_was || (st_i.flags.rf == was_i.registers.smm.rf));
    CopyStays:    assert (!valid_i || smi_was || (st_i.registers.smm.rf == was_i.registers.smm.rf));
    // DBG-41: nothing else changes it, neither a question nor a lane that is cut.
    Stays:        assert (!valid_i || any || delivers(was_in_i, was_i) || (st_i.flags.rf == was_i.flags.rf));

    // DBG-46, DBG-47: an instruction breakpoint is delivered with RF as it is, which is 0.
    FrameBreak:   assert (!breakpoint || (st_i.frame.frame_rf == was_i.flags.rf));
    FrameZero:    assert (!breakpoint || !st_i.frame.frame_rf);
    PendingZero:  assert (!st_i.request.db_valid || (st_i.request.db_class != ClassFault) || st_i.request.db_bd ||
                          !st_i.flags.rf);
    // DBG-43
    FrameDetect:  assert (!(detect || rollback) || (st_i.frame.frame_rf == cfg_i.fault_rf));
    // DBG-45, DBG-46
    FrameTrap:    assert (!trap || (st_i.frame.frame_rf == image));
    // DBG-43, DBG-51
    FrameFault:   assert (!fault || (st_i.frame.frame_rf == cfg_i.fault_rf));
    // DBG-44, DBG-45, DBG-46
    FrameOther:   assert (!other || (st_i.frame.frame_rf == image));
    // One cycle after each entry, and not otherwise. SMI, RSM and an abort push none.
    FrameOne:     assert (!valid_i || (st_i.frame.frame_valid == entry));
    FrameNone:    assert (entry || !st_i.frame.frame_rf);
    // The delivery is one of these.
    FrameCases:   assert (!entry || breakpoint || detect || rollback || trap || fault || other);
  end
  always_comb begin
    CoverBreak:   cover (breakpoint);
    CoverDetect:  cover (detect && st_i.frame.frame_rf);
    CoverRoll:    cover (rollback && st_i.frame.frame_rf);
    CoverTrap:    cover (trap && was_i.flags.rf && !inside_rep);
    CoverTrapRep: cover (trap && inside_rep && !was_i.flags.rf);
    CoverFault:   cover (fault && st_i.frame.frame_rf);
    CoverPentium: cover (fault && !st_i.frame.frame_rf && image);
    CoverNmi:     cover (other && was_i.flags.rf && (was_in_i.interrupted.int_kind == IntNmi));
    CoverOther:   cover (other && exception && st_i.frame.frame_rf && inside_rep);
    CoverRsm:     cover (rsm_was && st_i.flags.rf);
    CoverGate:    cover (gate_was && st_i.flags.rf && own_was);
  end

endmodule
