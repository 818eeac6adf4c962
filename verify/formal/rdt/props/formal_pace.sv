// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Pace: the credit of a logical processor keeps the bound of its delay, and never starves it.
//
// *Bound:* a bucket that every choice for the L3 cache fills by the cost, and every cycle drains by the rate, never holds more
// than the cost of one access, over any run of cycles with one delay: in n cycles at most 1 + n x rate / cost accesses.
//
// *No starvation:* the rates of the cycles since the last choice, summed up, are below the cost while the logical processor waits
// for credit: it waits no longer than cost / rate cycles, rounded up.
//
// Rows: RDTA-28, RDTA-29, RDTA-33, RDTA-34.

module formal_pace
  import rdt_pkg::*;
  import formal_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input in_t     in_i,
  input out_t    out_i,
  input state_t  st_i,
  input tags_t   tags_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input out_t    was_out_i,
  input state_t  was_i,
  input tags_t   was_tags_i
);

  for (genvar i = 0; i < int'(Processors); i++) begin : gen_processors
    logic [11:0]        d;
    logic [CreditW-1:0] needs, needs_q, each, each_q;
    logic               pays, pays_q, same, same_q;
    assign d     = delay(cfg_i, st_i, i);
    assign each  = rate(cfg_i, d);
    assign needs = cost(cfg_i, d);
    assign pays  = st_i.lp[i].credit >= needs;

    // It was chosen for the L3 cache in the cycle before, and spent the cost of that cycle.
    logic spent;
    assign spent = valid_i && (was_i.job.step == StepIdle) && (st_i.job.step == StepL3Read) && (32'(st_i.job.turn) == i);

    // Rate and cost are those of the cycle before; same_q: in the cycle before, they were those of the one before that.
    assign same = valid_i && (needs == needs_q) && (each == each_q);

    // The bucket, and what the cycles since the last choice have earned up to the cost, at the end of the cycle before.
    logic [CreditW+1:0] bucket, bucket_q, filled;
    logic [CreditW:0]   earned, earned_q, sum;
    assign filled = (same_q ? bucket_q : 17'd0) + (spent ? 17'(needs_q) : 17'd0);
    assign sum    = same_q ? earned_q : 16'd0;
    assign bucket = (filled > 17'(each_q)) ? (filled - 17'(each_q)) : 17'd0;
    assign earned = spent ? 16'(each_q) : ((sum < 16'(needs_q)) ? (sum + 16'(each_q)) : sum);

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        {needs_q, each_q, same_q, pays_q} <= '0;
        {bucket_q, earned_q} <= '0;
      end else begin
        needs_q  <= needs;
        each_q   <= each;
        same_q   <= same;
        pays_q   <= pays;
        bucket_q <= bucket;
        earned_q <= earned;
      end
    end

    always_comb begin
      // The bound, and why: what the bucket holds was taken from the credit.
      Bounded:     assert (!valid_i || (bucket <= 17'(needs_q)));
      BucketPays:  assert (!valid_i || (bucket + 17'(st_i.lp[i].credit) <= 17'(needs_q)));
      CreditCut:   assert (!valid_i || (st_i.lp[i].credit <= needs_q));
      // RDTA-28: no access to the L3 cache without credit for it.
      PaysFirst:   assert (!spent || pays_q);
      // RDTA-33: no delay, no wait.
      NoDelay:     assert ((d != '0) || pays);
      // A delay leaves some rate, so the wait ends.
      RateLeft:    assert ((d == '0) || (each != '0));
      EarnedKept:  assert (!valid_i || (16'(st_i.lp[i].credit) >= 16'(needs_q)) || (16'(st_i.lp[i].credit) >= earned));
      WaitsShort:  assert (!same || pays || (earned < 16'(needs)));
    end
    always_comb begin
      CoverWait:   cover (same && same_q && (st_i.lp[i].stage == 2'd2) && !pays && (earned != '0) &&
          (st_i.job.step == StepIdle));
      CoverPaid:   cover (same && same_q && spent && (bucket != '0));
      CoverLess:   cover (spent && !same_q && (was_i.lp[i].credit > needs_q) && (needs_q != '0));
    end
  end

endmodule
