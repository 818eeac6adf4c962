// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Request: finds the result of this cycle's request, the logical processor that makes it, and the register to be
// written. Combinational.
//
// Specification: section 7, "TSC". Contract: docs/src/tsc/cycle.md, "1. Request".

module tsc_request
  import retire_pkg::*;
  import tsc_pkg::*;
#(
  // Logical processors with a counter of their own: 1, 2, 4 or 8.
  parameter int unsigned LogicalProcessors = 1
) (
  // Strap `present`: the time-stamp counter exists.
  input  logic                         present_i,
  // Strap `adjust`: IA32_TSC_ADJUST exists.
  input  logic                         adjust_i,
  // Strap `aux`: RDTSCP and IA32_TSC_AUX exist.
  input  logic                         aux_i,

  // Current privilege level of the logical processor that makes the request, 0 to 3.
  input  logic [1:0]                   cpl_i,
  // Operating mode of the logical processor that makes the request.
  input  op_mode_e                     op_mode_i,
  // CR4.TSD of the logical processor that makes the request.
  input  logic                         tsd_i,
  // Register request; accepted in every cycle.
  input  reg_request_t                 reg_i,

  // One-hot: the logical processor that makes the request.
  output logic [LogicalProcessors-1:0] asks_o,
  // Result of the request: done, #UD, #GP(0) or not mine; valid with a request.
  output reg_result_e                  result_o,
  // One-hot: the register that WRMSR writes in this cycle; 0 if there is none.
  output write_t                       write_o
);

  // A unit of n logical processors uses the lowest log2(n) bits of `reg_lp`.
  localparam logic [2:0] LpMask = 3'(LogicalProcessors - 1);

  logic [2:0] lp;
  assign lp = reg_i.reg_lp & LpMask;

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_asks
    assign asks_o[i] = lp == 3'(i);
  end

  // The level is 0: always in real mode, never in virtual-8086 mode.
  logic privileged;
  assign privileged = (op_mode_i == ModeReal) || ((op_mode_i != ModeV86) && (cpl_i == 2'd0));

  logic is_counter, is_adjust, is_aux, mine, reserved;
  assign is_counter = reg_i.reg_number == MsrTimeStampCounter;
  assign is_adjust  = reg_i.reg_number == MsrTscAdjust;
  assign is_aux     = reg_i.reg_number == MsrTscAux;
  assign mine       = (is_counter && present_i) || (is_adjust && adjust_i) || (is_aux && aux_i);
  // The request sets a bit that IA32_TSC_AUX does not have.
  assign reserved   = is_aux && (reg_i.reg_wdata[63:32] != '0);

  always_comb begin
    result_o = ResultDone;
    unique case (reg_i.reg_op)
      RegRdtsc: begin
        if (!present_i) result_o = ResultUd;
        else if (tsd_i && !privileged) result_o = ResultGp;
      end
      RegRdtscp: begin
        if (!aux_i) result_o = ResultUd;
        else if (tsd_i && !privileged) result_o = ResultGp;
      end
      RegRdmsr: begin
        if (!mine) result_o = ResultNotMine;
        else if (!privileged) result_o = ResultGp;
      end
      RegWrmsr: begin
        if (!mine) result_o = ResultNotMine;
        else if (!privileged || reserved) result_o = ResultGp;
      end
      default: result_o = ResultNotMine;
    endcase
  end

  logic writes;
  assign writes  = reg_i.reg_valid && (reg_i.reg_op == RegWrmsr) && (result_o == ResultDone);
  assign write_o = '{counter: writes && is_counter, adjust: writes && is_adjust, aux: writes && is_aux};

endmodule
