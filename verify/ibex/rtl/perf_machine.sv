// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A machine: the core Ibex, its memory, a bus, and the performance counters. The marked lines are those that an
// integrator writes.
//
//   0x0010_0000   memory, one megabyte
//   0x0020_0000   far memory, one megabyte
//   0x4000_0000   control port of the unit
//   0x5000_0000   the test bench: exit, text, samples
//
//   +personality=0: P6; 2: architectural version 2 with fixed counters
//
// `trace_o` and the ports behind it are for the test bench: what RVFI shows, and what happens on the bus.

module perf_machine #(
  // The core has a write-back stage.
  parameter bit         WritebackStage = 1'b1,
  // Further cycles until the far memory answers.
  parameter logic [7:0] FarWait        = 8'd8
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

  logic        rvfi_valid, rvfi_trap, rvfi_intr, perf_irq, asleep;
  logic [1:0]  rvfi_mode;
  logic [31:0] rvfi_insn, rvfi_pc_rdata, rvfi_pc_wdata, rvfi_mem_addr;
  logic [3:0]  rvfi_mem_rmask, rvfi_mem_wmask;
  logic        ctl_req, ctl_gnt, ctl_we, ctl_rvalid, ctl_err;
  logic [3:0]  ctl_be;
  logic [31:0] ctl_addr, ctl_wdata, ctl_rdata;
  // The program writes to the device.
  logic        writes;
  logic [2:0]  register;
  logic [31:0] data;

  // Outputs that this machine does not use stay open.
  // verilator lint_off PINMISSING
  ibex_platform #(
    .WritebackStage  (WritebackStage),
    .FarWait         (FarWait)
  ) u_platform (
    .clk_i,
    .rst_ni,
    .every_i,
    .unit_every_i     (16'd1),
    .irq_external_i   (1'b0),
    .irq_fast_i       ({14'b0, perf_irq}),
    .asleep_o         (asleep),
    .rvfi_valid_o     (rvfi_valid),
    .rvfi_trap_o      (rvfi_trap),
    .rvfi_intr_o      (rvfi_intr),
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
    .device_o         (writes),
    .device_register_o(register),
    .device_data_o    (data)
  );
  // verilator lint_on PINMISSING

  // Straps: P6, or version 2 with four general and three fixed counters.
  perf_pkg::config_t straps;
  logic [1:0]        personality = 2'd0;
  initial begin
    if ($value$plusargs("personality=%d", personality) == 0) begin
      personality = 2'd0;
    end
  end

  always_comb begin
    straps             = perf_config_pkg::ConfigDefault;
    straps.personality = personality;
    if (personality != 2'd0) begin
      straps.counters = 4'd4;
      straps.fixed    = 2'd3;
    end
  end

  // A period of the bus clock is four of the core's.
  logic [1:0] phase_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      phase_q <= '0;
    end else begin
      phase_q <= phase_q + 2'd1;
    end
  end

  // perf: from here
  perf_rvfi_top #(
    .RvfiLate          (1),
    .LogicalProcessors (2),
    .GeneralCounters   (4),
    .FixedCounters     (3),
    .RetireLanes       (2)
  ) u_perf (
    .clk_i,
    .rst_ni,
    .cfg_i            (straps),
    .bus_tick_i       (phase_q == '0),
    .core_ratio_i     (8'd8),
    .halted_i         (asleep),
    .pce_i            (1'b1),
    .rvfi_valid_i     (rvfi_valid),
    .rvfi_trap_i      (rvfi_trap),
    .rvfi_intr_i      (rvfi_intr),
    .rvfi_insn_i      (rvfi_insn),
    .rvfi_mode_i      (rvfi_mode),
    .rvfi_pc_rdata_i  (rvfi_pc_rdata),
    .rvfi_pc_wdata_i  (rvfi_pc_wdata),
    .rvfi_mem_addr_i  (rvfi_mem_addr),
    .rvfi_mem_rmask_i (rvfi_mem_rmask),
    .rvfi_mem_wmask_i (rvfi_mem_wmask),
    .pred_valid_i     (1'b0),
    .pred_ok_i        (1'b0),
    .ctl_req_i        (ctl_req),
    .ctl_gnt_o        (ctl_gnt),
    .ctl_addr_i       (ctl_addr),
    .ctl_we_i         (ctl_we),
    .ctl_be_i         (ctl_be),
    .ctl_wdata_i      (ctl_wdata),
    .ctl_rvalid_o     (ctl_rvalid),
    .ctl_rdata_o      (ctl_rdata),
    .ctl_err_o        (ctl_err),
    .irq_o            (perf_irq)
  );
  // perf: to here
`ifdef LOCKSTEP
  // The checker ends the simulation at the first difference; without one it has compared this many cycles.
  final $fdisplay(32'h8000_0002, "lockstep: %0d cycles", u_perf.u_perf.u_model_check.cycles);
`endif

  // Register 7 of the device is the machine's own: the interrupt was asserted, so many cycles ago.
  logic       past_irq_q;
  logic       rises;
  logic [1:0] owed_q;

  assign rises = perf_irq && !past_irq_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_irq_q <= 1'b0;
      owed_q     <= '0;
    end else begin
      past_irq_q <= perf_irq;
      owed_q     <= (writes && (rises || (owed_q != '0))) ? owed_q + 2'd1 : '0;
    end
  end

  assign device_o          = writes || rises || (owed_q != '0);
  assign device_register_o = writes ? register : 3'd7;
  assign device_data_o     = writes ? data : 32'(owed_q);

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
