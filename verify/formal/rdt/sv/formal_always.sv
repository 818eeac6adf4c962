// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Always: docs/src/rdt/state.md, "What always holds", of every word of the two memories. A set is *good* when clear has
// written it. The proof "invariants" proves this.
//
// Rows: RDTM-02, RDTM-11, RDTM-32, RDTA-02, RDTA-23.

module formal_always
  import rdt_pkg::*;
  import formal_pkg::*;
(
  input config_t cfg_i,
  input state_t  st_i,
  input tags_t   tags_i,
  // In which way of the L3 cache each line of the L2 cache is.
  input way_t [L2Sets-1:0][L2Ways-1:0] at_i
);

  job_t job;
  logic clear, walks_l2, walks_l3;
  assign job      = st_i.job;
  assign clear    = job.step == StepClear;
  assign walks_l2 = job.walk && (job.step inside {StepL2WalkRead, StepL2Walk, StepMarkRead, StepMark});
  assign walks_l3 = job.walk && !walks_l2;

  //////////////////
  // The L3 cache //
  //////////////////

  for (genvar s = 0; s < int'(L3Sets); s++) begin : gen_l3
    l3_line_t [L3Ways-1:0] set;
    logic                  good;
    assign set  = tags_i.l3[s];
    assign good = !clear || (SetW'(s) < job.set_index);

    for (genvar w = 0; w < int'(L3Ways); w++) begin : gen_ways
      // "`word` without `valid` is 0 but for `age`."
      always_comb Emptied: assert (!good || set[w].valid ||
                                 (set[w] == {8'd0, {LineW{1'b0}}, set[w].age}));
      always_comb InUse: assert (!good || !set[w].valid ||
                                 ((5'(w) < cfg_i.l3_ways) && (l3_set(cfg_i, set[w].line) == SetW'(s)) &&
                                  (set[w].rmid <= cfg_i.max_rmid)));
      always_comb Cleared: assert (!clear || !good || !set[w].valid);
      // "Those of the ways in use are a permutation of 0 to `ways` - 1."
      always_comb AgeInUse: assert (!good ||
                                 ((5'(w) < cfg_i.l3_ways) == (5'(set[w].age) < cfg_i.l3_ways)));
      always_comb AgeBuilt: assert (!good || (32'(set[w].age) < L3Ways));
      // "While `step` is idle, no way from `l3_on` or `l2_on` on is valid"; in a walk as far as it has come.
      always_comb Powered: assert (clear || !set[w].valid || (5'(w) < st_i.power.l3_on) ||
                                 (walks_l3 && (SetW'(s) >= job.set_index)));
      for (genvar v = 0; v < w; v++) begin : gen_pairs
        always_comb AgeOnce: assert (!good || (set[v].age != set[w].age));
        // "No line is valid twice in a set."
        always_comb LineOnce: assert (!good || !set[v].valid || !set[w].valid || (set[v].line != set[w].line));
      end
    end
  end

  ///////////////
  // Occupancy //
  ///////////////

  // "`rmid[r].occupancy` is the number of valid lines with RMID r in the L3 memory, given `events`[0]."
  for (genvar r = 0; r < int'(Rmids); r++) begin : gen_rmids
    always_comb Occupied: assert (st_i.rmid[r].occupancy == ((cfg_i.events[0] && !clear) ? l3_lines(tags_i, 5'(r)) : '0));
  end
  // A line that leaves was counted.
  always_comb LeavesCounted: assert (!(cfg_i.events[0] && (job.step == StepEvict)) || (st_i.rmid[job.victim_rmid].occupancy != '0));
  // Each valid line has one RMID, so together they have as many lines as there are.
  logic [OccupancyW+4:0] occupied;
  always_comb begin
    occupied = '0;
    for (int unsigned r = 0; r < Rmids; r++) occupied += (OccupancyW + 5)'(st_i.rmid[r].occupancy);
  end
  always_comb OccupiedAll: assert (occupied == ((cfg_i.events[0] && !clear) ? (OccupancyW + 5)'(l3_valid(tags_i)) : '0));

  //////////////////
  // The L2 cache //
  //////////////////

  for (genvar s = 0; s < int'(L2Sets); s++) begin : gen_l2
    l2_line_t [L2Ways-1:0] set;
    logic                  good;
    assign set  = tags_i.l2[s];
    assign good = !clear || (SetW'(s) < job.set_index);

    for (genvar w = 0; w < int'(L2Ways); w++) begin : gen_ways
      always_comb Emptied: assert (!good || set[w].valid ||
                                 (set[w] == {2'd0, {LineW{1'b0}}, set[w].age}));
      always_comb InUse: assert (!good || !set[w].valid ||
                                 (cfg_i.l2 && (4'(w) < cfg_i.l2_ways) && (l2_set(cfg_i, set[w].line) == SetW'(s))));
      always_comb Cleared: assert (!clear || !good || !set[w].valid);
      always_comb AgeInUse: assert (!good ||
                                 ((4'(w) < cfg_i.l2_ways) == (4'(set[w].age) < cfg_i.l2_ways)));
      always_comb AgeBuilt: assert (!good || (32'(set[w].age) < L2Ways));
      always_comb Powered: assert (clear || !set[w].valid || (4'(w) < st_i.power.l2_on) ||
                                 (walks_l2 && (SetW'(s) >= job.set_index)));
      // "A valid line of the L2 cache is valid in the L3 cache": in idle, and in every other step. Said of each set of the L3 cache, of
      // which a line has one, and of the way that formal_witness names: the solver compares two lines.
      for (genvar h = 0; h < int'(L3Sets); h++) begin : gen_homes
        always_comb Included: assert (clear || !set[w].valid || (l3_set(cfg_i, set[w].line) != SetW'(h)) ||
                                   (tags_i.l3[h][at_i[s][w]].valid && (tags_i.l3[h][at_i[s][w]].line == set[w].line)));
      end
      for (genvar v = 0; v < w; v++) begin : gen_pairs
        always_comb AgeOnce: assert (!good || (set[v].age != set[w].age));
        always_comb LineOnce: assert (!good || !set[v].valid || !set[w].valid || (set[v].line != set[w].line));
      end
    end
  end

endmodule
