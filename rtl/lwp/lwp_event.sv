// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Event: slot, interval and counter of one event, and the lanes in which the event expires.
//
// The counter is compared with the occurrences of all lanes in the cycle of retirement. A prefix tree sums the
// occurrences, so that the path grows with the logarithm of the number of lanes; lane l expires if the sum of lanes 0
// to l reaches the counter. The counter stays at zero until it is reloaded or loaded.
//
// Specification: Lightweight Profiling Proposal, "Overview" steps 1, 2 and 5. Contract: docs/src/lwp/count-gather.md.

module lwp_event
  import lwp_pkg::*;
  import lwp_state_pkg::*;
#(
  // Instructions that may retire in one cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes = 4
) (
  // Clock: all registers change at its rising edge.
  input  logic                        clk_i,
  // Asynchronous reset, active low.
  input  logic                        rst_ni,

  // Per lane: occurrences of the event; 0 unless the event is live.
  input  logic [RetireLanes-1:0][1:0] occ_i,
  // The event is gathered as *next*: the occurrence after the one that brings the counter to zero is recorded.
  input  logic                        next_i,
  // Lanes above `lane_i` have no effect.
  input  logic                        cut_i,
  // Last lane that has an effect; valid with `cut_i`.
  input  logic [LaneW-1:0]            lane_i,

  // The slot that was read selects the event.
  input  logic                        load_i,
  // A restored session is reloaded: keep the counter. Valid with `load_i`.
  input  logic                        load_keep_i,
  // Number of the slot that was read; valid with `load_i`.
  input  logic [4:0]                  load_slot_i,
  // EventCounter of the slot that was read; valid with `load_i`.
  input  logic [CounterW-1:0]         load_counter_i,
  // The interval was read from the block again.
  input  logic                        reread_i,
  // EventInterval read from the block; valid with `load_i` or `reread_i`.
  input  logic [CounterW-1:0]         interval_i,

  // The counter is reloaded: the record of the event leaves the queue.
  input  logic                        reload_i,
  // Bits of the interval that are kept: new counter = (interval & `reload_keep_i`) | `reload_bits_i`.
  input  logic [CounterW-1:0]         reload_keep_i,
  // Random bits of the reload: new counter = (interval & `reload_keep_i`) | `reload_bits_i`.
  input  logic [CounterW-1:0]         reload_bits_i,

  // The instruction that gathered the record is undone.
  input  logic                        undo_i,
  // Counter before the undone instruction; valid with `undo_i`.
  input  logic [CounterW-1:0]         undo_counter_i,
  // A restore writes the counter.
  input  logic                        restore_i,
  // Restored counter; valid with `restore_i`.
  input  logic [CounterW-1:0]         restore_counter_i,

  // Slot, interval and counter of the event.
  output event_t                      event_o,

  // Per lane: the event expires in the lane.
  output logic [RetireLanes-1:0]      expire_o,
  // Per lane: if the event expires in the lane, its second occurrence there is recorded.
  output logic [RetireLanes-1:0]      second_o,
  // Counter before the lane `lane_i`; valid with `cut_i`.
  output logic [CounterW-1:0]         before_o
);

  localparam int          Levels = $clog2(RetireLanes);
  localparam int unsigned SumW   = $clog2(LoadPorts * RetireLanes + 1);

  logic [4:0]          slot_d, slot_q;
  logic [CounterW-1:0] interval_d, interval_q;
  logic [CounterW-1:0] counter_d, counter_q;

  // sum[l]: occurrences in lanes 0 to l. Each of the Levels steps doubles the number of lanes summed.
  logic [SumW-1:0] sum [RetireLanes];

  always_comb begin
    for (int unsigned l = 0; l < RetireLanes; l++) begin
      sum[l] = SumW'(occ_i[l]);
    end
    for (int k = 0; k < Levels; k++) begin
      // The loop counts down, so that the lane added still holds the sum of the previous level.
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

  // Number of occurrences that have an effect, and of those before the lane `lane_i`.
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
