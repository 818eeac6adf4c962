// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Deliver: what happens to a record once it has been gathered. Queue, store, report, reset, and the registers of the
// ring buffer.
//
// Specification: Lightweight Profiling Proposal, "Overview" steps 3 to 5. Contract: docs/src/lwp/store.md.

module lwp_deliver
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  parameter int unsigned LatencyBits = 31
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,

  // Straps and registers of other parts.
  // verilator lint_off UNUSEDSIGNAL
  input  config_t                   cfg_i,
  input  session_t                  session_i,
  input  block_t                    block_i,
  input  ctl_t                      ctl_i,
  // verilator lint_on UNUSEDSIGNAL
  input  event_t [NumEvents-1:0]    events_i,
  input  logic                      pf_valid_i,
  input  logic                      undo_valid_i,

  input  logic                      ring3_i,
  input  logic                      many_i,
  input  logic                      owed_i,
  input  logic [31:0]               entropy_i,

  input  logic [NumEvents-1:0]      gather_i,
  input  logic [NumEvents-1:0][1:0] rank_i,
  input  record_t [NumEvents-1:0]   record_i,

  // What the control machine does. The rest of it is for the session.
  // verilator lint_off UNUSEDSIGNAL
  input  ctl_act_t                  act_i,
  input  restore_t                  restore_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic                      gone_i,
  input  logic                      good_i,
  input  logic                      reload_session_i,
  input  logic [NumEvents-1:0]      selected_i,
  input  logic                      ring_load_i,
  input  logic [27:0]               ring_head_i,
  input  logic [27:0]               ring_tail_i,

  // Port.
  output logic                      want_o,
  output access_t                   access_o,
  output logic                      abandon_o,
  output logic                      writeback_o,
  input  port_t                     port_i,
  input  logic                      granted_i,
  input  logic                      rsp_valid_i,
  input  logic                      rsp_err_i,
  input  logic [63:32]              rsp_tail_i,

  // Page fault of an access; the instruction is undone.
  output logic                      fault_o,
  output logic                      fault_write_o,
  output logic                      undo_o,

  // What happens to the events.
  output reload_t                   reload_o,
  output logic [NumEvents-1:0]      interval_we_o,
  output logic [1:0]                choice_o,

  output record_t [RecordQueue-1:0] records_o,
  output logic                      pending_o,
  output logic [NumEvents-1:0]      queued_events_o,
  output store_st_e                 store_st_o,
  output logic [1:0]                store_beat_o,
  output ring_t                     ring_o,
  output logic [31:0]               lfsr_o,
  input  logic                      irq_ack_i,
  output logic                      irq_o,
  output logic [7:0]                irq_count_o
);

  // No operation is beyond its wait, no page fault stands, a session runs.
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
