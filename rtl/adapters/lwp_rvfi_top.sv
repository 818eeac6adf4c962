// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The unit next to a finished core: RVFI in, an OBI manager out, an OBI subordinate for the operations, an interrupt.
//
//   core --RVFI, miss--> lwp_retire_rvfi --lanes, cpl--> lwp --memory port--> lwp_mem_reqgnt --OBI manager--> bus
//   bus --OBI subordinate--> lwp_ctl_mmio --operations--> lwp
//
// The model that checks the unit in simulation binds to `lwp` in here as anywhere else.
//
// Contract: docs/src/integration/rvfi-top.md.

module lwp_rvfi_top
  import lwp_pkg::*;
#(
  // RVFI channels (NRET): 1, 2, 4 or 8.
  parameter int unsigned RetireLanes   = 1,
  // Width of a register: 32 or 64.
  parameter int unsigned Xlen          = 32,
  // Width of an address on the bus: 12 to 64. An access to an address that does not fit fails without a transaction.
  parameter int unsigned AddrWidth     = 32,
  // Event slots of the LWPCB: 3 to 26.
  parameter int unsigned EventSlots    = 3,
  // Width of a reported latency: 10 to 31.
  parameter int unsigned LatencyBits   = 10,
  // The core has no user mode: every instruction is profiled.
  parameter bit          MachineIsUser = 1'b0,
  // The instruction word of a compressed instruction is the 32-bit instruction that it stands for.
  parameter bit          ExpandedInsn  = 1'b0,
  // Cycles from the grant of a store on the control port until RVFI has shown every older instruction: 0 to 63.
  parameter int unsigned RvfiLate      = 4,
  // Source of the data of each miss.
  parameter source_e     MissSource    = SourceDram,
  // Straps.
  parameter config_t     Config        = lwp_config_pkg::ConfigRvfi
) (
  // Clock: all registers change at its rising edge.
  input  logic                                 clk_i,
  // Asynchronous reset, active low.
  input  logic                                 rst_ni,

  // Per channel: an instruction is presented.
  input  logic [RetireLanes-1:0]               rvfi_valid_i,
  // Per channel: the instruction traps, so it does not retire; valid with `rvfi_valid_i`.
  input  logic [RetireLanes-1:0]               rvfi_trap_i,
  // Per channel: instruction word; valid with `rvfi_valid_i`.
  input  logic [RetireLanes-1:0][31:0]         rvfi_insn_i,
  // Per channel: privilege mode, 0 is U-mode; valid with `rvfi_valid_i`.
  input  logic [RetireLanes-1:0][1:0]          rvfi_mode_i,
  // Per channel: address of the instruction; valid with `rvfi_valid_i`.
  input  logic [RetireLanes-1:0][Xlen-1:0]     rvfi_pc_rdata_i,
  // Per channel: address of the next instruction; valid with `rvfi_valid_i`.
  input  logic [RetireLanes-1:0][Xlen-1:0]     rvfi_pc_wdata_i,
  // Per channel: address of the memory access; valid for a load.
  input  logic [RetireLanes-1:0][Xlen-1:0]     rvfi_mem_addr_i,
  // Per channel: bytes from `rvfi_mem_addr_i` on that are loaded; 0: that is the lowest byte. Valid for a load.
  input  logic [RetireLanes-1:0][Xlen/8-1:0]   rvfi_mem_rmask_i,
  // Per channel, not in RVFI: the load that RVFI shows in this cycle missed; 0 if RVFI shows no load.
  input  logic [RetireLanes-1:0]               miss_i,
  // Per channel, not in RVFI: latency of the load in cycles; valid with `miss_i`.
  input  logic [RetireLanes-1:0][LatencyW-1:0] latency_i,

  // A request is pending, unchanged until `bus_gnt_i`.
  output logic                                 bus_req_o,
  // The bus takes the request in this cycle.
  input  logic                                 bus_gnt_i,
  // Address, a multiple of 4; valid with `bus_req_o`.
  output logic [AddrWidth-1:0]                 bus_addr_o,
  // The request is a write; valid with `bus_req_o`.
  output logic                                 bus_we_o,
  // Bytes that are accessed; 0 for a test for write permission; valid with `bus_req_o`.
  output logic [3:0]                           bus_be_o,
  // Data to write; valid with `bus_req_o` of a write.
  output logic [31:0]                          bus_wdata_o,
  // The response is valid in this cycle, after that of the grant.
  input  logic                                 bus_rvalid_i,
  // Data that was read; valid with `bus_rvalid_i` of a read.
  input  logic [31:0]                          bus_rdata_i,
  // The access failed; valid with `bus_rvalid_i`.
  input  logic                                 bus_err_i,

  // An access to the registers is requested.
  input  logic                                 ctl_req_i,
  // The requested access is taken in this cycle.
  output logic                                 ctl_gnt_o,
  // Address; bits 12:0 select page and register. Valid with `ctl_req_i`.
  input  logic [31:0]                          ctl_addr_i,
  // The access is a write; valid with `ctl_req_i`.
  input  logic                                 ctl_we_i,
  // Bytes to write; valid with `ctl_req_i` of a write.
  input  logic [3:0]                           ctl_be_i,
  // Data to write; valid with `ctl_req_i` of a write.
  input  logic [31:0]                          ctl_wdata_i,
  // The response to the access is valid in this cycle, after that of the grant.
  output logic                                 ctl_rvalid_o,
  // Data read; valid with `ctl_rvalid_o` of a read.
  output logic [31:0]                          ctl_rdata_o,
  // The access was refused and had no effect; valid with `ctl_rvalid_o`.
  output logic                                 ctl_err_o,

  // The threshold interrupt or a page fault is pending, until software acknowledges it.
  output logic                                 irq_o
);

  if (Config.store_timing || (Config.fault_policy inside {PolicyFault, PolicyTrapPending}) ||
      (Config.leave_policy == LeaveDrain) || (Config.address_policy inside {AddressNext, AddressReplay}) ||
      Config.latency_source || Config.entropy) begin : gen_bad_straps
    $error("Config needs signals that RVFI lacks: start from lwp_config_pkg::ConfigRvfi");
  end

  // What these straps leave unused is open or 0.
  // verilator lint_off PINCONNECTEMPTY

  /////////////////
  // Retire port //
  /////////////////

  logic [1:0]              cpl;
  lane_t [RetireLanes-1:0] lanes;
  logic                    busy, op_wait, op_user;

  // A latency that does not fit saturates, as the unit requires of its source.
  localparam logic [LatencyW-1:0] MaxLatency = LatencyW'((64'd1 << LatencyBits) - 64'd16);
  logic [RetireLanes-1:0][LatencyW-1:0] latency;
  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lanes
    assign latency[l] = (latency_i[l] > MaxLatency) ? MaxLatency : latency_i[l];
  end

  lwp_retire_rvfi #(
    .RetireLanes  (RetireLanes),
    .Xlen         (Xlen),
    .MachineIsUser(MachineIsUser),
    .ExpandedInsn (ExpandedInsn),
    .RvfiLate     (RvfiLate)
  ) u_retire (
    .clk_i,
    .rst_ni,
    .rvfi_valid_i,
    .rvfi_trap_i,
    .rvfi_insn_i,
    .rvfi_mode_i,
    .rvfi_pc_rdata_i,
    .rvfi_pc_wdata_i,
    .rvfi_mem_addr_i,
    .rvfi_mem_rmask_i,
    .counts_i    ('1),
    .pred_valid_i('0),
    .pred_ok_i   ('0),
    .miss_i,
    .latency_i   (latency),
    .source_i    ({RetireLanes{MissSource}}),
    .op_wait_i   (op_wait),
    .op_user_i   (op_user),
    .cpl_o       (cpl),
    .lanes_o     (lanes),
    .busy_o      (busy)
  );

  //////////////
  // The unit //
  //////////////

  logic        stall, op_valid, rsp_valid, rsp_fault_write, irq, irq_ack, pf_valid, pf_write, pf_ack;
  ctl_op_e     op;
  logic [3:0]  op_word;
  logic [63:0] op_wdata, rsp_rdata, rsp_fault_addr, pf_addr;
  fault_e      rsp_fault;
  logic [31:0] msr0;

  logic        mem_req, mem_gnt, mem_rvalid, mem_err;
  mem_cmd_e    mem_cmd;
  logic [7:0]  mem_be;
  logic [63:0] mem_addr, mem_wdata, mem_rdata;

  lwp #(
    .RetireLanes(RetireLanes),
    .EventSlots (EventSlots),
    .LatencyBits(LatencyBits)
  ) u_lwp (
    .clk_i,
    .rst_ni,
    .cfg_i            (Config),
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
    .ctl_valid_i      (op_valid),
    .ctl_op_i         (op),
    .ctl_word_i       (op_word),
    .ctl_wdata_i      (op_wdata),
    .ctl_ds_base_i    ('0),
    .rsp_valid_o      (rsp_valid),
    .rsp_fault_o      (rsp_fault),
    .rsp_fault_write_o(rsp_fault_write),
    .rsp_rdata_o      (rsp_rdata),
    .rsp_fault_addr_o (rsp_fault_addr),
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
    .pf_write_o       (pf_write),
    .pf_abort_o       (),
    .pf_addr_o        (pf_addr),
    .pf_ack_i         (pf_ack),
    .irq_o            (irq),
    .irq_ack_i        (irq_ack),
    .msr0_o           (msr0),
    .state_o          ()
  );

  /////////////////
  // Memory port //
  /////////////////

  lwp_mem_reqgnt #(
    .DataWidth(32),
    .AddrWidth(AddrWidth)
  ) u_bridge (
    .clk_i,
    .rst_ni,
    .mem_req_i   (mem_req),
    .mem_cmd_i   (mem_cmd),
    .mem_be_i    (mem_be),
    .mem_addr_i  (mem_addr),
    .mem_wdata_i (mem_wdata),
    .mem_gnt_o   (mem_gnt),
    .mem_rvalid_o(mem_rvalid),
    .mem_err_o   (mem_err),
    .mem_rdata_o (mem_rdata),
    .req_o       (bus_req_o),
    .we_o        (bus_we_o),
    .probe_o     (),
    .be_o        (bus_be_o),
    .addr_o      (bus_addr_o),
    .wdata_o     (bus_wdata_o),
    .gnt_i       (bus_gnt_i),
    .rvalid_i    (bus_rvalid_i),
    .err_i       (bus_err_i),
    .rdata_i     (bus_rdata_i)
  );

  ////////////////
  // Operations //
  ////////////////

  // Used by an assertion only.
  // verilator lint_off UNUSEDSIGNAL
  logic op_holds;
  // verilator lint_on UNUSEDSIGNAL

  lwp_ctl_mmio #(
    .RetireLanes(RetireLanes),
    .EventSlots (EventSlots),
    .LatencyBits(LatencyBits)
  ) u_ctl (
    .clk_i,
    .rst_ni,
    .ctl_req_i,
    .ctl_gnt_o,
    .ctl_addr_i,
    .ctl_we_i,
    .ctl_be_i,
    .ctl_wdata_i,
    .ctl_rvalid_o,
    .ctl_rdata_o,
    .ctl_err_o,
    .busy_i           (busy),
    .op_wait_o        (op_wait),
    .op_user_o        (op_user),
    .op_holds_o       (op_holds),
    .stall_i          (stall),
    .op_valid_o       (op_valid),
    .op_o             (op),
    .op_word_o        (op_word),
    .op_wdata_o       (op_wdata),
    .rsp_valid_i      (rsp_valid),
    .rsp_fault_i      (rsp_fault),
    .rsp_fault_write_i(rsp_fault_write),
    .rsp_rdata_i      (rsp_rdata),
    .rsp_fault_addr_i (rsp_fault_addr),
    .irq_i            (irq),
    .irq_ack_o        (irq_ack),
    .pf_valid_i       (pf_valid),
    .pf_write_i       (pf_write),
    .pf_addr_i        (pf_addr),
    .pf_ack_o         (pf_ack),
    .msr0_i           (msr0),
    .irq_o
  );
  // verilator lint_on PINCONNECTEMPTY

`ifndef SYNTHESIS
  // Out of reset.
  logic running_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      running_q <= 1'b0;
    end else begin
      running_q <= 1'b1;
    end
  end

  TopCoreWaits: assert property (@(posedge clk_i) !running_q || !op_holds || (rvfi_valid_i == '0))
    else $error("%s%s",
        "RVFI shows an instruction while a store to START is not answered: set RvfiLate to the delay of the ",
        "core's RVFI; map the pages so that the core waits for its stores there (not buffered, strongly ordered)");
`endif

endmodule
