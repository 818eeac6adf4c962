// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Request: what becomes of the request of this cycle, who asks, and what is written. Combinational.
//
// Contract: docs/src/perf/cycle.md, "1. Request". Requirements P6-06 to P6-08, P6-25, P6-27, P6-34, APM-03, APM-10,
// APM-12, APM-37 to APM-39.

module perf_request
  import retire_pkg::*;
  import perf_pkg::*;
#(
  parameter int unsigned LogicalProcessors = 1
) (
  // Straps.
  // Not every strap is about requests.
  // verilator lint_off UNUSEDSIGNAL
  input  config_t                           cfg_i,
  // verilator lint_on UNUSEDSIGNAL
  // General counters that exist.
  input  logic [MaxGeneral-1:0]             general_exists_i,
  // Fixed counters that exist.
  input  logic [MaxFixed-1:0]               fixed_exists_i,
  // Privilege level of each logical processor.
  input  logic [LogicalProcessors-1:0][1:0] level_i,
  // CR4.PCE of each logical processor.
  input  logic [LogicalProcessors-1:0]      pce_i,
  // The request.
  input  reg_request_t                      reg_i,

  // The logical processor that asks, one-hot.
  output logic [LogicalProcessors-1:0]      asks_o,
  // What the answer says. Without meaning if there is no request.
  output reg_result_e                       result_o,
  // The registers of the logical processor that asks which are written.
  output write_t                            write_o
);

  // A unit of n logical processors looks at log2(n) bits.
  localparam logic [2:0] LpMask = 3'(LogicalProcessors - 1);

  logic [2:0] lp;
  assign lp = reg_i.reg_lp & LpMask;

  logic privileged, pce;
  always_comb begin
    privileged = 1'b0;
    pce        = 1'b0;
    for (int unsigned i = 0; i < LogicalProcessors; i++) begin
      privileged |= asks_o[i] && (level_i[i] == 2'd0);
      pce        |= asks_o[i] && pce_i[i];
    end
  end
  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_asks
    assign asks_o[i] = lp == 3'(i);
  end

  /////////////
  // Numbers //
  /////////////

  logic p6, version2;
  assign p6       = cfg_i.personality == 2'd0;
  assign version2 = cfg_i.personality >= 2'd2;

  // Bits 30:0 of ECX name a general counter; bits 29:0 with bit 30 a fixed one.
  logic [MaxGeneral-1:0] select, counter, full, rdpmc_general;
  logic [MaxFixed-1:0]   fixed, rdpmc_fixed;
  for (genvar c = 0; c < int'(MaxGeneral); c++) begin : gen_general
    assign select[c]        = general_exists_i[c] && (reg_i.reg_number == MsrSelect + 32'(c));
    assign counter[c]       = general_exists_i[c] && (reg_i.reg_number == MsrCounter + 32'(c));
    assign full[c]          = general_exists_i[c] && cfg_i.capabilities[13] &&
                              (reg_i.reg_number == MsrFullCounter + 32'(c));
    assign rdpmc_general[c] = general_exists_i[c] && (reg_i.reg_number[30:0] == 31'(c));
  end
  for (genvar k = 0; k < int'(MaxFixed); k++) begin : gen_fixed
    assign fixed[k]       = fixed_exists_i[k] && (reg_i.reg_number == MsrFixed + 32'(k));
    assign rdpmc_fixed[k] = fixed_exists_i[k] && reg_i.reg_number[30] && (reg_i.reg_number[29:0] == 30'(k));
  end

  logic capabilities, fixed_control, global_status, global_ctrl, global_ovf, lvt, mine, names;
  assign capabilities  = cfg_i.pdcm && (reg_i.reg_number == MsrCapabilities);
  assign fixed_control = version2 && (reg_i.reg_number == MsrFixedControl);
  assign global_status = version2 && (reg_i.reg_number == MsrGlobalStatus);
  assign global_ctrl   = version2 && (reg_i.reg_number == MsrGlobalCtrl);
  assign global_ovf    = version2 && (reg_i.reg_number == MsrGlobalOvf);
  assign lvt           = cfg_i.x2apic && (reg_i.reg_number == MsrLvt);
  assign mine  = (|{select, counter, full, fixed}) || capabilities || fixed_control || global_status || global_ctrl ||
                 global_ovf || lvt;
  assign names = (!reg_i.reg_number[31] || cfg_i.fast_read) && (|{rdpmc_general, rdpmc_fixed});

  ////////////
  // Values //
  ////////////

  logic [63:0] select_bits, counter_bits, fixed_bits, control_bits, ctrl_bits, ovf_bits, allowed;
  assign select_bits  = {32'b0, 9'h1FF, !p6 || !select[1] || cfg_i.sel1_en, !p6 && cfg_i.any_thread, 21'h1F_FFFF};
  assign counter_bits = ~({64{1'b1}} << cfg_i.width);
  assign fixed_bits   = ~({64{1'b1}} << cfg_i.fixed_width);
  always_comb begin
    control_bits = '0;
    for (int unsigned k = 0; k < MaxFixed; k++) begin
      if (fixed_exists_i[k]) control_bits[4*k +: 4] = {1'b1, cfg_i.any_thread, 2'b11};
    end
  end
  assign ctrl_bits = {29'b0, fixed_exists_i, 24'b0, general_exists_i};
  assign ovf_bits  = ctrl_bits | {2'b11, cfg_i.personality == 2'd3, 61'b0};

  // Bits that may be 1.
  always_comb begin
    allowed = '0;
    if (|select) allowed |= select_bits;
    if (|counter) allowed |= '1;
    if (|full) allowed |= counter_bits;
    if (|fixed) allowed |= fixed_bits;
    if (fixed_control) allowed |= control_bits;
    if (global_ctrl) allowed |= ctrl_bits;
    if (global_ovf) allowed |= ovf_bits;
    if (lvt) allowed |= 64'h0000_0000_0001_17FF;
  end

  logic refused;
  assign refused = capabilities || global_status || ((reg_i.reg_wdata & ~allowed) != '0);

  ////////////
  // Result //
  ////////////

  always_comb begin
    result_o = ResultDone;
    unique case (reg_i.reg_op)
      RegRdpmc: begin
        if (!names) result_o = ResultNotMine;
        else if (!privileged && !pce) result_o = ResultGp;
      end
      RegRdmsr: begin
        if (!mine) result_o = ResultNotMine;
        else if (!privileged) result_o = ResultGp;
      end
      RegWrmsr: begin
        if (!mine) result_o = ResultNotMine;
        else if (!privileged || refused) result_o = ResultGp;
      end
      default: result_o = ResultNotMine;
    endcase
  end

  logic writes;
  assign writes  = reg_i.reg_valid && (reg_i.reg_op == RegWrmsr) && (result_o == ResultDone);
  assign write_o = {select, counter, full, fixed, fixed_control, global_ctrl, global_ovf, lvt} &
                   {$bits(write_t){writes}};

endmodule
