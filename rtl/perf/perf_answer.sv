// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Answer: what the request of the last cycle read, or why it was refused.
//
// What is read is the value of the cycle of the request. A request that is refused shows nothing of a register.
//
// Contract: docs/src/perf/cycle.md, "9. Answer", and docs/src/perf/state.md, "Registers as software sees them".
// Requirements P6-34, P6-35.

module perf_answer
  import retire_pkg::*;
  import perf_pkg::*;
#(
  parameter int unsigned LogicalProcessors = 1,
  parameter int unsigned GeneralCounters   = 2,
  // Entries of the array of fixed counters.
  parameter int unsigned FixedEntries      = 1
) (
  input  logic                                               clk_i,
  input  logic                                               rst_ni,

  // Strap: IA32_PERF_CAPABILITIES.
  input  logic [16:0]                                        capabilities_i,
  // General counters that exist.
  input  logic [MaxGeneral-1:0]                              general_exists_i,
  // Fixed counters that exist.
  input  logic [MaxFixed-1:0]                                fixed_exists_i,

  // A request is made.
  input  logic                                               valid_i,
  // What is asked.
  input  reg_op_e                                            op_i,
  // Number of the register that is read.
  input  logic [31:0]                                        number_i,
  // The logical processor that asks, one-hot.
  input  logic [LogicalProcessors-1:0]                       asks_i,
  // What becomes of the request.
  input  reg_result_e                                        result_i,
  // Registers of all general counters.
  // Pins and conditions are not read.
  // verilator lint_off UNUSEDSIGNAL
  input  general_t [LogicalProcessors-1:0][GeneralCounters-1:0] general_i,
  // Registers of all fixed counters.
  input  fixed_t [LogicalProcessors-1:0][FixedEntries-1:0]   fixed_i,
  // Other registers of all logical processors.
  input  lp_t [LogicalProcessors-1:0]                        lp_i,
  // verilator lint_on UNUSEDSIGNAL

  // The answer to the request of the last cycle.
  output answer_t                                            answer_o
);

  // Registers of the logical processor that asks.
  // verilator lint_off UNUSEDSIGNAL
  general_t [GeneralCounters-1:0] general;
  fixed_t   [FixedEntries-1:0]    fixed;
  lp_t                            lp;
  // verilator lint_on UNUSEDSIGNAL
  always_comb begin
    general = '0;
    fixed   = '0;
    lp      = '0;
    for (int unsigned i = 0; i < LogicalProcessors; i++) begin
      general |= general_i[i] & {$bits(general){asks_i[i]}};
      fixed   |= fixed_i[i] & {$bits(fixed){asks_i[i]}};
      lp      |= lp_i[i] & {$bits(lp_t){asks_i[i]}};
    end
  end

  // Bits 30:0 of ECX are those of a number below 2^30, bit 30 apart.
  logic [63:0] msr, pmc;
  always_comb begin
    msr = '0;
    pmc = '0;
    for (int unsigned c = 0; c < GeneralCounters; c++) begin
      if (number_i == MsrSelect + c) msr |= 64'(general[c].select);
      if ((number_i == MsrCounter + c) || (number_i == MsrFullCounter + c)) msr |= 64'(general[c].counter);
      if (number_i[30:0] == 31'(c)) pmc |= 64'(general[c].counter);
    end
    for (int unsigned k = 0; k < FixedEntries; k++) begin
      if (number_i == MsrFixed + k) msr |= 64'(fixed[k].counter);
      if (number_i[30] && (number_i[29:0] == 30'(k))) pmc |= 64'(fixed[k].counter);
    end
    if (number_i[31]) pmc[63:32] = '0;

    unique case (number_i)
      MsrCapabilities: msr = {47'b0, capabilities_i};
      MsrFixedControl: begin
        for (int unsigned k = 0; k < FixedEntries; k++) msr[4*k +: 4] = fixed[k].control;
      end
      MsrGlobalStatus: begin
        for (int unsigned c = 0; c < GeneralCounters; c++) msr[c] = general[c].status;
        for (int unsigned k = 0; k < FixedEntries; k++) msr[32 + k] = fixed[k].status;
        msr[62] = lp.ds_status;
      end
      MsrGlobalCtrl: begin
        for (int unsigned c = 0; c < GeneralCounters; c++) msr[c] = general[c].on && general_exists_i[c];
        for (int unsigned k = 0; k < FixedEntries; k++) msr[32 + k] = fixed[k].on && fixed_exists_i[k];
      end
      MsrLvt: msr = {47'b0, lp.lvt_mask, 3'b0, lp.irq, 1'b0, lp.lvt_mode, lp.lvt_vector};
      default: ;
    endcase
  end

  answer_t answer_d, answer_q;

  always_comb begin
    answer_d = '0;
    if (valid_i) begin
      answer_d.reg_done   = 1'b1;
      answer_d.reg_result = result_i;
      if (result_i == ResultDone) begin
        unique case (op_i)
          RegRdmsr: answer_d.reg_rdata = msr;
          RegRdpmc: answer_d.reg_rdata = pmc;
          default: ;
        endcase
      end
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
