// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Global: enables, overflow status and freeze of the counters of one logical processor.
//
// Contract: docs/src/perf/cycle.md, "7. Global". Requirements APM-38, APM-39, DCTL-12, DCTL-13, DCTL-22 to DCTL-24.

module perf_global
  import retire_pkg::*;
  import perf_pkg::*;
#(
  parameter int unsigned GeneralCounters = 2,
  // Fixed counters, at least one.
  parameter int unsigned FixedEntries    = 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,

  // Strap: there is global control.
  input  logic                  present_i,
  // General counters that exist.
  input  logic [MaxGeneral-1:0] general_exists_i,
  // Fixed counters that exist.
  input  logic [MaxFixed-1:0]   fixed_exists_i,

  // IA32_PERF_GLOBAL_CTRL is written.
  input  logic                  write_ctrl_i,
  // IA32_PERF_GLOBAL_OVF_CTRL is written.
  input  logic                  write_ovf_i,
  // The bits that are written of general counters.
  input  logic [MaxGeneral-1:0] wdata_general_i,
  // The bits that are written of fixed counters.
  input  logic [MaxFixed-1:0]   wdata_fixed_i,
  // The bit that is written of the debug store.
  input  logic                  wdata_ds_i,

  // General counters that overflow.
  input  logic [MaxGeneral-1:0] general_over_i,
  // Fixed counters that overflow.
  input  logic [MaxFixed-1:0]   fixed_over_i,
  // General counters that interrupt on overflow.
  input  logic [MaxGeneral-1:0] general_interrupts_i,
  // Fixed counters that interrupt on overflow.
  input  logic [MaxFixed-1:0]   fixed_interrupts_i,
  // The debug store asks for a performance interrupt.
  input  logic                  ds_pmi_i,
  // A performance interrupt freezes the counters.
  input  logic                  freeze_on_pmi_i,
  // A system-management interrupt freezes the counters.
  input  logic                  freeze_while_smm_i,
  // An interruption is taken.
  input  logic                  int_valid_i,
  // Its kind. Valid with int_valid_i.
  input  int_kind_e             int_kind_i,

  // A performance interrupt is asked for in this cycle.
  output logic                  pmi_now_o,
  // One was asked for in the last cycle.
  output logic                  pmi_o,
  // Enables of general counters.
  output logic [MaxGeneral-1:0] general_on_o,
  // Enables of fixed counters.
  output logic [MaxFixed-1:0]   fixed_on_o,
  // Overflow status of general counters.
  output logic [MaxGeneral-1:0] general_status_o,
  // Overflow status of fixed counters.
  output logic [MaxFixed-1:0]   fixed_status_o,
  // Status of the debug store.
  output logic                  ds_status_o,
  // A system-management interrupt cleared the enables.
  output logic                  smm_frozen_o
);

  // All counters: fixed ones, then general ones.
  localparam int unsigned All = MaxFixed + MaxGeneral;

  logic [GeneralCounters-1:0] general_on_q, general_status_q;
  logic [FixedEntries-1:0]    fixed_on_q, fixed_status_q;
  logic                       pmi_q, ds_status_d, ds_status_q, smm_frozen_d, smm_frozen_q;
  logic [All-1:0]             exists, wdata, over, on, status;
  // Bits of counters that the build lacks have no registers.
  // verilator lint_off UNUSEDSIGNAL
  logic [All-1:0]             on_d, status_d;
  // verilator lint_on UNUSEDSIGNAL
  assign on     = {MaxFixed'(fixed_on_q), MaxGeneral'(general_on_q)};
  assign status = {MaxFixed'(fixed_status_q), MaxGeneral'(general_status_q)};
  assign exists = {fixed_exists_i, general_exists_i};
  assign wdata  = {wdata_fixed_i, wdata_general_i};
  assign over   = {fixed_over_i, general_over_i};

  logic smi, rsm;
  assign smi = int_valid_i && (int_kind_i == IntSmi);
  assign rsm = int_valid_i && (int_kind_i == IntRsm);

  assign pmi_now_o = ds_pmi_i || ((over & {fixed_interrupts_i, general_interrupts_i}) != '0);

  always_comb begin
    on_d         = on;
    status_d     = status;
    ds_status_d  = ds_status_q;
    smm_frozen_d = smm_frozen_q;
    if (present_i) begin
      if (write_ctrl_i) on_d = (on & ~exists) | (wdata & exists);
      if (rsm && smm_frozen_q) on_d |= exists;
      if ((smi && freeze_while_smm_i) || (pmi_now_o && freeze_on_pmi_i)) on_d &= ~exists;

      if (write_ovf_i) begin
        status_d    &= ~wdata;
        ds_status_d &= !wdata_ds_i;
      end
      status_d    |= over & exists;
      ds_status_d |= ds_pmi_i;

      if (rsm) smm_frozen_d = 1'b0;
      if (smi && freeze_while_smm_i) smm_frozen_d = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      general_on_q     <= '1;
      general_status_q <= '0;
      fixed_on_q       <= '0;
      fixed_status_q   <= '0;
      ds_status_q      <= 1'b0;
      smm_frozen_q     <= 1'b0;
      pmi_q            <= 1'b0;
    end else begin
      general_on_q     <= on_d[GeneralCounters-1:0];
      general_status_q <= status_d[GeneralCounters-1:0];
      fixed_on_q       <= on_d[MaxGeneral+:FixedEntries];
      fixed_status_q   <= status_d[MaxGeneral+:FixedEntries];
      ds_status_q      <= ds_status_d;
      smm_frozen_q     <= smm_frozen_d;
      pmi_q            <= pmi_now_o;
    end
  end

  assign pmi_o            = pmi_q;
  assign general_on_o     = on[MaxGeneral-1:0];
  assign fixed_on_o       = on[All-1:MaxGeneral];
  assign general_status_o = status[MaxGeneral-1:0];
  assign fixed_status_o   = status[All-1:MaxGeneral];
  assign ds_status_o      = ds_status_q;
  assign smm_frozen_o     = smm_frozen_q;

endmodule
