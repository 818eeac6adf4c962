// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A machine: the core Ibex, its memory, a bus, and the debug unit. The marked lines are those that an integrator writes.
//
//   0x0010_0000   memory, one megabyte
//   0x0020_0000   far memory, one megabyte
//   0x4000_0000   control port of the unit
//   0x5000_0000   the test bench: exit, text
//
// `trace_o` and the ports behind it are for the test bench: what RVFI shows, and what happens on the bus.

module debug_machine #(
  // Instructions that the queue of the adapter holds.
  parameter int unsigned Depth          = 16,
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
  // Not used: the unit is no manager of the bus.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [15:0] unit_every_i,
  // verilator lint_on UNUSEDSIGNAL

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

  // An access of the core to the unit is answered; the next five ports are valid with it.
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

  logic        rvfi_valid, rvfi_trap, db_irq;
  logic [1:0]  rvfi_mode;
  logic [31:0] rvfi_insn, rvfi_pc_rdata, rvfi_pc_wdata, rvfi_mem_addr;
  logic [3:0]  rvfi_mem_rmask, rvfi_mem_wmask;
  logic        ctl_req, ctl_gnt, ctl_we, ctl_rvalid, ctl_err;
  logic [3:0]  ctl_be;
  logic [31:0] ctl_addr, ctl_wdata, ctl_rdata;

  // Outputs that this machine does not use stay open.
  // verilator lint_off PINMISSING
  ibex_platform #(
    .WritebackStage  (WritebackStage),
    .BranchPredictor (BranchPredictor),
    .FarWait         (FarWait)
  ) u_platform (
    .clk_i,
    .rst_ni,
    .every_i,
    .unit_every_i     (16'd1),
    .irq_external_i   (1'b0),
    .irq_fast_i       ({14'b0, db_irq}),
    .rvfi_valid_o     (rvfi_valid),
    .rvfi_trap_o      (rvfi_trap),
    .rvfi_mode_o      (rvfi_mode),
    .rvfi_insn_o      (rvfi_insn),
    .rvfi_pc_rdata_o  (rvfi_pc_rdata),
    .rvfi_pc_wdata_o  (rvfi_pc_wdata),
    .rvfi_mem_addr_o  (rvfi_mem_addr),
    .rvfi_mem_rmask_o (rvfi_mem_rmask),
    .rvfi_mem_wmask_o (rvfi_mem_wmask),
    .bus_req_i        (1'b0),
    .bus_addr_i       ('0),
    .bus_we_i         (1'b0),
    .bus_be_i         ('0),
    .bus_wdata_i      ('0),
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

  // debug: from here
  debug_rvfi_top #(
    .Depth    (Depth),
    .RvfiLate (1)
  ) u_debug (
    .clk_i,
    .rst_ni,
    .rvfi_valid_i     (rvfi_valid),
    .rvfi_trap_i      (rvfi_trap),
    .rvfi_insn_i      (rvfi_insn),
    .rvfi_mode_i      (rvfi_mode),
    .rvfi_pc_rdata_i  (rvfi_pc_rdata),
    .rvfi_pc_wdata_i  (rvfi_pc_wdata),
    .rvfi_mem_addr_i  (rvfi_mem_addr),
    .rvfi_mem_rmask_i (rvfi_mem_rmask),
    .rvfi_mem_wmask_i (rvfi_mem_wmask),
    .ctl_req_i        (ctl_req),
    .ctl_gnt_o        (ctl_gnt),
    .ctl_addr_i       (ctl_addr),
    .ctl_we_i         (ctl_we),
    .ctl_be_i         (ctl_be),
    .ctl_wdata_i      (ctl_wdata),
    .ctl_rvalid_o     (ctl_rvalid),
    .ctl_rdata_o      (ctl_rdata),
    .ctl_err_o        (ctl_err),
    .irq_o            (db_irq)
  );
  // debug: to here
`ifdef LOCKSTEP
  // The checker ends the simulation at the first difference; without one it has compared this many cycles.
  final $fdisplay(32'h8000_0002, "lockstep: %0d cycles", u_debug.u_debug.u_model_check.cycles);
`endif

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
    .taken_i    (ctl_req && ctl_gnt),
    .we_i       (ctl_we),
    .be_i       (ctl_be),
    .addr_i     (ctl_addr),
    .wdata_i    (ctl_wdata),
    .rvalid_i   (ctl_rvalid),
    .err_i      (ctl_err),
    .rdata_i    (ctl_rdata),
    .unit_o,
    .unit_we_o,
    .unit_err_o,
    .unit_be_o,
    .unit_addr_o,
    .unit_data_o
  );

endmodule
