// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Lemmas: relations of the registers and the memories while an access or a change of power is in progress, which the induction
// needs. The proof "invariants" proves all of them together with formal_always.

module formal_lemmas
  import rdt_pkg::*;
  import formal_pkg::*;
(
  input logic    clk_i,
  input config_t cfg_i,
  input state_t  st_i,
  input tags_t   tags_i,
  input ways_t   ways_i
);

  way_t [L2Sets-1:0][L2Ways-1:0] at;
  way_t                          home, marked;
  formal_witness u_witness (.clk_i, .st_i, .tags_i, .ways_i, .at_o(at), .home_o(home), .marked_o(marked));
  formal_always  u_always (.cfg_i, .st_i, .tags_i, .at_i(at));

  job_t  job;
  lp_t   mine;
  step_e step;
  assign job  = st_i.job;
  assign step = job.step;
  assign mine = st_i.lp[job.turn];

  logic clear, access, leaves, fills, holds_victim;
  assign clear  = step == StepClear;
  assign access = accesses(st_i);
  // A line of the L3 cache is leaving.
  assign leaves = step inside {StepInvRead, StepInvLook, StepWriteBack, StepEvict};
  // A way waits for the line of the access.
  assign fills  = !job.walk && (leaves || (job.fills && (step inside {StepMemRequest, StepMemWait})) || (step == StepL3Fill));
  // The victim came from the L2 cache.
  assign holds_victim = step inside {StepMarkRead, StepMark};

  ////////////////
  // The access //
  ////////////////

  always_comb StepKnown: assert (step <= StepL3Walk);
  always_comb TurnBuilt: assert (32'(job.turn) < Processors);
  always_comb WalkSteps: assert (!job.walk ||
      (step inside {StepInvRead, StepInvLook, StepWriteBack, StepEvict, StepMarkRead, StepMark, StepL2WalkRead, StepL2Walk,
                    StepL3WalkRead, StepL3Walk}));
  always_comb WalkWalks: assert (job.walk ||
      !(step inside {StepL2WalkRead, StepL2Walk, StepL3WalkRead, StepL3Walk}));
  // "`stage` of the logical processor `turn` is not 0 in a step other than clear, idle and those with `walk`."
  always_comb StageTurn: assert (!access || (mine.stage == ((step inside {StepL2Read, StepL2Look}) ? 2'd1 : 2'd2)));
  always_comb JobTurn: assert (!access ||
      ({job.rmid, job.cos, job.write, job.code, job.line} == {mine.access_rmid, mine.access_cos, mine.write, mine.code,
          mine.line}));
  always_comb NoL2: assert (cfg_i.l2 || ((job.l2_allowed == '0) &&
      !(step inside {StepL2Read, StepL2Look, StepInvRead, StepInvLook, StepL2Fetch, StepL2Fill, StepMarkRead, StepMark,
                     StepL2WalkRead, StepL2Walk})));
  for (genvar i = 0; i < int'(Processors); i++) begin : gen_processors
    lp_t lp;
    assign lp = st_i.lp[i];
    // "`stage` is 1 only with the strap `l2`."
    always_comb StageKnown: assert ((lp.stage != 2'd3) && ((lp.stage != 2'd1) || cfg_i.l2));
    always_comb StageClear: assert (!clear || (lp.stage == '0));
    always_comb RmidKnown: assert ((lp.rmid <= cfg_i.max_rmid) && (lp.access_rmid <= cfg_i.max_rmid));
    always_comb CosKnown: assert ((32'(lp.cos) < Classes) && (32'(lp.access_cos) < Classes));
    always_comb CodeReads: assert (!lp.write || !lp.code);
  end
  always_comb RmidKnown: assert ((job.rmid <= cfg_i.max_rmid) && (job.victim_rmid <= cfg_i.max_rmid));
  always_comb CosKnown: assert (32'(job.cos) < Classes);
  // A set is counted while the memories are cleared and during a walk.
  always_comb SetCounted: assert (clear || job.walk || (job.set_index == '0));

  always_comb HitBehind: assert (!(step inside {StepL2Read, StepL2Look, StepL3Read, StepL3Look}) || !job.hit);

  //////////////////
  // Allowed ways //
  //////////////////

  for (genvar n = 0; n < int'(Classes); n++) begin : gen_classes
    always_comb L3Mask: assert ((st_i.classes[n].l3_mask & ~ways_below(cfg_i.l3_ways)) == '0);
    // A delay is one that WRMSR takes.
    always_comb DelayKnown: assert ((st_i.classes[n].delay == '0) || (cfg_i.mba && (st_i.classes[n].delay <= cfg_i.mba_max)));
    always_comb L2Mask: assert ((st_i.classes[n].l2_mask & ~8'(ways_below(5'(cfg_i.l2_ways)))) == '0);
  end
  always_comb PowerInUse: assert ((st_i.power.l3_on <= cfg_i.l3_ways) && (st_i.power.l2_on <= cfg_i.l2_ways));
  always_comb PowerClear: assert (!clear || (st_i.power == '0));
  always_comb L3AllowedOn: assert (!access || ((job.l3_allowed & ~ways_below(st_i.power.l3_on)) == '0));
  always_comb L2AllowedOn: assert (!access || ((job.l2_allowed & ~8'(ways_below(5'(st_i.power.l2_on)))) == '0));
  always_comb FillsWay: assert (!fills || (job.fills && job.l3_allowed[job.way]));
  always_comb WayBuilt: assert (32'(job.way) < L3Ways);

  //////////////////////////////
  // Words that were read last //
  //////////////////////////////

  logic [$clog2(L3Sets)-1:0] l3_index;
  logic [$clog2(L2Sets)-1:0] l2_index;
  assign l3_index = st_i.l3.index[$clog2(L3Sets)-1:0];
  assign l2_index = st_i.l2.index[$clog2(L2Sets)-1:0];

  // "`index`, `written` and `word` show every write." Said of each set: the solver compares a line with a line.
  for (genvar s = 0; s < int'(L3Sets); s++) begin : gen_l3_word
    for (genvar w = 0; w < int'(L3Ways); w++) begin : gen_ways
      always_comb L3Word: assert (clear || (32'(l3_index) != 32'(s)) || (st_i.l3.word.line[w] == tags_i.l3[s][w]));
    end
  end
  for (genvar s = 0; s < int'(L2Sets); s++) begin : gen_l2_word
    for (genvar w = 0; w < int'(L2Ways); w++) begin : gen_ways
      always_comb L2Word: assert (clear || (32'(l2_index) != 32'(s)) || (st_i.l2.word.line[w] == tags_i.l2[s][w]));
    end
  end

  // The set that the L3 memory shows.
  logic [SetW-1:0] l3_of;
  always_comb begin
    l3_of = l3_set(cfg_i, job.line);
    if (holds_victim) l3_of = l3_set(cfg_i, job.victim);
    else if (job.walk) l3_of = job.set_index;
  end
  always_comb L3Index: assert (!((step inside {StepL3Look, StepL2Fetch, StepL2Fill, StepMark, StepL3Walk}) || leaves || fills) ||
      (SetW'(l3_index) == l3_of));
  always_comb L2IndexLine: assert (!(step inside {StepL2Look, StepL2Fill}) || (SetW'(l2_index) == l2_set(cfg_i, job.line)));
  always_comb L2IndexInv: assert (!(step == StepInvLook) || (SetW'(l2_index) == l2_set(cfg_i, job.victim)));
  always_comb L2IndexWalk: assert (!(step == StepL2Walk) || (SetW'(l2_index) == job.set_index));

  // A walk stays in the sets that are in use.
  always_comb ClearSet: assert (!clear || (32'(job.set_index) < MoreSets));
  always_comb WalkSet: assert (!job.walk || (job.set_index <= SetW'(last_set(
      ((step inside {StepL2WalkRead, StepL2Walk}) || holds_victim) ? cfg_i.l2_sets : cfg_i.l3_sets))));

  ////////////////////////
  // Lines on their way //
  ////////////////////////

  // The line that leaves is in its way, and from write_back on not in the L2 cache any more.
  l3_line_t way;
  assign way = st_i.l3.word.line[job.way[$clog2(L3Ways)-1:0]];
  always_comb LeavingHeld: assert (!leaves || (way.valid && (way.line == job.victim) && (way.rmid == job.victim_rmid) &&
      (!way.dirty || job.victim_dirty)));
  always_comb LeavingOff: assert (!(leaves && job.walk) || (5'(job.way) >= st_i.power.l3_on));
  logic gone;
  assign gone = step inside {StepWriteBack, StepEvict};
  for (genvar s = 0; s < int'(L2Sets); s++) begin : gen_l2_leaves
    always_comb LeavingGone: assert (!gone || !in_l2_set(tags_i.l2[s], job.victim));
  end
  // The line of an access that fills is not there yet, and its way is empty.
  for (genvar s = 0; s < int'(L3Sets); s++) begin : gen_l3_fills
    for (genvar w = 0; w < int'(L3Ways); w++) begin : gen_ways
      always_comb FillMissed: assert (!fills || !tags_i.l3[s][w].valid || (tags_i.l3[s][w].line != job.line));
    end
  end
  for (genvar w = 0; w < int'(L3Ways); w++) begin : gen_fill_word
    l3_line_t missed;
    assign missed = st_i.l3.word.line[w];
    always_comb FillWord: assert (!fills || !missed.valid || (missed.line != job.line));
  end
  always_comb FillEmpty: assert (!fills || leaves || !way.valid);
  // The L2 cache gets what the L3 cache holds. "It always finds one": the line that left the L2 cache is still in the L3 cache.
  logic fetches;
  assign fetches = step inside {StepL2Fetch, StepL2Fill};
  for (genvar w = 0; w < int'(L3Ways); w++) begin : gen_fetched
    l3_line_t fetched;
    assign fetched = st_i.l3.word.line[w];
    always_comb FetchedWord: assert (!fetches || (home != way_t'(w)) || (fetched.valid && (fetched.line == job.line)));
  end
  always_comb FetchedWay: assert (!fetches || (job.l2_allowed != '0));
  for (genvar w = 0; w < int'(L3Ways); w++) begin : gen_marked
    l3_line_t held;
    assign held = st_i.l3.word.line[w];
    always_comb MarkedWord: assert ((step != StepMark) || (marked != way_t'(w)) || (held.valid && (held.line == job.victim)));
  end
  for (genvar s = 0; s < int'(L3Sets); s++) begin : gen_l3_holds
    for (genvar w = 0; w < int'(L3Ways); w++) begin : gen_ways
      l3_line_t held;
      assign held = tags_i.l3[s][w];
      always_comb FetchedHeld: assert (!fetches || (l3_set(cfg_i, job.line) != SetW'(s)) || (home != way_t'(w)) ||
          (held.valid && (held.line == job.line)));
      always_comb MarkedHeld: assert (!holds_victim || (l3_set(cfg_i, job.victim) != SetW'(s)) || (marked != way_t'(w)) ||
          (held.valid && (held.line == job.victim)));
    end
  end

endmodule
