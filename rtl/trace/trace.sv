// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The unit of branch records: IA32_DEBUGCTL, the LBR stack, the last exception record, branch trace messages, and the
// debug store with branch trace store and PEBS, of one logical processor.
//
// The unit is a Moore machine with one clock: every output is a function of registers. All registers reset to 0,
// asynchronously. Nothing retires while `stall_o` is 1.
//
// Specification: the document on debugging, branch records, TSC and RDT, sections 5 and 6. Contract: docs/src/trace/.

module trace
  import trace_pkg::*;
#(
  // Instructions that can retire in a cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes  = 1,
  // Entries of the LBR stack that are built: 4, 8, 16 or 32.
  parameter int unsigned StackEntries = 4
) (
  // Clock: all registers change at its rising edge.
  input  logic                      clk_i,
  // Asynchronous reset, active low.
  input  logic                      rst_ni,

  // Straps, constant after reset.
  input  config_t                   cfg_i,

  // No instruction retires; the lanes show no branch.
  input  logic                      partial_i,
  // Lanes, in program order.
  input  lane_t [RetireLanes-1:0]   lanes_i,
  // Mode of the core. SMM does not matter.
  // verilator lint_off UNUSEDSIGNAL
  input  retire_pkg::mode_t         mode_i,
  // verilator lint_on UNUSEDSIGNAL
  // Base of CS.
  input  logic [63:0]               cs_base_i,
  // Base of CS behind a far transfer or an interruption of this cycle.
  input  logic [63:0]               far_base_i,
  // 64-bit mode holds behind a far transfer or an interruption of this cycle.
  input  logic                      far_long_i,
  // Interruption.
  input  retire_pkg::interruption_t int_i,
  // A period of the core's clock begins in this cycle.
  input  logic                      core_clock_i,
  // A performance interrupt was asked for.
  input  logic                      pmi_i,
  // Counters, and the processor's registers, for PEBS.
  input  pebs_in_t                  pebs_i,
  // The system bus takes the message; ignored while `btm_valid_o` is 0.
  input  logic                      btm_ready_i,
  // Grant and response of memory.
  input  retire_pkg::mem_answer_t   mem_i,
  // Register request.
  input  retire_pkg::reg_request_t  reg_i,

  // Nothing retires and nothing is delivered.
  output logic                      stall_o,

  // A branch trace message is pending, until `btm_ready_i`.
  output logic                      btm_valid_o,
  // Linear address of the branch's source; 0 without `btm_valid_o`.
  output logic [63:0]               btm_from_o,
  // Linear address of its destination; 0 without `btm_valid_o`.
  output logic [63:0]               btm_to_o,
  // The branch was predicted correctly; 0 without `btm_valid_o`.
  output logic                      btm_predicted_o,

  // A memory request is pending, until it is granted.
  output logic                      mem_req_o,
  // Read or write; valid with `mem_req_o`.
  output retire_pkg::mem_cmd_e      mem_cmd_o,
  // Bytes of the aligned 8 that are accessed; valid with `mem_req_o`.
  output logic [7:0]                mem_be_o,
  // Linear address; valid with `mem_req_o`.
  output logic [63:0]               mem_addr_o,
  // Data of a write; valid with `mem_req_o`.
  output logic [63:0]               mem_wdata_o,

  // A buffer of the debug store has reached its threshold, in this one cycle.
  output logic                      ds_pmi_o,
  // A record is in memory and its index is written, in this one cycle.
  output logic                      stored_o,
  // A record for the debug store was dropped, in this one cycle.
  output logic                      lost_o,

  // Counters whose next event stores a PEBS record.
  output logic [Counters-1:0]       pebs_armed_o,
  // Number of the processor's register that is asked for.
  output logic [4:0]                state_index_o,
  // A counter is to be set, in this one cycle.
  output logic                      reload_valid_o,
  // Number of the counter; 0 without `reload_valid_o`.
  output logic [1:0]                reload_counter_o,
  // Value of the counter; 0 without `reload_valid_o`.
  output logic [63:0]               reload_value_o,

  // IA32_DEBUGCTL.BTF, for `debug`.
  output logic                      btf_o,
  // IA32_DEBUGCTL.FREEZE_PERFMON_ON_PMI, for `perf`.
  output logic                      freeze_on_pmi_o,
  // IA32_DEBUGCTL.FREEZE_WHILE_SMM, for `perf`.
  output logic                      freeze_while_smm_o,
  // IA32_DEBUGCTL.RTM, for `debug`.
  output logic                      rtm_debug_o,

  // A register request can be accepted.
  output logic                      reg_ready_o,
  // The result of the last cycle's request is valid, in this one cycle.
  output logic                      reg_done_o,
  // Result: 0 done, 2 #GP(0), 4 not mine; valid with `reg_done_o`, else 0.
  output retire_pkg::reg_result_e   reg_result_o,
  // Value of RDMSR; 0 unless it is done.
  output logic [63:0]               reg_rdata_o,

  // All registers of the unit, for verification. Leave the port open in a product.
  output state_t                    state_o
);

  if ((RetireLanes != 1) && (RetireLanes != 2) && (RetireLanes != 4) && (RetireLanes != 8)) begin : gen_bad_lanes
    $error("RetireLanes must be 1, 2, 4 or 8");
  end
  if ((StackEntries != 4) && (StackEntries != 8) && (StackEntries != 16) && (StackEntries != 32)) begin : gen_bad_entries
    $error("StackEntries must be 4, 8, 16 or 32");
  end

  state_t state;

  ///////////////
  // The cycle //
  ///////////////

  logic [RetireLanes-1:0] valid;
  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_valid
    assign valid[l] = lanes_i[l].retired.valid;
  end

  logic stall, ready, accept, interrupted;
  assign stall       = (32'(state.waiting.count) > RetireLanes) || (state.pebs.pending != '0);
  assign ready       = (state.waiting.count == '0) && (state.store.step == StepIdle) && (state.pebs.pending == '0);
  assign accept      = ready && !int_i.int_valid && (partial_i || (valid == '0));
  assign interrupted = int_i.int_valid && !stall;

  logic level0, is_long, wide;
  assign level0  = (mode_i.op_mode == retire_pkg::ModeReal) ||
                   ((mode_i.op_mode != retire_pkg::ModeV86) && (mode_i.cpl == 2'd0));
  assign is_long = mode_i.op_mode == retire_pkg::Mode64;
  assign wide    = cfg_i.dtes64 || is_long || (mode_i.op_mode == retire_pkg::ModeCompatibility);

  // Number of the last entry of the LBR stack that exists.
  logic [4:0] last;
  always_comb begin
    unique case (cfg_i.lbr_depth)
      DepthFour: last = 5'd3;
      DepthEight: last = 5'd7;
      DepthSixteen: last = 5'd15;
      default: last = 5'd31;
    endcase
  end

  logic [15:0] debugctl;
  logic        recording, tracing;
  assign debugctl  = state.control.debugctl;
  assign recording = debugctl[DebugctlLbr] ||
                     (cfg_i.lbr_tr && debugctl[DebugctlTr] && !state.control.lbr_frozen);
  assign tracing   = debugctl[DebugctlTr] && !(level0 ? debugctl[DebugctlBtsOffOs] : debugctl[DebugctlBtsOffUsr]);

  transfer_t [RetireLanes-1:0] transfers;

  trace_collect #(
    .RetireLanes(RetireLanes)
  ) u_collect (
    .rtm_i       (cfg_i.rtm),
    .stall_i     (stall),
    .partial_i,
    .lanes_i,
    .int_i,
    .freeze_smm_i(debugctl[DebugctlFreezeSmm]),
    .transfers_o (transfers)
  );

  ///////////////
  // Registers //
  ///////////////

  write_t write;

  trace_request u_request (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .last_i   (last),
    .reg_i,
    .accept_i (accept),
    .level0_i (level0),
    .control_i(state.control),
    .lbr_i    (state.lbr),
    .write_o  (write),
    .answer_o (state.answer)
  );

  trace_control u_control (
    .clk_i,
    .rst_ni,
    .interrupted_i   (interrupted),
    .int_kind_i      (int_i.int_kind),
    .int_vector_i    (int_i.int_vector),
    .pmi_i           (pmi_i || state.notice.ds_pmi),
    .write_debugctl_i(write.debugctl),
    .write_area_i    (write.ds_area),
    .write_enable_i  (write.pebs_enable),
    .wdata_i         (reg_i.reg_wdata),
    .control_o       (state.control)
  );

  trace_stack #(
    .RetireLanes (RetireLanes),
    .StackEntries(StackEntries)
  ) u_stack (
    .clk_i,
    .rst_ni,
    .format_i    (cfg_i.lbr_format),
    .last_i      (last),
    .recording_i (recording),
    .transfers_i (transfers),
    .exception_i (interrupted && (int_i.int_kind != retire_pkg::IntRsm)),
    .core_clock_i,
    .long_i      (is_long),
    .cs_base_i,
    .far_long_i,
    .far_base_i,
    .write_i     (write),
    .wdata_i     (reg_i.reg_wdata),
    .lbr_o       (state.lbr)
  );

  /////////////////////
  // Records waiting //
  /////////////////////

  logic                message, ended_branch;
  logic [Counters-1:0] ended_pebs;
  record_t             head;
  assign head    = state.waiting.record[0];
  assign message = (state.waiting.count != '0) && !head.store;

  trace_queue #(
    .RetireLanes(RetireLanes)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .db_message_i(cfg_i.db_message),
    .tracing_i   (tracing),
    .store_i     (debugctl[DebugctlBts]),
    .wide_i      (wide),
    .circular_i  (!debugctl[DebugctlBtint]),
    .transfers_i (transfers),
    .remove_i    ((message && btm_ready_i) || ended_branch),
    .queue_o     (state.waiting)
  );

  trace_pebs u_pebs (
    .clk_i,
    .rst_ni,
    .enable_i  (state.control.pebs_enable),
    .overflow_i(pebs_i.pebs_overflow),
    .event_i   (pebs_i.pebs_event),
    .accept_i  (!stall && !int_i.int_valid && !partial_i),
    .wide_i    (wide),
    .write_i   (write.pebs_enable),
    .wdata_i   (reg_i.reg_wdata[Counters-1:0]),
    .ended_i   (ended_pebs),
    .pebs_o    (state.pebs)
  );

  /////////////////
  // Debug store //
  /////////////////

  store_access_t access;
  logic    done;

  trace_store u_store (
    .clk_i,
    .rst_ni,
    .pebs_format_i (cfg_i.pebs_format),
    .area_i        (state.control.ds_area),
    .waiting_i     (state.waiting.count != '0),
    .record_i      (head),
    .pending_i     (state.pebs.pending),
    .pending_wide_i(state.pebs.pending_wide),
    .state_value_i (pebs_i.state_value),
    .done_i        (done),
    .mem_i,
    .access_o      (access),
    .ended_branch_o(ended_branch),
    .ended_pebs_o  (ended_pebs),
    .state_index_o,
    .store_o       (state.store),
    .notice_o      (state.notice),
    .reload_o      (state.reload)
  );

  trace_port u_port (
    .clk_i,
    .rst_ni,
    .access_i(access),
    .mem_i,
    .done_o  (done),
    .port_o  (state.port)
  );

  /////////////
  // Outputs //
  /////////////

  assign stall_o            = stall;
  assign btm_valid_o        = message;
  assign btm_from_o         = message ? head.from : '0;
  assign btm_to_o           = message ? head.to : '0;
  assign btm_predicted_o    = message && head.predicted;
  assign mem_req_o          = state.port.mem_req;
  assign mem_cmd_o          = state.port.mem_cmd;
  assign mem_be_o           = state.port.mem_be;
  assign mem_addr_o         = state.port.mem_addr;
  assign mem_wdata_o        = state.port.mem_wdata;
  assign ds_pmi_o           = state.notice.ds_pmi;
  assign stored_o           = state.notice.stored;
  assign lost_o             = state.notice.lost;
  assign pebs_armed_o       = state.pebs.armed;
  assign reload_valid_o     = state.reload.reload_valid;
  assign reload_counter_o   = state.reload.reload_counter;
  assign reload_value_o     = state.reload.reload_value;
  assign btf_o              = debugctl[DebugctlBtf];
  assign freeze_on_pmi_o    = debugctl[DebugctlFreezePerfmon];
  assign freeze_while_smm_o = debugctl[DebugctlFreezeSmm];
  assign rtm_debug_o        = debugctl[DebugctlRtm];
  assign reg_ready_o        = ready;
  assign reg_done_o         = state.answer.reg_done;
  assign reg_result_o       = state.answer.reg_result;
  assign reg_rdata_o        = state.answer.reg_rdata;
  assign state_o            = state;

`ifndef SYNTHESIS
  trace_assert #(
    .RetireLanes (RetireLanes),
    .StackEntries(StackEntries)
  ) u_assert (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .partial_i,
    .group_i   (valid != '0),
    .mode_i,
    .int_i,
    .pmi_i,
    .overflow_i(pebs_i.pebs_overflow),
    .event_i   (pebs_i.pebs_event),
    .btm_ready_i,
    .mem_i,
    .reg_i,
    .last_i    (last),
    .state_i   (state)
  );
`endif

endmodule
