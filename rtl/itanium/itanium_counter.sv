// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Counter: PMC[4 + c] and PMD[4 + c] of one counter; threshold, count and overflow.
//
// Specification: section 6.1.3. Contract: docs/src/itanium/cycle.md, "7. Counter". Requirements ITA-01, ITA-27, ITA-40,
// ITA-41.

module itanium_counter
  import itanium_pkg::*;
#(
  // Bits of the threshold: 3 in PMC[4] and PMC[5], 2 in PMC[6] and PMC[7].
  parameter int unsigned ThresholdW = 3
) (
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // Number of qualified events of this cycle.
  input  logic [2:0]  n_i,
  // The monitor of the counter is on.
  input  logic        on_i,
  // PMC[4 + c] is written.
  input  logic        write_pmc_i,
  // PMD[4 + c] is written.
  input  logic        write_pmd_i,
  // Value that is written. Some bits belong to no field.
  // verilator lint_off UNUSEDSIGNAL
  input  logic [63:0] wdata_i,
  // verilator lint_on UNUSEDSIGNAL

  // The counter overflows in this cycle.
  output logic        over_o,
  // Registers.
  output counter_t    counter_o
);

  counter_t counter_d, counter_q;

  // With a threshold, a cycle counts once, if it has more events.
  logic [2:0]  amount;
  logic [32:0] sum;
  assign amount = (counter_q.threshold == '0) ? n_i : {2'b00, n_i > counter_q.threshold};
  assign sum    = {1'b0, counter_q.count} + {30'd0, amount & {3{on_i}}};

  assign over_o = sum[32];

  always_comb begin
    counter_d       = counter_q;
    counter_d.count = write_pmd_i ? wdata_i[31:0] : sum[31:0];
    counter_d.pin   = over_o && counter_q.ev;
    if (write_pmc_i) begin
      counter_d.plm       = wdata_i[3:0];
      counter_d.ev        = wdata_i[4];
      counter_d.oi        = wdata_i[5];
      counter_d.pm        = wdata_i[6];
      counter_d.es        = wdata_i[14:8];
      counter_d.umask     = wdata_i[19:16];
      counter_d.threshold = 3'(wdata_i[20+:ThresholdW]);
      counter_d.ism       = wdata_i[25:24];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      counter_q <= '0;
    end else begin
      counter_q <= counter_d;
    end
  end

  assign counter_o = counter_q;

endmodule
