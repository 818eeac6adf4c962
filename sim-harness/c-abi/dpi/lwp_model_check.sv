// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Runs the model beside the RTL and compares every output and every register in every cycle. One line in a test bench:
//
//   bind lwp lwp_model_check #(.RetireLanes(RetireLanes), .EventSlots(EventSlots), .LatencyBits(LatencyBits))
//     u_lwp_model_check (.*);
//
// At the first difference it names the fields with both values and ends the simulation with $fatal. Straps are taken
// while rst_ni is 0. `cycles` counts the cycles that were compared.
//
//   +lwp_capsule=PATH   at a difference, leave a failure capsule: a file for `lwp-sim replay`, `shrink` and `report`, under
//                       this name, or in this folder. An existing file is never overwritten: the name gets a number.

module lwp_model_check
  import lwp_pkg::*;
  import lwp_state_pkg::*;
  import lwp_model_pkg::*;
#(
  // Those of the RTL. The library has models of some sizes only and names them if it has none (lwp_model.h).
  parameter int unsigned RetireLanes = 4,
  parameter int unsigned EventSlots  = 8,
  parameter int unsigned LatencyBits = 31
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,

  // Straps, static after reset.
  input  config_t                 cfg_i,

  // Mode.
  input  logic [1:0]              cpl_i,
  input  logic                    smm_i,
  input  logic [2:0]              op_mode_i,

  // Retire. Lane 0 is the oldest.
  input  logic                    partial_i,
  input  lane_t [RetireLanes-1:0] lanes_i,
  input  logic                    stall_o,
  input  logic                    cut_valid_o,
  input  logic [LaneW-1:0]        cut_lane_o,
  input  logic                    drain_o,
  input  logic                    flush_req_o,
  input  logic                    addr_track_o,

  // Miss address buffer, replay.
  input  logic                    alloc_valid_i,
  input  logic [2:0]              alloc_entry_i,
  input  logic                    fill_valid_i,
  input  logic [2:0]              fill_entry_i,
  input  logic [63:0]             fill_ip_i,
  input  logic [LatencyW-1:0]     fill_latency_i,
  input  source_e                 fill_source_i,
  input  logic                    replay_abort_i,

  // Random bits.
  input  logic [31:0]             entropy_i,

  // Control.
  input  logic                    ctl_valid_i,
  input  ctl_op_e                 ctl_op_i,
  input  logic [3:0]              ctl_word_i,
  input  logic [63:0]             ctl_wdata_i,
  input  logic [63:0]             ctl_ds_base_i,
  input  logic                    rsp_valid_o,
  input  fault_e                  rsp_fault_o,
  input  logic                    rsp_fault_write_o,
  input  logic [63:0]             rsp_rdata_o,
  input  logic [63:0]             rsp_fault_addr_o,

  // Memory, always with user rights.
  input  logic                    mem_req_o,
  input  mem_cmd_e                mem_cmd_o,
  input  logic [7:0]              mem_be_o,
  input  logic [63:0]             mem_addr_o,
  input  logic [63:0]             mem_wdata_o,
  input  logic                    mem_gnt_i,
  input  logic                    mem_rvalid_i,
  input  logic                    mem_err_i,
  input  logic [63:0]             mem_rdata_i,

  // Page fault.
  input  logic                    pf_valid_o,
  input  logic                    pf_write_o,
  input  logic                    pf_abort_o,
  input  logic [63:0]             pf_addr_o,
  input  logic                    pf_ack_i,

  // Threshold interrupt.
  input  logic                    irq_o,
  input  logic                    irq_ack_i,

  // LWPMSR0, which is CPUID 8000_001C EAX.
  input  logic [31:0]             msr0_o,

  // Every register, for verification. Leave it open in a product.
  input  state_t                  state_o
);

  localparam int unsigned Words = CommonWords + LaneWords * RetireLanes;

  inputs_t  inputs;
  outputs_t outputs;

  assign inputs = '{
    cpl:          cpl_i,
    smm:          smm_i,
    op_mode:      op_mode_i,
    partial:      partial_i,
    alloc_valid:  alloc_valid_i,
    alloc_entry:  alloc_entry_i,
    fill_valid:   fill_valid_i,
    fill_entry:   fill_entry_i,
    fill_ip:      fill_ip_i,
    fill_latency: fill_latency_i,
    fill_source:  fill_source_i,
    replay_abort: replay_abort_i,
    entropy:      entropy_i,
    ctl_valid:    ctl_valid_i,
    ctl_op:       ctl_op_i,
    ctl_word:     ctl_word_i,
    ctl_wdata:    ctl_wdata_i,
    ctl_ds_base:  ctl_ds_base_i,
    mem_gnt:      mem_gnt_i,
    mem_rvalid:   mem_rvalid_i,
    mem_err:      mem_err_i,
    mem_rdata:    mem_rdata_i,
    pf_ack:       pf_ack_i,
    irq_ack:      irq_ack_i
  };

  assign outputs = '{
    stall:           stall_o,
    cut_valid:       cut_valid_o,
    cut_lane:        cut_lane_o,
    drain:           drain_o,
    flush_req:       flush_req_o,
    addr_track:      addr_track_o,
    rsp_valid:       rsp_valid_o,
    rsp_fault:       rsp_fault_o,
    rsp_fault_write: rsp_fault_write_o,
    rsp_rdata:       rsp_rdata_o,
    rsp_fault_addr:  rsp_fault_addr_o,
    mem_req:         mem_req_o,
    mem_cmd:         mem_cmd_o,
    mem_be:          mem_be_o,
    mem_addr:        mem_addr_o,
    mem_wdata:       mem_wdata_o,
    pf_valid:        pf_valid_o,
    pf_write:        pf_write_o,
    pf_abort:        pf_abort_o,
    pf_addr:         pf_addr_o,
    irq:             irq_o,
    msr0:            msr0_o
  };

  chandle       model = null;
  strap_words_t straps;
  string        capsule_path = "";

  function automatic input_words_t input_words(logic rst_n);
    input_words_t words = '0;
    words[CommonWords-1:0] = pack_inputs(inputs, rst_n);
    for (int l = 0; l < int'(RetireLanes); l++) words[CommonWords+LaneWords*l +: LaneWords] = pack_lane(lanes_i[l]);
    return words;
  endfunction

  // Whatever the library refuses is a mistake in this file or in how it is used.
  function automatic void must(int status);
    if (status != Ok) $fatal(1, "%m: %s", lwp_model_last_error());
  endfunction

  // In reset: a new model if there is none, or none with these straps.
  function automatic void restart();
    if ((model != null) && (straps == pack_straps(cfg_i))) begin
      must(lwp_model_step_words(model, input_words(1'b0), Words));
    end else begin
      must(lwp_model_free(model));
      // Nothing but this process looks at the model and its straps.
      // verilator lint_off BLKSEQ
      straps = pack_straps(cfg_i);
      // verilator lint_on BLKSEQ
      must(lwp_model_new_words(straps, StrapWords, RetireLanes, EventSlots, LatencyBits, AbiVersion, model));
      if ($value$plusargs("lwp_capsule=%s", capsule_path)) must(lwp_model_record(model));
    end
  endfunction

  longint unsigned cycles = 0;

  // Keeps the failure, if that is wanted. What happened to it, for people.
  function automatic string kept(row_t row);
    if (capsule_path == "") return "";
    if (lwp_model_capsule(model, capsule_path, $sformatf("the checker %m"), row, RowWords, input_words(1'b1), Words) != Ok) begin
      return {"\nno failure capsule: ", lwp_model_last_error()};
    end
    return {"\nthe failure capsule: ", lwp_model_last_capsule()};
  endfunction

  // Registers hold what the cycle began with, and inputs what they were in it: the edge that ends it comes last.
  function automatic void compare();
    row_t row = {pack_probe(state_o), pack_outputs(outputs)};
    string text;
    if (model == null) $fatal(1, "%m: the unit runs but was never in reset");
    if ($isunknown(outputs) || $isunknown(state_o)) $fatal(1, "%m: cycle %0d: the unit shows an X or Z", cycles);
    if (lwp_model_check(model, row, RowWords) != Ok) begin
      text = lwp_model_last_error();
      $fatal(1, "%m: cycle %0d: %s%s", cycles, text, kept(row));
    end
    must(lwp_model_step_words(model, input_words(1'b1), Words));
    // verilator lint_off BLKSEQ
    cycles++;
    // verilator lint_on BLKSEQ
  endfunction

  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) restart();
    else compare();
  end

  final must(lwp_model_free(model));

endmodule
