// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The Lightweight Profiling unit: count, gather, store, report, reset, and the control instructions.
//
// Watches the instructions that a core retires in ring 3, counts events, and now and then writes a 32-byte record of
// one of them into a ring buffer of the running process. A Moore machine with one clock: every output is a function
// of registers alone, so that no path runs through it. All registers reset to 0, asynchronously.
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

  // Control.
  input  logic                    ctl_valid_i,
  input  ctl_op_e                 ctl_op_i,
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

  // Page-fault trap.
  output logic                    pf_valid_o,
  output logic                    pf_write_o,
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

  logic ring3, mode64;
  assign ring3  = (cpl_i == 2'd3) && !smm_i;
  assign mode64 = op_mode_i == Mode64;

  /////////////
  // Signals //
  /////////////

  // Session.
  logic [31:0]                        msr0;
  logic [63:0]                        lwpcb;
  logic                               active, init_pending;
  logic [31:0]                        flags;
  logic [63:0]                        base;
  logic [27:0]                        size, head, tail;
  logic [3:0]                         random;
  logic [31:0]                        threshold;
  logic [13:0]                        filter;
  logic [NumEvents-1:0]               event_load;
  logic [4:0]                         event_slot;
  logic [CounterW-1:0]                event_interval, event_counter;

  // Count.
  logic [NumEvents-1:0][4:0]          slot;
  logic [NumEvents-1:0][CounterW-1:0] interval, counter;
  logic                               cand_valid;
  load_t                              cand;

  // Gather.
  logic                               gather;
  event_id_e                          rec_event;
  logic [3:0]                         rec_flags;
  logic [LatencyBits-1:0]             rec_data;
  logic [63:0]                        rec_ip, rec_addr;

  // Store.
  store_st_e                          store_st;
  logic [1:0]                         store_beat;
  logic                               store_want, store_abandon, increment;
  access_t                            store_access;
  logic                               store_fault, store_fault_write;
  logic                               head_we, tail_we;
  logic [27:0]                        head_next, tail_next;

  // Reset.
  logic [NumEvents-1:0]               reload;
  logic [CounterW-1:0]                reload_keep, reload_bits;
  logic [31:0]                        lfsr;

  // Control.
  ctl_st_e                            ctl_st;
  ctl_op_e                            ctl_op;
  logic                               ctl_init, ctl_ring3;
  logic [4:0]                         ctl_idx;
  fault_e                             ctl_fault;
  logic                               ctl_fault_write;
  logic [63:0]                        ctl_arg, ctl_rdata, ctl_fault_addr;
  logic                               ctl_want, ctl_abandon;
  access_t                            ctl_access;
  logic                               msr0_we, switch, retire, load, commit, good;
  logic                               init_fault, init_fault_write;

  // Port.
  logic                               granted, rsp_valid, rsp_err;
  logic [63:0]                        first_byte;
  logic                               mem_req, mem_wait, mem_drop;
  mem_cmd_e                           mem_cmd;
  logic [7:0]                         mem_be;
  logic [63:0]                        mem_addr, mem_wdata;

  // Requests.
  logic                               pf_valid, pf_write, irq;
  logic [63:0]                        pf_addr;

  //////////////////////
  // Count and gather //
  //////////////////////

  logic accept, counting;
  assign accept   = ctl_st == CtlIdle;
  assign counting = accept && ring3 && active;

  logic [NumEvents-1:0][RetireLanes-1:0] expire;
  logic [RetireLanes-1:0]                second;

  lwp_count #(
    .RetireLanes(RetireLanes),
    .LatencyBits(LatencyBits)
  ) u_count (
    .clk_i,
    .rst_ni,
    .latency_filter_i(cfg_i.latency_filter),
    .level_filter_i  (cfg_i.level_filter),
    .accept_i        (accept),
    .ring3_i         (ring3),
    .active_i        (active),
    .enable_i        (flags[NumEvents:1] & msr0[NumEvents:1]),
    .filter_i        (filter),
    .partial_i,
    .lanes_i,
    .load_i          (event_load),
    .load_slot_i     (event_slot),
    .load_interval_i (event_interval),
    .load_counter_i  (event_counter),
    .reload_i        (reload),
    .reload_keep_i   (reload_keep),
    .reload_bits_i   (reload_bits),
    .slot_o          (slot),
    .interval_o      (interval),
    .counter_o       (counter),
    .cand_valid_o    (cand_valid),
    .cand_o          (cand),
    .expire_o        (expire),
    .second_o        (second)
  );

  lwp_gather #(
    .RetireLanes(RetireLanes),
    .LatencyBits(LatencyBits)
  ) u_gather (
    .clk_i,
    .rst_ni,
    .data_address_i(cfg_i.data_address),
    .enable_i      (counting && !partial_i && (store_st == StoreIdle) && !pf_valid),
    .mode64_i      (mode64),
    .lanes_i,
    .expire_i      (expire),
    .second_i      (second),
    .slot_i        (slot),
    .cand_valid_i  (cand_valid),
    .cand_i        (cand),
    .gather_o      (gather),
    .rec_event_o   (rec_event),
    .rec_flags_o   (rec_flags),
    .rec_data_o    (rec_data),
    .rec_ip_o      (rec_ip),
    .rec_addr_o    (rec_addr)
  );

  //////////////////////////
  // Store, report, reset //
  //////////////////////////

  lwp_store #(
    .LatencyBits(LatencyBits)
  ) u_store (
    .clk_i,
    .rst_ni,
    .core_id_i    (cfg_i.core_id),
    .ring3_i      (ring3),
    .gather_i     (gather),
    .rec_event_i  (rec_event),
    .rec_flags_i  (rec_flags),
    .rec_data_i   (rec_data),
    .rec_ip_i     (rec_ip),
    .rec_addr_i   (rec_addr),
    .lwpcb_i      (lwpcb),
    .base_i       (base),
    .size_i       (size),
    .head_i       (head),
    .tail_i       (tail),
    .head_we_o    (head_we),
    .head_o       (head_next),
    .tail_we_o    (tail_we),
    .tail_o       (tail_next),
    .want_o       (store_want),
    .access_o     (store_access),
    .abandon_o    (store_abandon),
    .increment_o  (increment),
    .granted_i    (granted),
    .mem_wait_i   (mem_wait),
    .rsp_valid_i  (rsp_valid),
    .rsp_err_i    (rsp_err),
    .rsp_tail_i   (mem_rdata_i[63:32]),
    .mem_wdata_i  (mem_wdata),
    .fault_o      (store_fault),
    .fault_write_o(store_fault_write),
    .store_st_o   (store_st),
    .store_beat_o (store_beat)
  );

  lwp_report u_report (
    .clk_i,
    .rst_ni,
    .store_st_i  (store_st),
    .size_i      (size),
    .head_i      (head),
    .tail_i      (tail),
    .threshold_i (threshold),
    .int_enable_i(flags[FlagsInterrupt] && msr0[FlagsInterrupt]),
    .irq_ack_i,
    .irq_o       (irq)
  );

  lwp_reset u_reset (
    .clk_i,
    .rst_ni,
    .lfsr_seed_i  (cfg_i.lfsr_seed),
    .store_st_i   (store_st),
    .rec_event_i  (rec_event),
    .random_i     (random),
    .reload_o     (reload),
    .reload_keep_o(reload_keep),
    .reload_bits_o(reload_bits),
    .lfsr_o       (lfsr)
  );

  lwp_trap u_trap (
    .clk_i,
    .rst_ni,
    .store_fault_i(store_fault),
    .store_write_i(store_fault_write),
    .ctl_fault_i  (init_fault),
    .ctl_write_i  (init_fault_write),
    .first_byte_i (first_byte),
    .pf_ack_i,
    .pf_valid_o   (pf_valid),
    .pf_write_o   (pf_write),
    .pf_addr_o    (pf_addr)
  );

  /////////////
  // Control //
  /////////////

  lwp_control #(
    .EventSlots(EventSlots)
  ) u_control (
    .clk_i,
    .rst_ni,
    .present_i        (cfg_i.present),
    .avail_ire_i      (cfg_i.avail_ire),
    .avail_bre_i      (cfg_i.avail_bre),
    .avail_dme_i      (cfg_i.avail_dme),
    .avail_int_i      (cfg_i.avail_int),
    .ring3_i          (ring3),
    .cpl_i,
    .op_mode_i,
    .ctl_valid_i,
    .ctl_op_i,
    .ctl_wdata_i,
    .ctl_ds_base_i,
    .msr0_i           (msr0),
    .lwpcb_i          (lwpcb),
    .active_i         (active),
    .init_pending_i   (init_pending),
    .flags_i          (flags),
    .size_i           (size),
    .head_i           (head),
    .slot_i           (slot),
    .counter_i        (counter),
    .store_st_i       (store_st),
    .pf_valid_i       (pf_valid),
    .want_o           (ctl_want),
    .access_o         (ctl_access),
    .abandon_o        (ctl_abandon),
    .mem_req_i        (mem_req),
    .mem_wait_i       (mem_wait),
    .granted_i        (granted),
    .rsp_valid_i      (rsp_valid),
    .rsp_err_i        (rsp_err),
    .first_byte_i     (first_byte),
    .msr0_we_o        (msr0_we),
    .switch_o         (switch),
    .retire_o         (retire),
    .load_o           (load),
    .commit_o         (commit),
    .good_o           (good),
    .fault_o          (init_fault),
    .fault_write_o    (init_fault_write),
    .ctl_st_o         (ctl_st),
    .ctl_op_o         (ctl_op),
    .ctl_init_o       (ctl_init),
    .ctl_ring3_o      (ctl_ring3),
    .ctl_idx_o        (ctl_idx),
    .ctl_fault_o      (ctl_fault),
    .ctl_fault_write_o(ctl_fault_write),
    .ctl_arg_o        (ctl_arg),
    .ctl_rdata_o      (ctl_rdata),
    .ctl_fault_addr_o (ctl_fault_addr)
  );

  lwp_session u_session (
    .clk_i,
    .rst_ni,
    .avail_ire_i     (cfg_i.avail_ire),
    .avail_bre_i     (cfg_i.avail_bre),
    .avail_dme_i     (cfg_i.avail_dme),
    .msr0_we_i       (msr0_we),
    .switch_i        (switch),
    .retire_i        (retire),
    .load_i          (load),
    .commit_i        (commit),
    .good_i          (good),
    .ctl_arg_i       (ctl_arg),
    .ctl_idx_i       (ctl_idx),
    .mem_rdata_i,
    .head_we_i       (head_we),
    .head_i          (head_next),
    .tail_we_i       (tail_we),
    .tail_i          (tail_next),
    .event_load_o    (event_load),
    .event_slot_o    (event_slot),
    .event_interval_o(event_interval),
    .event_counter_o (event_counter),
    .msr0_o          (msr0),
    .lwpcb_o         (lwpcb),
    .active_o        (active),
    .init_pending_o  (init_pending),
    .flags_o         (flags),
    .base_o          (base),
    .size_o          (size),
    .random_o        (random),
    .head_o          (head),
    .tail_o          (tail),
    .threshold_o     (threshold),
    .filter_o        (filter)
  );

  //////////
  // Port //
  //////////

  lwp_port u_port (
    .clk_i,
    .rst_ni,
    .store_want_i  (store_want),
    .store_access_i(store_access),
    .ctl_want_i    (ctl_want),
    .ctl_access_i  (ctl_access),
    .abandon_i     (store_abandon || ctl_abandon),
    .increment_i   (increment),
    .mem_gnt_i,
    .mem_rvalid_i,
    .mem_err_i,
    .mem_rdata_i,
    .granted_o     (granted),
    .rsp_valid_o   (rsp_valid),
    .rsp_err_o     (rsp_err),
    .first_byte_o  (first_byte),
    .mem_req_o     (mem_req),
    .mem_wait_o    (mem_wait),
    .mem_drop_o    (mem_drop),
    .mem_cmd_o     (mem_cmd),
    .mem_be_o      (mem_be),
    .mem_addr_o    (mem_addr),
    .mem_wdata_o   (mem_wdata)
  );

  /////////////
  // Outputs //
  /////////////

  assign stall_o           = ctl_st != CtlIdle;
  assign rsp_valid_o       = ctl_st == CtlDone;
  assign rsp_fault_o       = ctl_fault;
  assign rsp_fault_write_o = ctl_fault_write;
  assign rsp_rdata_o       = ctl_rdata;
  assign rsp_fault_addr_o  = ctl_fault_addr;
  assign mem_req_o         = mem_req;
  assign mem_cmd_o         = mem_cmd;
  assign mem_be_o          = mem_be;
  assign mem_addr_o        = mem_addr;
  assign mem_wdata_o       = mem_wdata;
  assign pf_valid_o        = pf_valid;
  assign pf_write_o        = pf_write;
  assign pf_addr_o         = pf_addr;
  assign irq_o             = irq;
  assign msr0_o            = msr0;

  event_t [NumEvents-1:0] events;

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_probe_events
    assign events[e] = '{slot: slot[e], interval: interval[e], counter: counter[e]};
  end

  assign probe_o = '{
    msr0:            msr0,
    lwpcb:           lwpcb,
    active:          active,
    init_pending:    init_pending,
    flags:           flags,
    base:            base,
    size:            size,
    random:          random,
    head:            head,
    tail:            tail,
    threshold:       threshold,
    filter:          filter,
    events:          events,
    lfsr:            lfsr,
    cand_valid:      cand_valid,
    cand_addr_valid: cand.addr_valid,
    cand_source:     cand.source,
    cand_latency:    cand.latency,
    cand_addr:       cand.addr,
    rec_event:       rec_event,
    rec_flags:       rec_flags,
    rec_data:        LatencyW'(rec_data),
    rec_ip:          rec_ip,
    rec_addr:        rec_addr,
    store_st:        store_st,
    store_beat:      store_beat,
    mem_req:         mem_req,
    mem_wait:        mem_wait,
    mem_drop:        mem_drop,
    mem_cmd:         mem_cmd,
    mem_be:          mem_be,
    mem_addr:        mem_addr,
    mem_wdata:       mem_wdata,
    ctl_st:          ctl_st,
    ctl_op:          ctl_op,
    ctl_init:        ctl_init,
    ctl_ring3:       ctl_ring3,
    ctl_idx:         ctl_idx,
    ctl_fault:       ctl_fault,
    ctl_fault_write: ctl_fault_write,
    ctl_arg:         ctl_arg,
    ctl_rdata:       ctl_rdata,
    ctl_fault_addr:  ctl_fault_addr,
    pf_valid:        pf_valid,
    pf_write:        pf_write,
    pf_addr:         pf_addr,
    irq:             irq
  };

`ifndef SYNTHESIS
  lwp_assert #(
    .EventSlots (EventSlots),
    .LatencyBits(LatencyBits)
  ) u_assert (
    .clk_i,
    .rst_ni,
    .seed_zero_i   (cfg_i.lfsr_seed == '0),
    .no_filter_i   (!cfg_i.latency_filter && !cfg_i.level_filter),
    .ring3_i       (ring3),
    .mem_gnt_i,
    .store_want_i  (store_want),
    .ctl_want_i    (ctl_want),
    .store_fault_i (store_fault),
    .init_fault_i  (init_fault),
    .state_i       (probe_o)
  );
`endif

endmodule
