// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Pace: the credit of each logical processor against the delay of its class. A logical processor earns credit in every
// cycle and pays with it for each access to the L3 cache.
//
// Specification: section 9.7, MBA. Contract: docs/src/rdt/cycle.md, "1. Pace". Requirements RDTA-28, RDTA-33, RDTA-34.

module rdt_pace
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
#(
  // Logical processors: 1, 2, 4 or 8.
  parameter int unsigned LogicalProcessors = 2,
  // Classes of service: 2 to 16.
  parameter int unsigned Classes           = 4
) (
  // Clock: all registers change at its rising edge.
  input  logic                                      clk_i,
  // Asynchronous reset, active low.
  input  logic                                      rst_ni,

  // Straps `mba`, `mba_cos`, `mba_linear`, `mba_scope`, `mba_period`.
  input  logic                                      mba_i,
  input  logic [3:0]                                mba_cos_i,
  input  logic                                      mba_linear_i,
  input  logic                                      mba_scope_i,
  input  logic [7:0]                                mba_period_i,

  // Per class: its delay value.
  input  logic [Classes-1:0][11:0]                  delay_i,
  // Per logical processor: its class.
  input  logic [LogicalProcessors-1:0][3:0]         cos_i,
  // Per logical processor: the class of its access.
  input  logic [LogicalProcessors-1:0][3:0]         access_cos_i,
  // The logical processor is chosen for the L3 cache in this cycle.
  input  logic [LogicalProcessors-1:0]              chosen_i,

  // The logical processor may access the L3 cache.
  output logic [LogicalProcessors-1:0]              paced_o,
  // Per logical processor: its credit.
  output logic [LogicalProcessors-1:0][CreditW-1:0] credit_o
);

  // Delay of each class; 0 for a class that has none.
  logic [MaxClasses-1:0][11:0] delay;
  for (genvar n = 0; n < int'(MaxClasses); n++) begin : gen_delay
    if (n < int'(Classes)) begin : gen_built
      assign delay[n] = delay_i[n] & {12{has_class(mba_i, 1'b0, mba_cos_i, 4'(n))}};
    end else begin : gen_absent
      assign delay[n] = '0;
    end
  end

  // The largest delay of the classes of all logical processors.
  logic [11:0] largest;
  always_comb begin
    largest = '0;
    for (int unsigned i = 0; i < LogicalProcessors; i++) begin
      if (delay[cos_i[i]] > largest) largest = delay[cos_i[i]];
    end
  end

  // 100 x `mba_period`, at most 25500.
  logic [CreditW-1:0] period100;
  assign period100 = (CreditW'(mba_period_i) << 6) + (CreditW'(mba_period_i) << 5) + (CreditW'(mba_period_i) << 2);

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_processors
    logic [11:0]        d, power;
    logic [CreditW-1:0] cost, rate, held, earned, credit_d, credit_q;

    assign d = (mba_scope_i == ScopeThread) ? delay[access_cos_i[i]] : largest;

    // The largest power of two that is not above the delay: its highest bit.
    always_comb begin
      power = '0;
      for (int unsigned b = 0; b < 12; b++) begin
        if (d[b]) power = 12'd1 << b;
      end
    end

    // Delays in percent are below 100.
    logic [6:0] percent;
    assign percent = 7'd100 - d[6:0];

    always_comb begin
      if (d == '0) begin
        rate = '0;
        cost = '0;
      end else if (mba_linear_i) begin
        rate = CreditW'(percent);
        cost = period100;
      end else begin
        rate = CreditW'(1);
        cost = CreditW'(mba_period_i) + CreditW'(power);
      end
    end

    // Credit and rate together are at most 25599. Credit that was earned under a larger cost is cut before it is spent. A logical processor
    // that is chosen has the cost.
    assign held     = paced_o[i] ? cost : credit_q;
    assign earned   = held + rate - (chosen_i[i] ? cost : '0);
    assign credit_d = (earned < cost) ? earned : cost;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        credit_q <= '0;
      end else begin
        credit_q <= credit_d;
      end
    end

    assign paced_o[i]  = credit_q >= cost;
    assign credit_o[i] = credit_q;
  end

endmodule
