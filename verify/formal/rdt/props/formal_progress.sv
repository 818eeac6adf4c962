// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Progress: a memory request stays as it is until it is granted; an accepted access completes.
//
// *Rank:* the most cycles that the access, or the walk, in progress may still take; it falls in every cycle, given that memory
// grants and answers at most one cycle late. *Waits:* the cycles in a row in which a logical processor waits, not counting those
// of a walk, or in which it lacks credit (formal_pace bounds these); with what is left they never exceed Bound.
//
// Rows: none; the contract's "Nobody starves".

module formal_progress
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
  input tags_t   was_tags_i
);

  job_t job;
  assign job = st_i.job;

  // The request, or the line, of this step has been waited for in the cycle before.
  logic waited;
  assign waited = valid_i && (was_i.job.step == job.step) && (job.step inside {StepWriteBack, StepMemRequest, StepMemWait});
  always_comb begin
    MemoryGrants:  assume (!(out_i.mem.mem_req && waited) || in_i.mem.mem_gnt);
    MemoryAnswers: assume (!((job.step == StepMemWait) && waited) || in_i.mem.mem_rvalid);
  end

  //////////
  // Rank //
  //////////

  // Lines that the walk still has to empty, and sets that it still has to read.
  logic       l2_walks;
  logic [7:0] lines, sets;
  assign l2_walks = job.step inside {StepL2WalkRead, StepL2Walk, StepMarkRead, StepMark};
  always_comb begin
    lines = '0;
    if (l2_walks) begin
      for (int unsigned s = 0; s < L2Sets; s++) begin
        for (int unsigned w = 0; w < L2Ways; w++) begin
          if (tags_i.l2[s][w].valid && (4'(w) >= st_i.power.l2_on)) lines = lines + 8'd1;
        end
      end
    end else begin
      for (int unsigned s = 0; s < L3Sets; s++) begin
        for (int unsigned w = 0; w < L3Ways; w++) begin
          if (tags_i.l3[s][w].valid && (5'(w) >= st_i.power.l3_on)) lines = lines + 8'd1;
        end
      end
    end
  end
  assign sets = 8'(last_set(l2_walks ? cfg_i.l2_sets : cfg_i.l3_sets)) - 8'(job.set_index) + 8'd1;

  // Cycles of an access from this step on, and of a walk from the first step of this line or set on.
  logic [7:0] rank;
  always_comb begin
    rank = '0;
    if (job.walk) begin
      case (job.step)
        StepL2WalkRead: rank = 8'd2 * sets + 8'd4 * lines;
        StepL2Walk:     rank = 8'd2 * sets + 8'd4 * lines - 8'd1;
        StepMarkRead:   rank = 8'd2 * sets + 8'd4 * lines + 8'd2;
        StepMark:       rank = 8'd2 * sets + 8'd4 * lines + 8'd1;
        StepL3WalkRead: rank = 8'd2 * sets + 8'd7 * lines;
        StepL3Walk:     rank = 8'd2 * sets + 8'd7 * lines - 8'd1;
        StepInvRead:    rank = 8'd2 * sets + 8'd7 * lines - 8'd2;
        StepInvLook:    rank = 8'd2 * sets + 8'd7 * lines - 8'd3;
        StepWriteBack:  rank = 8'd2 * sets + 8'd7 * lines - 8'd4 - 8'(waited);
        StepEvict:      rank = 8'd2 * sets + 8'd7 * lines - 8'd6;
        default: ;
      endcase
    end else begin
      case (job.step)
        StepClear:      rank = 8'(MoreSets) - 8'(job.set_index);
        StepL2Read:     rank = 8'd2;
        StepL2Look:     rank = 8'd1;
        StepL3Read:     rank = 8'd16;
        StepL3Look:     rank = 8'd15;
        StepInvRead:    rank = 8'd14;
        StepInvLook:    rank = 8'd13;
        StepWriteBack:  rank = 8'd12 - 8'(waited);
        StepEvict:      rank = 8'd10;
        StepMemRequest: rank = 8'd9 - 8'(waited);
        StepMemWait:    rank = 8'd7 - 8'(waited);
        StepL3Fill:     rank = 8'd5;
        StepL2Fetch:    rank = 8'd4;
        StepL2Fill:     rank = 8'd3;
        StepMarkRead:   rank = 8'd2;
        StepMark:       rank = 8'd1;
        default: ;
      endcase
    end
  end
  // Cycles of the access in progress; those of a walk are not counted.
  logic [7:0] rank_q, work;
  assign work = job.walk ? 8'd0 : rank;
  always_ff @(posedge clk_i) rank_q <= rank;

  ///////////
  // Waits //
  ///////////

  // A visit to the L3 cache takes 16 cycles behind its choice, one to the L2 cache 2.
  localparam int unsigned Visit = 17;
  localparam int unsigned Short = 3;
  localparam int unsigned Bound = (Processors - 1) * Visit + Short + Processors * Visit;

  for (genvar i = 0; i < int'(Processors); i++) begin : gen_processors
    logic        mine, counts;
    int unsigned ahead, left;
    logic [9:0]  waits, waits_q;
    assign mine   = accesses(st_i) && (32'(job.turn) == i);
    // Those that may be chosen before it.
    assign ahead = (32'(i) + 2 * Processors - 32'(job.turn) - 1) % Processors;
    assign counts = (st_i.lp[i].stage != '0) && !job.walk && (mine || ready(cfg_i, st_i, i)) &&
                    ((job.step != StepIdle) || chooses(cfg_i, in_i, st_i));
    always_comb begin
      if (mine) left = 32'(work) + ((st_i.lp[i].stage == 2'd1) ? (Processors * Visit) : 0);
      else left = 32'(work) + ahead * Visit + ((st_i.lp[i].stage == 2'd1) ? (Short + Processors * Visit) : Visit);
    end
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) waits_q <= '0;
      else waits_q <= counts ? (waits_q + 10'd1) : 10'd0;
    end
    assign waits = waits_q;
    always_comb begin
      // An accepted access completes.
      Completes: assert ((st_i.lp[i].stage == '0) || (32'(waits) + left <= Bound));
      CoverLong: cover ((32'(waits) > Short + Visit) && mine);
    end
  end

  // Done of every access that leaves its entry, once.
  for (genvar i = 0; i < int'(Processors); i++) begin : gen_done
    always_comb DoneOnce: assert (!valid_i || (st_i.lp[i].done == ((was_i.lp[i].stage != '0) && (st_i.lp[i].stage == '0))));
    always_comb HitOne:   assert ((st_i.lp[i].done || !(st_i.lp[i].l2_hit || st_i.lp[i].l3_hit)) && !(st_i.lp[i].l2_hit &&
        st_i.lp[i].l3_hit));
  end

  always_comb begin
    // "Stays, with the next four, until `mem_gnt`."
    Stable:    assert (!(valid_i && was_out_i.mem.mem_req && !was_in_i.mem.mem_gnt) || (out_i.mem == was_out_i.mem));
    Falls:     assert (!valid_i || (was_i.job.step == StepIdle) || (rank < rank_q));
    WalkBound: assert (!job.walk || (32'(rank) <= 2 * MoreSets + 7 * L3Sets * L3Ways + 2));
    VisitEnds: assert (job.walk || (job.step == StepClear) || (32'(rank) < Visit));
  end
  always_comb begin
    CoverWalk: cover (job.walk && (job.step == StepL3WalkRead) && (lines == 8'd2) && (rank == 8'd18));
    CoverWait: cover (waited && (job.step == StepWriteBack));
  end

endmodule
