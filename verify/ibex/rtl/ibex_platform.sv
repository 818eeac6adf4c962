// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the machines have in common: the core Ibex, its memory, the bus, and the device of the test bench. A machine adds a unit, which is a
// subordinate of the bus, and a manager if it accesses memory.

module ibex_platform #(
  // The core has user mode and PMP.
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

  // External interrupt of the core.
  input  logic        irq_external_i,
  // Fast interrupts of the core.
  input  logic [14:0] irq_fast_i,
  // The core waits in WFI.
  output logic        asleep_o,

  // An instruction is shown on RVFI; the ports up to `rvfi_mem_wmask_o` are valid with it.
  output logic        rvfi_valid_o,
  // It traps.
  output logic        rvfi_trap_o,
  // It is the first one of a handler.
  output logic        rvfi_intr_o,
  // Its privilege mode.
  output logic [1:0]  rvfi_mode_o,
  // Its instruction word.
  output logic [31:0] rvfi_insn_o,
  // Its address.
  output logic [31:0] rvfi_pc_rdata_o,
  // Address of the next instruction.
  output logic [31:0] rvfi_pc_wdata_o,
  // Address of its access to memory.
  output logic [31:0] rvfi_mem_addr_o,
  // Bytes that it loads.
  output logic [3:0]  rvfi_mem_rmask_o,
  // Bytes that it stores.
  output logic [3:0]  rvfi_mem_wmask_o,

  // The unit requests an access to memory, unchanged until it is granted.
  input  logic        bus_req_i,
  // The access is taken in this cycle.
  output logic        bus_gnt_o,
  // Address; valid with `bus_req_i`, as the next three.
  input  logic [31:0] bus_addr_i,
  // The access is a write.
  input  logic        bus_we_i,
  // Bytes of the word.
  input  logic [3:0]  bus_be_i,
  // Data to write.
  input  logic [31:0] bus_wdata_i,
  // The response to the access is valid in this cycle.
  output logic        bus_rvalid_o,
  // Data read; valid with `bus_rvalid_o`.
  output logic [31:0] bus_rdata_o,
  // The access failed; valid with `bus_rvalid_o`.
  output logic        bus_err_o,

  // The core requests an access to the unit.
  output logic        ctl_req_o,
  // The access is taken in this cycle.
  input  logic        ctl_gnt_i,
  // Address; valid with `ctl_req_o`, as the next three.
  output logic [31:0] ctl_addr_o,
  // The access is a write.
  output logic        ctl_we_o,
  // Bytes of the word.
  output logic [3:0]  ctl_be_o,
  // Data to write.
  output logic [31:0] ctl_wdata_o,
  // The response to the access is valid in this cycle.
  input  logic        ctl_rvalid_i,
  // Data read; valid with `ctl_rvalid_i`.
  input  logic [31:0] ctl_rdata_i,
  // The access failed; valid with `ctl_rvalid_i`.
  input  logic        ctl_err_i,

  // The program writes to the test bench; the next two ports are valid with it.
  output logic        device_o,
  // The register, bits 4:2 of the address.
  output logic [2:0]  device_register_o,
  // The word.
  output logic [31:0] device_data_o
);

  // Manager 0 is the core, manager 1 the unit. Subordinate 0 is memory, 1 the unit, 2 the device.
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

  logic             instr_req, instr_rvalid;
  logic [31:0]      instr_addr, instr_rdata;

  // Outputs of the core that no machine uses stay open.
  // verilator lint_off PINMISSING
  ibex_top #(
    .PMPEnable       (UserMode),
    .RV32M           (ibex_pkg::RV32MSingleCycle),
    .BranchTargetALU (1'b1),
    .WritebackStage  (WritebackStage),
    .BranchPredictor (BranchPredictor)
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
    .irq_external_i,
    .irq_fast_i,
    .irq_nm_i             (1'b0),
    .scramble_key_valid_i (1'b0),
    .scramble_key_i       ('0),
    .scramble_nonce_i     ('0),
    .debug_req_i          (1'b0),
    .core_sleep_o         (asleep_o),
    .rvfi_valid           (rvfi_valid_o),
    .rvfi_trap            (rvfi_trap_o),
    .rvfi_intr            (rvfi_intr_o),
    .rvfi_mode            (rvfi_mode_o),
    .rvfi_insn            (rvfi_insn_o),
    .rvfi_pc_rdata        (rvfi_pc_rdata_o),
    .rvfi_pc_wdata        (rvfi_pc_wdata_o),
    .rvfi_mem_addr        (rvfi_mem_addr_o),
    .rvfi_mem_rmask       (rvfi_mem_rmask_o),
    .rvfi_mem_wmask       (rvfi_mem_wmask_o)
  );
  // verilator lint_on PINMISSING

  assign req[1]       = bus_req_i;
  assign we[1]        = bus_we_i;
  assign be[1]        = bus_be_i;
  assign addr[1]      = bus_addr_i;
  assign wdata[1]     = bus_wdata_i;
  assign bus_gnt_o    = gnt[1];
  assign bus_rvalid_o = rvalid[1];
  assign bus_rdata_o  = rdata[1];
  assign bus_err_o    = err[1];

  assign ctl_req_o     = sub_req[1];
  assign ctl_addr_o    = addr[0];
  assign ctl_we_o      = we[0];
  assign ctl_be_o      = be[0];
  assign ctl_wdata_o   = wdata[0];
  assign sub_gnt[1]    = ctl_gnt_i;
  assign sub_rvalid[1] = ctl_rvalid_i;
  assign sub_rdata[1]  = ctl_rdata_i;
  assign sub_err[1]    = ctl_err_i;

  ibex_bus u_bus (
    .clk_i,
    .rst_ni,
    .every_i      ({unit_every_i, every_i}),
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
  logic answered_q;

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

  assign device_o          = sub_req[2] && we[0];
  assign device_register_o = addr[0][4:2];
  assign device_data_o     = wdata[0];

endmodule
