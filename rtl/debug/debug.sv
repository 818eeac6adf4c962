// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The debug unit: decides when one logical processor raises the debug exception #DB, and holds DR0 to DR7 and
// EFLAGS.RF.
//
// The unit is a Moore machine with one clock: every output is a function of registers. All registers reset to 0,
// asynchronously. Nothing retires while a request is pending.
//
// Specification: the document on debugging, branch records, TSC and RDT, sections 2, 3 and 4.1. Contract:
// docs/src/debug/.

module debug
  import debug_pkg::*;
#(
  // Instructions that can retire in a cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes  = 1,
  // Accesses of a lane that are compared: 1 or 2. With 1, the second one is ignored.
  parameter int unsigned LaneAccesses = 1
) (
  // Clock: all registers change at its rising edge.
  input  logic                     clk_i,
  // Asynchronous reset, active low.
  input  logic                     rst_ni,

  // Straps, constant after reset.
  input  config_t                  cfg_i,

  // No instruction retires: lane 0 shows accesses of an instruction that has not retired.
  input  logic                     partial_i,
  // Lanes, in program order.
  input  lane_t [RetireLanes-1:0]  lanes_i,
  // I/O of the instruction in lane 0.
  input  retire_pkg::io_t          io_i,
  // Mode of the core.
  input  retire_pkg::mode_t        mode_i,
  // Interruption.
  input  interrupted_t             int_i,
  // CR4.DE.
  input  logic                     de_i,
  // IA32_DEBUGCTL.BTF: single steps at taken branches only.
  input  logic                     btf_i,
  // IA32_DEBUGCTL.RTM: advanced debugging of RTM regions.
  input  logic                     rtm_debug_i,
  // Question whether the core may execute an instruction.
  input  ask_t                     ask_i,
  // The core takes the pending request; ignored while `db_valid_o` is 0.
  input  logic                     db_ack_i,
  // Register request; accepted while `reg_ready_o` is 1.
  input  retire_pkg::reg_request_t reg_i,

  // A #DB is pending, until `db_ack_i` or until it is lost. Nothing retires meanwhile.
  output logic                     db_valid_o,
  // Class of the pending #DB; trap without `db_valid_o`.
  output class_e                   db_class_o,
  // B0 to B3 to be reported; 0 without `db_valid_o`.
  output logic [Breakpoints-1:0]   db_b_o,
  // BD to be reported; 0 without `db_valid_o`.
  output logic                     db_bd_o,
  // BS to be reported; 0 without `db_valid_o`.
  output logic                     db_bs_o,
  // BT to be reported; 0 without `db_valid_o`.
  output logic                     db_bt_o,

  // The group of the last cycle was cut, in this one cycle.
  output logic                     cut_valid_o,
  // The instruction in lane `cut_lane_o` has not been accepted either; 0 without `cut_valid_o`.
  output logic                     cut_before_o,
  // Number of the lane of the cut; 0 without `cut_valid_o`.
  output logic [2:0]               cut_lane_o,

  // A data breakpoint was hit and is not delivered yet: the core takes no interrupt, NMI or SMI.
  output logic                     hold_o,

  // The question of the last cycle is answered: go with `db_valid_o` = 0, stop with `db_valid_o` = 1.
  output logic                     ask_done_o,

  // The interruption of the last cycle is noted: the core pushes its frame.
  output logic                     frame_valid_o,
  // RF of the image that is pushed; 0 without `frame_valid_o`.
  output logic                     frame_rf_o,

  // A register request made in this cycle is accepted.
  output logic                     reg_ready_o,
  // The result of the last cycle's request is valid, in this one cycle.
  output logic                     reg_done_o,
  // Result: 0 done, 1 #UD, 2 #GP(0), 4 not mine, 5 #DB; valid with `reg_done_o`, else 0.
  output retire_pkg::reg_result_e  reg_result_o,
  // Value of MOV from DR; 0 unless it is done.
  output logic [63:0]              reg_rdata_o,

  // All registers of the unit, for verification. Leave the port open in a product.
  output state_t                   state_o
);

  if ((RetireLanes != 1) && (RetireLanes != 2) && (RetireLanes != 4) && (RetireLanes != 8)) begin : gen_bad_lanes
    $error("RetireLanes must be 1, 2, 4 or 8");
  end
  if ((LaneAccesses != 1) && (LaneAccesses != 2)) begin : gen_bad_accesses
    $error("LaneAccesses must be 1 or 2");
  end

  state_t state;

  /////////////
  // Request //
  /////////////

  logic        detected, ready;
  write_t      write;
  logic [63:0] wdata;
  assign ready = !state.request.db_valid;

  debug_request u_request (
    .clk_i,
    .rst_ni,
    .long_mode_i(cfg_i.long_mode),
    .mode_i,
    .de_i,
    .reg_i,
    .ready_i    (ready),
    .registers_i(state.registers),
    .detected_o (detected),
    .write_o    (write),
    .wdata_o    (wdata),
    .answer_o   (state.answer)
  );

  //////////////////////////
  // Comparison and lanes //
  //////////////////////////

  logic wide;
  assign wide = cfg_i.long_mode && (mode_i.op_mode == retire_pkg::Mode64);

  logic [RetireLanes-1:0] valid;
  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_valid
    assign valid[l] = lanes_i[l].retired.valid;
  end

  conditions_t next, lane0_data, lanes_held;
  next_flags_t lanes_flags;
  logic        lanes_task;
  cut_t        lanes_cut;
  raise_t      lanes_raise;

  debug_lanes #(
    .RetireLanes (RetireLanes),
    .LaneAccesses(LaneAccesses)
  ) u_lanes (
    .cfg_i,
    .lanes_i,
    .io_i,
    .wide_i   (wide),
    .de_i,
    .btf_i,
    .next_ip_i(int_i.int_valid ? int_i.int_from : ask_i.ask_ip),
    .next_i   (int_i.int_valid || !valid[0]),
    .address_i(state.registers.address),
    .dr7_i    (state.registers.dr7),
    .flags_i  (state.flags),
    .held_i   (state.held),
    .fetch_o  (next),
    .data_o   (lane0_data),
    .flags_o  (lanes_flags),
    .held_o   (lanes_held),
    .task_o   (lanes_task),
    .cut_o    (lanes_cut),
    .raise_o  (lanes_raise)
  );

  /////////////
  // Arbiter //
  /////////////

  case_e     cycle_case;
  delivery_t delivery;
  logic      next_stops, ask_stops;
  dr6_t      dr6;

  debug_arbiter u_arbiter (
    .clk_i,
    .rst_ni,
    .rtm_i        (cfg_i.rtm),
    .merge_next_i (cfg_i.merge_next),
    .status_i     (cfg_i.status),
    .partial_i,
    .group_i      (valid != '0),
    .int_i,
    .ask_valid_i  (ask_i.ask_valid),
    .ask_in_tx_i  (ask_i.ask_in_tx),
    .db_ack_i,
    .rtm_debug_i,
    .lanes_raise_i(lanes_raise),
    .lanes_cut_i  (lanes_cut),
    .next_i       (next),
    .next_stops_i (next_stops),
    .detected_i   (detected),
    .dr6_i        (state.registers.dr6),
    .dr7_rtm_i    (state.registers.dr7.rtm),
    .case_o       (cycle_case),
    .delivery_o   (delivery),
    .ask_stops_o  (ask_stops),
    .dr6_o        (dr6),
    .request_o    (state.request),
    .cut_o        (state.cut)
  );

  /////////////////////////
  // Flags and registers //
  /////////////////////////

  logic image_rf;

  debug_flags u_flags (
    .clk_i,
    .rst_ni,
    .fault_rf_i   (cfg_i.fault_rf),
    .ss_fetch_i   (cfg_i.ss_fetch),
    .rep_rf_i     (cfg_i.rep_rf),
    .case_i       (cycle_case),
    .delivery_i   (delivery),
    .db_class_i   (state.request.db_class),
    .db_bd_i      (state.request.db_bd),
    .int_fault_i  ((int_i.int_kind == retire_pkg::IntException) && !int_i.int_trap),
    .int_rf_i     (int_i.int_rf),
    .smm_rf_i     (state.registers.smm.rf),
    .lanes_flags_i(lanes_flags),
    .lanes_held_i (lanes_held),
    .lane0_valid_i(valid[0]),
    .lane0_data_i (lane0_data),
    .next_hit_i   (next.hit != '0),
    .ask_stops_i  (ask_stops),
    .next_stops_o (next_stops),
    .image_rf_o   (image_rf),
    .flags_o      (state.flags),
    .held_o       (state.held),
    .ask_o        (state.ask),
    .frame_o      (state.frame)
  );

  debug_registers u_registers (
    .clk_i,
    .rst_ni,
    .rtm_i      (cfg_i.rtm),
    .delivery_i (delivery),
    .dr6_i      (dr6),
    .task_i     (lanes_task && (cycle_case == CaseGroup)),
    .image_rf_i (image_rf),
    .write_i    (write),
    .wdata_i    (wdata),
    .registers_o(state.registers)
  );

  /////////////
  // Outputs //
  /////////////

  assign db_valid_o    = state.request.db_valid;
  assign db_class_o    = state.request.db_class;
  assign db_b_o        = state.request.db_b;
  assign db_bd_o       = state.request.db_bd;
  assign db_bs_o       = state.request.db_bs;
  assign db_bt_o       = state.request.db_bt;
  assign cut_valid_o   = state.cut.cut_valid;
  assign cut_before_o  = state.cut.cut_before;
  assign cut_lane_o    = state.cut.cut_lane;
  assign hold_o        = state.held.hit != '0;
  assign ask_done_o    = state.ask.ask_done;
  assign frame_valid_o = state.frame.frame_valid;
  assign frame_rf_o    = state.frame.frame_rf;
  assign reg_ready_o   = ready;
  assign reg_done_o    = state.answer.reg_done;
  assign reg_result_o  = state.answer.reg_result;
  assign reg_rdata_o   = state.answer.reg_rdata;
  assign state_o       = state;

`ifndef SYNTHESIS
  debug_assert #(
    .RetireLanes(RetireLanes)
  ) u_assert (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .partial_i,
    .lanes_i,
    .mode_i,
    .int_i,
    .de_i,
    .ask_i,
    .db_ack_i,
    .reg_i,
    .state_i(state)
  );
`endif

endmodule
