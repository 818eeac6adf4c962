// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Answer: what the request of the last cycle read, or why it was refused.
//
// All that an answer shows is of one cycle, that of the request. A request that is refused shows nothing of a
// register.
//
// Specification: section 7, "TSC", and 7.2 (RDTSCP). Contract: docs/src/tsc/cycle.md, "Answer".

module tsc_answer
  import retire_pkg::*;
  import tsc_pkg::*;
#(
  parameter int unsigned LogicalProcessors = 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,

  // A request is made.
  input  logic                         valid_i,
  // What is asked.
  input  reg_op_e                      op_i,
  // Number of the register that RDMSR reads.
  input  logic [31:0]                  number_i,
  // The logical processor that asks, one-hot.
  input  logic [LogicalProcessors-1:0] asks_i,
  // What becomes of the request.
  input  reg_result_e                  result_i,
  // Registers of all logical processors.
  input  lp_t [LogicalProcessors-1:0]  processors_i,

  // The answer to the request of the last cycle.
  output answer_t                      answer_o
);

  lp_t asker;
  always_comb begin
    asker = '0;
    for (int unsigned i = 0; i < LogicalProcessors; i++) begin
      asker |= processors_i[i] & {$bits(lp_t){asks_i[i]}};
    end
  end

  // A register that is read was found to exist.
  logic [63:0] msr;
  assign msr = (number_i == MsrTimeStampCounter) ? asker.counter :
               (number_i == MsrTscAdjust) ? asker.adjust : 64'(asker.aux);

  answer_t answer_d, answer_q;

  always_comb begin
    answer_d = '0;
    if (valid_i) begin
      answer_d.reg_done   = 1'b1;
      answer_d.reg_result = result_i;
      if (result_i == ResultDone) begin
        unique case (op_i)
          RegRdtsc: answer_d.reg_rdata = asker.counter;
          RegRdtscp: begin
            answer_d.reg_rdata = asker.counter;
            answer_d.reg_aux   = asker.aux;
          end
          RegRdmsr: answer_d.reg_rdata = msr;
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
