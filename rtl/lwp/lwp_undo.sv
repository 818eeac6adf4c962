// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Undo: holds the counters from before the instruction that gathered a record, until the record is stored.
//
// Used only if a page fault of the store is a fault of that instruction (`fault_policy` = fault). If loads of the
// instruction were counted in `partial` cycles, the counters are those from before the first of these cycles.
//
// Specification: Lightweight Profiling Proposal, "TLB and Cache misses during LWP logging". Contract:
// docs/src/lwp/count-gather.md, "Undo".

module lwp_undo
  import lwp_pkg::*;
  import lwp_state_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic                               clk_i,
  // Asynchronous reset, active low.
  input  logic                               rst_ni,

  // Strap `fault_policy` = fault: a page fault of the store undoes the instruction that gathered the record.
  input  logic                               fault_policy_i,

  // A session is active, and the core is in ring 3.
  input  logic                               run_i,
  // The core is not stalled: lanes and operations of this cycle are accepted.
  input  logic                               accept_i,
  // Only the loads of lane 0 are valid: they belong to the instruction that retires in lane 0 in a later cycle.
  input  logic                               partial_i,
  // Lane 0 is valid.
  input  logic                               oldest_i,

  // A record is gathered in this cycle.
  input  logic                               gather_i,
  // The lane that gathers is lane 0; valid with `gather_i`.
  input  logic                               lane0_i,
  // Per event: the counter before the lane that gathers; valid with `gather_i`.
  input  logic [NumEvents-1:0][CounterW-1:0] before_i,
  // Per event: slot, interval and counter.
  input  event_t [NumEvents-1:0]             events_i,

  // The store is idle, the queue is empty, and nothing is owed.
  input  logic                               stored_i,
  // The instruction that gathered the record is undone.
  input  logic                               undo_i,

  // The instruction in lane 0 has begun with `partial` cycles (`fault_policy` = fault).
  output logic                               split_o,
  // The instruction that gathered the record can still be undone.
  output logic                               undo_valid_o,
  // Per event: the counter before the instruction that gathered the record; valid with `undo_valid_o`.
  output logic [NumEvents-1:0][CounterW-1:0] undo_o
);

  logic                               split_d, split_q;
  logic                               valid_d, valid_q;
  logic [NumEvents-1:0][CounterW-1:0] undo_d, undo_q;

  always_comb begin
    split_d = split_q;
    valid_d = valid_q;
    undo_d  = undo_q;
    if (fault_policy_i) begin
      if (stored_i) begin
        valid_d = 1'b0;
      end
      if (accept_i && run_i && partial_i && oldest_i && !split_q) begin
        split_d = 1'b1;
        for (int unsigned e = 0; e < NumEvents; e++) begin
          undo_d[e] = events_i[e].counter;
        end
      end
      if (gather_i) begin
        valid_d = 1'b1;
        if (!(lane0_i && split_q)) begin
          undo_d = before_i;
        end
      end
      if (accept_i && !partial_i && oldest_i) begin
        split_d = 1'b0;
      end
      if (!run_i || undo_i) begin
        split_d = 1'b0;
        valid_d = 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      split_q <= 1'b0;
      valid_q <= 1'b0;
      undo_q  <= '0;
    end else begin
      split_q <= split_d;
      valid_q <= valid_d;
      undo_q  <= undo_d;
    end
  end

  logic unused_events;
  assign unused_events = ^{events_i[0].slot, events_i[1].slot, events_i[2].slot, events_i[0].interval,
                           events_i[1].interval, events_i[2].interval};

  assign split_o      = split_q;
  assign undo_valid_o = valid_q;
  assign undo_o       = undo_q;

endmodule
