// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The time-stamp counter: counts the time of a processor for each of its logical processors, and returns it to
// software.
//
// The unit is a Moore machine with one clock: every output is a register. All registers reset to 0, asynchronously. The
// clock never stops and measures no time: ticks of the bus clock and of the crystal are inputs.
//
// Specification: the document on debugging, branch records, TSC and RDT, section 7, "TSC". Contract: docs/src/tsc/.

module tsc
  import tsc_pkg::*;
#(
  // Logical processors with a counter of their own: 1, 2, 4 or 8.
  parameter int unsigned LogicalProcessors = 1
) (
  // Clock: all registers change at its rising edge.
  input  logic                     clk_i,
  // Asynchronous reset, active low.
  input  logic                     rst_ni,

  // Straps, constant after reset.
  input  config_t                  cfg_i,

  // Pins, states and clock ticks of the processor.
  input  retire_pkg::processor_t   processor_i,

  // Current privilege level of the logical processor that makes the request, 0 to 3.
  input  logic [1:0]               cpl_i,
  // Operating mode of the logical processor that makes the request.
  input  retire_pkg::op_mode_e     op_mode_i,
  // CR4.TSD of the logical processor that makes the request.
  input  logic                     tsd_i,

  // Register request; accepted in every cycle.
  input  retire_pkg::reg_request_t reg_i,

  // The result of the last cycle's request is valid, in this one cycle.
  output logic                     reg_done_o,
  // Result: 0 done, 1 #UD, 2 #GP(0), 4 not mine; valid with `reg_done_o`, else 0.
  output retire_pkg::reg_result_e  reg_result_o,
  // EDX:EAX of RDTSC, RDTSCP or RDMSR; 0 unless such a request is done.
  output logic [63:0]              reg_rdata_o,
  // ECX of RDTSCP; 0 unless RDTSCP is done.
  output logic [31:0]              reg_aux_o,

  // All registers of the unit, for verification. Leave the port open in a product.
  output state_t                   state_o
);

  if ((LogicalProcessors != 1) && (LogicalProcessors != 2) && (LogicalProcessors != 4) &&
      (LogicalProcessors != 8)) begin : gen_bad_processors
    $error("LogicalProcessors must be 1, 2, 4 or 8");
  end

  // HLT and STPCLK# do not stop the counter.
  logic unused_processor;
  assign unused_processor = ^{processor_i.halted, processor_i.stpclk};

  ///////////////
  // Registers //
  ///////////////

  rate_t                       rate;
  lp_t [LogicalProcessors-1:0] processors;
  answer_t                     answer;

  /////////////
  // Request //
  /////////////

  logic [LogicalProcessors-1:0] asks;
  retire_pkg::reg_result_e      result;
  write_t                       write;

  tsc_request #(
    .LogicalProcessors(LogicalProcessors)
  ) u_request (
    .present_i(cfg_i.present),
    .adjust_i (cfg_i.adjust),
    .aux_i    (cfg_i.aux),
    .cpl_i,
    .op_mode_i,
    .tsd_i,
    .reg_i,
    .asks_o   (asks),
    .result_o (result),
    .write_o  (write)
  );

  tsc_answer #(
    .LogicalProcessors(LogicalProcessors)
  ) u_answer (
    .clk_i,
    .rst_ni,
    .valid_i     (reg_i.reg_valid),
    .op_i        (reg_i.reg_op),
    .number_i    (reg_i.reg_number),
    .asks_i      (asks),
    .result_i    (result),
    .processors_i(processors),
    .answer_o    (answer)
  );

  //////////
  // Rate //
  //////////

  logic [TicksW-1:0] ticks;

  tsc_rate u_rate (
    .clk_i,
    .rst_ni,
    .present_i        (cfg_i.present),
    .rate_i           (cfg_i.rate),
    .deep_sleep_i     (cfg_i.deep_sleep),
    .max_ratio_i      (cfg_i.max_ratio),
    .art_whole_i      (cfg_i.art_whole),
    .art_rest_i       (cfg_i.art_rest),
    .art_denominator_i(cfg_i.art_denominator),
    .dpslp_i          (processor_i.dpslp),
    .bus_tick_i       (processor_i.bus_tick),
    .crystal_tick_i   (processor_i.crystal_tick),
    .core_ratio_i     (processor_i.core_ratio),
    .ticks_o          (ticks),
    .rate_o           (rate)
  );

  ////////////////////////
  // Logical processors //
  ////////////////////////

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_processors
    tsc_processor u_processor (
      .clk_i,
      .rst_ni,
      .adjust_i     (cfg_i.adjust),
      .write_width_i(cfg_i.write_width),
      .write_i      (write & {$bits(write_t){asks[i]}}),
      .wdata_i      (reg_i.reg_wdata),
      .ticks_i      (ticks),
      .lp_o         (processors[i])
    );
  end

  /////////////
  // Outputs //
  /////////////

  assign reg_done_o   = answer.reg_done;
  assign reg_result_o = answer.reg_result;
  assign reg_rdata_o  = answer.reg_rdata;
  assign reg_aux_o    = answer.reg_aux;

  assign state_o.rate   = rate;
  assign state_o.answer = answer;
  for (genvar i = 0; i < int'(MaxProcessors); i++) begin : gen_state
    if (i < int'(LogicalProcessors)) begin : gen_there
      assign state_o.processors[i] = processors[i];
    end else begin : gen_absent
      assign state_o.processors[i] = '0;
    end
  end

`ifndef SYNTHESIS
  tsc_assert #(
    .LogicalProcessors(LogicalProcessors)
  ) u_assert (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .processor_i,
    .cpl_i,
    .op_mode_i,
    .tsd_i,
    .reg_i,
    .ticks_i     (ticks),
    .rate_i      (rate),
    .processors_i(processors),
    .answer_i    (answer)
  );
`endif

endmodule
