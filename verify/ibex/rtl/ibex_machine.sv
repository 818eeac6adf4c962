// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A machine: the core Ibex, its memory, a bus, and the LWP unit. The marked lines are those that an integrator writes.
//
//   0x0010_0000   memory, one megabyte
//   0x0020_0000   far memory, one megabyte: its loads are the misses that LWP records
//   0x4000_0000   control port of the unit
//   0x5000_0000   the test bench: exit, text, words for the checker
//
// `trace_o` and the ports behind it are for the test bench: what RVFI shows, and what happens on the bus.

module ibex_machine #(
  // The unit is there.
  parameter bit         WithLwp         = 1'b1,
  // The core has user mode, and the unit counts in it alone; 0: machine mode is all there is, and counts.
  parameter bit         UserMode        = 1'b1,
  // The core has a write-back stage.
  parameter bit         WritebackStage  = 1'b1,
  // The core predicts branches.
  parameter bit         BranchPredictor = 1'b0,
  // Further cycles until the far memory answers.
  parameter logic [7:0] FarWait         = 8'd8
) (
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,
  // The bus grants the core in one cycle of so many.
  input  logic [15:0] every_i,
  // The bus grants the unit in one cycle of so many.
  input  logic [15:0] unit_every_i,

  // An instruction is shown on RVFI; the next seven ports are valid with it.
  output logic        trace_o,
  // It traps.
  output logic        trace_trap_o,
  // Its privilege mode.
  output logic [1:0]  trace_mode_o,
  // Its instruction word.
  output logic [31:0] trace_insn_o,
  // Its address.
  output logic [31:0] trace_pc_o,
  // Address of the next instruction.
  output logic [31:0] trace_next_o,
  // Address of its access to memory.
  output logic [31:0] trace_addr_o,

  // An access of the unit is answered; the next five ports are valid with it.
  output logic        unit_o,
  // It was a write.
  output logic        unit_we_o,
  // It failed.
  output logic        unit_err_o,
  // Its bytes of the word.
  output logic [3:0]  unit_be_o,
  // Its address.
  output logic [31:0] unit_addr_o,
  // Data written, or read.
  output logic [31:0] unit_data_o,

  // The program writes to the test bench; the next two ports are valid with it.
  output logic        device_o,
  // The register, bits 4:2 of the address.
  output logic [2:0]  device_register_o,
  // The word.
  output logic [31:0] device_data_o
);

  logic        rvfi_valid, rvfi_trap, lwp_irq;
  logic [1:0]  rvfi_mode;
  logic [31:0] rvfi_insn, rvfi_pc_rdata, rvfi_pc_wdata, rvfi_mem_addr;
  logic [3:0]  rvfi_mem_rmask;
  logic        ctl_req, ctl_gnt, ctl_we, ctl_rvalid, ctl_err;
  logic [3:0]  ctl_be;
  logic [31:0] ctl_addr, ctl_wdata, ctl_rdata;
  logic        bus_req, bus_gnt, bus_we, bus_rvalid, bus_err;
  logic [3:0]  bus_be;
  logic [31:0] bus_addr, bus_wdata, bus_rdata;

  // Outputs that this machine does not use stay open.
  // verilator lint_off PINMISSING
  ibex_platform #(
    .UserMode        (UserMode),
    .WritebackStage  (WritebackStage),
    .BranchPredictor (BranchPredictor),
    .FarWait         (FarWait)
  ) u_platform (
    .clk_i,
    .rst_ni,
    .every_i,
    .unit_every_i,
    .irq_external_i   (lwp_irq),
    .irq_fast_i       ('0),
    .rvfi_valid_o     (rvfi_valid),
    .rvfi_trap_o      (rvfi_trap),
    .rvfi_mode_o      (rvfi_mode),
    .rvfi_insn_o      (rvfi_insn),
    .rvfi_pc_rdata_o  (rvfi_pc_rdata),
    .rvfi_pc_wdata_o  (rvfi_pc_wdata),
    .rvfi_mem_addr_o  (rvfi_mem_addr),
    .rvfi_mem_rmask_o (rvfi_mem_rmask),
    .bus_req_i        (bus_req),
    .bus_gnt_o        (bus_gnt),
    .bus_addr_i       (bus_addr),
    .bus_we_i         (bus_we),
    .bus_be_i         (bus_be),
    .bus_wdata_i      (bus_wdata),
    .bus_rvalid_o     (bus_rvalid),
    .bus_rdata_o      (bus_rdata),
    .bus_err_o        (bus_err),
    .ctl_req_o        (ctl_req),
    .ctl_gnt_i        (ctl_gnt),
    .ctl_addr_o       (ctl_addr),
    .ctl_we_o         (ctl_we),
    .ctl_be_o         (ctl_be),
    .ctl_wdata_o      (ctl_wdata),
    .ctl_rvalid_i     (ctl_rvalid),
    .ctl_rdata_i      (ctl_rdata),
    .ctl_err_i        (ctl_err),
    .device_o,
    .device_register_o,
    .device_data_o
  );
  // verilator lint_on PINMISSING

  if (WithLwp) begin : gen_lwp
    // LWP: from here
    logic load;
    lwp_rvfi_load #(.Xlen(32)) u_load (.insn_i(rvfi_insn), .load_o(load));

    lwp_rvfi_top #(
      .MachineIsUser (!UserMode),
      .RvfiLate      (1)
    ) u_lwp (
      .clk_i, .rst_ni,
      .rvfi_valid_i    (rvfi_valid),    .rvfi_trap_i      (rvfi_trap),
      .rvfi_insn_i     (rvfi_insn),     .rvfi_mode_i      (rvfi_mode),
      .rvfi_pc_rdata_i (rvfi_pc_rdata), .rvfi_pc_wdata_i  (rvfi_pc_wdata),
      .rvfi_mem_addr_i (rvfi_mem_addr), .rvfi_mem_rmask_i (rvfi_mem_rmask),
      .miss_i          (rvfi_valid && load && rvfi_mem_addr[21]),
      .latency_i       (31'(FarWait) + 31'd1),
      .bus_req_o       (bus_req),       .bus_gnt_i        (bus_gnt),
      .bus_addr_o      (bus_addr),      .bus_we_o         (bus_we),
      .bus_be_o        (bus_be),        .bus_wdata_o      (bus_wdata),
      .bus_rvalid_i    (bus_rvalid),    .bus_rdata_i      (bus_rdata),   .bus_err_i (bus_err),
      .ctl_req_i       (ctl_req),       .ctl_gnt_o        (ctl_gnt),
      .ctl_addr_i      (ctl_addr),      .ctl_we_i         (ctl_we),
      .ctl_be_i        (ctl_be),        .ctl_wdata_i      (ctl_wdata),
      .ctl_rvalid_o    (ctl_rvalid),    .ctl_rdata_o      (ctl_rdata),   .ctl_err_o (ctl_err),
      .irq_o           (lwp_irq)
    );
    // LWP: to here
`ifdef LOCKSTEP
    // The checker ends the simulation at the first difference; without one it has compared this many cycles.
    final $fdisplay(32'h8000_0002, "lockstep: %0d cycles", u_lwp.u_lwp.u_check.cycles);
`endif
  end else begin : gen_no_lwp
    logic unused;
    assign unused    = ^{rvfi_mem_rmask, ctl_we, ctl_be, ctl_addr, ctl_wdata};
    assign bus_req   = 1'b0;
    assign bus_we    = 1'b0;
    assign bus_be    = '0;
    assign bus_addr  = '0;
    assign bus_wdata = '0;
    assign lwp_irq   = 1'b0;

    // A control port without a unit answers in the next cycle.
    logic answered_q;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        answered_q <= 1'b0;
      end else begin
        answered_q <= ctl_req;
      end
    end
    assign ctl_gnt    = 1'b1;
    assign ctl_rvalid = answered_q;
    assign ctl_err    = 1'b0;
    assign ctl_rdata  = '0;
  end

  assign trace_o      = rvfi_valid;
  assign trace_trap_o = rvfi_trap;
  assign trace_mode_o = rvfi_mode;
  assign trace_insn_o = rvfi_insn;
  assign trace_pc_o   = rvfi_pc_rdata;
  assign trace_next_o = rvfi_pc_wdata;
  assign trace_addr_o = rvfi_mem_addr;

  ibex_tap u_tap (
    .clk_i,
    .rst_ni,
    .taken_i    (bus_req && bus_gnt),
    .we_i       (bus_we),
    .be_i       (bus_be),
    .addr_i     (bus_addr),
    .wdata_i    (bus_wdata),
    .rvalid_i   (bus_rvalid),
    .err_i      (bus_err),
    .rdata_i    (bus_rdata),
    .unit_o,
    .unit_we_o,
    .unit_err_o,
    .unit_be_o,
    .unit_addr_o,
    .unit_data_o
  );

endmodule

`ifdef LOCKSTEP
bind lwp lwp_model_check #(.RetireLanes(RetireLanes), .EventSlots(EventSlots), .LatencyBits(LatencyBits)) u_check (.*);
`endif
