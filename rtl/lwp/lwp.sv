// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The Lightweight Profiling unit: count, gather, store, report, reset, and the control instructions.
//
// Watches the instructions that a core retires in ring 3, counts events, and now and then writes a 32-byte record of
// one of them into a ring buffer of the running process. A Moore machine with one clock: every output is a function
// of registers and straps alone, so that no path runs through it. All registers reset to 0, asynchronously.
//
// Specification: Lightweight Profiling Proposal (2007-07-20). Contract: docs/src/lwp/.

module lwp
  import lwp_pkg::*;
#(
  // Instructions that may retire in one cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes = 4,
  // Event slots of the LWPCB (CPUID LWPMaxEvents): 1 to 26.
  parameter int unsigned EventSlots  = 8,
  // Width of a reported latency (CPUID LWPCacheMax): 10 to 31.
  parameter int unsigned LatencyBits = 31
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // Straps, static after reset.
  input  config_t                 cfg_i,

  // Mode.
  input  logic [1:0]              cpl_i,
  input  logic                    smm_i,
  input  logic [2:0]              op_mode_i,

  // Retire. Lane 0 is the oldest.
  input  logic                    partial_i,
  input  lane_t [RetireLanes-1:0] lanes_i,
  output logic                    stall_o,
  output logic                    cut_valid_o,
  output logic [LaneW-1:0]        cut_lane_o,
  output logic                    drain_o,
  output logic                    flush_req_o,
  output logic                    addr_track_o,

  // Miss address buffer, replay.
  input  logic                    alloc_valid_i,
  input  logic [2:0]              alloc_entry_i,
  input  logic                    fill_valid_i,
  input  logic [2:0]              fill_entry_i,
  input  logic [63:0]             fill_ip_i,
  input  logic [LatencyW-1:0]     fill_latency_i,
  input  source_e                 fill_source_i,
  input  logic                    replay_abort_i,

  // Random bits.
  input  logic [31:0]             entropy_i,

  // Control.
  input  logic                    ctl_valid_i,
  input  ctl_op_e                 ctl_op_i,
  input  logic [3:0]              ctl_word_i,
  input  logic [63:0]             ctl_wdata_i,
  input  logic [63:0]             ctl_ds_base_i,
  output logic                    rsp_valid_o,
  output fault_e                  rsp_fault_o,
  output logic                    rsp_fault_write_o,
  output logic [63:0]             rsp_rdata_o,
  output logic [63:0]             rsp_fault_addr_o,

  // Memory, always with user rights.
  output logic                    mem_req_o,
  output mem_cmd_e                mem_cmd_o,
  output logic [7:0]              mem_be_o,
  output logic [63:0]             mem_addr_o,
  output logic [63:0]             mem_wdata_o,
  input  logic                    mem_gnt_i,
  input  logic                    mem_rvalid_i,
  input  logic                    mem_err_i,
  input  logic [63:0]             mem_rdata_i,

  // Page fault.
  output logic                    pf_valid_o,
  output logic                    pf_write_o,
  output logic                    pf_abort_o,
  output logic [63:0]             pf_addr_o,
  input  logic                    pf_ack_i,

  // Threshold interrupt.
  output logic                    irq_o,
  input  logic                    irq_ack_i,

  // LWPMSR0, which is CPUID 8000_001C EAX.
  output logic [31:0]             msr0_o,

  // Every register, for verification. Leave it open in a product.
  output state_t                  probe_o
);

  if ((RetireLanes != 1) && (RetireLanes != 2) && (RetireLanes != 4) && (RetireLanes != 8)) begin : gen_bad_lanes
    $error("RetireLanes must be 1, 2, 4 or 8");
  end
  if ((EventSlots < 1) || (EventSlots > 26)) begin : gen_bad_slots
    $error("EventSlots must be 1 to 26");
  end
  if ((LatencyBits < 10) || (LatencyBits > 31)) begin : gen_bad_latency
    $error("LatencyBits must be 10 to 31");
  end

  ///////////////
  // Registers //
  ///////////////

  session_t                           session;
  block_t                             block;
  ring_t                              ring;
  event_t [NumEvents-1:0]             events;
  logic [31:0]                        lfsr;
  logic [1:0]                         rotate;
  cand_t                              cand;
  tag_t                               tag;
  logic                               split, undo_valid;
  logic [NumEvents-1:0][CounterW-1:0] undo;
  record_t [RecordQueue-1:0]          records;
  logic                               pending;
  store_st_e                          store_st;
  logic [1:0]                         store_beat;
  port_t                              port;
  ctl_t                               ctl;
  pf_t                                pf;
  logic                               irq;
  logic [7:0]                         irq_count;
  logic                               was_ring3, flush_req, cut_valid;
  logic [LaneW-1:0]                   cut_lane;
  logic [3:0]                         mab_phase;
  mab_t [MabEntries-1:0]              mab;

  lwp_parts #(
    .RetireLanes(RetireLanes),
    .EventSlots (EventSlots),
    .LatencyBits(LatencyBits)
  ) u_parts (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .cpl_i,
    .smm_i,
    .op_mode_i,
    .partial_i,
    .lanes_i,
    .alloc_valid_i,
    .alloc_entry_i,
    .fill_valid_i,
    .fill_entry_i,
    .fill_ip_i,
    .fill_latency_i,
    .fill_source_i,
    .replay_abort_i,
    .entropy_i,
    .ctl_valid_i,
    .ctl_op_i,
    .ctl_word_i,
    .ctl_wdata_i,
    .ctl_ds_base_i,
    .mem_gnt_i,
    .mem_rvalid_i,
    .mem_err_i,
    .mem_rdata_i,
    .pf_ack_i,
    .irq_ack_i,
    .stall_o,
    .drain_o,
    .addr_track_o,
    .session_o     (session),
    .block_o       (block),
    .ring_o        (ring),
    .events_o      (events),
    .lfsr_o        (lfsr),
    .rotate_o      (rotate),
    .cand_o        (cand),
    .tag_o         (tag),
    .split_o       (split),
    .undo_valid_o  (undo_valid),
    .undo_o        (undo),
    .records_o     (records),
    .pending_o     (pending),
    .store_st_o    (store_st),
    .store_beat_o  (store_beat),
    .port_o        (port),
    .ctl_o         (ctl),
    .pf_o          (pf),
    .irq_o         (irq),
    .irq_count_o   (irq_count),
    .was_ring3_o   (was_ring3),
    .flush_req_o   (flush_req),
    .cut_valid_o   (cut_valid),
    .cut_lane_o    (cut_lane),
    .mab_phase_o   (mab_phase),
    .mab_o         (mab)
  );

  /////////////
  // Outputs //
  /////////////

  assign cut_valid_o       = cut_valid;
  assign cut_lane_o        = cut_lane;
  assign flush_req_o       = flush_req;
  assign rsp_valid_o       = ctl.st == CtlDone;
  assign rsp_fault_o       = ctl.fault;
  assign rsp_fault_write_o = ctl.fault_write;
  assign rsp_rdata_o       = ctl.rdata;
  assign rsp_fault_addr_o  = ctl.fault_addr;
  assign mem_req_o         = port.req;
  assign mem_cmd_o         = port.cmd;
  assign mem_be_o          = port.be;
  assign mem_addr_o        = port.addr;
  assign mem_wdata_o       = port.wdata;
  assign pf_valid_o        = pf.valid;
  assign pf_write_o        = pf.write;
  assign pf_abort_o        = pf.aborts;
  assign pf_addr_o         = pf.addr;
  assign irq_o             = irq;
  assign msr0_o            = session.msr0;

  lwp_probe u_probe (
    .session_i    (session),
    .block_i      (block),
    .ring_i       (ring),
    .events_i     (events),
    .lfsr_i       (lfsr),
    .rotate_i     (rotate),
    .cand_i       (cand),
    .tag_i        (tag),
    .split_i      (split),
    .undo_valid_i (undo_valid),
    .undo_i       (undo),
    .records_i    (records),
    .pending_i    (pending),
    .store_st_i   (store_st),
    .store_beat_i (store_beat),
    .port_i       (port),
    .ctl_i        (ctl),
    .pf_i         (pf),
    .irq_i        (irq),
    .irq_count_i  (irq_count),
    .was_ring3_i  (was_ring3),
    .flush_req_i  (flush_req),
    .cut_valid_i  (cut_valid),
    .cut_lane_i   (cut_lane),
    .mab_phase_i  (mab_phase),
    .mab_i        (mab),
    .probe_o      (probe_o)
  );

endmodule
