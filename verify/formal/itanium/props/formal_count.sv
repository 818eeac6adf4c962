// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Count: each counter adds exactly what the contract says, whatever happens in the cycle; it overflows exactly if the sum passes 32
// bits. A cycle's events are counted by the registers as they were before its request.
//
// Rows: ITA-01, ITA-08, ITA-13, ITA-21, ITA-24, ITA-26, ITA-40, ITA-41.

module formal_count
  import itanium_pkg::*;
  import formal_pkg::*;
  import formal_qualify_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input out_t    out_i,
  input state_t  st_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input state_t  was_i
);

  for (genvar c = 0; c < int'(Counters); c++) begin : gen_counters
    counter_t    now, counter;
    logic [2:0]  add;
    logic        written;
    logic [31:0] moved;
    assign now     = st_i.counter[c];
    assign counter = was_i.counter[c];
    assign add     = adds(cfg_i, was_i, was_in_i, c);
    assign written = writes(was_in_i, Pmd, 4 + c);
    assign moved   = now.count - counter.count;

    always_comb begin
      // ITA-01
      // ITA-08
      // ITA-13
      // ITA-24
      // ITA-26
      // ITA-40
      // ITA-41
      Counts: assert (!valid_i || written || (moved == 32'(add)));
      Loads:  assert (!(valid_i && written) || (now.count == was_in_i.request.reg_wdata[31:0]));
      Pin:    assert (!valid_i || (now.pin == (passes(counter.count, add) && counter.ev)));
      // "n is at most 6."
      Few:    assert (!valid_i || written || (moved <= 32'd6));
    end
    always_comb begin
      CoverWraps:     cover (valid_i && !written && (now.count < 32'd2) && (counter.count == '1) && now.pin);
      CoverThreshold: cover (valid_i && !written && (counter.threshold == 3'd2) && (number(was_i, was_in_i, c) == 3'd3) &&
                             (moved == 32'd1));
      CoverSeveral:   cover (valid_i && !written && (moved == 32'd4) && (counter.es == 7'h69));
      CoverTagged:    cover (valid_i && !written && (moved == 32'd3) && counts_pmc9(counter));
      CoverTaken:     cover (valid_i && !written && (moved == 32'd1) && (counter.es == 7'h0D) && (counter.umask == 4'b0010));
      CoverIa32:      cover (valid_i && !written && (moved == 32'd3) && (counter.es == 7'h15));
    end
  end


endmodule
