// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Select: chooses the expired events to gather in this cycle, and the lane of each.
//
// Lanes are processed one after another, lane 0 first. An event that has a record waits. Events that are not chosen
// wait until a later instruction causes them. With a synchronous store the lanes above the first one that gathers have
// no effect.
//
// Specification: Lightweight Profiling Proposal, "Overview" steps 2 and 3, "Multiple simultaneous events". Contract:
// docs/src/lwp/count-gather.md, "Gather".

module lwp_select
  import lwp_pkg::*;
#(
  // Instructions that may retire in one cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes = 4
) (
  // Clock: all registers change at its rising edge.
  input  logic                                  clk_i,
  // Asynchronous reset, active low.
  input  logic                                  rst_ni,

  // At most one record is gathered in a cycle, and only into an empty queue.
  input  logic                                  single_i,
  // Strap `one_per_instr`: at most one record is gathered for one instruction.
  input  logic                                  one_per_instr_i,
  // Strap `store_timing` = sync: retirement stalls until the record is stored.
  input  logic                                  sync_i,
  // Strap `gather_select`: 0 lowest slot, 1 rotating, 2 random; 3 acts as 0.
  input  logic [1:0]                            gather_select_i,

  // Records can be gathered: counting is on, the cycle is not `partial`, and no page fault is pending.
  input  logic                                  enable_i,
  // Per event and lane: the event expires in the lane.
  input  logic [NumEvents-1:0][RetireLanes-1:0] expire_i,
  // Per event: the event has a record in the queue.
  input  logic [NumEvents-1:0]                  queued_i,
  // records[0] is not empty.
  input  logic                                  full_i,
  // Per event: number of the slot that selects it.
  input  logic [NumEvents-1:0][4:0]             slot_i,
  // Bits 17:16 of the random word; 3 acts as 0.
  input  logic [1:0]                            random_i,

  // A restore clears what the previous thread left.
  input  logic                                  clear_i,
  // Context word 3 is restored.
  input  logic                                  restore_i,
  // Restored index of the event chosen last; 3 acts as 0. Valid with `restore_i`.
  input  logic [1:0]                            restore_rotate_i,

  // Per event: a record is gathered in this cycle.
  output logic [NumEvents-1:0]                  gather_o,
  // Per event: one-hot, the lane that is recorded; 0 if the event is not gathered.
  output logic [NumEvents-1:0][RetireLanes-1:0] lane_o,
  // Per event: number of records gathered before its own in this cycle; valid if the event is gathered.
  output logic [NumEvents-1:0][1:0]             rank_o,
  // Some event is gathered in this cycle.
  output logic                                  any_o,
  // First lane that gathers; valid with `any_o`.
  output logic [LaneW-1:0]                      first_o,
  // Lanes above `first_o` have no effect.
  output logic                                  cut_o,

  // Index of the event chosen last (`gather_select` = rotating).
  output logic [1:0]                            rotate_o
);

  // Returns the number of events in the set.
  function automatic logic [1:0] number(logic [NumEvents-1:0] set);
    return 2'(set[0]) + 2'(set[1]) + 2'(set[2]);
  endfunction

  logic [1:0] rotate_d, rotate_q;

  // One instruction may gather several records; the choice is rotating; the choice is random.
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
    // Number of other events with a lower slot. Slots of live events differ.
    assign slot_key[e] = 2'(slot_i[A] < slot_i[e]) + 2'(slot_i[B] < slot_i[e]);
  end

  // Number of rounds of the loop below. Each round processes the next lane that gathers. An event is gathered at most
  // once, so no more lanes gather than there are events, and the path does not grow with the number of lanes.
  localparam int unsigned Rounds = (RetireLanes < NumEvents) ? RetireLanes : NumEvents;

  // Values of one round of the loop:
  //   left     per event, the lanes in which it expires and is not yet gathered
  //   some     lanes in which any of these events expires
  //   lane     one-hot: the first of these lanes
  //   here     events that expire in that lane
  //   key      order of choice: the event with the lowest key is chosen first
  //   earlier  per event, the number of events in `here` with a lower key
  //   pick     events that are gathered in this round
  //   rotate   index of the event chosen last
  //   from     event with key 0, if the choice is rotating or random
  //   count    records gathered in earlier rounds
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
