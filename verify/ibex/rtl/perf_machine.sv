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

  // Manager 0 is the core, manager 1 does nothing. Subordinate 0 is memory, 1 the unit, 2 the device.
  logic [1:0]       req, we, gnt, rvalid;
  logic [1:0][3:0]  be;
  logic [1:0][31:0] addr, wdata;
  logic [1:0]       err;
  logic [1:0][31:0] rdata;
  logic             mem_we;
  logic [3:0]       mem_be;
  logic [31:0]      mem_addr, mem_wdata;
  logic [2:0]       sub_req, sub_gnt, sub_rvalid, sub_err;
  logic [2:0][31:0] sub_rdata;

  logic             instr_req, instr_rvalid, perf_irq;
  logic [31:0]      instr_addr, instr_rdata;

  logic             rvfi_valid, rvfi_trap, rvfi_intr, asleep;
  logic [1:0]       rvfi_mode;
  logic [31:0]      rvfi_insn, rvfi_pc_rdata, rvfi_pc_wdata, rvfi_mem_addr;
  logic [3:0]       rvfi_mem_rmask, rvfi_mem_wmask;

  // Outputs of the core that this machine does not use stay open.
  // verilator lint_off PINMISSING
  ibex_top #(
    .PMPEnable       (1'b1),
    .RV32M           (ibex_pkg::RV32MSingleCycle),
    .BranchTargetALU (1'b1),
    .WritebackStage  (WritebackStage)
  ) u_core (
    .clk_i,
    .rst_ni,
    .test_en_i            (1'b0),
    .scan_rst_ni          (1'b1),
    .ram_cfg_i            ('0),
    .hart_id_i            ('0),
    .boot_addr_i          (32'h0010_0000),
    .fetch_enable_i       (ibex_pkg::IbexMuBiOn),
    .instr_req_o          (instr_req),
    .instr_gnt_i          (1'b1),
    .instr_rvalid_i       (instr_rvalid),
    .instr_addr_o         (instr_addr),
    .instr_rdata_i        (instr_rdata),
    .instr_rdata_intg_i   ('0),
    .instr_err_i          (1'b0),
    .data_req_o           (req[0]),
    .data_gnt_i           (gnt[0]),
    .data_rvalid_i        (rvalid[0]),
    .data_we_o            (we[0]),
    .data_be_o            (be[0]),
    .data_addr_o          (addr[0]),
    .data_wdata_o         (wdata[0]),
    .data_rdata_i         (rdata[0]),
    .data_rdata_intg_i    ('0),
    .data_err_i           (err[0]),
    .irq_software_i       (1'b0),
    .irq_timer_i          (1'b0),
    .irq_external_i       (1'b0),
    .irq_fast_i           ({14'b0, perf_irq}),
    .irq_nm_i             (1'b0),
    .scramble_key_valid_i (1'b0),
    .scramble_key_i       ('0),
    .scramble_nonce_i     ('0),
    .debug_req_i          (1'b0),
    .core_sleep_o         (asleep),
    .rvfi_valid           (rvfi_valid),
    .rvfi_trap            (rvfi_trap),
    .rvfi_intr            (rvfi_intr),
    .rvfi_mode            (rvfi_mode),
    .rvfi_insn            (rvfi_insn),
    .rvfi_pc_rdata        (rvfi_pc_rdata),
    .rvfi_pc_wdata        (rvfi_pc_wdata),
    .rvfi_mem_addr        (rvfi_mem_addr),
    .rvfi_mem_rmask       (rvfi_mem_rmask),
    .rvfi_mem_wmask       (rvfi_mem_wmask)
  );
  // verilator lint_on PINMISSING

  // The subordinate of this file answers.
  logic answered_q;

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
    .ctl_req_i        (sub_req[1]),
    .ctl_gnt_o        (sub_gnt[1]),
    .ctl_addr_i       (addr[0]),
    .ctl_we_i         (we[0]),
    .ctl_be_i         (be[0]),
    .ctl_wdata_i      (wdata[0]),
    .ctl_rvalid_o     (sub_rvalid[1]),
    .ctl_rdata_o      (sub_rdata[1]),
    .ctl_err_o        (sub_err[1]),
    .irq_o            (perf_irq)
  );
  // perf: to here
`ifdef LOCKSTEP
  // The checker ends the simulation at the first difference; without one it has compared this many cycles.
  final $fdisplay(32'h8000_0002, "lockstep: %0d cycles", u_perf.u_perf.u_model_check.cycles);
`endif

  // Nothing but the core accesses memory.
  logic unused;
  assign unused   = ^{gnt[1], rvalid[1], err[1], rdata[1]};
  assign req[1]   = 1'b0;
  assign we[1]    = 1'b0;
  assign be[1]    = '0;
  assign addr[1]  = '0;
  assign wdata[1] = '0;

  ibex_bus u_bus (
    .clk_i,
    .rst_ni,
    .every_i      ({16'd1, every_i}),
    .req_i        (req),
    .we_i         (we),
    .be_i         (be),
    .addr_i       (addr),
    .wdata_i      (wdata),
    .gnt_o        (gnt),
    .rvalid_o     (rvalid),
    .err_o        (err),
    .rdata_o      (rdata),
    .mem_we_o     (mem_we),
    .mem_be_o     (mem_be),
    .mem_addr_o   (mem_addr),
    .mem_wdata_o  (mem_wdata),
    .sub_req_o    (sub_req),
    .sub_gnt_i    (sub_gnt),
    .sub_rvalid_i (sub_rvalid),
    .sub_err_i    (sub_err),
    .sub_rdata_i  (sub_rdata)
  );

  ibex_memory #(.FarWait(FarWait)) u_memory (
    .clk_i,
    .rst_ni,
    .instr_req_i    (instr_req),
    .instr_rvalid_o (instr_rvalid),
    .instr_rdata_o  (instr_rdata),
    .instr_addr_i   (instr_addr),
    .req_i          (sub_req[0]),
    .we_i           (mem_we),
    .be_i           (mem_be),
    .addr_i         (mem_addr),
    .wdata_i        (mem_wdata),
    .gnt_o          (sub_gnt[0]),
    .rvalid_o       (sub_rvalid[0]),
    .rdata_o        (sub_rdata[0])
  );
  assign sub_err[0] = 1'b0;

  // The device answers in the next cycle.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      answered_q <= 1'b0;
    end else begin
      answered_q <= sub_req[2];
    end
  end

  assign sub_gnt[2]    = 1'b1;
  assign sub_rvalid[2] = answered_q;
  assign sub_err[2]    = 1'b0;
  assign sub_rdata[2]  = '0;

  // Register 7 of the device is the machine's own: the interrupt was asserted, so many cycles ago.
  logic       past_irq_q;
  logic       rises, writes;
  logic [1:0] owed_q;

  assign rises  = perf_irq && !past_irq_q;
  assign writes = sub_req[2] && we[0];

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
  assign device_register_o = writes ? addr[0][4:2] : 3'd7;
  assign device_data_o     = writes ? wdata[0] : 32'(owed_q);

  assign trace_o      = rvfi_valid;
  assign trace_trap_o = rvfi_trap;
  assign trace_mode_o = rvfi_mode;
  assign trace_insn_o = rvfi_insn;
  assign trace_pc_o   = rvfi_pc_rdata;
  assign trace_next_o = rvfi_pc_wdata;
  assign trace_addr_o = rvfi_mem_addr;

  // The access to the unit that the bus has taken.
  logic        we_q;
  logic [3:0]  be_q;
  logic [31:0] addr_q, wdata_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      we_q    <= 1'b0;
      be_q    <= '0;
      addr_q  <= '0;
      wdata_q <= '0;
    end else if (sub_req[1] && sub_gnt[1]) begin
      we_q    <= we[0];
      be_q    <= be[0];
      addr_q  <= addr[0];
      wdata_q <= wdata[0];
    end
  end

  assign unit_o      = sub_rvalid[1];
  assign unit_we_o   = we_q;
  assign unit_err_o  = sub_err[1];
  assign unit_be_o   = be_q;
  assign unit_addr_o = addr_q;
  assign unit_data_o = we_q ? wdata_q : sub_rdata[1];

endmodule
