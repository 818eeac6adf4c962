// SPDX-License-Identifier: MIT OR Apache-2.0
//
// One event: which slot selects it, its interval, its counter; which lanes bring the counter to zero.
//
// In the cycle of retirement the counter meets the occurrences of all lanes at once. A chain of one subtraction per
// lane would be as deep as the unit is wide; instead the occurrences are summed in a prefix tree, and lane l expires
// if the sum up to and including l reaches the counter. The counter freezes at zero until it is reloaded or loaded.
//
// Specification: Lightweight Profiling Proposal, "Overview" steps 1, 2 and 5. Contract: docs/src/lwp/count-gather.md.

module lwp_event
  import lwp_pkg::*;
  import lwp_state_pkg::*;
#(
  parameter int unsigned RetireLanes = 4
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,

  // Occurrences in each lane; all zero unless the event is live.
  input  logic [RetireLanes-1:0][1:0] occ_i,
  // Not the occurrence that brings the counter to zero is gathered, but the one after it.
  input  logic                        next_i,
  // Lanes above this one have no effect.
  input  logic                        cut_i,
  input  logic [LaneW-1:0]            lane_i,

  // LLWPCB found the slot that selects this event; a reload keeps the counter.
  input  logic                        load_i,
  input  logic                        load_keep_i,
  input  logic [4:0]                  load_slot_i,
  input  logic [CounterW-1:0]         load_counter_i,
  // The interval was read anew.
  input  logic                        reread_i,
  input  logic [CounterW-1:0]         interval_i,

  // The record was stored or missed: the interval, its low bits randomised, starts over.
  input  logic                        reload_i,
  input  logic [CounterW-1:0]         reload_keep_i,
  input  logic [CounterW-1:0]         reload_bits_i,

  // The instruction that gathered is undone.
  input  logic                        undo_i,
  input  logic [CounterW-1:0]         undo_counter_i,
  // A context is restored.
  input  logic                        restore_i,
  input  logic [CounterW-1:0]         restore_counter_i,

  output event_t                      event_o,

  // The event expires in the lane.
  output logic [RetireLanes-1:0]      expire_o,
  // The lane's first occurrence is not the one to be recorded, so if it expires, its second one is.
  output logic [RetireLanes-1:0]      second_o,
  // The counter before lane_i; without meaning while cut_i is 0.
  output logic [CounterW-1:0]         before_o
);

  localparam int          Levels = $clog2(RetireLanes);
  localparam int unsigned SumW   = $clog2(LoadPorts * RetireLanes + 1);

  logic [4:0]          slot_d, slot_q;
  logic [CounterW-1:0] interval_d, interval_q;
  logic [CounterW-1:0] counter_d, counter_q;

  // sum[l]: occurrences in lanes 0 to l, after Levels steps of doubling reach.
  logic [SumW-1:0] sum [RetireLanes];

  always_comb begin
    for (int unsigned l = 0; l < RetireLanes; l++) begin
      sum[l] = SumW'(occ_i[l]);
    end
    for (int k = 0; k < Levels; k++) begin
      // Downwards, so that the lane added still holds the sum of the level before.
      for (int l = int'(RetireLanes) - 1; l >= (1 << k); l--) begin
        sum[l] = sum[l] + sum[l - (1 << k)];
      end
    end
  end

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lanes
    logic [CounterW-1:0] earlier;
    assign earlier     = CounterW'(sum[l]) - CounterW'(occ_i[l]);
    assign expire_o[l] = (occ_i[l] != 2'd0) &&
                         (next_i ? (CounterW'(sum[l]) > counter_q) : (CounterW'(sum[l]) >= counter_q));
    assign second_o[l] = next_i ? (earlier < counter_q) : ((earlier + CounterW'(1)) < counter_q);
  end

  // Occurrences that have an effect, and those before the lane at the cut.
  logic [SumW-1:0] total, total_before;

  always_comb begin
    total        = sum[RetireLanes-1];
    total_before = '0;
    if (cut_i) begin
      for (int unsigned l = 0; l < RetireLanes; l++) begin
        if (lane_i == LaneW'(l)) begin
          total        = sum[l];
          total_before = sum[l] - SumW'(occ_i[l]);
        end
      end
    end
  end

  assign before_o = (counter_q > CounterW'(total_before)) ? counter_q - CounterW'(total_before) : '0;

  always_comb begin
    slot_d     = slot_q;
    interval_d = interval_q;
    counter_d  = (counter_q > CounterW'(total)) ? counter_q - CounterW'(total) : '0;
    if (reload_i) begin
      counter_d = (interval_q & reload_keep_i) | reload_bits_i;
    end
    if (reread_i) begin
      interval_d = interval_i;
    end
    if (load_i) begin
      slot_d     = load_slot_i;
      interval_d = interval_i;
      if (!load_keep_i) begin
        counter_d = load_counter_i;
      end
    end
    if (undo_i) begin
      counter_d = undo_counter_i;
    end
    if (restore_i) begin
      counter_d = restore_counter_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      slot_q     <= '0;
      interval_q <= '0;
      counter_q  <= '0;
    end else begin
      slot_q     <= slot_d;
      interval_q <= interval_d;
      counter_q  <= counter_d;
    end
  end

  assign event_o = '{slot: slot_q, interval: interval_q, counter: counter_q};

endmodule
