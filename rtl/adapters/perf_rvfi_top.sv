// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The performance counters next to a finished core: RVFI in, an interrupt out, registers on the bus.
//
//   core --RVFI--> perf_retire_rvfi --lane, mode, interruptions, event bus--> perf --> irq_o
//   bus --OBI subordinate--> reg_mmio --RDMSR, WRMSR, RDPMC--> perf_retire_rvfi --> perf
//                       \--> perf_apic_mmio --acknowledge, entry of the local APIC--> perf
//
// Bit 13 of the address selects: 0 the pages of reg_mmio, 1 the registers of perf_apic_mmio, which are for the kernel
// alone. The model that checks the unit in simulation binds to `perf` in here as anywhere else; for that, the unit can
// have a size of which it uses logical processor 0 and lane 0.
//
// Contract: docs/src/integration/ibex-perf.md.

module perf_rvfi_top
  import perf_pkg::*;
#(
  // Width of a register: 32 or 64.
  parameter int unsigned Xlen              = 32,
  // Bytes of the data bus: 4 or 8.
  parameter int unsigned BusBytes          = 4,
  // Cycles from the grant of an access on the control port until RVFI has shown every older instruction: 1 to 63.
  parameter int unsigned RvfiLate          = 4,
  // Sizes of the unit.
  parameter int unsigned LogicalProcessors = 1,
  parameter int unsigned GeneralCounters   = 2,
  parameter int unsigned FixedCounters     = 0,
  parameter int unsigned RetireLanes       = 1
) (
  // Clock: all registers change at its rising edge.
  input  logic              clk_i,
  // Asynchronous reset, active low.
  input  logic              rst_ni,

  // Straps, static after reset. `x2apic` is 0: the entry is written through perf_apic_mmio.
  input  config_t           cfg_i,
  // A period of the bus clock begins.
  input  logic              bus_tick_i,
  // Core clock by bus clock, in halves; valid with `bus_tick_i`.
  input  logic [7:0]        core_ratio_i,
  // The core waits for an interrupt.
  input  logic              halted_i,
  // Requests of the user page may read counters with RDPMC.
  input  logic              pce_i,

  // An instruction is presented.
  input  logic              rvfi_valid_i,
  // The instruction traps, so it does not retire; valid with `rvfi_valid_i`.
  input  logic              rvfi_trap_i,
  // The instruction is the first one of a handler; valid with `rvfi_valid_i`.
  input  logic              rvfi_intr_i,
  // Instruction word; valid with `rvfi_valid_i`.
  input  logic [31:0]       rvfi_insn_i,
  // Privilege mode of the instruction, 0 is U-mode; valid with `rvfi_valid_i`.
  input  logic [1:0]        rvfi_mode_i,
  // Address of the instruction; valid with `rvfi_valid_i`.
  input  logic [Xlen-1:0]   rvfi_pc_rdata_i,
  // Address of the next instruction; valid with `rvfi_valid_i`.
  input  logic [Xlen-1:0]   rvfi_pc_wdata_i,
  // Address of the memory access; valid for a load or store.
  input  logic [Xlen-1:0]   rvfi_mem_addr_i,
  // Bytes from `rvfi_mem_addr_i` on that are loaded; valid for a load.
  input  logic [Xlen/8-1:0] rvfi_mem_rmask_i,
  // Bytes from `rvfi_mem_addr_i` on that are stored; valid for a store.
  input  logic [Xlen/8-1:0] rvfi_mem_wmask_i,
  // `pred_ok_i` is valid; 0 if the core does not show its predictions.
  input  logic              pred_valid_i,
  // The branch was predicted correctly.
  input  logic              pred_ok_i,

  // An access to the registers is requested.
  input  logic              ctl_req_i,
  // The requested access is taken in this cycle.
  output logic              ctl_gnt_o,
  // Address; bits 13:0 select page and register. Valid with `ctl_req_i`.
  input  logic [31:0]       ctl_addr_i,
  // The access is a write; valid with `ctl_req_i`.
  input  logic              ctl_we_i,
  // Bytes to write; valid with `ctl_req_i` of a write.
  input  logic [3:0]        ctl_be_i,
  // Data to write; valid with `ctl_req_i` of a write.
  input  logic [31:0]       ctl_wdata_i,
  // The response to the access is valid in this cycle, after that of the grant.
  output logic              ctl_rvalid_o,
  // Data read; valid with `ctl_rvalid_o` of a read.
  output logic [31:0]       ctl_rdata_o,
  // The access was refused and had no effect; valid with `ctl_rvalid_o`.
  output logic              ctl_err_o,

  // A performance interrupt is pending, until software takes it.
  output logic              irq_o
);

  /////////////
  // Control //
  /////////////

  // Of two: 0 the pages of reg_mmio, 1 the registers of perf_apic_mmio.
  logic [1:0]       req, gnt, rvalid, err;
  logic [1:0][31:0] rdata;

  ctl_split u_split (
    .clk_i,
    .rst_ni,
    .ctl_req_i,
    .ctl_gnt_o,
    .second_i    (ctl_addr_i[13]),
    .ctl_rvalid_o,
    .ctl_rdata_o,
    .ctl_err_o,
    .req_o       (req),
    .gnt_i       (gnt),
    .rvalid_i    (rvalid),
    .rdata_i     (rdata),
    .err_i       (err)
  );

  retire_pkg::reg_request_t request, passed;
  retire_pkg::reg_answer_t  answer;
  logic                     user, ready;

  reg_mmio u_reg (
    .clk_i,
    .rst_ni,
    .ctl_req_i   (req[0]),
    .ctl_gnt_o   (gnt[0]),
    .ctl_addr_i,
    .ctl_we_i,
    .ctl_be_i,
    .ctl_wdata_i,
    .ctl_rvalid_o(rvalid[0]),
    .ctl_rdata_o (rdata[0]),
    .ctl_err_o   (err[0]),
    .reg_o       (request),
    .reg_user_o  (user),
    .reg_ready_i (ready),
    .answer_i    (answer)
  );

  // Logical processor 0 alone is used.
  // verilator lint_off UNUSEDSIGNAL
  lp_out_t [LogicalProcessors-1:0] outputs;
  // verilator lint_on UNUSEDSIGNAL
  logic                            irq_ack;
  apic_t                           apic;

  perf_apic_mmio u_apic (
    .clk_i,
    .rst_ni,
    .ctl_req_i   (req[1]),
    .ctl_gnt_o   (gnt[1]),
    .ctl_addr_i,
    .ctl_we_i,
    .ctl_be_i,
    .ctl_wdata_i,
    .ctl_rvalid_o(rvalid[1]),
    .ctl_rdata_o (rdata[1]),
    .ctl_err_o   (err[1]),
    .lp_i        (outputs[0]),
    .irq_ack_o   (irq_ack),
    .apic_o      (apic)
  );

  /////////////////
  // Retire port //
  /////////////////

  lane_t                 lane;
  logic [1:0]            cpl;
  logic                  int_valid, misalign_mem_ref;
  retire_pkg::int_kind_e int_kind;
  logic [3:0]            data_mem_refs;

  perf_retire_rvfi #(
    .Xlen    (Xlen),
    .BusBytes(BusBytes),
    .RvfiLate(RvfiLate)
  ) u_retire (
    .clk_i,
    .rst_ni,
    .rvfi_valid_i,
    .rvfi_trap_i,
    .rvfi_intr_i,
    .rvfi_insn_i,
    .rvfi_mode_i,
    .rvfi_pc_rdata_i,
    .rvfi_pc_wdata_i,
    .rvfi_mem_addr_i,
    .rvfi_mem_rmask_i,
    .rvfi_mem_wmask_i,
    .pred_valid_i,
    .pred_ok_i,
    .reg_i             (request),
    .reg_user_i        (user),
    .reg_ready_o       (ready),
    .lane_o            (lane),
    .cpl_o             (cpl),
    .int_valid_o       (int_valid),
    .int_kind_o        (int_kind),
    .data_mem_refs_o   (data_mem_refs),
    .misalign_mem_ref_o(misalign_mem_ref),
    .reg_o             (passed)
  );

  //////////////
  // The unit //
  //////////////

  // What neither RVFI nor this top has is 0.
  lane_t [LogicalProcessors-1:0][RetireLanes-1:0] lanes;
  lp_in_t [LogicalProcessors-1:0]                 watched;

  always_comb begin
    lanes                              = '0;
    lanes[0][0]                        = lane;
    watched                            = '0;
    watched[0].cpl                     = cpl;
    watched[0].op_mode                 = retire_pkg::ModeProtected;
    watched[0].int_valid               = int_valid;
    watched[0].int_kind                = int_kind;
    watched[0].halted                  = halted_i;
    watched[0].pce                     = pce_i;
    watched[0].irq_ack                 = irq_ack;
    watched[0].events.data_mem_refs    = data_mem_refs;
    watched[0].events.misalign_mem_ref = misalign_mem_ref;
  end

  // What this top leaves unused is open.
  // verilator lint_off PINCONNECTEMPTY
  perf #(
    .LogicalProcessors(LogicalProcessors),
    .GeneralCounters  (GeneralCounters),
    .FixedCounters    (FixedCounters),
    .RetireLanes      (RetireLanes)
  ) u_perf (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .bus_tick_i,
    .core_ratio_i,
    .core_clock_i(1'b1),
    .lanes_i     (lanes),
    .lp_i        (watched),
    .reg_i       (passed),
    .apic_i      (apic),
    .reg_done_o  (answer.reg_done),
    .reg_result_o(answer.reg_result),
    .reg_rdata_o (answer.reg_rdata),
    .lp_o        (outputs),
    .general_o   (),
    .fixed_o     (),
    .state_o     ()
  );
  // verilator lint_on PINCONNECTEMPTY

  assign irq_o = outputs[0].irq;

endmodule
