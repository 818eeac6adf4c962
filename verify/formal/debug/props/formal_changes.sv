// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Changes: DR0 to DR3, DR6, DR7 and the copies of SMM change by the events of the table "Who changes what" alone, and take
// what it says. The register request of a cycle is the youngest event in it.
//
// Rows: DBG-10 to DBG-13, DBG-16, DBG-17, DBG-19, DBG-21, DBG-25.

module formal_changes
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
  input state_t  was_i,
  // Instruction breakpoints at its lanes; of the first one those at the next instruction, if it is not valid.
  input fetch_t [Lanes-1:0] fetch_i
);

  logic own_was, smi_was, rsm_was, gate_was, switched;
  assign own_was  = valid_i && own(was_in_i, was_i);
  assign smi_was  = valid_i && system(was_in_i, was_i, IntSmi);
  assign rsm_was  = valid_i && system(was_in_i, was_i, IntRsm);
  assign gate_was = valid_i && enters_task(was_in_i, was_i);
  always_comb begin
    switched = 1'b0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (valid_i && accepted(was_in_i, was_i, st_i.cut, l) && !abort_lane(cfg_i, was_in_i.lanes[l]) &&
          (was_in_i.lanes[l].debug.kind == KindTask)) switched = 1'b1;
    end
  end

  logic        to_dr6, to_dr7;
  logic [63:0] value;
  assign to_dr6 = valid_i && moves_to(cfg_i, was_in_i, was_i, 6);
  assign to_dr7 = valid_i && moves_to(cfg_i, was_in_i, was_i, 7);
  assign value  = operand(cfg_i, was_in_i);

  dr6_t dr6, old6;
  dr7_t dr7, old7;
  assign dr6  = st_i.registers.dr6;
  assign dr7  = st_i.registers.dr7;
  assign old6 = was_i.registers.dr6;
  assign old7 = was_i.registers.dr7;

  // B0 to B3 that a taken request reports: after accesses alone the next instruction's as well, if it is to be stopped and the
  // strap merges.
  request_t   request;
  logic [3:0] b;
  logic       merges;
  assign request = was_i.request;
  assign merges  = (cfg_i.merge_next == MergeNextOne) && (request.db_class == ClassTrap) &&
                   ({request.db_bs, request.db_bt} == '0) && (request.db_b != '0) &&
                   was_in_i.interrupted.int_valid && !was_i.flags.rf && !was_i.flags.in_rep &&
                   !(was_i.flags.shadow && (cfg_i.ss_fetch == SsFetchSkip)) &&
                   (fetch_i[0].hit != '0);
  assign b       = request.db_b | (merges ? fetch_i[0].told : '0);

  localparam logic [7:0] Local = 8'b0101_0101;

  logic tasks;
  assign tasks = (gate_was || switched) && !to_dr7;

  for (genvar n = 0; n < 4; n++) begin : gen_address
    logic moved;
    assign moved = valid_i && moves_to(cfg_i, was_in_i, was_i, n);
    always_comb begin
      AddressMoved: assert (!moved || (st_i.registers.address[n] == value));
      AddressStays: assert (!valid_i || moved || (st_i.registers.address[n] == was_i.registers.address[n]));
    end
  end

  always_comb begin
    // DBG-10
    Dr6Moved:    assert (!to_dr6 || (dr6 == dr6_t'{b: value[3:0], bd: value[13], bs: value[14], bt: value[15],
                                              in_tx: cfg_i.rtm && !value[16]}));
    // DBG-11, DBG-12, DBG-13
    Dr6B:        assert (!own_was || (dr6.b == ((cfg_i.status == StatusKeepAll) ? old6.b | b : b)));
    Dr6Others:   assert (!own_was || ({dr6.bd, dr6.bs, dr6.bt} ==
                         ({request.db_bd, request.db_bs, request.db_bt} |
                          ((cfg_i.status == StatusReplace) ? '0 : {old6.bd, old6.bs, old6.bt}))));
    // DBG-16
    Dr6Region:   assert (!own_was || (dr6.in_tx == (request.db_class == ClassRollback)));
    Dr6Restored: assert (!rsm_was || to_dr6 || (dr6 == was_i.registers.smm.dr6));
    Dr6Stays:    assert (!valid_i || own_was || to_dr6 || rsm_was || (dr6 == old6));
    // DBG-17
    Dr7Moved:    assert (!to_dr7 || (dr7 == dr7_t'{enable: value[7:0], le: value[8], ge: value[9],
                                              rtm: cfg_i.rtm && value[11], gd: value[13], kind: value[31:16]}));
    // DBG-25
    Dr7Gd:       assert (!own_was || !dr7.gd);
    // DBG-19
    Dr7Local:    assert (!tasks || ((dr7.enable & Local) == '0));
    // DBG-21: a task switch keeps the rest of DR7; LE is among it.
    Dr7Global:   assert (!tasks || ((dr7.enable & ~Local) == (old7.enable & ~Local)));
    Dr7Rest:     assert (!tasks || ({dr7.le, dr7.ge, dr7.rtm, dr7.kind} == {old7.le, old7.ge, old7.rtm, old7.kind}));
    Dr7Smm:      assert (!smi_was || to_dr7 || (dr7 == '0));
    Dr7Restored: assert (!rsm_was || to_dr7 || (dr7 == was_i.registers.smm.dr7));
    Dr7Stays:    assert (!valid_i || own_was || to_dr7 || smi_was || rsm_was || gate_was || switched || (dr7 == old7));
    Dr7OnlyGd:   assert (!own_was || gate_was || ({dr7.enable, dr7.le, dr7.ge, dr7.rtm, dr7.kind} ==
                         {old7.enable, old7.le, old7.ge, old7.rtm, old7.kind}));
    CopiesTaken: assert (!smi_was || ({st_i.registers.smm.dr6, st_i.registers.smm.dr7} == {old6, old7}));
    CopiesStay:  assert (!valid_i || smi_was || (st_i.registers.smm == was_i.registers.smm));
  end
  always_comb begin
    CoverMerges: cover (own_was && (b != request.db_b) && merges);
    CoverTask:   cover (switched && (old7.enable[1:0] == 2'b11) && (dr7.enable[1:0] == 2'b10));
    CoverGate:   cover (own_was && gate_was && old7.enable[0] && !dr7.enable[0]);
    CoverKept:   cover (own_was && (dr6.bs != request.db_bs) && !request.db_bs);
    CoverRsm:    cover (rsm_was && (dr7 != old7) && (dr6 != old6));
  end

endmodule
