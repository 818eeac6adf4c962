// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Types and constants of the performance counters.
//
// Specification: the study of the P6 counters, the text on architectural performance monitoring, the document on
// debugging, branch records, TSC and RDT. Straps, inputs, outputs and registers stand in the order of
// docs/src/perf/ports.md and docs/src/perf/state.md.

package perf_pkg;

  // Logical processors and counters of the widest build.
  localparam int unsigned MaxProcessors = 8;
  localparam int unsigned MaxGeneral    = 8;
  localparam int unsigned MaxFixed      = 3;
  // Bits of the widest counter.
  localparam int unsigned CounterW      = 48;
  // Bits of the number of a selection on one logical processor, at most 60, and on all of them, at most 480.
  localparam int unsigned NumberW       = 6;
  localparam int unsigned SumW          = 9;

  // Numbers of the model-specific registers. Those of counters are of the first one.
  localparam logic [31:0] MsrCounter      = 32'h0000_00C1;
  localparam logic [31:0] MsrSelect       = 32'h0000_0186;
  localparam logic [31:0] MsrFixed        = 32'h0000_0309;
  localparam logic [31:0] MsrCapabilities = 32'h0000_0345;
  localparam logic [31:0] MsrFixedControl = 32'h0000_038D;
  localparam logic [31:0] MsrGlobalStatus = 32'h0000_038E;
  localparam logic [31:0] MsrGlobalCtrl   = 32'h0000_038F;
  localparam logic [31:0] MsrGlobalOvf    = 32'h0000_0390;
  localparam logic [31:0] MsrFullCounter  = 32'h0000_04C1;
  localparam logic [31:0] MsrLvt          = 32'h0000_0834;

  // Delivery modes that interrupt.
  localparam logic [2:0] DeliverFixed = 3'd0;
  localparam logic [2:0] DeliverSmi   = 3'd2;
  localparam logic [2:0] DeliverNmi   = 3'd4;

  // The straps.
  typedef struct packed {
    logic [1:0]  personality;
    logic [1:0]  p6_model;
    logic [3:0]  counters;
    logic [5:0]  width;
    logic [1:0]  fixed;
    logic [5:0]  fixed_width;
    logic [6:0]  events;
    logic        any_thread;
    logic        pdcm;
    logic [16:0] capabilities;
    logic        inv_zero;
    logic        sel1_en;
    logic        fast_read;
    logic        x2apic;
    logic        mask_on_delivery;
  } config_t;

  // The event bus.
  typedef struct packed {
    logic [3:0] data_mem_refs;
    logic [3:0] dcu_lines_in;
    logic [3:0] dcu_m_lines_in;
    logic [3:0] dcu_m_lines_out;
    logic [3:0] dcu_miss_outstanding;
    logic [3:0] ifu_ifetch;
    logic [3:0] ifu_ifetch_miss;
    logic [3:0] itlb_miss;
    logic [3:0] l2_ifetch_i;
    logic [3:0] l2_ifetch_s;
    logic [3:0] l2_ifetch_e;
    logic [3:0] l2_ifetch_m;
    logic [3:0] l2_ld_i;
    logic [3:0] l2_ld_s;
    logic [3:0] l2_ld_e;
    logic [3:0] l2_ld_m;
    logic [3:0] l2_st_i;
    logic [3:0] l2_st_s;
    logic [3:0] l2_st_e;
    logic [3:0] l2_st_m;
    logic [3:0] l2_rqsts_i;
    logic [3:0] l2_rqsts_s;
    logic [3:0] l2_rqsts_e;
    logic [3:0] l2_rqsts_m;
    logic [3:0] l2_lines_in;
    logic [3:0] l2_lines_out;
    logic [3:0] l2_m_lines_inm;
    logic [3:0] l2_m_lines_outm;
    logic [3:0] l2_ads;
    logic [3:0] bus_req_outstanding;
    logic [3:0] bus_brd_self;
    logic [3:0] bus_brd_any;
    logic [3:0] bus_rfo_self;
    logic [3:0] bus_rfo_any;
    logic [3:0] bus_wb_self;
    logic [3:0] bus_wb_any;
    logic [3:0] bus_ifetch_self;
    logic [3:0] bus_ifetch_any;
    logic [3:0] bus_inval_self;
    logic [3:0] bus_inval_any;
    logic [3:0] bus_pwr_self;
    logic [3:0] bus_pwr_any;
    logic [3:0] bus_p_self;
    logic [3:0] bus_p_any;
    logic [3:0] bus_io_self;
    logic [3:0] bus_io_any;
    logic [3:0] bus_def_self;
    logic [3:0] bus_def_any;
    logic [3:0] bus_burst_self;
    logic [3:0] bus_burst_any;
    logic [3:0] bus_all_self;
    logic [3:0] bus_all_any;
    logic [3:0] bus_mem_self;
    logic [3:0] bus_mem_any;
    logic [3:0] flops;
    logic [3:0] fp_comp_ops_exe;
    logic [3:0] fp_assist;
    logic [3:0] mul;
    logic [3:0] div;
    logic [3:0] ld_blocks;
    logic [3:0] kni_pref_dispatched_nta;
    logic [3:0] kni_pref_dispatched_t1;
    logic [3:0] kni_pref_dispatched_t2;
    logic [3:0] kni_pref_dispatched_weak;
    logic [3:0] kni_pref_miss_nta;
    logic [3:0] kni_pref_miss_t1;
    logic [3:0] kni_pref_miss_t2;
    logic [3:0] kni_pref_miss_weak;
    logic [3:0] uops_retired;
    logic [3:0] inst_decoded;
    logic [3:0] kni_retired;
    logic [3:0] kni_retired_scalar;
    logic [3:0] kni_comp_retired;
    logic [3:0] kni_comp_retired_scalar;
    logic [3:0] br_decoded;
    logic [3:0] btb_misses;
    logic [3:0] br_bogus;
    logic [3:0] baclears;
    logic [3:0] partial_rat_stalls;
    logic [3:0] segment_reg_loads;
    logic [3:0] mmx_exec;
    logic [3:0] mmx_sat_exec;
    logic [3:0] mmx_uops_exec;
    logic [3:0] mmx_type_mul;
    logic [3:0] mmx_type_shift;
    logic [3:0] mmx_type_pack;
    logic [3:0] mmx_type_unpack;
    logic [3:0] mmx_type_logical;
    logic [3:0] mmx_type_arith;
    logic [3:0] mmx_to_fp;
    logic [3:0] fp_to_mmx;
    logic [3:0] mmx_assist;
    logic [3:0] mmx_retired;
    logic [3:0] seg_rename_stalls_es;
    logic [3:0] seg_rename_stalls_ds;
    logic [3:0] seg_rename_stalls_fs;
    logic [3:0] seg_rename_stalls_gs;
    logic [3:0] seg_renames_es;
    logic [3:0] seg_renames_ds;
    logic [3:0] seg_renames_fs;
    logic [3:0] seg_renames_gs;
    logic [3:0] ret_seg_renames;
    logic [3:0] llc_references;
    logic [3:0] llc_misses;
    logic       ifu_mem_stall;
    logic       ild_stall;
    logic       l2_dbus_busy;
    logic       l2_dbus_busy_rd;
    logic       bus_drdy_self;
    logic       bus_drdy_any;
    logic       bus_lock_self;
    logic       bus_lock_any;
    logic       bus_data_rcv;
    logic       bus_bnr_drv;
    logic       bus_hit_drv;
    logic       bus_hitm_drv;
    logic       bus_snoop_stall;
    logic       div_busy;
    logic       sb_drains;
    logic       misalign_mem_ref;
    logic       resource_stalls;
    logic       int_masked;
    logic       int_pending_and_masked;
  } events_t;

  // A lane: the parts retired and branch, as far as they are watched.
  typedef struct packed {
    logic                     valid;
    logic                     counts;
    retire_pkg::branch_kind_e branch_kind;
    logic                     branch_taken;
    logic                     branch_pred_valid;
    logic                     branch_pred_ok;
  } lane_t;

  // What is watched of a logical processor.
  typedef struct packed {
    logic                  partial;
    logic [1:0]            cpl;
    retire_pkg::op_mode_e  op_mode;
    logic                  int_valid;
    retire_pkg::int_kind_e int_kind;
    logic                  halted;
    logic                  pce;
    logic                  freeze;
    logic                  freeze_on_pmi;
    logic                  freeze_while_smm;
    logic                  ds_pmi;
    logic                  irq_ack;
    events_t               events;
  } lp_in_t;

  // Write of the local APIC's entry in memory.
  typedef struct packed {
    logic        apic_write;
    logic [2:0]  apic_lp;
    logic [31:0] apic_wdata;
  } apic_t;

  // Registers of a general counter.
  typedef struct packed {
    logic [31:0]         select;
    logic [CounterW-1:0] counter;
    logic                held;
    logic                on;
    logic                status;
    logic                overflow;
    logic                due;
    logic                pin;
  } general_t;

  // Registers of a fixed counter.
  typedef struct packed {
    logic [3:0]          control;
    logic [CounterW-1:0] counter;
    logic                on;
    logic                status;
    logic                overflow;
  } fixed_t;

  // Other registers of a logical processor.
  typedef struct packed {
    logic       ds_status;
    logic       smm_frozen;
    logic [7:0] lvt_vector;
    logic [2:0] lvt_mode;
    logic       lvt_mask;
    logic       irq;
    logic [2:0] irq_mode;
    logic [7:0] irq_vector;
    logic       pmi;
  } lp_t;

  // Registers of the answer.
  typedef struct packed {
    logic                    reg_done;
    retire_pkg::reg_result_e reg_result;
    logic [63:0]             reg_rdata;
  } answer_t;

  // Every register of the unit. What a build does not have is 0.
  typedef struct packed {
    logic                                          ratio_fits;
    general_t [MaxProcessors-1:0][MaxGeneral-1:0]  general;
    fixed_t   [MaxProcessors-1:0][MaxFixed-1:0]    fixed;
    lp_t      [MaxProcessors-1:0]                  lp;
    answer_t                                       answer;
  } state_t;

  // Outputs of a logical processor.
  typedef struct packed {
    logic       irq;
    logic [2:0] irq_mode;
    logic [7:0] irq_vector;
    logic [7:0] lvt_vector;
    logic [2:0] lvt_mode;
    logic       lvt_mask;
    logic       pmi;
  } lp_out_t;

  // Outputs of a general counter.
  typedef struct packed {
    logic overflow;
    logic pin;
  } general_out_t;

  // Outputs of a fixed counter.
  typedef struct packed {
    logic overflow;
  } fixed_out_t;

  // What WRMSR writes in this cycle: one of the registers or none.
  typedef struct packed {
    logic [MaxGeneral-1:0] select;
    logic [MaxGeneral-1:0] counter;
    logic [MaxGeneral-1:0] full_counter;
    logic [MaxFixed-1:0]   fixed;
    logic                  fixed_control;
    logic                  global_ctrl;
    logic                  global_ovf;
    logic                  lvt;
  } write_t;

  // What the registers ask of a cell.
  typedef struct packed {
    logic [3:0] levels;
    logic       any;
    logic [7:0] threshold;
    logic       inverted;
    logic       edges;
    logic       enable;
    logic       interrupts;
    logic [5:0] width;
  } cell_control_t;

  // CPUID leaf 0AH.
  typedef struct packed {
    logic [31:0] eax;
    logic [31:0] ebx;
    logic [31:0] ecx;
    logic [31:0] edx;
  } cpuid_t;

  // The privilege level: 0 in real mode, 3 in virtual-8086 mode.
  function automatic logic [1:0] level(retire_pkg::op_mode_e op_mode, logic [1:0] cpl);
    return (op_mode == retire_pkg::ModeReal) ? 2'd0 : (op_mode == retire_pkg::ModeV86) ? 2'd3 : cpl;
  endfunction

  // What the core answers to CPUID leaf 0AH.
  // Most straps are not shown.
  // verilator lint_off UNUSEDSIGNAL
  function automatic cpuid_t cpuid(config_t cfg);
    cpuid_t leaf;
    leaf = '0;
    if (cfg.personality != 2'd0) begin
      leaf.eax = {8'd7, 2'b0, cfg.width, 4'b0, cfg.counters, 6'b0, cfg.personality};
      leaf.ebx = {25'b0, ~cfg.events};
    end
    if (cfg.personality >= 2'd2) begin
      leaf.edx[15] = (cfg.personality == 2'd3) && !cfg.any_thread;
      if (cfg.fixed != 2'd0) begin
        leaf.edx[12:5] = {2'b0, cfg.fixed_width};
        leaf.edx[4:0]  = {3'b0, cfg.fixed};
      end
    end
    return leaf;
  endfunction
  // verilator lint_on UNUSEDSIGNAL

endpackage
