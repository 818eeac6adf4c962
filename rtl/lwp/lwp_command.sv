// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Command: the control machine, and the registers that only its operations change: LWPMSR0, the LWPCB pointer, the
// block; save and restore.
//
// Specification: Lightweight Profiling Proposal, "LWPMSRs", "LWP Control Instructions", "LWP Control Block", "Processor
// State for context switch, SVM, and SMM". Contract: docs/src/lwp/control.md, docs/src/lwp/context.md.

module lwp_command
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  parameter int unsigned EventSlots = 8
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,

  // Straps of other parts.
  // verilator lint_off UNUSEDSIGNAL
  input  config_t                            cfg_i,
  // verilator lint_on UNUSEDSIGNAL

  input  logic                               ring3_i,
  input  logic [1:0]                         cpl_i,
  input  logic [2:0]                         op_mode_i,
  input  logic                               ctl_valid_i,
  input  ctl_op_e                            ctl_op_i,
  input  logic [3:0]                         ctl_word_i,
  input  logic [63:0]                        ctl_wdata_i,
  input  logic [63:0]                        ctl_ds_base_i,

  // Operations are accepted; the store machine has nothing to do and will have nothing; a page fault stands.
  input  logic                               accept_i,
  input  logic                               settled_i,
  input  logic                               pf_valid_i,

  // What a flush and a save take.
  input  ring_t                              ring_i,
  input  event_t [NumEvents-1:0]             events_i,
  input  record_t                            record_i,
  input  logic                               pending_i,
  input  logic [1:0]                         rotate_i,
  input  logic                               irq_i,
  input  logic [7:0]                         irq_count_i,
  input  logic [31:0]                        lfsr_i,

  // Port.
  output logic                               want_o,
  output access_t                            access_o,
  output logic                               abandon_o,
  output logic                               writeback_o,
  // The state that waits, and MissedEvents to be written back.
  // verilator lint_off UNUSEDSIGNAL
  input  port_t                              port_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic                               granted_i,
  input  logic                               rsp_valid_i,
  input  logic                               rsp_err_i,
  input  logic [63:0]                        first_byte_i,
  input  logic [63:0]                        mem_rdata_i,

  // Page fault of the deferred initialisation, in ring 3.
  output logic                               fault_o,
  output logic                               fault_write_o,

  // What happens to the session, to the ring, to the events.
  output ctl_act_t                           act_o,
  output restore_t                           restore_o,
  output logic                               gone_o,
  output logic                               good_o,
  output logic                               reload_session_o,
  output logic [NumEvents-1:0]               selected_o,
  output logic                               ring_load_o,
  output logic [27:0]                        ring_head_o,
  output logic [27:0]                        ring_tail_o,
  output slot_load_t                         slot_load_o,
  output logic [NumEvents-1:0]               counter_we_o,
  output logic [NumEvents-1:0][CounterW-1:0] counter_o,

  output session_t                           session_o,
  output block_t                             block_o,
  output ctl_t                               ctl_o
);

  logic        memory, skip, write, again, back, restore_valid;
  logic [63:0] save_word;

  assign slot_load_o.keep = reload_session_o;

  lwp_ctl_access #(
    .EventSlots(EventSlots)
  ) u_ctl_access (
    .st_i       (ctl_o.st),
    .idx_i      (ctl_o.idx),
    .arg_i      (ctl_o.arg),
    .lwpcb_i    (session_o.lwpcb),
    .back_i     (back),
    .flags_i    (block_o.flags),
    .size_i     (block_o.size),
    .head_i     (ring_i.head),
    .missed_i   (ring_i.missed),
    .events_i,
    .mem_wdata_i(port_i.wdata),
    .memory_o   (memory),
    .skip_o     (skip),
    .write_o    (write),
    .access_o
  );

  lwp_control #(
    .EventSlots(EventSlots)
  ) u_control (
    .clk_i,
    .rst_ni,
    .present_i    (cfg_i.present),
    .avail_ire_i  (cfg_i.avail_ire),
    .avail_bre_i  (cfg_i.avail_bre),
    .avail_dme_i  (cfg_i.avail_dme),
    .avail_int_i  (cfg_i.avail_int),
    .misaligned_i (cfg_i.misaligned),
    .v86_i        (cfg_i.v86),
    .skip_flush_i (cfg_i.flush_outside),
    .ring3_i,
    .cpl_i,
    .op_mode_i,
    .ctl_valid_i,
    .ctl_op_i,
    .ctl_word_i,
    .ctl_wdata_i,
    .ctl_ds_base_i,
    .accept_i,
    .settled_i,
    .pf_valid_i,
    .session_i    (session_o),
    .room_i       (block_o.size != '0),
    .selected_i   (selected_o != '0),
    .save_word_i  (save_word),
    .memory_i     (memory),
    .skip_i       (skip),
    .write_i      (write),
    .want_o,
    .abandon_o,
    .writeback_o,
    .mem_wait_i   (port_i.waiting),
    .granted_i,
    .rsp_valid_i,
    .rsp_err_i,
    .first_byte_i,
    .act_o,
    .restore_o    (restore_valid),
    .good_o,
    .reload_o     (reload_session_o),
    .again_o      (again),
    .back_o       (back),
    .fault_o,
    .fault_write_o,
    .ctl_o
  );

  lwp_session u_session (
    .clk_i,
    .rst_ni,
    .avail_ire_i(cfg_i.avail_ire),
    .avail_bre_i(cfg_i.avail_bre),
    .avail_dme_i(cfg_i.avail_dme),
    .avail_int_i(cfg_i.avail_int),
    .act_i      (act_o),
    .restore_i  (restore_o),
    .good_i     (good_o),
    .arg_i      (ctl_o.arg),
    .gone_o,
    .session_o
  );

  lwp_block u_block (
    .clk_i,
    .rst_ni,
    .avail_ire_i     (cfg_i.avail_ire),
    .avail_bre_i     (cfg_i.avail_bre),
    .avail_dme_i     (cfg_i.avail_dme),
    .load_i          (act_o.load),
    .reload_i        (reload_session_o),
    .again_i         (again),
    .idx_i           (ctl_o.idx),
    .mem_rdata_i,
    .enabled_i       (session_o.msr0[NumEvents:1]),
    .enabled_int_i   (session_o.msr0[FlagsInterrupt]),
    .head_i          (ring_i.head),
    .event_load_o    (slot_load_o.selects),
    .event_slot_o    (slot_load_o.slot),
    .event_interval_o(slot_load_o.interval),
    .event_counter_o (slot_load_o.counter),
    .ring_load_o,
    .ring_head_o,
    .ring_tail_o,
    .selected_o,
    .block_o
  );

  lwp_context u_context (
    .session_i      (session_o),
    .selected_i     (block_o.flags[NumEvents:1]),
    .ring_i,
    .events_i,
    .record_i,
    .pending_i,
    .rotate_i,
    .irq_i,
    .irq_count_i,
    .lfsr_i,
    .word_i         (ctl_o.idx[3:0]),
    .save_o         (save_word),
    .restore_valid_i(restore_valid),
    .arg_i          (ctl_o.arg),
    .restore_o,
    .counter_we_o,
    .counter_o
  );

endmodule
