// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Request: what becomes of the request of this cycle, who asks, and what is written. Combinational.
//
// Specification: section 7, "TSC". Contract: docs/src/tsc/cycle.md, "1. Request".

module tsc_request
  import retire_pkg::*;
  import tsc_pkg::*;
#(
  parameter int unsigned LogicalProcessors = 1
) (
  // Straps: which registers there are.
  input  logic                         present_i,
  input  logic                         adjust_i,
  input  logic                         aux_i,

  // Privilege of the logical processor that asks.
  input  logic [1:0]                   cpl_i,
  // Operating mode of the logical processor that asks.
  input  op_mode_e                     op_mode_i,
  // CR4.TSD of the logical processor that asks.
  input  logic                         tsd_i,
  // The request.
  input  reg_request_t                 reg_i,

  // The logical processor that asks, one-hot.
  output logic [LogicalProcessors-1:0] asks_o,
  // What the answer says. Without meaning if there is no request.
  output reg_result_e                  result_o,
  // The registers of the logical processor that asks which are written.
  output write_t                       write_o
);

  // A unit of n logical processors looks at log2(n) bits.
  localparam logic [2:0] LpMask = 3'(LogicalProcessors - 1);

  logic [2:0] lp;
  assign lp = reg_i.reg_lp & LpMask;

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_asks
    assign asks_o[i] = lp == 3'(i);
  end

  // Level 0. In real mode every program has it, in virtual-8086 mode none.
  logic privileged;
  assign privileged = (op_mode_i == ModeReal) || ((op_mode_i != ModeV86) && (cpl_i == 2'd0));

  logic is_counter, is_adjust, is_aux, mine, reserved;
  assign is_counter = reg_i.reg_number == MsrTimeStampCounter;
  assign is_adjust  = reg_i.reg_number == MsrTscAdjust;
  assign is_aux     = reg_i.reg_number == MsrTscAux;
  assign mine       = (is_counter && present_i) || (is_adjust && adjust_i) || (is_aux && aux_i);
  // A bit that IA32_TSC_AUX does not have is to be set.
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
