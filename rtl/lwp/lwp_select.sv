// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Select: which of the events that expire in this cycle are gathered, and in which lane.
//
// Lane after lane, as if they came one by one. An event that has a record waits; so do those that lose a choice, until
// a later instruction causes them. With a synchronous store nothing above the first gathering lane happens.
//
// Specification: Lightweight Profiling Proposal, "Overview" steps 2 and 3, "Multiple simultaneous events". Contract:
// docs/src/lwp/count-gather.md, "Gather".

module lwp_select
  import lwp_pkg::*;
#(
  parameter int unsigned RetireLanes = 4
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,

  // Straps. One record in a cycle, and only into an empty queue; one for each instruction; one lane.
  input  logic                                  single_i,
  input  logic                                  one_per_instr_i,
  input  logic                                  sync_i,
  input  logic [1:0]                            gather_select_i,

  // Lanes retire, and no page fault stands.
  input  logic                                  enable_i,
  input  logic [NumEvents-1:0][RetireLanes-1:0] expire_i,
  // The event has a record; some event has.
  input  logic [NumEvents-1:0]                  queued_i,
  input  logic                                  full_i,
  input  logic [NumEvents-1:0][4:0]             slot_i,
  // Bits 17:16 of the random word.
  input  logic [1:0]                            random_i,

  input  logic                                  clear_i,
  input  logic                                  restore_i,
  input  logic [1:0]                            restore_rotate_i,

  // Which events are gathered, in which lanes, after how many others of this cycle.
  output logic [NumEvents-1:0]                  gather_o,
  output logic [NumEvents-1:0][RetireLanes-1:0] lane_o,
  output logic [NumEvents-1:0][1:0]             rank_o,
  // The first lane that gathers.
  output logic                                  any_o,
  output logic [LaneW-1:0]                      first_o,
  // The lanes above it have no effect.
  output logic                                  cut_o,

  output logic [1:0]                            rotate_o
);

  // How many events of the set there are.
  function automatic logic [1:0] number(logic [NumEvents-1:0] set);
    return 2'(set[0]) + 2'(set[1]) + 2'(set[2]);
  endfunction

  logic [1:0] rotate_d, rotate_q;

  // Every event of a lane has its record.
  logic several, rotating, random;
  assign several  = !one_per_instr_i && !single_i;
  assign rotating = gather_select_i == SelectRotating;
  assign random   = gather_select_i == SelectRandom;

  logic [NumEvents-1:0][RetireLanes-1:0] wanting;
  logic [NumEvents-1:0][1:0]             slot_key;

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    localparam int unsigned A = (e + 1) % int'(NumEvents);
    localparam int unsigned B = (e + 2) % int'(NumEvents);
    assign wanting[e]  = expire_i[e] & {RetireLanes{enable_i && !queued_i[e] && !(single_i && full_i)}};
    // Slots of live events differ.
    assign slot_key[e] = 2'(slot_i[A] < slot_i[e]) + 2'(slot_i[B] < slot_i[e]);
  end

  // Lanes are taken one after another, but an event is gathered once at most: so no more lanes gather than there are
  // events, and the loop is over those. Its length, and with it the path, does not grow with the lanes; what finds the
  // next lane is a tree.
  localparam int unsigned Rounds = (RetireLanes < NumEvents) ? RetireLanes : NumEvents;

  // Of the round that the loop is at: what lanes still want, the first that wants anything, and what that wants. The event
  // with the lowest key is chosen first.
  logic [NumEvents-1:0][RetireLanes-1:0] left;
  logic [RetireLanes-1:0]                some, lane;
  logic [NumEvents-1:0]                  here, pick;
  logic [NumEvents-1:0][1:0]             key, earlier;
  logic [1:0]                            rotate, from, count;

  always_comb begin
    gather_o = '0;
    lane_o   = '0;
    rank_o   = '0;
    any_o    = 1'b0;
    first_o  = '0;
    left     = wanting;
    some     = '0;
    lane     = '0;
    here     = '0;
    pick     = '0;
    key      = slot_key;
    earlier  = '0;
    rotate   = rotate_q;
    from     = '0;
    count    = '0;
    if (wanting != '0) begin
      for (int unsigned r = 0; r < Rounds; r++) begin
        some = '0;
        for (int unsigned e = 0; e < NumEvents; e++) begin
          some |= left[e];
        end
        for (int unsigned l = 0; l < RetireLanes; l++) begin
          lane[l] = some[l] && ((some & RetireLanes'((32'd1 << l) - 32'd1)) == '0);
        end
        for (int unsigned e = 0; e < NumEvents; e++) begin
          here[e] = (left[e] & lane) != '0;
        end
        if (rotating || random) begin
          from = random ? random_i : rotate + 2'd1;
          from = (from == 2'd3) ? 2'd0 : from;
          for (int unsigned e = 0; e < NumEvents; e++) begin
            key[e] = 2'(e) - from + ((2'(e) < from) ? 2'd3 : 2'd0);
          end
        end
        for (int unsigned e = 0; e < NumEvents; e++) begin
          earlier[e] = number({here[2] && (key[2] < key[e]), here[1] && (key[1] < key[e]),
                               here[0] && (key[0] < key[e])});
          pick[e]    = here[e] && (several || (earlier[e] == 2'd0));
        end
        for (int unsigned e = 0; e < NumEvents; e++) begin
          if (pick[e]) begin
            gather_o[e] = 1'b1;
            lane_o[e]   = lane;
            rank_o[e]   = count + earlier[e];
            if (earlier[e] == number(pick) - 2'd1) begin
              rotate = 2'(e);
            end
          end
        end
        if (r == 0) begin
          any_o = 1'b1;
          for (int unsigned l = 0; l < RetireLanes; l++) begin
            if (lane[l]) begin
              first_o = LaneW'(l);
            end
          end
        end
        count = count + number(pick);
        for (int unsigned e = 0; e < NumEvents; e++) begin
          left[e] = left[e] & ~lane & {RetireLanes{!pick[e] && !single_i && !sync_i}};
        end
      end
    end
  end

  assign cut_o = sync_i && any_o;

  always_comb begin
    rotate_d = rotate_q;
    if (rotating && any_o) begin
      rotate_d = rotate;
    end
    if (clear_i) begin
      rotate_d = '0;
    end
    if (restore_i) begin
      rotate_d = (restore_rotate_i == 2'd3) ? 2'd0 : restore_rotate_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rotate_q <= '0;
    end else begin
      rotate_q <= rotate_d;
    end
  end

  assign rotate_o = rotate_q;

endmodule
