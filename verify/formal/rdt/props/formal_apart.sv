// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Apart: an access changes nothing in the ways that its class may not fill, unless its own line is there. Neither whether a line
// is valid there nor which of two lines is older changes, so the victims of another class with other ways are the same with and
// without the access.
//
// In the L2 cache one thing more may happen: a line leaves with the line of the L3 cache whose way the access takes.
//
// Rows: RDTA-02, RDTA-05, RDTA-10, RDTA-22.

module formal_apart
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

  logic works;
  assign works = valid_i && accesses(was_i);

  // The way is out of reach: not allowed, and it does not hold the line of the access.
  logic [L3Sets-1:0][L3Ways-1:0] l3_other;
  logic [L2Sets-1:0][L2Ways-1:0] l2_other;

  for (genvar s = 0; s < int'(L3Sets); s++) begin : gen_l3
    for (genvar w = 0; w < int'(L3Ways); w++) begin : gen_ways
      l3_line_t now, old;
      assign now            = tags_i.l3[s][w];
      assign old            = was_tags_i.l3[s][w];
      assign l3_other[s][w] = works && !choice_i.l3[w] && !(old.valid && (old.line == choice_i.asked.line));
      always_comb begin
        // Only `dirty` may rise, when the line comes from the L2 cache.
        Untouched: assert (!l3_other[s][w] || ({now.valid, now.code, now.rmid, now.line} == {old.valid, old.code, old.rmid,
            old.line}));
        Marked:    assert (!l3_other[s][w] || (now.dirty == old.dirty) || ((was_i.job.step == StepMark) &&
            (old.line == was_i.job.victim)));
      end
      for (genvar v = 0; v < w; v++) begin : gen_pairs
        always_comb Order: assert (!(l3_other[s][v] && l3_other[s][w]) ||
            ((tags_i.l3[s][v].age < now.age) == (was_tags_i.l3[s][v].age < old.age)));
      end
    end
  end

  for (genvar s = 0; s < int'(L2Sets); s++) begin : gen_l2
    for (genvar w = 0; w < int'(L2Ways); w++) begin : gen_ways
      l2_line_t now, old;
      logic     leaves;
      assign now            = tags_i.l2[s][w];
      assign old            = was_tags_i.l2[s][w];
      assign leaves         = (was_i.job.step == StepInvLook) && old.valid && (old.line == was_i.job.victim);
      assign l2_other[s][w] = works && !choice_i.l2[w] && !(old.valid && (old.line == choice_i.asked.line));
      always_comb begin
        Untouched: assert (!l2_other[s][w] || leaves || ({now.valid, now.dirty, now.line} == {old.valid, old.dirty, old.line}));
      end
      for (genvar v = 0; v < w; v++) begin : gen_pairs
        always_comb Order: assert (!(l2_other[s][v] && l2_other[s][w]) ||
            ((tags_i.l2[s][v].age < now.age) == (was_tags_i.l2[s][v].age < old.age)));
      end
    end
  end

  // The line that leaves was in a way of the L3 cache that the access may take.
  always_comb begin
    LeavesOwn:  assert (!(works && (was_i.job.step == StepInvLook)) || choice_i.l3[was_i.job.way]);
  end
  always_comb begin
    // A fill leaves the other way alone, which is older.
    CoverFill:  cover (works && (was_i.job.step == StepL3Fill) && (choice_i.l3 == 16'd1) && was_tags_i.l3[0][1].valid &&
                       l3_other[0][1] && (tags_i.l3[0][1].age == 4'd1) && (was_tags_i.l3[0][1].age == 4'd0));
    CoverLeave: cover (works && (was_i.job.step == StepInvLook) && (l2_other != '0) && (tags_i.l2 != was_tags_i.l2) &&
                       (choice_i.l2 == 8'd1));
    CoverMark:  cover (works && (was_i.job.step == StepMark) && l3_other[1][1] && !was_tags_i.l3[1][1].dirty &&
        tags_i.l3[1][1].dirty);
  end

endmodule
