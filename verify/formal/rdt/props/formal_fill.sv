// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Fill: a line is put into a way of a cache for one reason alone, an access that missed there; the way is one of those that its
// class allowed when it was chosen, by masks, CDP and power. A line that stays keeps its RMID.
//
// Rows: RDTM-11, RDTA-02, RDTA-08, RDTA-10, RDTA-13, RDTA-19, RDTA-22, RDTA-23, RDTA-27.

module formal_fill
  import rdt_pkg::*;
  import formal_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input in_t     in_i,
  input out_t    out_i,
  input state_t  st_i,
  input tags_t   tags_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input out_t    was_out_i,
  input state_t  was_i,
  input tags_t   was_tags_i,
  // What was asked for, and the access that was chosen last.
  input asked_t [Processors-1:0] asked_i,
  input chosen_t                 choice_i
);

  // In clear the memories have any content.
  logic after;
  assign after = valid_i && (was_i.job.step != StepClear);

  logic [L3Sets-1:0][L3Ways-1:0] l3_new;
  for (genvar s = 0; s < int'(L3Sets); s++) begin : gen_l3
    for (genvar w = 0; w < int'(L3Ways); w++) begin : gen_ways
      l3_line_t now, old;
      logic     stays;
      assign now          = tags_i.l3[s][w];
      assign old          = was_tags_i.l3[s][w];
      assign stays        = after && old.valid && now.valid && (old.line == now.line);
      assign l3_new[s][w] = after && now.valid && !stays;
      always_comb begin
        // RDTA-02, RDTA-08, RDTA-13, RDTA-19, RDTA-23
        FilledAllowed: assert (!l3_new[s][w] || choice_i.l3[w]);
        FilledAsked:   assert (!l3_new[s][w] || ({now.rmid, now.code, now.line} ==
                                                 {choice_i.asked.rmid, choice_i.asked.code, choice_i.asked.line}));
        // An empty way first; what was there has left before.
        FilledEmpty:   assert (!l3_new[s][w] || !old.valid);
        FilledOnce:    assert (!l3_new[s][w] || (was_i.job.step == StepL3Fill));
        // RDTM-11: a line is charged to the RMID that filled it until it leaves.
        StaysOwned:    assert (!stays || ({now.rmid, now.code} == {old.rmid, old.code}));
        // It is written back unless it is clean.
        StaysDirty:    assert (!stays || now.dirty || !old.dirty);
        LeavesAlone:   assert (!(after && old.valid && !now.valid) || (was_i.job.step == StepEvict));
      end
    end
  end

  logic [L2Sets-1:0][L2Ways-1:0] l2_new;
  for (genvar s = 0; s < int'(L2Sets); s++) begin : gen_l2
    for (genvar w = 0; w < int'(L2Ways); w++) begin : gen_ways
      l2_line_t now, old;
      logic     stays;
      assign now          = tags_i.l2[s][w];
      assign old          = was_tags_i.l2[s][w];
      assign stays        = after && old.valid && now.valid && (old.line == now.line);
      assign l2_new[s][w] = after && now.valid && !stays;
      always_comb begin
        // RDTA-22, RDTA-23
        FilledAllowed: assert (!l2_new[s][w] || choice_i.l2[w]);
        FilledAsked:   assert (!l2_new[s][w] || ((now.line == choice_i.asked.line) && (now.dirty == choice_i.asked.write)));
        StaysDirty:    assert (!stays || now.dirty || !old.dirty);
      end
    end
  end

  // The victim: "the lowest that is not valid; if all are, the one with the largest `age`", among the allowed ways.
  logic [15:0] allowed;
  logic        looks;
  l3_line_t [L3Ways-1:0] word;
  assign looks   = valid_i && (was_i.job.step == StepL3Look) && (st_i.job.step inside {StepInvRead, StepWriteBack, StepEvict,
      StepMemRequest});
  assign allowed = was_i.job.l3_allowed;
  assign word    = was_tags_i.l3[was_i.l3.index[$clog2(L3Sets)-1:0]];
  l3_line_t victim;
  assign victim = word[st_i.job.way[$clog2(L3Ways)-1:0]];
  for (genvar w = 0; w < int'(L3Ways); w++) begin : gen_victim
    always_comb begin
      VictimLowest: assert (!(looks && (allowed != '0) && allowed[w] && !word[w].valid) ||
                            (!victim.valid && (32'(st_i.job.way) <= w)));
      VictimOldest: assert (!(looks && (allowed != '0) && allowed[w] && victim.valid) || (word[w].age <= victim.age));
    end
  end
  always_comb begin
    VictimAllowed: assert (!looks || (allowed == '0) || allowed[st_i.job.way]);
    // RDT-12: a class with an empty mask fills nothing.
    EmptyFills:    assert (!looks || (st_i.job.fills == (allowed != '0)));
  end

  always_comb begin
    // CDP: code goes where data of its class may not.
    CoverCode:  cover ((l3_new != '0) && was_i.cdp.l3 && choice_i.asked.code && (was_i.classes[0].l3_mask == 16'd1) &&
                       (choice_i.l3 == 16'd2));
    CoverData:  cover ((l2_new != '0) && was_i.cdp.l2 && !choice_i.asked.code && (was_i.classes[1].l2_mask == 8'd1) &&
                       (choice_i.l2 == 8'd2));
    // While a way is missing, a class fills what its mask does not allow.
    CoverPower: cover ((l3_new != '0) && (st_i.power.l3_on == 5'd1) && (cfg_i.l3_ways == 5'd2) && cfg_i.l3_cat &&
                       (was_i.classes[0].l3_mask == 16'd2) && (choice_i.asked.cos == '0) && !was_i.cdp.l3);
    // A hit outside of the mask.
    CoverHit:   cover (valid_i && st_i.lp[0].l3_hit && (choice_i.turn == '0) && (choice_i.l3 == 16'd1) &&
                       was_tags_i.l3[0][1].valid && (was_tags_i.l3[0][1].line == choice_i.asked.line));
    // A line of the L2 cache that was written makes room.
    CoverBoth:  cover ((l2_new != '0) && (was_i.job.step == StepL2Fill) && was_tags_i.l2[1][0].valid &&
                       (st_i.job.step == StepMarkRead));
    CoverEmpty: cover (looks && (allowed == '0) && choice_i.asked.write);
    CoverAge:   cover (looks && victim.valid && (st_i.job.way == '0) && (allowed == 16'd3));
  end

endmodule
