// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The debug unit next to a finished core: RVFI in, an OBI subordinate for the debug registers, an interrupt out.
//
//   core --RVFI--> debug_retire_rvfi --lane, delivery--> debug
//   bus --OBI subordinate--> reg_mmio --MOV to and from DR--> debug_retire_rvfi --> debug
//                       \--> debug_db_mmio --acknowledge, TF--> debug_retire_rvfi
//
// Bit 13 of the address selects: 0 the pages of reg_mmio, 1 the registers of debug_db_mmio, which are for the kernel
// alone. The model that checks the unit in simulation binds to `debug` in here as anywhere else.
//
// Contract: docs/src/integration/ibex-debug.md.

module debug_rvfi_top
  import debug_pkg::*;
#(
  // Width of a register: 32 or 64.
  parameter int unsigned Xlen     = 32,
  // Instructions that wait behind a #DB: 2, 4, 8, 16 or 32. The skid of the core must fit.
  parameter int unsigned Depth    = 16,
  // Cycles from the grant of an access on the control port until RVFI has shown every older instruction: 1 to 63.
  parameter int unsigned RvfiLate = 4
) (
  // Clock: all registers change at its rising edge.
  input  logic              clk_i,
  // Asynchronous reset, active low.
  input  logic              rst_ni,

  // An instruction is presented.
  input  logic              rvfi_valid_i,
  // The instruction traps, so it does not retire; valid with `rvfi_valid_i`.
  input  logic              rvfi_trap_i,
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

  // A #DB is pending, until software takes it.
  output logic              irq_o
);

  localparam int unsigned CountW = $clog2(Depth) + 1;

  // The unit without RTM, and without 64-bit mode if registers have 32 bits.
  function automatic config_t straps(config_t others);
    straps           = others;
    straps.rtm       = 1'b0;
    straps.long_mode = Xlen == 64;
  endfunction

  localparam config_t Config = straps(debug_config_pkg::ConfigDefault);

  /////////////
  // Control //
  /////////////

  // Of two: 0 the pages of reg_mmio, 1 the registers of debug_db_mmio.
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
  retire_pkg::reg_answer_t  answer, unit_answer;
  logic                     user, ready, looks, settled;

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

  logic              db_valid, handler, lost, ack, resume, found, tf;
  logic [CountW-1:0] count;
  logic [Xlen-1:0]   from;

  debug_db_mmio #(
    .Xlen  (Xlen),
    .CountW(CountW)
  ) u_db (
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
    .wait_o      (looks),
    .settled_i   (settled),
    .db_valid_i  (db_valid),
    .handler_i   (handler),
    .lost_i      (lost),
    .count_i     (count),
    .from_i      (from),
    .ack_o       (ack),
    .resume_o    (resume),
    .found_o     (found),
    .tf_o        (tf)
  );

  /////////////////
  // Retire port //
  /////////////////

  lane_t               lane;
  retire_pkg::mode_t   mode;
  interrupted_t        delivery;
  logic                db_ack;
  class_e              db_class;

  debug_retire_rvfi #(
    .Xlen    (Xlen),
    .Depth   (Depth),
    .RvfiLate(RvfiLate)
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
    .rvfi_mem_wmask_i,
    .tf_i       (tf),
    .ack_i      (ack),
    .resume_i   (resume),
    .found_i    (found),
    .wait_i     (looks || request.reg_valid),
    .settled_o  (settled),
    .reg_i      (request),
    .reg_user_i (user),
    .reg_ready_o(ready),
    .answer_o   (answer),
    .lane_o     (lane),
    .mode_o     (mode),
    .int_o      (delivery),
    .db_ack_o   (db_ack),
    .reg_o      (passed),
    .db_valid_i (db_valid),
    .db_class_i (db_class),
    .answer_i   (unit_answer),
    .handler_o  (handler),
    .from_o     (from),
    .count_o    (count),
    .lost_o     (lost)
  );

  //////////////
  // The unit //
  //////////////

  // What RVFI does not have is 0, and what this top leaves unused is open.
  // verilator lint_off PINCONNECTEMPTY
  debug #(
    .RetireLanes (1),
    .LaneAccesses(1)
  ) u_debug (
    .clk_i,
    .rst_ni,
    .cfg_i        (Config),
    .partial_i    (1'b0),
    .lanes_i      (lane),
    .io_i         ('0),
    .mode_i       (mode),
    .int_i        (delivery),
    .de_i         (1'b0),
    .btf_i        (1'b0),
    .rtm_debug_i  (1'b0),
    .ask_i        ('0),
    .db_ack_i     (db_ack),
    .reg_i        (passed),
    .db_valid_o   (db_valid),
    .db_class_o   (db_class),
    .db_b_o       (),
    .db_bd_o      (),
    .db_bs_o      (),
    .db_bt_o      (),
    .cut_valid_o  (),
    .cut_before_o (),
    .cut_lane_o   (),
    .hold_o       (),
    .ask_done_o   (),
    .frame_valid_o(),
    .frame_rf_o   (),
    .reg_ready_o  (),
    .reg_done_o   (unit_answer.reg_done),
    .reg_result_o (unit_answer.reg_result),
    .reg_rdata_o  (unit_answer.reg_rdata),
    .state_o      ()
  );
  // verilator lint_on PINCONNECTEMPTY

  assign irq_o = db_valid;

endmodule
