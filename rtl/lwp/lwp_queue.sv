// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Record queue: holds the records that wait to be stored, the oldest first.
//
// An event has at most one record, so three entries suffice. records[0] leaves when the counter of its event is
// reloaded. An entry that is emptied becomes 0 in all its fields, so that a record of one thread is not visible to the
// next.
//
// Specification: Lightweight Profiling Proposal, "Overview" steps 2 and 3, "TLB and Cache misses during LWP logging".
// Contract: docs/src/lwp/count-gather.md, "Gather"; docs/src/lwp/store.md; docs/src/lwp/context.md.

module lwp_queue
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  // Width of a reported latency (CPUID LWPCacheMax): 10 to 31.
  parameter int unsigned LatencyBits = 31
) (
  // Clock: all registers change at its rising edge.
  input  logic                      clk_i,
  // Asynchronous reset, active low.
  input  logic                      rst_ni,

  // The straps allow several records at a time: `gather_policy` = all and `collision` = delay.
  input  logic                      many_i,
  // Strap `leave_policy` = hold: records[0] is kept when ring 3 is left.
  input  logic                      hold_i,
  // The straps keep records across threads: `leave_policy` = hold or `fault_policy` = trap_pending.
  input  logic                      restorable_i,

  // The core is in ring 3 and not in System Management Mode.
  input  logic                      ring3_i,
  // A session is active.
  input  logic                      active_i,

  // Per event: a record is gathered in this cycle.
  input  logic [NumEvents-1:0]      gather_i,
  // Per event: number of records gathered before its own in this cycle; valid if the event is gathered.
  input  logic [NumEvents-1:0][1:0] rank_i,
  // Per event: record of the event; valid if the event is gathered.
  input  record_t [NumEvents-1:0]   record_i,

  // records[0] leaves the queue.
  input  logic                      shift_i,
  // The store of records[0] faulted and is to be repeated.
  input  logic                      pend_i,
  // The store reaches or stays in head, report or reset: records[0] is kept when ring 3 is left.
  input  logic                      safe_i,
  // A page fault of the store drops all records.
  input  logic                      empty_i,
  // The control state machine drops all records.
  input  logic                      forget_i,
  // The load of a session ends: all records are dropped, except one that a restored session keeps.
  input  logic                      commit_i,
  // A restored session is being reloaded.
  input  logic                      commit_reload_i,
  // The session of the loaded block is good: BufferSize is not 0, and a slot selects an event.
  input  logic                      good_i,
  // Per event: a slot selects the event.
  input  logic [NumEvents-1:0]      selected_i,
  // Per event: the counter is 0.
  input  logic [NumEvents-1:0]      zero_i,

  // Context word 1 is restored: `head`, `missed`, `pending`.
  input  logic                      restore_ring_i,
  // Context word 4 is restored: EventId, flags and data of records[0].
  input  logic                      restore_first_i,
  // Context word 5 is restored: `ip` of records[0].
  input  logic                      restore_ip_i,
  // Context word 6 is restored: `addr` of records[0].
  input  logic                      restore_addr_i,
  // Argument of the operation: new LWPCB pointer, or value of a WRMSR or of a restore.
  input  logic [63:0]               arg_i,

  // Record queue; records[0] is stored first.
  output record_t [RecordQueue-1:0] records_o,
  // records[0] faulted and is stored before the next instruction retires.
  output logic                      pending_o,
  // Per event: the event has a record in the queue.
  output logic [NumEvents-1:0]      queued_o
);

  record_t [RecordQueue-1:0] records_d, records_q;
  logic                      pending_d, pending_q;

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_queued
    assign queued_o[e] = is_event(records_q[0].event_id, e) || is_event(records_q[1].event_id, e) ||
                         is_event(records_q[2].event_id, e);
  end

  // Returns a restored record with 0 in what is reserved in a record of its event. Without bit 29 of a branch, bit 30 is 0;
  // without bit 28 of a miss, its address is.
  function automatic record_t clean(record_t restored);
    record_t rec;
    rec = restored;
    unique case (restored.event_id)
      EventInsRetired: begin
        rec.flags = '0;
        rec.data  = '0;
        rec.addr  = '0;
      end
      EventBrRetired: begin
        rec.flags = {restored.flags[3], restored.flags[2] && restored.flags[1], restored.flags[1], 1'b0};
        rec.data  = '0;
      end
      EventDcMiss: if (!restored.flags[0]) rec.addr = '0;
      default: ;
    endcase
    return rec;
  endfunction

  // Number of the first entry that is empty after records[0] may have left in this cycle.
  logic [1:0] free;
  assign free = 2'(records_q[0].event_id != EventNone) + 2'(records_q[1].event_id != EventNone) +
                2'(records_q[2].event_id != EventNone) - 2'(shift_i);

  // records[0] of a restored session is kept: its event is selected and has expired, and hold or `pending` applies.
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

    // A restore overrides the changes above.
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
      if (restore_first_i || restore_addr_i) begin
        records_d[0] = clean(records_d[0]);
      end
    end

    // Ring 3 is left: records are discarded, except records[0] if it must be kept.
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
    // With a single record at a time the other entries stay 0, so that synthesis removes them.
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
