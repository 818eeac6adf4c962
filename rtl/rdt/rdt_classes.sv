// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Classes: masks and delays of the classes of service, and CDP. The masks allow all ways from the first cycle after reset
// on.
//
// Contract: docs/src/rdt/cycle.md, "Clear" and "5. Register requests". Requirements RDTA-12, RDTA-18.

module rdt_classes
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
#(
  // Classes of service: 2 to 16.
  parameter int unsigned Classes = 4
) (
  // Clock: all registers change at its rising edge.
  input  logic                 clk_i,
  // Asynchronous reset, active low.
  input  logic                 rst_ni,

  // Straps `l3_cat`, `l3_cos`, `l3_ways`, `l2_cat`, `l2_cos`, `l2_ways`.
  input  logic                 l3_cat_i,
  input  logic [3:0]           l3_cos_i,
  input  logic [4:0]           l3_ways_i,
  input  logic                 l2_cat_i,
  input  logic [3:0]           l2_cos_i,
  input  logic [3:0]           l2_ways_i,

  // First cycle after reset: masks get their reset value.
  input  logic                 first_i,
  // The register that is written in this cycle. Smaller builds have fewer.
  // verilator lint_off UNUSEDSIGNAL
  input  write_t               write_i,
  // The value. What WRMSR accepts has no other bit than those used here.
  input  logic [63:0]          wdata_i,
  // verilator lint_on UNUSEDSIGNAL

  // Registers.
  output cdp_t                 cdp_o,
  output class_t [Classes-1:0] classes_o
);

  cdp_t cdp_d, cdp_q;

  always_comb begin
    cdp_d = cdp_q;
    if (write_i.l3_cdp) cdp_d.l3 = wdata_i[0];
    if (write_i.l2_cdp) cdp_d.l2 = wdata_i[0];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cdp_q <= '0;
    end else begin
      cdp_q <= cdp_d;
    end
  end

  assign cdp_o = cdp_q;

  for (genvar n = 0; n < int'(Classes); n++) begin : gen_classes
    class_t class_d, class_q;

    always_comb begin
      class_d = class_q;
      if (first_i) begin
        if (has_class(l3_cat_i, 1'b0, l3_cos_i, 4'(n))) class_d.l3_mask = first_ways(l3_ways_i);
        if (has_class(l2_cat_i, 1'b0, l2_cos_i, 4'(n))) class_d.l2_mask = 8'(first_ways(5'(l2_ways_i)));
      end
      if (write_i.l3_mask[n]) class_d.l3_mask = wdata_i[15:0];
      if (write_i.l2_mask[n]) class_d.l2_mask = wdata_i[7:0];
      if (write_i.delay[n]) class_d.delay = wdata_i[11:0];
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        class_q <= '0;
      end else begin
        class_q <= class_d;
      end
    end

    assign classes_o[n] = class_q;
  end

endmodule
