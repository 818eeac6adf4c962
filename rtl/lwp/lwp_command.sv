// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Command: executes the control operations, and holds LWPMSR0, the LWPCB pointer, and the fields of the block.
//
// This module connects control, its accesses, session, block and context.
//
// Specification: Lightweight Profiling Proposal, "LWPMSRs", "LWP Control Instructions", "LWP Control Block", "Processor
// State for context switch, SVM, and SMM". Contract: docs/src/lwp/control.md, docs/src/lwp/context.md.

module lwp_command
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  // Event slots of the LWPCB (CPUID LWPMaxEvents): 1 to 26.
  parameter int unsigned EventSlots = 8
) (
  // Clock: all registers change at its rising edge.
  input  logic                               clk_i,
  // Asynchronous reset, active low.
  input  logic                               rst_ni,

  // Only some straps are used here.
  // verilator lint_off UNUSEDSIGNAL
  // Straps, constant after reset.
  input  config_t                            cfg_i,
  // verilator lint_on UNUSEDSIGNAL

  // The core is in ring 3 and not in System Management Mode.
  input  logic                               ring3_i,
  // Current privilege level, 0 to 3.
  input  logic [1:0]                         cpl_i,
  // Operating mode: 0 real, 1 virtual-8086, 2 protected, 3 compatibility, 4 64-bit; 5 to 7 act as 2.
  input  logic [2:0]                         op_mode_i,
  // An operation is requested; it is accepted in a cycle without a stall.
  input  logic                               ctl_valid_i,
  // Requested operation; valid with `ctl_valid_i`.
  input  ctl_op_e                            ctl_op_i,
  // Number of the context word of a save or restore; valid with `ctl_valid_i`.
  input  logic [3:0]                         ctl_word_i,
  // rAX of LLWPCB, or value of a WRMSR or of a restore; valid with `ctl_valid_i`.
  input  logic [63:0]                        ctl_wdata_i,
  // Linear base address of DS; valid with `ctl_valid_i`.
  input  logic [63:0]                        ctl_ds_base_i,

  // The core is not stalled: lanes and operations of this cycle are accepted.
  input  logic                               accept_i,
  // The unit is settled: store and port are idle, and no store starts.
  input  logic                               settled_i,
  // A page-fault trap is pending.
  input  logic                               pf_valid_i,

  // Head, tail, missed events, and records until the tail is read again.
  input  ring_t                              ring_i,
  // Per event: slot, interval and counter.
  input  event_t [NumEvents-1:0]             events_i,
  // records[0].
  input  record_t                            record_i,
  // records[0] faulted and is stored before the next instruction retires.
  input  logic                               pending_i,
  // Index of the event chosen last (`gather_select` = rotating).
  input  logic [1:0]                         rotate_i,
  // The threshold interrupt is requested.
  input  logic                               irq_i,
  // Cycles until the delayed interrupt is requested; 0 if none is delayed.
  input  logic [7:0]                         irq_count_i,
  // State of the LFSR; 0 until its first advance.
  input  logic [31:0]                        lfsr_i,

  // The state machine wants an access.
  output logic                               want_o,
  // Access that the state machine wants; valid with `want_o`.
  output access_t                            access_o,
  // The state machine abandons its access in this cycle.
  output logic                               abandon_o,
  // MissedEvents has been read and is to be written back with the missed events added.
  output logic                               writeback_o,
  // Only `waiting` and `wdata` are used here.
  // verilator lint_off UNUSEDSIGNAL
  // Registers of the memory port.
  input  port_t                              port_i,
  // verilator lint_on UNUSEDSIGNAL
  // The pending request is granted in this cycle.
  input  logic                               granted_i,
  // A response to an access that has not been abandoned is valid in this cycle.
  input  logic                               rsp_valid_i,
  // The access failed with a page fault; valid with `rsp_valid_i`.
  input  logic                               rsp_err_i,
  // Linear address of the first byte accessed.
  input  logic [63:0]                        first_byte_i,
  // Aligned 8 bytes that were read; valid with the response of a read.
  input  logic [63:0]                        mem_rdata_i,

  // An access of an initialisation or a reload failed with a page fault in ring 3.
  output logic                               fault_o,
  // The access that failed was a write or a write probe; valid with `fault_o`.
  output logic                               fault_write_o,

  // Changes of the session by the control state machine at the end of this cycle.
  output ctl_act_t                           act_o,
  // Context word that is restored at the end of this cycle, one-hot, and whether the old thread's state is cleared.
  output restore_t                           restore_o,
  // The session is dropped or replaced.
  output logic                               gone_o,
  // The session of the loaded block is good: BufferSize is not 0, and a slot selects an event.
  output logic                               good_o,
  // A restored session is being reloaded.
  output logic                               reload_session_o,
  // Per event: a slot selects the event.
  output logic [NumEvents-1:0]               selected_o,
  // Head and tail of the block being loaded are valid in this cycle.
  output logic                               ring_load_o,
  // New head in bytes: BufferHeadOffset, in a reload the restored head. Valid with `ring_load_o`.
  output logic [27:0]                        ring_head_o,
  // New tail in bytes: BufferTailOffset. Valid with `ring_load_o`.
  output logic [27:0]                        ring_tail_o,
  // Slot of the block being loaded.
  output slot_load_t                         slot_load_o,
  // Per event: a restore writes the counter.
  output logic [NumEvents-1:0]               counter_we_o,
  // Per event: restored counter; valid with `counter_we_o`.
  output logic [NumEvents-1:0][CounterW-1:0] counter_o,

  // LWPMSR0, the LWPCB pointer, and the state of the session.
  output session_t                           session_o,
  // Fields of the LWPCB that were read when the session was loaded.
  output block_t                             block_o,
  // Registers of the control state machine.
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
