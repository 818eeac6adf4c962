// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The model in the place of the RTL: parameters and ports are those of the module lwp. For simulation only.
//
// Straps are taken while rst_ni is 0.

module lwp_model
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
  output logic                    stall_o,
  output logic                    cut_valid_o,
  output logic [LaneW-1:0]        cut_lane_o,
  output logic                    drain_o,
  output logic                    flush_req_o,
  output logic                    addr_track_o,

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
  output logic                    rsp_valid_o,
  output fault_e                  rsp_fault_o,
  output logic                    rsp_fault_write_o,
  output logic [63:0]             rsp_rdata_o,
  output logic [63:0]             rsp_fault_addr_o,

  // Memory, always with user rights.
  output logic                    mem_req_o,
  output mem_cmd_e                mem_cmd_o,
  output logic [7:0]              mem_be_o,
  output logic [63:0]             mem_addr_o,
  output logic [63:0]             mem_wdata_o,
  input  logic                    mem_gnt_i,
  input  logic                    mem_rvalid_i,
  input  logic                    mem_err_i,
  input  logic [63:0]             mem_rdata_i,

  // Page fault.
  output logic                    pf_valid_o,
  output logic                    pf_write_o,
  output logic                    pf_abort_o,
  output logic [63:0]             pf_addr_o,
  input  logic                    pf_ack_i,

  // Threshold interrupt.
  output logic                    irq_o,
  input  logic                    irq_ack_i,

  // LWPMSR0, which is CPUID 8000_001C EAX.
  output logic [31:0]             msr0_o,

  // Every register, for verification. Leave it open in a product.
  output state_t                  state_o
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

  chandle       model = null;
  strap_words_t straps;

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
    end
  endfunction

  row_t row = '0;

  function automatic void advance();
    if (model == null) $fatal(1, "%m: the unit runs but was never in reset");
    must(lwp_model_step_words(model, input_words(1'b1), Words));
  endfunction

  // What the registers hold now.
  function automatic row_t probe();
    row_t now;
    must(lwp_model_probe(model, now, RowWords));
    return now;
  endfunction

  // Calls with side effects are statements: of `row <= rst_ni ? f() : g()` Verilator 5.006 calls both.
  always @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) restart();
    else advance();
    row <= probe();
  end

  final must(lwp_model_free(model));

  assign outputs = unpack_outputs(row[OutputWords-1:0]);
  assign state_o = unpack_probe(row[RowWords-1:OutputWords]);

  assign stall_o           = outputs.stall;
  assign cut_valid_o       = outputs.cut_valid;
  assign cut_lane_o        = outputs.cut_lane;
  assign drain_o           = outputs.drain;
  assign flush_req_o       = outputs.flush_req;
  assign addr_track_o      = outputs.addr_track;
  assign rsp_valid_o       = outputs.rsp_valid;
  assign rsp_fault_o       = outputs.rsp_fault;
  assign rsp_fault_write_o = outputs.rsp_fault_write;
  assign rsp_rdata_o       = outputs.rsp_rdata;
  assign rsp_fault_addr_o  = outputs.rsp_fault_addr;
  assign mem_req_o         = outputs.mem_req;
  assign mem_cmd_o         = outputs.mem_cmd;
  assign mem_be_o          = outputs.mem_be;
  assign mem_addr_o        = outputs.mem_addr;
  assign mem_wdata_o       = outputs.mem_wdata;
  assign pf_valid_o        = outputs.pf_valid;
  assign pf_write_o        = outputs.pf_write;
  assign pf_abort_o        = outputs.pf_abort;
  assign pf_addr_o         = outputs.pf_addr;
  assign irq_o             = outputs.irq;
  assign msr0_o            = outputs.msr0;

endmodule
