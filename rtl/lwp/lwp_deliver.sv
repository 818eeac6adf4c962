// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Deliver: stores the gathered records in the ring buffer, reports the threshold, and reloads the counters.
//
// This module connects record queue, store, ring, report and reset.
//
// Specification: Lightweight Profiling Proposal, "Overview" steps 3 to 5. Contract: docs/src/lwp/store.md.

module lwp_deliver
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

  // Only some fields of these structs are used here.
  // verilator lint_off UNUSEDSIGNAL
  // Straps, constant after reset.
  input  config_t                   cfg_i,
  // LWPMSR0, the LWPCB pointer, and the state of the session.
  input  session_t                  session_i,
  // Fields of the LWPCB that were read when the session was loaded.
  input  block_t                    block_i,
  // Registers of the control state machine.
  input  ctl_t                      ctl_i,
  // verilator lint_on UNUSEDSIGNAL
  // Per event: slot, interval and counter.
  input  event_t [NumEvents-1:0]    events_i,
  // A page-fault trap is pending.
  input  logic                      pf_valid_i,
  // The instruction that gathered the record can still be undone.
  input  logic                      undo_valid_i,

  // The core is in ring 3 and not in System Management Mode.
  input  logic                      ring3_i,
  // The straps allow several records at a time: `gather_policy` = all and `collision` = delay.
  input  logic                      many_i,
  // MissedEvents in memory must be updated before the next record is stored.
  input  logic                      owed_i,
  // Random bits, new in every cycle; used only with the strap `entropy` = port.
  input  logic [31:0]               entropy_i,

  // Per event: a record is gathered in this cycle.
  input  logic [NumEvents-1:0]      gather_i,
  // Per event: number of records gathered before its own in this cycle; valid if the event is gathered.
  input  logic [NumEvents-1:0][1:0] rank_i,
  // Per event: record of the event; valid if the event is gathered.
  input  record_t [NumEvents-1:0]   record_i,

  // lwp_session and lwp_block use the other fields.
  // verilator lint_off UNUSEDSIGNAL
  // Changes of the session by the control state machine at the end of this cycle.
  input  ctl_act_t                  act_i,
  // Context word that is restored at the end of this cycle, one-hot, and whether the old thread's state is cleared.
  input  restore_t                  restore_i,
  // verilator lint_on UNUSEDSIGNAL
  // The session is dropped or replaced.
  input  logic                      gone_i,
  // The session of the loaded block is good: BufferSize is not 0, and a slot selects an event.
  input  logic                      good_i,
  // A restored session is being reloaded.
  input  logic                      reload_session_i,
  // Per event: a slot selects the event.
  input  logic [NumEvents-1:0]      selected_i,
  // Head and tail of the block being loaded are valid in this cycle.
  input  logic                      ring_load_i,
  // New head in bytes: BufferHeadOffset, in a reload the restored head. Valid with `ring_load_i`.
  input  logic [27:0]               ring_head_i,
  // New tail in bytes: BufferTailOffset. Valid with `ring_load_i`.
  input  logic [27:0]               ring_tail_i,

  // The state machine wants an access.
  output logic                      want_o,
  // Access that the state machine wants; valid with `want_o`.
  output access_t                   access_o,
  // The state machine abandons its access in this cycle.
  output logic                      abandon_o,
  // MissedEvents has been read and is to be written back with the missed events added.
  output logic                      writeback_o,
  // Registers of the memory port.
  input  port_t                     port_i,
  // The pending request is granted in this cycle.
  input  logic                      granted_i,
  // A response to an access that has not been abandoned is valid in this cycle.
  input  logic                      rsp_valid_i,
  // The access failed with a page fault; valid with `rsp_valid_i`.
  input  logic                      rsp_err_i,
  // BufferTailOffset in bytes as it was read; valid with the response of that read.
  input  logic [63:32]              rsp_tail_i,

  // An access of the store failed with a page fault in ring 3.
  output logic                      fault_o,
  // The access that failed was a write; valid with `fault_o`.
  output logic                      fault_write_o,
  // The instruction that gathered the record is undone.
  output logic                      undo_o,

  // Reload of the counter whose record leaves the queue.
  output reload_t                   reload_o,
  // Per event: the interval was read from the block again.
  output logic [NumEvents-1:0]      interval_we_o,
  // Bits 17:16 of the random word.
  output logic [1:0]                choice_o,

  // Record queue; records[0] is stored first.
  output record_t [RecordQueue-1:0] records_o,
  // records[0] faulted and is stored before the next instruction retires.
  output logic                      pending_o,
  // Per event: the event has a record in the queue.
  output logic [NumEvents-1:0]      queued_events_o,
  // State of the store state machine.
  output store_st_e                 store_st_o,
  // Which 8 bytes of the record are being written, 0 to 3.
  output logic [1:0]                store_beat_o,
  // Head, tail, missed events, and records until the tail is read again.
  output ring_t                     ring_o,
  // State of the LFSR; 0 until its first advance.
  output logic [31:0]               lfsr_o,
  // The core takes the threshold interrupt.
  input  logic                      irq_ack_i,
  // The threshold interrupt is requested, until `irq_ack_i`.
  output logic                      irq_o,
  // Cycles until the delayed interrupt is requested; 0 if none is delayed.
  output logic [7:0]                irq_count_o
);

  // A store can start: a session is active, no page fault is pending, and no operation is past its wait.
  logic ready;
  assign ready = session_i.active && !pf_valid_i && (ctl_i.st inside {CtlIdle, CtlWait});

  logic                 ask, tail_we, advance, miss, unmiss, missed_stored;
  logic                 full, tail_needed, flush_head;
  logic [27:0]          next_head;
  logic                 shift, pend, empty, safe;
  logic [NumEvents-1:0] zero;

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_zero
    assign zero[e] = events_i[e].counter == '0;
  end

  lwp_queue #(
    .LatencyBits(LatencyBits)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .many_i,
    .hold_i         (cfg_i.leave_policy == LeaveHold),
    .restorable_i   ((cfg_i.leave_policy == LeaveHold) || (cfg_i.fault_policy == PolicyTrapPending)),
    .ring3_i,
    .active_i       (session_i.active),
    .gather_i,
    .rank_i,
    .record_i,
    .shift_i        (shift),
    .pend_i         (pend),
    .safe_i         (safe),
    .empty_i        (empty),
    .forget_i       (act_i.forget || gone_i),
    .commit_i       (act_i.commit),
    .commit_reload_i(reload_session_i),
    .good_i,
    .selected_i,
    .zero_i         (zero),
    .restore_ring_i (restore_i.ring),
    .restore_first_i(restore_i.rec_first),
    .restore_ip_i   (restore_i.rec_ip),
    .restore_addr_i (restore_i.rec_addr),
    .arg_i          (ctl_i.arg),
    .records_o,
    .pending_o,
    .queued_o       (queued_events_o)
  );

  lwp_store u_store (
    .clk_i,
    .rst_ni,
    .core_id_i     (cfg_i.core_id),
    .reread_i      (cfg_i.interval_source),
    .skip_i        (cfg_i.write_on_full),
    .deferred_i    (cfg_i.head_flush),
    .fault_policy_i(cfg_i.fault_policy),
    .ring3_i,
    .ready_i       (ready),
    .owed_i,
    .undo_valid_i,
    .record_i      (records_o[0]),
    .events_i,
    .lwpcb_i       (session_i.lwpcb),
    .base_i        (block_i.base),
    .head_i        (ring_o.head),
    .next_head_i   (next_head),
    .full_i        (full),
    .tail_needed_i (tail_needed),
    .flush_head_i  (flush_head),
    .ask_o         (ask),
    .tail_we_o     (tail_we),
    .advance_o     (advance),
    .miss_o        (miss),
    .unmiss_o      (unmiss),
    .flushed_o     (missed_stored),
    .interval_we_o,
    .want_o,
    .access_o,
    .abandon_o,
    .writeback_o,
    .granted_i,
    .port_i,
    .rsp_valid_i,
    .rsp_err_i,
    .fault_o,
    .fault_write_o,
    .undo_o,
    .pend_o        (pend),
    .empty_o       (empty),
    .safe_o        (safe),
    .store_st_o,
    .store_beat_o
  );

  lwp_ring u_ring (
    .clk_i,
    .rst_ni,
    .lazy_i           (cfg_i.tail_reread),
    .tail_nth_i       (cfg_i.tail_nth),
    .deferred_i       (cfg_i.head_flush),
    .size_i           (block_i.size),
    .threshold_i      (block_i.threshold),
    .ask_i            (ask),
    .tail_we_i        (tail_we),
    .advance_i        (advance),
    .miss_i           (miss),
    .unmiss_i         (unmiss),
    .flushed_i        (missed_stored || act_i.flushed),
    .load_i           (ring_load_i),
    .load_head_i      (ring_head_i),
    .load_tail_i      (ring_tail_i),
    .forget_missed_i  (gone_i),
    .fresh_i          (act_i.commit && !(good_i && reload_session_i)),
    .clear_i          (restore_i.clear),
    .restore_ring_i   (restore_i.ring),
    .restore_counter_i(restore_i.counter),
    .arg_i            (ctl_i.arg),
    .rsp_tail_i,
    .ring_o,
    .next_head_o      (next_head),
    .full_o           (full),
    .tail_needed_o    (tail_needed),
    .flush_head_o     (flush_head)
  );

  lwp_report u_report (
    .clk_i,
    .rst_ni,
    .irq_delay_i    (cfg_i.irq_delay),
    .store_st_i     (store_st_o),
    .size_i         (block_i.size),
    .head_i         (ring_o.head),
    .tail_i         (ring_o.tail),
    .threshold_i    (block_i.threshold),
    .msr0_int_i     (session_i.msr0[FlagsInterrupt]),
    .flags_int_i    (block_i.flags[FlagsInterrupt]),
    .restore_i      (restore_i.msr0),
    .restore_irq_i  (ctl_i.arg[32]),
    .restore_count_i(ctl_i.arg[47:40]),
    .irq_ack_i,
    .irq_o,
    .irq_count_o
  );

  lwp_reset u_reset (
    .clk_i,
    .rst_ni,
    .lfsr_seed_i   (cfg_i.lfsr_seed),
    .outside_i     (cfg_i.entropy),
    .entropy_i,
    .store_st_i    (store_st_o),
    .event_id_i    (records_o[0].event_id),
    .random_i      (block_i.random),
    .restore_i     (restore_i.lfsr),
    .restore_lfsr_i(ctl_i.arg[31:0]),
    .reset_o       (shift),
    .reload_o      (reload_o.valid),
    .reload_keep_o (reload_o.keep),
    .reload_bits_o (reload_o.bits),
    .choice_o,
    .lfsr_o
  );

endmodule
