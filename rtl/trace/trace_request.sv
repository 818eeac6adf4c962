// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Request: finds the result of this cycle's RDMSR or WRMSR and the register to be written, and holds the answer.
//
// Specification: sections 5.1, 5.8, 5.9 and 6. Contract: docs/src/trace/cycle.md, "2. Request".

module trace_request
  import retire_pkg::*;
  import trace_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic         clk_i,
  // Asynchronous reset, active low.
  input  logic         rst_ni,

  // Straps, constant after reset. Some do not matter to requests.
  // verilator lint_off UNUSEDSIGNAL
  input  config_t      cfg_i,
  // verilator lint_on UNUSEDSIGNAL
  // Number of the last entry of the LBR stack that exists.
  input  logic [4:0]   last_i,

  // Register request.
  input  reg_request_t reg_i,
  // The request of this cycle can be accepted.
  input  logic         accept_i,
  // The level of the core is 0.
  input  logic         level0_i,
  // IA32_DEBUGCTL and what points at memory. The copy of SMM cannot be read.
  // verilator lint_off UNUSEDSIGNAL
  input  control_regs_t     control_i,
  // The LBR stack and the last exception record. `elapsed` cannot be read.
  input  lbr_t         lbr_i,
  // verilator lint_on UNUSEDSIGNAL

  // Register that WRMSR writes in this cycle; 0 if there is none.
  output write_t       write_o,
  // Result of the last cycle's request.
  output reg_answer_t  answer_o
);

  // One logical processor.
  logic unused_lp;
  assign unused_lp = ^reg_i.reg_lp;

  logic accepted;
  assign accepted = reg_i.reg_valid && accept_i;

  logic reads, writes;
  assign reads  = reg_i.reg_op == RegRdmsr;
  assign writes = reg_i.reg_op == RegWrmsr;

  /////////////
  // Numbers //
  /////////////

  logic [31:0] number;
  logic [4:0]  n;
  assign number = reg_i.reg_number;
  assign n      = number[4:0];

  logic [26:0] from_block, to_block;
  assign from_block = (cfg_i.lbr_numbers == NumbersCore) ? 27'(32'h40 >> 5) : 27'(32'h680 >> 5);
  assign to_block   = (cfg_i.lbr_numbers == NumbersCore) ? 27'(32'h60 >> 5) : 27'(32'h6C0 >> 5);

  logic is_debugctl, is_tos, is_ler_from, is_ler_to, is_from, is_to, is_info, is_area, is_enable;
  assign is_debugctl = number == 32'h1D9;
  assign is_tos      = number == 32'h1C9;
  assign is_ler_from = number == 32'h1DD;
  assign is_ler_to   = number == 32'h1DE;
  assign is_from     = (number[31:5] == from_block) && (n <= last_i);
  assign is_to       = (number[31:5] == to_block) && (n <= last_i) && (cfg_i.lbr_format != FormatOffset32);
  assign is_info     = (number[31:5] == 27'(32'hDC0 >> 5)) && (n <= last_i) && (cfg_i.lbr_format == FormatInfo);
  assign is_area     = (number == 32'h600) && cfg_i.ds;
  assign is_enable   = (number == 32'h3F1) && (cfg_i.pebs_counters != '0);

  logic mine;
  assign mine = (reads || writes) && (is_debugctl || is_tos || is_ler_from || is_ler_to || is_from || is_to || is_info ||
                                      is_area || is_enable);

  ////////////
  // Result //
  ////////////

  logic [63:0] wdata;
  assign wdata = reg_i.reg_wdata;

  // Bits of IA32_DEBUGCTL that exist.
  logic [63:0] exists;
  always_comb begin
    exists                        = '0;
    exists[DebugctlLbr]           = 1'b1;
    exists[DebugctlBtf]           = 1'b1;
    exists[DebugctlTr]            = cfg_i.ds;
    exists[DebugctlBts]           = cfg_i.ds;
    exists[DebugctlBtint]         = cfg_i.ds;
    exists[DebugctlBtsOffOs]      = cfg_i.ds_cpl;
    exists[DebugctlBtsOffUsr]     = cfg_i.ds_cpl;
    exists[DebugctlFreezeLbrs]    = cfg_i.pmi_freeze;
    exists[DebugctlFreezePerfmon] = cfg_i.pmi_freeze;
    exists[DebugctlFreezeSmm]     = cfg_i.smm_freeze;
    exists[DebugctlRtm]           = cfg_i.rtm;
  end

  logic canonical;
  always_comb begin
    unique case (cfg_i.linear)
      Linear32: canonical = wdata[63:32] == '0;
      Linear57: canonical = wdata[63:56] == {8{wdata[56]}};
      default:  canonical = wdata[63:47] == {17{wdata[47]}};
    endcase
  end

  // Bit n: counter n can store records.
  logic [Counters-1:0] counters;
  for (genvar c = 0; c < int'(Counters); c++) begin : gen_counter
    assign counters[c] = cfg_i.pebs_counters > 3'(c);
  end

  logic refused;
  assign refused = is_ler_from || is_ler_to || (is_debugctl && ((wdata & ~exists) != '0)) ||
                   (is_tos && (wdata > {59'd0, last_i})) || (is_area && !canonical) ||
                   (is_enable && ((wdata & ~{60'd0, counters}) != '0));

  reg_result_e result;
  always_comb begin
    if (!mine) result = ResultNotMine;
    else if (!level0_i) result = ResultGp;
    else if (writes && refused) result = ResultGp;
    else result = ResultDone;
  end

  ///////////
  // Write //
  ///////////

  logic                  write;
  logic [MaxEntries-1:0] at;
  assign write = accepted && writes && (result == ResultDone);
  assign at    = MaxEntries'(1) << n;

  assign write_o.debugctl    = write && is_debugctl;
  assign write_o.ds_area     = write && is_area;
  assign write_o.pebs_enable = write && is_enable;
  assign write_o.tos         = write && is_tos;
  assign write_o.from        = (write && is_from) ? at : '0;
  assign write_o.to          = (write && is_to) ? at : '0;
  assign write_o.info        = (write && is_info) ? at : '0;

  //////////
  // Read //
  //////////

  entry_t entry;
  assign entry = lbr_i.entry[n];

  logic [63:0] value;
  always_comb begin
    value = '0;
    if (is_debugctl) value = {48'd0, control_i.debugctl};
    if (is_tos) value = {59'd0, lbr_i.tos};
    if (is_ler_from) value = lbr_i.ler_from;
    if (is_ler_to) value = lbr_i.ler_to;
    if (is_from) value = entry.from;
    if (is_to) value = entry.to;
    if (is_info) value = {entry.mispredicted, entry.in_tx, entry.tsx_abort, 45'd0, entry.cycles};
    if (is_area) value = control_i.ds_area;
    if (is_enable) value = {60'd0, control_i.pebs_enable};
  end

  reg_answer_t answer_d, answer_q;

  always_comb begin
    answer_d = '0;
    if (accepted) begin
      answer_d.reg_done   = 1'b1;
      answer_d.reg_result = result;
      if (reads && (result == ResultDone)) answer_d.reg_rdata = value;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      answer_q <= '0;
    end else begin
      answer_q <= answer_d;
    end
  end

  assign answer_o = answer_q;

endmodule
