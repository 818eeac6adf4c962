// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Control: IA32_DEBUGCTL with its freeze at performance interrupts, debug exceptions, SMI and RSM; IA32_DS_AREA and
// IA32_PEBS_ENABLE.
//
// Specification: sections 5.1, 5.2, 5.3 and 5.7. Contract: docs/src/trace/cycle.md, "3. Control".

module trace_control
  import retire_pkg::*;
  import trace_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // An interruption is accepted in this cycle.
  input  logic        interrupted_i,
  // Kind of the interruption; valid with `interrupted_i`.
  input  int_kind_e   int_kind_i,
  // Vector of the interruption; valid with `interrupted_i`.
  input  logic [7:0]  int_vector_i,
  // A performance interrupt was asked for.
  input  logic        pmi_i,
  // A WRMSR of IA32_DEBUGCTL is done.
  input  logic        write_debugctl_i,
  // A WRMSR of IA32_DS_AREA is done.
  input  logic        write_area_i,
  // A WRMSR of IA32_PEBS_ENABLE is done.
  input  logic        write_enable_i,
  // Value that it writes; valid with one of the writes.
  input  logic [63:0] wdata_i,

  // Registers.
  output control_regs_t    control_o
);

  control_regs_t control_d, control_q;

  // Steps of IA32_DEBUGCTL, from the oldest: write, freeze, interruption.
  logic        freeze;
  logic [15:0] written, frozen, copy;
  assign freeze  = pmi_i && control_q.debugctl[DebugctlFreezeLbrs];
  assign written = write_debugctl_i ? wdata_i[15:0] : control_q.debugctl;

  always_comb begin
    frozen = written;
    copy   = control_q.smm_debugctl;
    if (freeze) begin
      frozen[DebugctlLbr] = 1'b0;
      copy[DebugctlLbr]   = 1'b0;
    end
  end

  logic debug_exception, smi, rsm;
  assign debug_exception = interrupted_i && (int_kind_i == IntException) && (int_vector_i == 8'd1);
  assign smi             = interrupted_i && (int_kind_i == IntSmi) && control_q.debugctl[DebugctlFreezeSmm];
  assign rsm             = interrupted_i && (int_kind_i == IntRsm) && control_q.smm_frozen;

  always_comb begin
    control_d              = control_q;
    control_d.debugctl     = frozen;
    control_d.smm_debugctl = copy;
    if (debug_exception || smi) begin
      control_d.debugctl[DebugctlLbr] = 1'b0;
      control_d.debugctl[DebugctlBtf] = 1'b0;
    end
    if (smi) begin
      control_d.debugctl[DebugctlTr]  = 1'b0;
      control_d.debugctl[DebugctlBts] = 1'b0;
      control_d.smm_frozen            = 1'b1;
      control_d.smm_debugctl          = frozen;
    end
    if (rsm) begin
      control_d.debugctl     = copy;
      control_d.smm_frozen   = 1'b0;
      control_d.smm_debugctl = '0;
    end
    if (write_debugctl_i) control_d.lbr_frozen = 1'b0;
    if (freeze) control_d.lbr_frozen = 1'b1;
    if (write_area_i) control_d.ds_area = wdata_i;
    if (write_enable_i) control_d.pebs_enable = wdata_i[Counters-1:0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      control_q <= '0;
    end else begin
      control_q <= control_d;
    end
  end

  assign control_o = control_q;

endmodule
