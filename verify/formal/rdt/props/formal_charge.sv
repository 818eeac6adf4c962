// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Charge: no counter of an RMID is moved by another's. A bandwidth counter moves by one transfer at a time, one that the memory
// port shows with its RMID; the RMID is that of the cycle in which the line was asked for, or that of the line that is written
// back. Occupancy moves by one line that enters or leaves with its RMID.
//
// Rows: RDTM-02, RDTM-03, RDTM-07, RDTM-10, RDTM-11, RDTM-15, RDTM-17.

module formal_charge
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

  logic clear, cleared, moves, counts;
  assign clear   = valid_i && (was_i.job.step == StepClear);
  assign cleared = clear && (st_i.job.step != StepClear);
  // "Counted when memory takes the request."
  assign moves   = valid_i && was_out_i.mem.mem_req && was_in_i.mem.mem_gnt;
  assign counts  = moves && (cfg_i.write_backs || !was_out_i.mem.mem_write);

  for (genvar r = 0; r < int'(Rmids); r++) begin : gen_rmids
    rmid_t                 now, old;
    logic                  mine, starts;
    // Lines of the RMID in the L3 memory, now and in the cycle before.
    logic [OccupancyW-1:0] lines, lines_q;
    assign lines  = l3_lines(tags_i, 5'(r));
    always_ff @(posedge clk_i) lines_q <= lines;
    assign now    = st_i.rmid[r];
    assign old    = was_i.rmid[r];
    assign mine   = counts && (was_out_i.mem.mem_rmid == 5'(r));
    assign starts = cleared && (5'(r) <= cfg_i.max_rmid);
    always_comb begin
      // RDTM-03, RDTM-11
      Total:     assert (!valid_i || (now.total == ((starts && cfg_i.events[1]) ? cfg_i.start :
                                                    old.total + 62'(mine && cfg_i.events[1]))));
      Local:     assert (!valid_i || (now.local_lines == ((starts && cfg_i.events[2]) ? cfg_i.start :
                                      old.local_lines + 62'(mine && was_in_i.mem.mem_local && cfg_i.events[2]))));
      // RDTM-02: what enters or leaves the memory, and nothing else.
      Occupancy: assert (!valid_i || clear || !cfg_i.events[0] ||
                         (now.occupancy - old.occupancy == lines - lines_q));
      // RDTM-02, RDTM-11: and so it is the number of the RMID's lines.
      Counted:   assert (!cfg_i.events[0] || (st_i.job.step == StepClear) || (now.occupancy == lines));
      Unwatched: assert ((cfg_i.events[0] || (now.occupancy == '0)) && (cfg_i.events[1] || (now.total == '0)) &&
                         (cfg_i.events[2] || (now.local_lines == '0)));
    end
  end

  // The line that is written back is in the L3 memory, with the RMID that is charged: in the set that the memory shows, in the way that is
  // chosen.
  logic                      back;
  logic [$clog2(L3Sets)-1:0] l3_index;
  assign back     = out_i.mem.mem_req && (st_i.job.step == StepWriteBack);
  assign l3_index = st_i.l3.index[$clog2(L3Sets)-1:0];
  always_comb BackBuilt: assert (!back || (32'(st_i.job.way) < L3Ways));
  for (genvar s = 0; s < int'(L3Sets); s++) begin : gen_sets
    for (genvar w = 0; w < int'(L3Ways); w++) begin : gen_ways
      l3_line_t line;
      assign line = tags_i.l3[s][w];
      always_comb BackOwned: assert (!back || (32'(l3_index) != s) || (st_i.job.way != 4'(w)) ||
          (line.valid && (AddressW'(line.line) << cfg_i.line == out_i.mem.mem_addr) && (line.rmid == out_i.mem.mem_rmid)));
    end
  end

  always_comb begin
    // RDTM-07, RDTM-10, RDTM-17: a request carries the RMID of the cycle in which it was issued.
    AskedRmid: assert (!(out_i.mem.mem_req && !back) ||
                       ((out_i.mem.mem_rmid == asked_i[choice_i.turn[$clog2(Processors)-1:0]].rmid) &&
                        (out_i.mem.mem_cos == choice_i.asked.cos) &&
                        (out_i.mem.mem_addr == AddressW'(choice_i.asked.line) << cfg_i.line)));
    // An access writes memory only if nothing else holds what it wrote.
    AskedRead: assert (!(out_i.mem.mem_req && !back) ||
                       (out_i.mem.mem_write == (choice_i.asked.write && (choice_i.l3 == '0))));
    BackClass: assert (!back || (out_i.mem.mem_write && (out_i.mem.mem_cos == '0)));
    RmidBuilt: assert (!out_i.mem.mem_req || (out_i.mem.mem_rmid <= cfg_i.max_rmid));
  end
  always_comb begin
    // The line of one RMID is written back for an access of another.
    CoverBack:  cover (moves && was_out_i.mem.mem_write && (was_out_i.mem.mem_rmid == 5'd1) && !was_i.job.walk &&
                       (choice_i.asked.rmid == '0));
    CoverOld:   cover (counts && !was_out_i.mem.mem_write && (was_i.lp[0].rmid != was_out_i.mem.mem_rmid) &&
                       (was_i.job.turn == '0));
    CoverWrap:  cover (valid_i && (st_i.rmid[1].local_lines == '0) && (was_i.rmid[1].local_lines == '1) &&
                       (st_i.rmid[1].total != st_i.rmid[1].local_lines));
    CoverFlush: cover (moves && was_i.job.walk && (was_i.rmid[0].occupancy == 17'd2));
    CoverDown:  cover (valid_i && (st_i.rmid[0].occupancy == '0) && (was_i.rmid[0].occupancy == 17'd1) &&
                       (st_i.rmid[1].occupancy == 17'd1));
  end

endmodule
