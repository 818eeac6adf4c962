// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Control: IA32_DEBUGCTL and its copy of SMM change by WRMSR, the freeze of a performance interrupt, #DB, SMI and RSM alone,
// and take what the contract says. No bit is ever set that is reserved or belongs to a feature that does not exist.
//
// Rows: DCTL-02, DCTL-03, DCTL-11, DCTL-13, DCTL-14, DCTL-16, DCTL-17, DCTL-19, DCTL-22 to DCTL-25, BTS-12.

module formal_control
  import retire_pkg::*;
  import trace_pkg::*;
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

  logic written, freeze, debug_was, smi, rsm;
  assign written   = valid_i && writes(cfg_i, was_in_i, was_i, 32'h1D9);
  assign freeze    = valid_i && (was_in_i.pmi || was_i.notice.ds_pmi) && was_i.control.debugctl[11];
  assign debug_was = valid_i && delivers_debug(was_in_i, was_i);
  assign smi       = valid_i && delivers_kind(was_in_i, was_i, IntSmi) && was_i.control.debugctl[14];
  assign rsm       = valid_i && delivers_kind(was_in_i, was_i, IntRsm) && was_i.control.smm_frozen;

  logic [15:0] now, old, copy, old_copy;
  assign now      = st_i.control.debugctl;
  assign old      = was_i.control.debugctl;
  assign copy     = st_i.control.smm_debugctl;
  assign old_copy = was_i.control.smm_debugctl;

  // Steps 1 and 2.
  logic [15:0] value, kept_copy;
  assign value     = (written ? was_in_i.request.reg_wdata[15:0] : old) & ~16'(freeze);
  assign kept_copy = old_copy & ~16'(freeze);

  always_comb begin
    // DCTL-03: reserved bits, and bits of features that do not exist, are never set.
    Reserved:    assert ((now & 16'h203C) == '0);
    Exists:      assert (!refuses(cfg_i, 32'h1D9, {48'd0, now}));
    CopyExists:  assert (!refuses(cfg_i, 32'h1D9, {48'd0, copy}));
    // DCTL-02
    Written:     assert (!written || (now == (was_in_i.request.reg_wdata[15:0] & ~16'(freeze))));
    // DCTL-16, DCTL-19: a #DB clears LBR and BTF,
    DebugClears: assert (!debug_was || (now[1:0] == '0));
    // DCTL-17: and leaves TR, as every other bit.
    DebugLeaves: assert (!debug_was || (now[15:2] == old[15:2]));
    // DCTL-13
    SmiClears:   assert (!smi || (now == (value & ~16'h00C3)));
    SmiSaves:    assert (!smi || (st_i.control.smm_frozen && (copy == value)));
    // DCTL-14
    RsmRestores: assert (!rsm || ((now == kept_copy) && !st_i.control.smm_frozen && (copy == '0)));
    // DCTL-11, DCTL-22, DCTL-23, DCTL-24: nothing of the cycle undoes a freeze.
    Freezes:     assert (!freeze || (st_i.control.lbr_frozen && !now[0] && !copy[0]));
    Thaws:       assert (!valid_i || freeze || (st_i.control.lbr_frozen == (was_i.control.lbr_frozen && !written)));
    // DCTL-25: while it is frozen LBR does not come back, neither by RSM.
    FrozenOff:   assert (!st_i.control.lbr_frozen || (!now[0] && !copy[0]));
    // Nothing else changes them.
    Stays:       assert (!valid_i || debug_was || smi || rsm || (now == value));
    CopyStays:   assert (!valid_i || smi || rsm || ((copy == kept_copy) &&
                                                    (st_i.control.smm_frozen == was_i.control.smm_frozen)));
    // BTS-12
    AreaWritten: assert (!valid_i || (st_i.control.ds_area == (writes(cfg_i, was_in_i, was_i, 32'h600) ?
                                      was_in_i.request.reg_wdata : was_i.control.ds_area)));
    AreaPlace:   assert (canonical(cfg_i, st_i.control.ds_area));
    PebsWritten: assert (!valid_i || (st_i.control.pebs_enable == (writes(cfg_i, was_in_i, was_i, 32'h3F1) ?
                                      was_in_i.request.reg_wdata[3:0] : was_i.control.pebs_enable)));
    PebsExists:  assert ((st_i.control.pebs_enable >> cfg_i.pebs_counters) == '0);
    // The last accepted request is answered, by the table.
    Answered:    assert (!valid_i || (out_i.answer == (accepts(was_in_i, was_i) ?
                         {1'b1, result(cfg_i, was_in_i),
                          ((was_in_i.request.reg_op == RegRdmsr) && (result(cfg_i, was_in_i) == ResultDone)) ?
                          shows(cfg_i, was_i, was_in_i.request.reg_number) : 64'd0} : '0)));
  end
  always_comb begin
    CoverDebug:  cover (debug_was && (old == 16'h00C3));
    CoverSmi:    cover (smi && freeze && (now != value));
    CoverRsm:    cover (rsm && (now == 16'h41C3));
    CoverAgain:  cover (smi && was_i.control.smm_frozen && (copy != old_copy));
    CoverFreeze: cover (freeze && written && was_in_i.request.reg_wdata[0]);
    CoverInSmm:  cover (freeze && was_i.control.smm_frozen && old_copy[0]);
    CoverThaws:  cover (written && was_i.control.lbr_frozen && now[0]);
    CoverGp:     cover (out_i.answer.reg_done && (out_i.answer.reg_result == ResultGp) && (level(was_in_i) == '0));
    CoverRead:   cover (out_i.answer.reg_done && (out_i.answer.reg_rdata == 64'hFFFF_8000_0000_0008));
  end

endmodule
