// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Undo: the counters from before the instruction that gathered a record, until the record is stored.
//
// Only with the policy that makes a page fault of the store a fault of that instruction. If its loads began to count in
// `partial` cycles, the counters are those from before the first of them.
//
// Specification: Lightweight Profiling Proposal, "TLB and Cache misses during LWP logging". Contract:
// docs/src/lwp/count-gather.md, "Undo".

module lwp_undo
  import lwp_pkg::*;
  import lwp_state_pkg::*;
(
  input  logic                               clk_i,
  input  logic                               rst_ni,

  input  logic                               fault_policy_i,

  // A session runs in ring 3; lanes are accepted; lane 0 is valid.
  input  logic                               run_i,
  input  logic                               accept_i,
  input  logic                               partial_i,
  input  logic                               oldest_i,

  // A record is gathered: by the instruction in lane 0 or another, before which the counters were these.
  input  logic                               gather_i,
  input  logic                               lane0_i,
  input  logic [NumEvents-1:0][CounterW-1:0] before_i,
  input  event_t [NumEvents-1:0]             events_i,

  // No record is under way; the instruction is undone.
  input  logic                               stored_i,
  input  logic                               undo_i,

  output logic                               split_o,
  output logic                               undo_valid_o,
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
