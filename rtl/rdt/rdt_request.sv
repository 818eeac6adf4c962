// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Request: finds the result of this cycle's request, the logical processor that makes it, and the register to be
// written. Combinational.
//
// Specification: sections 8.2 to 8.4, 9.4 to 9.7. Contract: docs/src/rdt/cycle.md, "5. Register requests". Requirements
// RDTM-31, RDTA-09, RDTA-14, RDTA-17, RDTA-20, RDTA-33.

module rdt_request
  import retire_pkg::*;
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
#(
  // Logical processors: 1, 2, 4 or 8.
  parameter int unsigned LogicalProcessors = 2
) (
  // Straps, constant after reset. Few of them are used.
  // verilator lint_off UNUSEDSIGNAL
  input  config_t                      cfg_i,
  // verilator lint_on UNUSEDSIGNAL

  // Mode of the logical processor that makes the request.
  input  mode_in_t                     mode_i,
  // Register request; accepted in every cycle.
  input  reg_request_t                 reg_i,
  // CDP of each cache is on.
  input  cdp_t                         cdp_i,

  // One-hot: the logical processor that makes the request.
  output logic [LogicalProcessors-1:0] asks_o,
  // Result of the request: done, #GP(0) or not mine; valid with a request.
  output reg_result_e                  result_o,
  // The register that WRMSR writes in this cycle; 0 if there is none.
  output write_t                       write_o
);

  // A unit of n logical processors uses the lowest log2(n) bits of `reg_lp`.
  localparam logic [2:0] LpMask = 3'(LogicalProcessors - 1);

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_asks
    assign asks_o[i] = (reg_i.reg_lp & LpMask) == 3'(i);
  end

  // The level is 0: always in real mode, never in virtual-8086 mode.
  logic privileged;
  assign privileged = (mode_i.op_mode == ModeReal) || ((mode_i.op_mode != ModeV86) && (mode_i.cpl == 2'd0));

  ///////////////
  // Registers //
  ///////////////

  logic monitoring, allocation, amd;
  assign monitoring = cfg_i.events != '0;
  assign allocation = cfg_i.l3_cat || cfg_i.l2_cat || cfg_i.mba;
  assign amd        = cfg_i.vendor == VendorAmd;

  // The register is the one that is asked for.
  write_t asked;
  logic   counter, mine;
  for (genvar n = 0; n < int'(MaxClasses); n++) begin : gen_classes
    assign asked.l3_mask[n] = has_class(cfg_i.l3_cat, 1'b0, cfg_i.l3_cos, 4'(n)) &&
                              (reg_i.reg_number == MsrL3Mask + 32'(n));
    assign asked.l2_mask[n] = has_class(cfg_i.l2_cat, 1'b0, cfg_i.l2_cos, 4'(n)) &&
                              (reg_i.reg_number == MsrL2Mask + 32'(n));
    assign asked.delay[n]   = has_class(cfg_i.mba, 1'b0, cfg_i.mba_cos, 4'(n)) &&
                              (reg_i.reg_number == MsrDelay + 32'(n));
  end
  assign asked.l3_cdp      = cfg_i.l3_cdp && (reg_i.reg_number == MsrL3QosCfg);
  assign asked.l2_cdp      = cfg_i.l2_cdp && (reg_i.reg_number == MsrL2QosCfg);
  assign asked.selection   = monitoring && (reg_i.reg_number == MsrEvtSel);
  assign asked.association = (monitoring || allocation) && (reg_i.reg_number == MsrAssoc);
  assign counter           = monitoring && (reg_i.reg_number == MsrCtr);
  assign mine              = (asked != '0) || counter;

  /////////////
  // Refused //
  /////////////

  logic [63:0] wdata;
  assign wdata = reg_i.reg_wdata;

  // An RMID has 10 or 12 bits.
  logic bad_cfg, bad_selection, bad_association;
  assign bad_cfg       = wdata[63:1] != '0;
  assign bad_selection = (wdata[31:8] != '0) || (wdata[63:44] != '0) || (!amd && (wdata[43:42] != '0));

  // Some resource has the class, or it is class 0.
  logic class_known;
  assign class_known = (wdata[63:32] == '0) ||
                       ((wdata[63:36] == '0) &&
                        (has_class(cfg_i.l3_cat, cdp_i.l3, cfg_i.l3_cos, wdata[35:32]) ||
                         has_class(cfg_i.l2_cat, cdp_i.l2, cfg_i.l2_cos, wdata[35:32]) ||
                         has_class(cfg_i.mba, 1'b0, cfg_i.mba_cos, wdata[35:32])));
  // Every RMID that is not refused has at most 5 bits.
  assign bad_association = (wdata[31:5] != '0) || (wdata[4:0] > cfg_i.max_rmid) || !class_known;

  // Ones in one piece: the sum with the lowest of them carries past all of them, or out of the mask.
  logic [4:0]  ways;
  logic [15:0] mask, carried;
  logic        one_piece, bad_mask, bad_delay;
  assign ways      = (asked.l3_mask != '0) ? cfg_i.l3_ways : 5'(cfg_i.l2_ways);
  assign mask      = wdata[15:0];
  assign carried   = mask + (mask & (~mask + 16'd1));
  assign one_piece = (carried & mask) == '0;
  assign bad_mask  = (wdata[63:16] != '0) || ((mask & ~first_ways(ways)) != '0) ||
                     (!amd && ((mask == '0) || (!cfg_i.sparse && !one_piece)));
  assign bad_delay = (wdata[63:16] != '0) || (wdata[15:0] > 16'(cfg_i.mba_max));

  logic refused;
  assign refused = counter ||
                   ((asked.l3_cdp || asked.l2_cdp) && bad_cfg) ||
                   (asked.selection && bad_selection) ||
                   (asked.association && bad_association) ||
                   ((({asked.l3_mask, asked.l2_mask}) != '0) && bad_mask) ||
                   ((asked.delay != '0) && bad_delay);

  ////////////
  // Result //
  ////////////

  always_comb begin
    if (!((reg_i.reg_op == RegRdmsr) || (reg_i.reg_op == RegWrmsr)) || !mine) result_o = ResultNotMine;
    else if (!privileged) result_o = ResultGp;
    else if ((reg_i.reg_op == RegWrmsr) && refused) result_o = ResultGp;
    else result_o = ResultDone;
  end

  logic writes;
  assign writes  = reg_i.reg_valid && (reg_i.reg_op == RegWrmsr) && (result_o == ResultDone);
  assign write_o = asked & {$bits(write_t){writes}};

endmodule
