// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The performance counters: those of the P6 family, or the architectural ones, for each logical processor of a core.
//
// A Moore machine with one clock: every output is a register, so that no path runs through it. Reset is asynchronous.
//
// Specification: the study of the P6 counters, the text on architectural performance monitoring, the document on
// debugging, branch records, TSC and RDT. Contract: docs/src/perf/.

module perf
  import perf_pkg::*;
#(
  // Logical processors with counters of their own: 1, 2, 4 or 8.
  parameter int unsigned LogicalProcessors = 1,
  // General counters of a logical processor: 1 to 8.
  parameter int unsigned GeneralCounters   = 2,
  // Fixed counters of a logical processor: 0 to 3.
  parameter int unsigned FixedCounters     = 0,
  // Instructions of a logical processor that can retire in a cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes       = 4,
  // Entries of the array of fixed counters; leave it. Without fixed counters its one entry is 0.
  localparam int unsigned FixedEntries     = (FixedCounters == 0) ? 1 : FixedCounters
) (
  input  logic                                                      clk_i,
  input  logic                                                      rst_ni,

  // Straps, static after reset.
  input  config_t                                                   cfg_i,

  // Processor: a period of the bus clock begins.
  input  logic                                                      bus_tick_i,
  // Processor: core clock by bus clock, in halves. Valid with bus_tick_i.
  input  logic [7:0]                                                core_ratio_i,
  // A period of the core's clock begins.
  input  logic                                                      core_clock_i,

  // Retired, branch.
  input  lane_t [LogicalProcessors-1:0][RetireLanes-1:0]            lanes_i,
  // What is watched of each logical processor, with its event bus.
  input  lp_in_t [LogicalProcessors-1:0]                            lp_i,

  // Register request. One is accepted in every cycle.
  input  retire_pkg::reg_request_t                                  reg_i,
  // Write of the local APIC's entry in memory.
  // Reserved bits are ignored.
  // verilator lint_off UNUSEDSIGNAL
  input  apic_t                                                     apic_i,
  // verilator lint_on UNUSEDSIGNAL

  // The request of the last cycle is answered.
  output logic                                                      reg_done_o,
  // What became of it. 0 without reg_done_o.
  output retire_pkg::reg_result_e                                   reg_result_o,
  // EDX:EAX of RDMSR, RDPMC. 0 unless such a request is done.
  output logic [63:0]                                               reg_rdata_o,
  // Interrupt and local APIC's entry of each logical processor.
  output lp_out_t [LogicalProcessors-1:0]                           lp_o,
  // Overflow and pin of each general counter.
  output general_out_t [LogicalProcessors-1:0][GeneralCounters-1:0] general_o,
  // Overflow of each fixed counter.
  output fixed_out_t [LogicalProcessors-1:0][FixedEntries-1:0]      fixed_o,

  // Every register, for verification. Leave it open in a product. Waves show the registers in the modules that hold them.
  // verilator tracing_off
  output state_t                                                    state_o
  // verilator tracing_on
);

  if (!(LogicalProcessors inside {1, 2, 4, 8})) begin : gen_bad_processors
    $error("LogicalProcessors must be 1, 2, 4 or 8");
  end
  if ((GeneralCounters < 1) || (GeneralCounters > MaxGeneral)) begin : gen_bad_general
    $error("GeneralCounters must be 1 to 8");
  end
  if (FixedCounters > MaxFixed) begin : gen_bad_fixed
    $error("FixedCounters must be 0 to 3");
  end
  if (!(RetireLanes inside {1, 2, 4, 8})) begin : gen_bad_lanes
    $error("RetireLanes must be 1, 2, 4 or 8");
  end

  ///////////////
  // Registers //
  ///////////////

  general_t [LogicalProcessors-1:0][GeneralCounters-1:0] general;
  fixed_t [LogicalProcessors-1:0][FixedEntries-1:0]      fixed;
  lp_t [LogicalProcessors-1:0]                           lp;
  answer_t                                               answer;
  logic                                                  ratio_fits_d, ratio_fits_q;

  // Counters that exist.
  logic [MaxGeneral-1:0] general_exists;
  logic [MaxFixed-1:0]   fixed_exists;
  for (genvar c = 0; c < int'(MaxGeneral); c++) begin : gen_general_exists
    assign general_exists[c] = (c < int'(GeneralCounters)) && (4'(c) < cfg_i.counters);
  end
  for (genvar k = 0; k < int'(MaxFixed); k++) begin : gen_fixed_exists
    assign fixed_exists[k] = (k < int'(FixedCounters)) && (2'(k) < cfg_i.fixed);
  end

  // The clock ratio of the odd events.
  assign ratio_fits_d = bus_tick_i ? ((core_ratio_i == 8'd4) || (core_ratio_i == 8'd6)) : ratio_fits_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ratio_fits_q <= 1'b0;
    end else begin
      ratio_fits_q <= ratio_fits_d;
    end
  end

  /////////////
  // Request //
  /////////////

  logic [LogicalProcessors-1:0][1:0] levels;
  logic [LogicalProcessors-1:0]      pce, asks;
  retire_pkg::reg_result_e           result;
  write_t                            write;

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_levels
    assign levels[i] = level(lp_i[i].op_mode, lp_i[i].cpl);
    assign pce[i]    = lp_i[i].pce;
  end

  perf_request #(
    .LogicalProcessors(LogicalProcessors)
  ) u_request (
    .cfg_i,
    .general_exists_i(general_exists),
    .fixed_exists_i  (fixed_exists),
    .level_i         (levels),
    .pce_i           (pce),
    .reg_i,
    .asks_o          (asks),
    .result_o        (result),
    .write_o         (write)
  );

  perf_answer #(
    .LogicalProcessors(LogicalProcessors),
    .GeneralCounters  (GeneralCounters),
    .FixedEntries     (FixedEntries)
  ) u_answer (
    .clk_i,
    .rst_ni,
    .capabilities_i  (cfg_i.capabilities),
    .general_exists_i(general_exists),
    .fixed_exists_i  (fixed_exists),
    .valid_i         (reg_i.reg_valid),
    .op_i            (reg_i.reg_op),
    .number_i        (reg_i.reg_number),
    .asks_i          (asks),
    .result_i        (result),
    .general_i       (general),
    .fixed_i         (fixed),
    .lp_i            (lp),
    .answer_o        (answer)
  );

  ////////////////////////
  // Logical processors //
  ////////////////////////

  localparam logic [2:0] LpMask = 3'(LogicalProcessors - 1);

  perf_lines_pkg::lines_t [LogicalProcessors-1:0] lines;

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_processors
    perf_lines #(
      .RetireLanes(RetireLanes)
    ) u_lines (
      .lanes_i    (lanes_i[i]),
      .partial_i  (lp_i[i].partial),
      .int_valid_i(lp_i[i].int_valid),
      .int_kind_i (lp_i[i].int_kind),
      .halted_i   (lp_i[i].halted),
      .events_i   (lp_i[i].events),
      .lines_o    (lines[i])
    );

    perf_processor #(
      .LogicalProcessors(LogicalProcessors),
      .GeneralCounters  (GeneralCounters),
      .FixedCounters    (FixedCounters),
      .FixedEntries     (FixedEntries),
      .Processor        (i)
    ) u_processor (
      .clk_i,
      .rst_ni,
      .cfg_i,
      .general_exists_i  (general_exists),
      .fixed_exists_i    (fixed_exists),
      .bus_tick_i,
      .core_clock_i,
      .fits_now_i        (ratio_fits_d),
      .lines_i           (lines),
      .level_i           (levels),
      .int_valid_i       (lp_i[i].int_valid),
      .int_kind_i        (lp_i[i].int_kind),
      .freeze_i          (lp_i[i].freeze),
      .freeze_on_pmi_i   (lp_i[i].freeze_on_pmi),
      .freeze_while_smm_i(lp_i[i].freeze_while_smm),
      .ds_pmi_i          (lp_i[i].ds_pmi),
      .irq_ack_i         (lp_i[i].irq_ack),
      .write_i           (write & {$bits(write_t){asks[i]}}),
      .wdata_i           (reg_i.reg_wdata),
      .apic_write_i      (apic_i.apic_write && !cfg_i.x2apic && ((apic_i.apic_lp & LpMask) == 3'(i))),
      .apic_wdata_i      (apic_i.apic_wdata),
      .general_o         (general[i]),
      .fixed_o           (fixed[i]),
      .lp_o              (lp[i])
    );
  end

  /////////////
  // Outputs //
  /////////////

  assign reg_done_o   = answer.reg_done;
  assign reg_result_o = answer.reg_result;
  assign reg_rdata_o  = answer.reg_rdata;

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_outputs
    assign lp_o[i] = '{
      irq:        lp[i].irq,
      irq_mode:   lp[i].irq_mode,
      irq_vector: lp[i].irq_vector,
      lvt_vector: lp[i].lvt_vector,
      lvt_mode:   lp[i].lvt_mode,
      lvt_mask:   lp[i].lvt_mask,
      pmi:        lp[i].pmi
    };
    for (genvar c = 0; c < int'(GeneralCounters); c++) begin : gen_general
      assign general_o[i][c] = '{overflow: general[i][c].overflow, pin: general[i][c].pin};
    end
    for (genvar k = 0; k < int'(FixedEntries); k++) begin : gen_fixed
      assign fixed_o[i][k].overflow = fixed[i][k].overflow;
    end
  end

  assign state_o.ratio_fits = ratio_fits_q;
  assign state_o.answer     = answer;
  for (genvar i = 0; i < int'(MaxProcessors); i++) begin : gen_state
    if (i < int'(LogicalProcessors)) begin : gen_lp
      assign state_o.lp[i] = lp[i];
    end else begin : gen_no_lp
      assign state_o.lp[i] = '0;
    end
    for (genvar c = 0; c < int'(MaxGeneral); c++) begin : gen_general
      if ((i < int'(LogicalProcessors)) && (c < int'(GeneralCounters))) begin : gen_there
        assign state_o.general[i][c] = general[i][c];
      end else begin : gen_absent
        assign state_o.general[i][c] = '0;
      end
    end
    for (genvar k = 0; k < int'(MaxFixed); k++) begin : gen_fixed
      if ((i < int'(LogicalProcessors)) && (k < int'(FixedCounters))) begin : gen_there
        assign state_o.fixed[i][k] = fixed[i][k];
      end else begin : gen_absent
        assign state_o.fixed[i][k] = '0;
      end
    end
  end

`ifndef SYNTHESIS
  perf_assert #(
    .LogicalProcessors(LogicalProcessors),
    .GeneralCounters  (GeneralCounters),
    .FixedCounters    (FixedCounters),
    .FixedEntries     (FixedEntries)
  ) u_assert (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .bus_tick_i,
    .core_clock_i,
    .lp_in_i (lp_i),
    .reg_i,
    .apic_write_i(apic_i.apic_write),
    .general_i(general),
    .fixed_i  (fixed),
    .lp_i     (lp),
    .answer_i (answer)
  );
`endif

endmodule
