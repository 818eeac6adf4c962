// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Cell: what one counter adds in a cycle, when it overflows, and that it never goes back.
//
// The module alone, with and without edges, beside each other on the same inputs; every input is free in every cycle, but for the
// strap `width`. A cell has no size of the build, so this holds for every build.
//
// Rows: P6-03, P6-15 to P6-18, P6-28, P6-30, P6-31, P6-38, P6-40, APM-23, APM-24, APM-31, APM-32.

module formal_cell
  import perf_pkg::*;
  import formal_pkg::*;
(
  input logic                clk_i,
  input logic                inv_zero_i,
  input logic [7:0]          threshold_i,
  input logic                inverted_i,
  input logic                edges_i,
  input logic                enable_i,
  input logic                restart_i,
  input logic                sample_i,
  input logic                fits_i,
  input logic [SumW-1:0]     n_i,
  input logic                write_i,
  input logic [CounterW-1:0] wdata_i
);

  logic    rst_n;
  // verilator lint_off UNUSEDSIGNAL
  config_t cfg;
  // verilator lint_on UNUSEDSIGNAL
  formal_env u_env (.clk_i, .rst_no(rst_n), .cfg_o(cfg));

  // The condition whose rises are counted, and what is added without edges.
  logic        condition;
  logic [63:0] plain;
  always_comb begin
    case ({threshold_i == '0, inverted_i})
      2'b00: condition = 64'(n_i) >= 64'(threshold_i);
      2'b01: condition = 64'(n_i) < 64'(threshold_i);
      2'b10: condition = n_i != '0;
      // INV without CMASK: ignored, or nothing counts.
      2'b11: condition = !inv_zero_i && (n_i != '0);
    endcase
    plain = (threshold_i != '0) ? 64'(condition) : condition ? 64'(n_i) : '0;
  end

  logic looks;
  assign looks = enable_i && sample_i && fits_i;

  // The next rise counts: since counting began, or since the condition did not hold or was interrupted, it has not held.
  logic ready_q;
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) ready_q <= 1'b1;
    else if (restart_i || !enable_i) ready_q <= 1'b1;
    else if (sample_i) ready_q <= !(fits_i && condition);
  end

  for (genvar e = 0; e < 2; e++) begin : gen_edges
    localparam bit Edges = e == 1;
    logic                counts, over, held, overflow;
    logic [CounterW-1:0] counter;
    perf_cell #(
      .HasEdges(Edges)
    ) u_cell (
      .clk_i,
      .rst_ni    (rst_n),
      .inv_zero_i,
      .width_i   (cfg.width),
      .threshold_i,
      .inverted_i,
      .edges_i,
      .enable_i,
      .restart_i,
      .sample_i,
      .fits_i,
      .n_i,
      .write_i,
      .wdata_i,
      .counts_o  (counts),
      .over_o    (over),
      .counter_o (counter),
      .held_o    (held),
      .overflow_o(overflow)
    );

    // What is due in this cycle.
    logic [63:0] due, modulus, total;
    assign due     = !looks ? '0 : (Edges && edges_i) ? 64'(condition && ready_q) : plain;
    assign modulus = 64'd1 << cfg.width;
    assign total   = 64'(counter) + due;

    // The cycle before.
    logic        valid_q, was_write_q, was_counts_q, was_edges_q, was_threshold_q, was_looks_q, over_q;
    logic [63:0] due_q, was_q, written_q, n_q;
    always_ff @(posedge clk_i or negedge rst_n) begin
      if (!rst_n) begin
        valid_q <= 1'b0;
        over_q  <= 1'b0;
      end else begin
        valid_q <= 1'b1;
        over_q  <= over;
      end
    end
    always_ff @(posedge clk_i) begin
      was_write_q     <= write_i;
      was_counts_q    <= counts;
      was_edges_q     <= edges_i;
      was_threshold_q <= threshold_i != '0;
      was_looks_q     <= looks;
      due_q           <= due;
      was_q           <= 64'(counter);
      written_q       <= 64'(wdata_i) & (modulus - 64'd1);
      n_q             <= 64'(n_i);
    end

    // What was added, as far as the counter shows it.
    logic [63:0] now, added;
    assign now   = 64'(counter);
    assign added = (now - was_q) & (modulus - 64'd1);

    always_comb begin
      // P6-01, APM-13
      Inside:     assert (now < modulus);
      // P6-17, P6-18
      HeldKnown:  assert (held == (Edges && !ready_q));
      // P6-03, P6-30, P6-31, APM-31
      Adds:       assert (!valid_q || was_write_q || (added == due_q));
      // P6-31: without threshold each occurrence counts, but for INV and CMASK 0 where that is obeyed.
      AddsAll:    assert (!valid_q || was_write_q || !was_looks_q || was_threshold_q || (Edges && was_edges_q) ||
                          (added == n_q) || (added == '0));
      // P6-30
      AddsOne:    assert (!valid_q || was_write_q || !(was_threshold_q || (Edges && was_edges_q)) || (added <= 64'd1));
      // P6-15, P6-40
      Stands:     assert (!valid_q || was_write_q || was_looks_q || (now == was_q));
      // A counter goes back by an overflow or a write alone.
      Forward:    assert (!valid_q || was_write_q || over_q || (now >= was_q));
      // P6-37
      Takes:      assert (!(valid_q && was_write_q) || (now == written_q));
      // P6-38
      OverExact:  assert (over == (total >= modulus));
      Overflow:   assert (overflow == over_q);
      Wraps:      assert (!(valid_q && over_q) || was_write_q || (was_q + due_q == now + modulus));
      CountsSays: assert (counts == (due != '0));
      CountsWas:  assert (!valid_q || (was_counts_q == (due_q != '0)));
    end
    always_comb begin
      CoverWraps:   cover (valid_q && over_q && !was_write_q && (now > 64'd2));
      CoverWritten: cover (valid_q && over_q && was_write_q && (now != '0));
      CoverMost:    cover (looks && (due == 64'd480) && (now != '0));
      CoverBelow:   cover (looks && inverted_i && (threshold_i == 8'd3) && (n_i == 9'd2) && (due == 64'd1));
    end
    if (Edges) begin : gen_rises
      always_comb begin
        CoverRise:  cover (valid_q && looks && edges_i && counts && (now != '0) && (added == '0) && was_looks_q);
        CoverStays: cover (looks && edges_i && condition && !counts);
      end
    end
  end

endmodule
