// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Witness: in which way of its set of the L3 cache a line is that the L2 cache holds, or that an access or a change of power has in hand.
// A history, kept beside the unit: that a line is *somewhere* in a set is hard for the solver, that it is in this way is easy. Nothing is
// assumed of it; that the line is there is what Included, FetchedHeld and MarkedHeld say.

module formal_witness
  import rdt_pkg::*;
  import formal_pkg::*;
(
  input  logic    clk_i,
  input  state_t  st_i,
  input  tags_t   tags_i,
  // What the unit finds in the words.
  input  ways_t   ways_i,
  // The way of each line of the L2 cache, of the line of the access, and of the line that left the L2 cache dirty.
  output way_t [L2Sets-1:0][L2Ways-1:0] at_o,
  output way_t                          home_o,
  output way_t                          marked_o
);

  job_t                      job;
  logic [$clog2(L2Sets)-1:0] l2_index;
  assign job      = st_i.job;
  assign l2_index = st_i.l2.index[$clog2(L2Sets)-1:0];

  // The line of the access is found, or filled.
  way_t home_d, home_q;
  always_comb begin
    home_d = home_q;
    if (job.step == StepL3Look) begin
      for (int unsigned w = 0; w < L3Ways; w++) begin
        if (ways_i.l3_hit[w]) home_d = way_t'(w);
      end
    end
    if (job.step == StepL3Fill) home_d = way_t'(job.way);
  end

  // The line of the access enters the L2 cache.
  way_t [L2Sets-1:0][L2Ways-1:0] at_d, at_q;
  for (genvar s = 0; s < int'(L2Sets); s++) begin : gen_sets
    for (genvar w = 0; w < int'(L2Ways); w++) begin : gen_ways
      assign at_d[s][w] = ((job.step == StepL2Fill) && (32'(l2_index) == s) && (ways_i.l2_hit == '0) && ways_i.l2_victim[w]) ?
                          home_q : at_q[s][w];
    end
  end

  // A line leaves the L2 cache: it makes room, or its way loses power.
  way_t marked_d, marked_q;
  always_comb begin
    marked_d = marked_q;
    for (int unsigned w = 0; w < L2Ways; w++) begin
      if ((job.step == StepL2Fill) && ways_i.l2_victim[w]) marked_d = at_q[l2_index][w];
      if ((job.step == StepL2Walk) && ways_i.l2_off[w]) marked_d = at_q[l2_index][w];
    end
  end

  always_ff @(posedge clk_i) begin
    home_q   <= home_d;
    at_q     <= at_d;
    marked_q <= marked_d;
  end

  assign at_o     = at_q;
  assign home_o   = home_q;
  assign marked_o = marked_q;

endmodule
