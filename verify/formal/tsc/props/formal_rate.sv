// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Rate: without a write a counter never goes back, and advances by exactly what the time base is worth. Nothing is
// rounded for good: what does not make a tick yet is in the fraction, which is less than a tick.
//
// Rows: TSC-02, TSC-04, TSC-05, TSC-06, TSC-07, TSC-13, TSC-25.

module formal_rate
  import tsc_pkg::*;
  import formal_pkg::*;
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

  logic invariant, ran;
  assign invariant = cfg_i.rate == RateInvariant;
  assign ran       = valid_i && runs(cfg_i, was_in_i.processor);

  logic [15:0] fraction, was_fraction, den;
  assign fraction     = st_i.rate.fraction;
  assign was_fraction = was_i.rate.fraction;
  assign den          = denominator(cfg_i);

  // The core's ratio in the first cycle out of reset.
  logic       first_q;
  logic [7:0] first_ratio, first_ratio_q;
  assign first_ratio = first_q ? first_ratio_q : was_in_i.processor.core_ratio;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      first_q       <= 1'b0;
      first_ratio_q <= '0;
    end else begin
      first_q       <= valid_i;
      first_ratio_q <= first_ratio;
    end
  end

  logic [7:0] ratio;
  assign ratio = halves(cfg_i, was_i.rate, was_in_i.processor);

  always_comb begin
    // TSC-25
    Proper:    assert (fraction < den);
    // TSC-07: the ratio of boot is kept.
    BootRatio: assert (!valid_i || (cfg_i.rate != RateConstantBoot) ||
                       (st_i.rate.booted && (st_i.rate.boot_ratio == first_ratio)));
    BootTimes: assert (!valid_i || (cfg_i.rate != RateConstantBoot) || (was_i.rate.booted == first_q));
    // TSC-05
    FractionStays: assert (!valid_i || ran || (fraction == was_fraction));
  end

  // Stands for whole x denominator. It is any number: what is claimed does not depend on which.
  logic [31:0] product;
  formal_const #(.WIDTH(32)) u_product (.Y(product));

  // Since reset: what the ticks of the time base were worth, and what was counted, both in units of 1 / denominator.
  logic [63:0] worth, counted, worth_q, counted_q, moved0;
  logic        carried0;
  assign moved0   = ticks(cfg_i, was_i.rate, was_in_i.processor);
  assign carried0 = moved0 != 64'(cfg_i.art_whole);
  assign worth    = worth_q + (!ran ? '0 : invariant ? 64'(product) + 64'(cfg_i.art_rest) : 64'(ratio));
  assign counted  = counted_q + (!ran ? '0 : invariant ? 64'(product) + (carried0 ? 64'(den) : '0) : {moved0[62:0], 1'b0});
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      worth_q   <= '0;
      counted_q <= '0;
    end else begin
      worth_q   <= worth;
      counted_q <= counted;
    end
  end
  always_comb begin
    // TSC-06, TSC-07, TSC-25
    NothingLost: assert (counted + 64'(fraction) == worth);
  end

  for (genvar i = 0; i < int'(Processors); i++) begin : gen_processors
    logic        written;
    logic [63:0] now, earlier, moved;
    assign written = writes(cfg_i, was_in_i, i, 32'h0000_0010) || writes(cfg_i, was_in_i, i, 32'h0000_003B);
    assign now     = st_i.processors[i].counter;
    assign earlier  = was_i.processors[i].counter;
    assign moved   = now - earlier;

    always_comb begin
      // TSC-02, TSC-10
      Forward:   assert (!valid_i || written || (moved <= 64'h1_0000));
      // TSC-05
      Stands:    assert (!valid_i || written || ran || (now == earlier));
      // TSC-06, TSC-07: a tick of the bus clock.
      BusExact:  assert (!ran || written || invariant ||
                         ({moved[62:0], 1'b0} + 64'(fraction) == 64'(was_fraction) + 64'(ratio)));
      // TSC-25: a tick of the crystal.
      ArtExact:  assert (!ran || written || !invariant ||
                         ((moved == 64'(cfg_i.art_whole)) &&
                          (64'(fraction) == 64'(was_fraction) + 64'(cfg_i.art_rest))) ||
                         ((moved == 64'(cfg_i.art_whole) + 64'd1) &&
                          (64'(fraction) + 64'(den) == 64'(was_fraction) + 64'(cfg_i.art_rest))));
      // TSC-25: of a counter that follows the ticks, what it shows is their sum.
      Elapsed:   assert (!cfg_i.adjust || invariant ||
                         ({now[62:0], 1'b0} - {st_i.processors[i].adjust[62:0], 1'b0} + 64'(fraction) == worth));
    end
    always_comb begin
      CoverWraps:  cover (valid_i && !written && (earlier[63:16] == '1) && (now < 64'h1_0000) && (moved != '0));
      CoverCarry:  cover (ran && !written && (moved != 64'(cfg_i.art_whole)));
      CoverSleeps: cover (valid_i && was_in_i.processor.dpslp && was_in_i.processor.halted && (moved != '0));
    end
  end

endmodule
