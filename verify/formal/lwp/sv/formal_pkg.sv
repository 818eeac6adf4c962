// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the proofs share: the sizes of the build under proof, its inputs and outputs as one struct each, and the
// straps at their defaults.
//
// Sizes and straps come as macros from the program that runs the proofs (verify/formal/lwp/proofs.toml, "builds" and "straps").

package formal_pkg;

  import lwp_pkg::*;

  localparam int unsigned Lanes = `FORMAL_LANES;
  localparam int unsigned Slots = `FORMAL_SLOTS;
  localparam int unsigned LatBits = `FORMAL_LATENCY_BITS;

  // Inputs, in the order of docs/src/lwp/ports.md.
  typedef struct packed {
    logic [1:0]          cpl;
    logic                smm;
    logic [2:0]          op_mode;
    logic                partial;
    lane_t [Lanes-1:0]   lanes;
    logic                alloc_valid;
    logic [2:0]          alloc_entry;
    logic                fill_valid;
    logic [2:0]          fill_entry;
    logic [63:0]         fill_ip;
    logic [LatencyW-1:0] fill_latency;
    source_e             fill_source;
    logic                replay_abort;
    logic [31:0]         entropy;
    logic                ctl_valid;
    ctl_op_e             ctl_op;
    logic [3:0]          ctl_word;
    logic [63:0]         ctl_wdata;
    logic [63:0]         ctl_ds_base;
    logic                mem_gnt;
    logic                mem_rvalid;
    logic                mem_err;
    logic [63:0]         mem_rdata;
    logic                pf_ack;
    logic                irq_ack;
  } in_t;

  // Outputs, in the order of docs/src/lwp/ports.md.
  typedef struct packed {
    logic             stall;
    logic             cut_valid;
    logic [LaneW-1:0] cut_lane;
    logic             drain;
    logic             flush_req;
    logic             addr_track;
    logic             rsp_valid;
    fault_e           rsp_fault;
    logic             rsp_fault_write;
    logic [63:0]      rsp_rdata;
    logic [63:0]      rsp_fault_addr;
    logic             mem_req;
    mem_cmd_e         mem_cmd;
    logic [7:0]       mem_be;
    logic [63:0]      mem_addr;
    logic [63:0]      mem_wdata;
    logic             pf_valid;
    logic             pf_write;
    logic             pf_abort;
    logic [63:0]      pf_addr;
    logic             irq;
    logic [31:0]      msr0;
  } out_t;

  // Every strap at its default (docs/src/lwp/ports.md, "Straps").
  localparam config_t DefaultStraps = '{
    present: 1'b1,
    avail_ire: 1'b1,
    avail_bre: 1'b1,
    avail_dme: 1'b1,
    avail_int: 1'b1,
    latency_filter: 1'b1,
    level_filter: 1'b1,
    data_source: 1'b1,
    one_per_instr: 1'b1,
    address_gate: 1'b1,
    tail_nth: 4'd1,
    lfsr_seed: 32'h1,
    default: '0
  };

  // For covers of what the defaults leave out: several records, kept outside ring 3; replay; heads that stay in the
  // register.
  localparam config_t RichStraps = '{
    present: 1'b1,
    avail_ire: 1'b1,
    avail_bre: 1'b1,
    avail_dme: 1'b1,
    avail_int: 1'b1,
    latency_filter: 1'b1,
    level_filter: 1'b1,
    data_source: 1'b1,
    gather_policy: 1'b1,
    one_per_instr: 1'b1,
    leave_policy: LeaveHold,
    fault_policy: PolicyTrapPending,
    address_policy: AddressReplay,
    address_gate: 1'b1,
    head_flush: 1'b1,
    tail_reread: 1'b1,
    tail_nth: 4'd1,
    lfsr_seed: 32'h1,
    default: '0
  };

  // For covers of the rest: a store that retirement waits for, faults that undo the instruction, latencies from the
  // buffer, intervals read anew, a ring found full before the record is written.
  localparam config_t SyncStraps = '{
    present: 1'b1,
    avail_ire: 1'b1,
    avail_bre: 1'b1,
    avail_dme: 1'b1,
    avail_int: 1'b1,
    latency_filter: 1'b1,
    level_filter: 1'b1,
    data_source: 1'b1,
    one_per_instr: 1'b1,
    store_timing: 1'b1,
    fault_policy: PolicyFault,
    address_gate: 1'b1,
    latency_source: 1'b1,
    latency_step: 1'b1,
    latency_phase: 1'b1,
    tail_nth: 4'd1,
    interval_source: 1'b1,
    missed_mode: 1'b1,
    write_on_full: 1'b1,
    flush_outside: 1'b1,
    irq_delay: 8'd2,
    lfsr_seed: 32'h1,
    default: '0
  };

  function automatic logic in_ring3(in_t in);
    return (in.cpl == 2'd3) && !in.smm;
  endfunction

endpackage
