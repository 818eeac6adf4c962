// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Answer: returns the value that the last cycle's request read, or its fault.
//
// All values of an answer are from the cycle of the request. A request that faults returns no register's value.
//
// Specification: section 7, "TSC", and 7.2 (RDTSCP). Contract: docs/src/tsc/cycle.md, "Answer".

module tsc_answer
  import retire_pkg::*;
  import tsc_pkg::*;
#(
  // Logical processors with a counter of their own: 1, 2, 4 or 8.
  parameter int unsigned LogicalProcessors = 1
) (
  // Clock: all registers change at its rising edge.
  input  logic                         clk_i,
  // Asynchronous reset, active low.
  input  logic                         rst_ni,

  // A request is made in this cycle.
  input  logic                         valid_i,
  // Operation of the request; valid with `valid_i`.
  input  reg_op_e                      op_i,
  // Number of the register that RDMSR reads; valid with `valid_i`.
  input  logic [31:0]                  number_i,
  // One-hot: the logical processor that makes the request.
  input  logic [LogicalProcessors-1:0] asks_i,
  // Result of the request: done, #UD, #GP(0) or not mine; valid with a request.
  input  reg_result_e                  result_i,
  // Per logical processor: its registers.
  input  lp_t [LogicalProcessors-1:0]  processors_i,

  // Result of the last cycle's request.
  output answer_t                      answer_o
);

  lp_t asker;
  always_comb begin
    asker = '0;
    for (int unsigned i = 0; i < LogicalProcessors; i++) begin
      asker |= processors_i[i] & {$bits(lp_t){asks_i[i]}};
    end
  end

  // Value of the MSR. A request for an MSR that does not exist has the result not mine.
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
