// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The counters of one logical processor: selects, cells, global control, interrupt and pins.
//
// Contract: docs/src/perf/cycle.md and docs/src/perf/delivery.md. Requirements P6-10, P6-33, P6-37, APM-01, APM-04,
// APM-14.

module perf_processor
  import retire_pkg::*;
  import perf_pkg::*;
  import perf_lines_pkg::*;
#(
  parameter int unsigned LogicalProcessors = 1,
  parameter int unsigned GeneralCounters   = 2,
  parameter int unsigned FixedCounters     = 0,
  // Entries of the array of fixed counters.
  parameter int unsigned FixedEntries      = 1,
  // This logical processor.
  parameter int unsigned Processor         = 0
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,

  // Straps.
  // Those of requests are looked at elsewhere.
  // verilator lint_off UNUSEDSIGNAL
  input  config_t                             cfg_i,
  // verilator lint_on UNUSEDSIGNAL
  // General counters that exist.
  input  logic [MaxGeneral-1:0]               general_exists_i,
  // Fixed counters that exist.
  input  logic [MaxFixed-1:0]                 fixed_exists_i,

  // A period of the bus clock begins.
  input  logic                                bus_tick_i,
  // A period of the core's clock begins.
  input  logic                                core_clock_i,
  // The clock ratio is 2:1 or 3:1.
  input  logic                                fits_now_i,
  // Lines of each logical processor.
  input  lines_t [LogicalProcessors-1:0]      lines_i,
  // Privilege level of each logical processor.
  input  logic [LogicalProcessors-1:0][1:0]   level_i,
  // An interruption is taken.
  input  logic                                int_valid_i,
  // Its kind. Valid with int_valid_i.
  input  int_kind_e                           int_kind_i,
  // No counter counts in this cycle.
  input  logic                                freeze_i,
  // A performance interrupt freezes the counters.
  input  logic                                freeze_on_pmi_i,
  // A system-management interrupt freezes the counters.
  input  logic                                freeze_while_smm_i,
  // The debug store asks for a performance interrupt.
  input  logic                                ds_pmi_i,
  // The interrupt is taken.
  input  logic                                irq_ack_i,

  // What is written. The entries of counters that a build does not have are 0.
  // verilator lint_off UNUSEDSIGNAL
  input  write_t                              write_i,
  // The value that is written.
  input  logic [63:0]                         wdata_i,
  // The local APIC's entry is written in memory.
  input  logic                                apic_write_i,
  // The value that is written in memory.
  input  logic [31:0]                         apic_wdata_i,
  // verilator lint_on UNUSEDSIGNAL

  // Registers of the general counters.
  output general_t [GeneralCounters-1:0]      general_o,
  // Registers of the fixed counters.
  output fixed_t [FixedEntries-1:0]           fixed_o,
  // Other registers.
  output lp_t                                 lp_o
);

  logic p6;
  assign p6 = cfg_i.personality == 2'd0;

  // Of every counter that there could be. Those that a build does not have are 0.
  logic [MaxGeneral-1:0] general_over, general_interrupts, general_on, general_status;
  logic [MaxFixed-1:0]   fixed_over, fixed_interrupts, fixed_on, fixed_status;

  //////////////////////
  // General counters //
  //////////////////////

  logic [31:0] value;
  logic        enable0;
  assign value   = wdata_i[31:0];
  assign enable0 = general_o[0].select[22];

  for (genvar c = 0; c < int'(MaxGeneral); c++) begin : gen_general
    if (c < int'(GeneralCounters)) begin : gen_there
      logic [31:0] select_d, select_q;
      always_comb begin
        select_d = select_q;
        if (write_i.select[c]) begin
          select_d = value;
          // P6 has EN in register 0 alone.
          if (p6 && (c == 1)) select_d[22] = 1'b0;
        end
      end
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          select_q <= '0;
        end else begin
          select_q <= select_d;
        end
      end

      logic                                      something, level_kind, odd, sample, fits, counts, over;
      logic                                      held, overflow, due, pin;
      logic [LogicalProcessors-1:0][NumberW-1:0] numbers;
      logic [SumW-1:0]                           n;
      logic [CounterW-1:0]                       counter;
      cell_control_t                                  control;

      perf_select #(
        .LogicalProcessors(LogicalProcessors),
        .Counter          (c),
        .IsFixed          (1'b0)
      ) u_select (
        .personality_i(cfg_i.personality),
        .p6_model_i   (cfg_i.p6_model),
        .events_i     (cfg_i.events),
        .code_i       (select_q[7:0]),
        .mask_i       (select_q[15:8]),
        .core_clock_i,
        .bus_tick_i,
        .lines_i,
        .something_o  (something),
        .level_kind_o (level_kind),
        .odd_o        (odd),
        .sample_o     (sample),
        .n_o          (numbers)
      );

      perf_control #(
        .IsFixed(1'b0)
      ) u_control (
        .exists_i (general_exists_i[c]),
        .p6_i     (p6),
        .width_i  (cfg_i.width),
        .select_i (select_q),
        .enable0_i(enable0),
        .on_i     (general_on[c]),
        .freeze_i,
        .control_o(control)
      );

      perf_filter #(
        .LogicalProcessors(LogicalProcessors),
        .Processor        (Processor)
      ) u_filter (
        .levels_i    (control.levels),
        .any_i       (control.any),
        .something_i (something),
        .level_kind_i(level_kind),
        .level_i,
        .n_i         (numbers),
        .fits_o      (fits),
        .n_o         (n)
      );

      perf_cell #(
        .HasEdges(1'b1)
      ) u_cell (
        .clk_i,
        .rst_ni,
        .inv_zero_i (cfg_i.inv_zero),
        .width_i    (control.width),
        .threshold_i(control.threshold),
        .inverted_i (control.inverted),
        .edges_i    (control.edges),
        .enable_i   (control.enable),
        .restart_i  (write_i.select[c]),
        .sample_i   (sample),
        .fits_i     (fits),
        .n_i        (n),
        .write_i    (write_i.counter[c] || write_i.full_counter[c]),
        .wdata_i    ({write_i.full_counter[c] ? wdata_i[47:32] : {16{wdata_i[31]}}, value}),
        .counts_o   (counts),
        .over_o     (over),
        .counter_o  (counter),
        .held_o     (held),
        .overflow_o (overflow)
      );

      perf_pin u_pin (
        .clk_i,
        .rst_ni,
        .bus_tick_i,
        .fits_now_i,
        .odd_i     (odd),
        .pc_i      (select_q[19]),
        .counts_i  (counts),
        .over_i    (over),
        .due_o     (due),
        .pin_o     (pin)
      );

      assign general_over[c]       = over;
      assign general_interrupts[c] = control.interrupts;
      assign general_o[c] = '{
        select:   select_q,
        counter:  counter,
        held:     held,
        on:       general_on[c],
        status:   general_status[c],
        overflow: overflow,
        due:      due,
        pin:      pin
      };
    end else begin : gen_absent
      logic unused_counter;
      assign unused_counter        = ^{general_on[c], general_status[c]};
      assign general_over[c]       = 1'b0;
      assign general_interrupts[c] = 1'b0;
    end
  end

  ////////////////////
  // Fixed counters //
  ////////////////////

  for (genvar k = 0; k < int'(MaxFixed); k++) begin : gen_fixed
    if (k < int'(FixedCounters)) begin : gen_there
      logic [3:0] control_q;
      always_ff @(posedge clk_i or negedge rst_ni) begin
        if (!rst_ni) begin
          control_q <= '0;
        end else if (write_i.fixed_control) begin
          // The field of a counter that does not exist is written with 0.
          control_q <= value[4*k +: 4];
        end
      end

      // A fixed counter has no pin and detects no edges.
      // verilator lint_off UNUSEDSIGNAL
      logic                                      odd, counts, held;
      // verilator lint_on UNUSEDSIGNAL
      logic                                      something, level_kind, sample, fits, over, overflow;
      logic [LogicalProcessors-1:0][NumberW-1:0] numbers;
      logic [SumW-1:0]                           n;
      logic [CounterW-1:0]                       counter;
      cell_control_t                                  control;

      perf_select #(
        .LogicalProcessors(LogicalProcessors),
        .Counter          (k),
        .IsFixed          (1'b1)
      ) u_select (
        .personality_i(cfg_i.personality),
        .p6_model_i   (cfg_i.p6_model),
        .events_i     (cfg_i.events),
        .code_i       (8'd0),
        .mask_i       (8'd0),
        .core_clock_i,
        .bus_tick_i,
        .lines_i,
        .something_o  (something),
        .level_kind_o (level_kind),
        .odd_o        (odd),
        .sample_o     (sample),
        .n_o          (numbers)
      );

      perf_control #(
        .IsFixed(1'b1)
      ) u_control (
        .exists_i (fixed_exists_i[k]),
        .p6_i     (p6),
        .width_i  (cfg_i.fixed_width),
        .select_i ({28'b0, control_q}),
        .enable0_i(1'b0),
        .on_i     (fixed_on[k]),
        .freeze_i,
        .control_o(control)
      );

      perf_filter #(
        .LogicalProcessors(LogicalProcessors),
        .Processor        (Processor)
      ) u_filter (
        .levels_i    (control.levels),
        .any_i       (control.any),
        .something_i (something),
        .level_kind_i(level_kind),
        .level_i,
        .n_i         (numbers),
        .fits_o      (fits),
        .n_o         (n)
      );

      perf_cell #(
        .HasEdges(1'b0)
      ) u_cell (
        .clk_i,
        .rst_ni,
        .inv_zero_i (1'b0),
        .width_i    (control.width),
        .threshold_i(control.threshold),
        .inverted_i (control.inverted),
        .edges_i    (control.edges),
        .enable_i   (control.enable),
        .restart_i  (1'b0),
        .sample_i   (sample),
        .fits_i     (fits),
        .n_i        (n),
        .write_i    (write_i.fixed[k]),
        .wdata_i    (wdata_i[47:0]),
        .counts_o   (counts),
        .over_o     (over),
        .counter_o  (counter),
        .held_o     (held),
        .overflow_o (overflow)
      );

      assign fixed_over[k]       = over;
      assign fixed_interrupts[k] = control.interrupts;
      assign fixed_o[k] = '{
        control:  control_q,
        counter:  counter,
        on:       fixed_on[k],
        status:   fixed_status[k],
        overflow: overflow
      };
    end else begin : gen_absent
      logic unused_counter;
      assign unused_counter      = ^{fixed_on[k], fixed_status[k]};
      assign fixed_over[k]       = 1'b0;
      assign fixed_interrupts[k] = 1'b0;
      if (k < int'(FixedEntries)) begin : gen_empty
        assign fixed_o[k] = '0;
      end
    end
  end

  //////////////////////////
  // Global and interrupt //
  //////////////////////////

  logic pmi_now;

  perf_global #(
    .GeneralCounters(GeneralCounters),
    .FixedEntries   (FixedEntries)
  ) u_global (
    .clk_i,
    .rst_ni,
    .present_i           (cfg_i.personality >= 2'd2),
    .general_exists_i,
    .fixed_exists_i,
    .write_ctrl_i        (write_i.global_ctrl),
    .write_ovf_i         (write_i.global_ovf),
    .wdata_general_i     (wdata_i[MaxGeneral-1:0]),
    .wdata_fixed_i       (wdata_i[32 +: MaxFixed]),
    .wdata_ds_i          (wdata_i[62]),
    .general_over_i      (general_over),
    .fixed_over_i        (fixed_over),
    .general_interrupts_i(general_interrupts),
    .fixed_interrupts_i  (fixed_interrupts),
    .ds_pmi_i,
    .freeze_on_pmi_i,
    .freeze_while_smm_i,
    .int_valid_i,
    .int_kind_i,
    .pmi_now_o           (pmi_now),
    .pmi_o               (lp_o.pmi),
    .general_on_o        (general_on),
    .fixed_on_o          (fixed_on),
    .general_status_o    (general_status),
    .fixed_status_o      (fixed_status),
    .ds_status_o         (lp_o.ds_status),
    .smm_frozen_o        (lp_o.smm_frozen)
  );

  perf_deliver u_deliver (
    .clk_i,
    .rst_ni,
    .mask_on_delivery_i(cfg_i.mask_on_delivery),
    .pmi_i             (pmi_now),
    .irq_ack_i,
    .write_i           (write_i.lvt || apic_write_i),
    .vector_i          (write_i.lvt ? wdata_i[7:0] : apic_wdata_i[7:0]),
    .mode_i            (write_i.lvt ? wdata_i[10:8] : apic_wdata_i[10:8]),
    .mask_i            (write_i.lvt ? wdata_i[16] : apic_wdata_i[16]),
    .lvt_vector_o      (lp_o.lvt_vector),
    .lvt_mode_o        (lp_o.lvt_mode),
    .lvt_mask_o        (lp_o.lvt_mask),
    .irq_o             (lp_o.irq),
    .irq_mode_o        (lp_o.irq_mode),
    .irq_vector_o      (lp_o.irq_vector)
  );

endmodule
