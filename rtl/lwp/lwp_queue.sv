// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The record queue: what has been gathered and waits to be stored, the oldest first.
//
// An event has one record at most, so three places hold all that there can be. A record leaves with the reset of its
// event. A place that is emptied holds 0 everywhere, so that no instruction of one thread is left for the next.
//
// Specification: Lightweight Profiling Proposal, "Overview" steps 2 and 3, "TLB and Cache misses during LWP logging".
// Contract: docs/src/lwp/count-gather.md, "Gather"; docs/src/lwp/store.md; docs/src/lwp/context.md.

module lwp_queue
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  parameter int unsigned LatencyBits = 31
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  // Straps: several records at a time; a record outlives ring 3; it can be restored.
  input  logic                      many_i,
  input  logic                      hold_i,
  input  logic                      restorable_i,

  input  logic                      ring3_i,
  input  logic                      active_i,

  input  logic [NumEvents-1:0]      gather_i,
  input  logic [NumEvents-1:0][1:0] rank_i,
  input  record_t [NumEvents-1:0]   record_i,

  // From lwp_store: records[0] leaves, waits for another try, must not be lost; all are dropped.
  input  logic                      shift_i,
  input  logic                      pend_i,
  input  logic                      safe_i,
  input  logic                      empty_i,
  // From lwp_control: all are dropped; a restored session begins, and may keep the record that came with it.
  input  logic                      forget_i,
  input  logic                      commit_i,
  input  logic                      commit_reload_i,
  input  logic                      good_i,
  input  logic [NumEvents-1:0]      selected_i,
  input  logic [NumEvents-1:0]      zero_i,

  // Of a restored context.
  input  logic                      restore_ring_i,
  input  logic                      restore_first_i,
  input  logic                      restore_ip_i,
  input  logic                      restore_addr_i,
  input  logic [63:0]               arg_i,

  output record_t [RecordQueue-1:0] records_o,
  output logic                      pending_o,
  // Events that have a record.
  output logic [NumEvents-1:0]      queued_o
);

  record_t [RecordQueue-1:0] records_d, records_q;
  logic                      pending_d, pending_q;

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_queued
    assign queued_o[e] = is_event(records_q[0].event_id, e) || is_event(records_q[1].event_id, e) ||
                         is_event(records_q[2].event_id, e);
  end

  // The first place that is free after this cycle's departure.
  logic [1:0] free;
  assign free = 2'(records_q[0].event_id != EventNone) + 2'(records_q[1].event_id != EventNone) +
                2'(records_q[2].event_id != EventNone) - 2'(shift_i);

  // The record that a restored session brings along is still wanted.
  logic [NumEvents-1:0] wanted;
  logic                 keep;

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_wanted
    assign wanted[e] = is_event(records_q[0].event_id, e) && selected_i[e] && zero_i[e];
  end
  assign keep = commit_reload_i && good_i && (wanted != '0) && (hold_i || pending_q);

  logic empty;
  assign empty = empty_i || forget_i || (commit_i && !keep);

  always_comb begin
    records_d = records_q;
    pending_d = pending_q;
    if (shift_i) begin
      records_d[0] = records_q[1];
      records_d[1] = records_q[2];
      records_d[2] = '0;
      pending_d    = 1'b0;
    end
    if (gather_i != '0) begin
      for (int unsigned e = 0; e < NumEvents; e++) begin
        if (gather_i[e]) begin
          if (!many_i || (free + rank_i[e] == 2'd0)) begin
            records_d[0] = record_i[e];
          end else if (free + rank_i[e] == 2'd1) begin
            records_d[1] = record_i[e];
          end else begin
            records_d[2] = record_i[e];
          end
        end
      end
    end
    if (pend_i) begin
      pending_d = 1'b1;
    end
    if (empty) begin
      records_d = '0;
      pending_d = 1'b0;
    end

    // Restored after what was there has gone.
    if (restorable_i) begin
      if (restore_ring_i) begin
        pending_d = arg_i[33];
      end
      if (restore_first_i) begin
        records_d[0].event_id = (arg_i[7:2] == '0) ? event_id_e'(arg_i[1:0]) : EventNone;
        records_d[0].flags    = arg_i[31:28];
        records_d[0].data     = LatencyW'(arg_i[32+:LatencyBits]);
      end
      if (restore_ip_i) begin
        records_d[0].ip = arg_i;
      end
      if (restore_addr_i) begin
        records_d[0].addr = arg_i;
      end
    end

    // Ring 3 is left.
    if (!ring3_i && active_i) begin
      records_d[1] = '0;
      records_d[2] = '0;
      if (!hold_i && !pending_d && !safe_i) begin
        records_d[0] = '0;
      end
    end
    if (!restorable_i || (records_d[0].event_id == EventNone)) begin
      pending_d = 1'b0;
    end
    // One record at a time needs one place: the others stay as reset left them.
    if (!many_i) begin
      records_d[1] = '0;
      records_d[2] = '0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      records_q <= '0;
      pending_q <= 1'b0;
    end else begin
      records_q <= records_d;
      pending_q <= pending_d;
    end
  end

  assign records_o = records_q;
  assign pending_o = pending_q;

endmodule
