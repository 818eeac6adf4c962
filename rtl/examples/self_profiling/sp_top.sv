// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The worked integration: a core, the unit, and between them the adapters. This is the file to read; what lies between
// "LWP: from here" and "to here" is what a core's integrator writes.
//
//   core --RVFI--> lwp_retire_rvfi --lanes, cpl--> lwp --memory port--> lwp_mem_axi4 --AXI4--> memory
//   core <--control, interrupt, page fault--> lwp

module sp_top
  import lwp_pkg::*;
#(
  // Name of the file with the program, in hexadecimal words of 4 bytes.
  parameter string Program = "program.hex"
) (
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,
  // The program has stored its result: the run ends.
  output logic        tohost_valid_o,
  // Result of the program: 1 is success, other values are the number of the check that failed; valid with
  // `tohost_valid_o`.
  output logic [63:0] tohost_o
);

  // LWP: from here.
  // The straps of this product, tied off: an asynchronous store, because RVFI cannot wait; no prediction, because the
  // core has none; page faults do not occur, because the memory has no translation.
  localparam config_t Straps = '{
    present:        1'b1,
    avail_ire:      1'b1,
    avail_bre:      1'b1,
    avail_dme:      1'b1,
    avail_int:      1'b1,
    latency_filter: 1'b1,
    level_filter:   1'b1,
    data_source:    1'b1,
    one_per_instr:  1'b1,
    fault_policy:   2'd3,         // nonpaged
    prediction:     PredictNone,
    tail_nth:       4'd1,
    core_id:        8'h2A,
    lfsr_seed:      32'h1,
    default:        '0
  };
  // LWP: to here.

  // Outputs that these straps leave unused are open.
  // verilator lint_off PINCONNECTEMPTY

  //////////
  // Core //
  //////////

  logic [63:0] fetch_addr, data_addr, data_wdata, data_rdata;
  logic [31:0] fetch_data;
  logic        data_req, data_we, data_ack, data_far;
  logic [7:0]  data_be;

  // LWP: from here.
  logic        ctl_valid, rsp_valid, stall, lanes_busy, irq, irq_ack, pf_valid, pf_ack;
  ctl_op_e     ctl_op;
  fault_e      rsp_fault;
  logic [63:0] ctl_wdata, rsp_rdata;

  logic                rvfi_valid, rvfi_trap, counts, miss;
  logic [31:0]         rvfi_insn;
  logic [1:0]          rvfi_mode;
  logic [63:0]         rvfi_pc_rdata, rvfi_pc_wdata, rvfi_mem_addr;
  logic [7:0]          rvfi_mem_rmask;
  logic [LatencyW-1:0] latency;
  // LWP: to here.

  sp_core u_core (
    .clk_i,
    .rst_ni,
    .fetch_addr_o    (fetch_addr),
    .fetch_data_i    (fetch_data),
    .data_req_o      (data_req),
    .data_we_o       (data_we),
    .data_be_o       (data_be),
    .data_addr_o     (data_addr),
    .data_wdata_o    (data_wdata),
    .data_ack_i      (data_ack),
    .data_far_i      (data_far),
    .data_rdata_i    (data_rdata),
    // LWP: from here.
    .ctl_valid_o     (ctl_valid),
    .ctl_op_o        (ctl_op),
    .ctl_wdata_o     (ctl_wdata),
    .rsp_valid_i     (rsp_valid),
    .rsp_fault_i     (rsp_fault),
    .rsp_rdata_i     (rsp_rdata),
    .stall_i         (stall),
    .lanes_busy_i    (lanes_busy),
    .irq_i           (irq),
    .irq_ack_o       (irq_ack),
    .pf_valid_i      (pf_valid),
    .pf_ack_o        (pf_ack),
    .rvfi_valid_o    (rvfi_valid),
    .rvfi_trap_o     (rvfi_trap),
    .rvfi_insn_o     (rvfi_insn),
    .rvfi_mode_o     (rvfi_mode),
    .rvfi_pc_rdata_o (rvfi_pc_rdata),
    .rvfi_pc_wdata_o (rvfi_pc_wdata),
    .rvfi_mem_addr_o (rvfi_mem_addr),
    .rvfi_mem_rmask_o(rvfi_mem_rmask),
    .counts_o        (counts),
    .miss_o          (miss),
    .latency_o       (latency)
    // LWP: to here.
  );

  assign tohost_valid_o = data_ack && data_we && (data_addr == 64'h1_0000);
  assign tohost_o       = data_wdata;

  // LWP: from here.

  /////////////////
  // Retire port //
  /////////////////

  logic [1:0]  cpl;
  lane_t [0:0] lanes;

  lwp_retire_rvfi #(
    .RetireLanes(1),
    .Xlen       (64)
  ) u_retire (
    .clk_i,
    .rst_ni,
    .rvfi_valid_i    (rvfi_valid),
    .rvfi_trap_i     (rvfi_trap),
    .rvfi_insn_i     (rvfi_insn),
    .rvfi_mode_i     (rvfi_mode),
    .rvfi_pc_rdata_i (rvfi_pc_rdata),
    .rvfi_pc_wdata_i (rvfi_pc_wdata),
    .rvfi_mem_addr_i (rvfi_mem_addr),
    .rvfi_mem_rmask_i(rvfi_mem_rmask),
    .counts_i        (counts),
    .pred_valid_i    (1'b0),
    .pred_ok_i       (1'b0),
    .miss_i          (miss),
    .latency_i       (latency),
    .source_i        (SourceDram),
    .op_wait_i       (1'b0),
    .op_user_i       (1'b0),
    .cpl_o           (cpl),
    .lanes_o         (lanes),
    .busy_o          (lanes_busy)
  );

  //////////////
  // The unit //
  //////////////

  logic        mem_req, mem_gnt, mem_rvalid, mem_err;
  mem_cmd_e    mem_cmd;
  logic [7:0]  mem_be;
  logic [63:0] mem_addr, mem_wdata, mem_rdata;

  lwp #(
    .RetireLanes(1),
    .EventSlots (4),
    .LatencyBits(16)
  ) u_lwp (
    .clk_i,
    .rst_ni,
    .cfg_i            (Straps),
    .cpl_i            (cpl),
    .smm_i            (1'b0),
    .op_mode_i        (Mode64),
    .partial_i        (1'b0),
    .lanes_i          (lanes),
    .stall_o          (stall),
    .cut_valid_o      (),
    .cut_lane_o       (),
    .drain_o          (),
    .flush_req_o      (),
    .addr_track_o     (),
    .alloc_valid_i    (1'b0),
    .alloc_entry_i    ('0),
    .fill_valid_i     (1'b0),
    .fill_entry_i     ('0),
    .fill_ip_i        ('0),
    .fill_latency_i   ('0),
    .fill_source_i    (SourceNone),
    .replay_abort_i   (1'b0),
    .entropy_i        ('0),
    .ctl_valid_i      (ctl_valid),
    .ctl_op_i         (ctl_op),
    .ctl_word_i       ('0),
    .ctl_wdata_i      (ctl_wdata),
    .ctl_ds_base_i    ('0),
    .rsp_valid_o      (rsp_valid),
    .rsp_fault_o      (rsp_fault),
    .rsp_fault_write_o(),
    .rsp_rdata_o      (rsp_rdata),
    .rsp_fault_addr_o (),
    .mem_req_o        (mem_req),
    .mem_cmd_o        (mem_cmd),
    .mem_be_o         (mem_be),
    .mem_addr_o       (mem_addr),
    .mem_wdata_o      (mem_wdata),
    .mem_gnt_i        (mem_gnt),
    .mem_rvalid_i     (mem_rvalid),
    .mem_err_i        (mem_err),
    .mem_rdata_i      (mem_rdata),
    .pf_valid_o       (pf_valid),
    .pf_write_o       (),
    .pf_abort_o       (),
    .pf_addr_o        (),
    .pf_ack_i         (pf_ack),
    .irq_o            (irq),
    .irq_ack_i        (irq_ack),
    .msr0_o           (),
    .state_o          ()
  );

  /////////////////
  // Memory port //
  /////////////////

  logic [15:0] awaddr, araddr;
  logic [63:0] wdata, rdata;
  logic [7:0]  wstrb;
  logic        awvalid, awready, wvalid, wready, bvalid, bready, arvalid, arready, rvalid, rready;

  lwp_mem_axi4 #(
    .AddrWidth(16)
  ) u_bridge (
    .clk_i,
    .rst_ni,
    .mem_req_i    (mem_req),
    .mem_cmd_i    (mem_cmd),
    .mem_be_i     (mem_be),
    .mem_addr_i   (mem_addr),
    .mem_wdata_i  (mem_wdata),
    .mem_gnt_o    (mem_gnt),
    .mem_rvalid_o (mem_rvalid),
    .mem_err_o    (mem_err),
    .mem_rdata_o  (mem_rdata),
    .axi_awid_o   (),
    .axi_awaddr_o (awaddr),
    .axi_awlen_o  (),
    .axi_awsize_o (),
    .axi_awburst_o(),
    .axi_awlock_o (),
    .axi_awcache_o(),
    .axi_awprot_o (),
    .axi_awvalid_o(awvalid),
    .axi_awready_i(awready),
    .axi_wdata_o  (wdata),
    .axi_wstrb_o  (wstrb),
    .axi_wlast_o  (),
    .axi_wvalid_o (wvalid),
    .axi_wready_i (wready),
    .axi_bid_i    ('0),
    .axi_bresp_i  (2'b00),
    .axi_bvalid_i (bvalid),
    .axi_bready_o (bready),
    .axi_arid_o   (),
    .axi_araddr_o (araddr),
    .axi_arlen_o  (),
    .axi_arsize_o (),
    .axi_arburst_o(),
    .axi_arlock_o (),
    .axi_arcache_o(),
    .axi_arprot_o (),
    .axi_arvalid_o(arvalid),
    .axi_arready_i(arready),
    .axi_rid_i    ('0),
    .axi_rdata_i  (rdata),
    .axi_rresp_i  (2'b00),
    .axi_rlast_i  (1'b1),
    .axi_rvalid_i (rvalid),
    .axi_rready_o (rready)
  );

  // LWP: to here.
  // verilator lint_on PINCONNECTEMPTY

  sp_memory #(
    .Program(Program)
  ) u_memory (
    .clk_i,
    .rst_ni,
    .fetch_addr_i (fetch_addr),
    .fetch_data_o (fetch_data),
    .data_req_i   (data_req),
    .data_we_i    (data_we),
    .data_be_i    (data_be),
    .data_addr_i  (data_addr),
    .data_wdata_i (data_wdata),
    .data_ack_o   (data_ack),
    .data_far_o   (data_far),
    .data_rdata_o (data_rdata),
    .axi_awaddr_i (awaddr),
    .axi_awvalid_i(awvalid),
    .axi_awready_o(awready),
    .axi_wdata_i  (wdata),
    .axi_wstrb_i  (wstrb),
    .axi_wvalid_i (wvalid),
    .axi_wready_o (wready),
    .axi_bvalid_o (bvalid),
    .axi_bready_i (bready),
    .axi_araddr_i (araddr),
    .axi_arvalid_i(arvalid),
    .axi_arready_o(arready),
    .axi_rdata_o  (rdata),
    .axi_rvalid_o (rvalid),
    .axi_rready_i (rready)
  );

endmodule
