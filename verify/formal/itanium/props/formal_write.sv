// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Write: a register that software writes takes the bits of the value, as the layout says; without a write it stays as it is. So a
// request that is refused, or reads, changes none.
//
// Rows: ITA-06, ITA-15, ITA-29 to ITA-31, ITA-41, ITA-43, ITA-45.

module formal_write
  import itanium_pkg::*;
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

  logic [63:0] w;
  assign w = was_in_i.request.reg_wdata;

  for (genvar c = 0; c < int'(Counters); c++) begin : gen_counters
    counter_t   now, was;
    logic       written;
    logic [2:0] threshold;
    assign now       = st_i.counter[c];
    assign was       = was_i.counter[c];
    assign written   = valid_i && writes(was_in_i, Pmc, 4 + c);
    assign threshold = (c < 2) ? w[22:20] : {1'b0, w[21:20]};
    always_comb begin
      // ITA-15
      // ITA-41
      // ITA-43
      // ITA-45
      PmcTakes: assert (!written || ({now.plm, now.ev, now.oi, now.pm, now.es, now.umask, now.threshold, now.ism} ==
                                     {w[3:0], w[4], w[5], w[6], w[14:8], w[19:16], threshold, w[25:24]}));
      PmcStays: assert (!valid_i || written || ({now.plm, now.ev, now.oi, now.pm, now.es, now.umask, now.threshold, now.ism} ==
                                     {was.plm, was.ev, was.oi, was.pm, was.es, was.umask, was.threshold, was.ism}));
    end
  end

  for (genvar j = 0; j < int'(Matchers); j++) begin : gen_matchers
    matcher_t now;
    logic     written;
    assign now     = st_i.matcher[j];
    assign written = valid_i && writes(was_in_i, Pmc, 8 + j);
    always_comb begin
      // ITA-06
      MatcherTakes: assert (!written || ({now.m, now.i, now.f, now.b, now.match_value, now.mask} == {w[63:33], w[29:3]}));
      // ITA-30: all ones leave every unit in, and compare no bit.
      AllOnes:      assert (!(written && (w == '1)) || ({now.m, now.i, now.f, now.b, now.mask} == '1));
      MatcherStays: assert (!valid_i || written || (now == was_i.matcher[j]));
    end
  end

  for (genvar k = 0; k < int'(Pairs); k++) begin : gen_pairs
    ibr_t ibr;
    dbr_t dbr;
    logic ibr_even, ibr_odd, dbr_even, dbr_odd;
    assign ibr      = st_i.ibr[k];
    assign dbr      = st_i.dbr[k];
    assign ibr_even = valid_i && writes(was_in_i, Ibr, 2 * k);
    assign ibr_odd  = valid_i && writes(was_in_i, Ibr, 2 * k + 1);
    assign dbr_even = valid_i && writes(was_in_i, Dbr, 2 * k);
    assign dbr_odd  = valid_i && writes(was_in_i, Dbr, 2 * k + 1);
    always_comb begin
      IbrAddr: assert (!valid_i || (ibr.addr == (ibr_even ? w : was_i.ibr[k].addr)));
      IbrRest: assert (!valid_i || ({ibr.x, ibr.plm, ibr.mask} == (ibr_odd ? {w[63], w[59:56], w[55:0]} :
                                                    {was_i.ibr[k].x, was_i.ibr[k].plm, was_i.ibr[k].mask})));
      DbrAddr: assert (!valid_i || (dbr.addr == (dbr_even ? w : was_i.dbr[k].addr)));
      DbrRest: assert (!valid_i || ({dbr.r, dbr.w, dbr.plm, dbr.mask} == (dbr_odd ? {w[63:62], w[59:56], w[55:0]} :
                                                    {was_i.dbr[k].r, was_i.dbr[k].w, was_i.dbr[k].plm, was_i.dbr[k].mask})));
    end
  end

  logic to10, to11, to12, to13;
  assign to10 = valid_i && writes(was_in_i, Pmc, 10);
  assign to11 = valid_i && writes(was_in_i, Pmc, 11);
  assign to12 = valid_i && writes(was_in_i, Pmc, 12);
  assign to13 = valid_i && writes(was_in_i, Pmc, 13);

  always_comb begin
    // ITA-15
    Pmc10Takes: assert (!to10 || (st_i.pmc10 == {w[3:0], w[6], w[7], w[19:16], w[25:24]}));
    Pmc10Stays: assert (!valid_i || to10 || (st_i.pmc10 == was_i.pmc10));
    // ITA-15
    // ITA-31
    Pmc11Takes: assert (!to11 || (st_i.pmc11 == {w[3:0], w[6], w[7], w[19:16], w[25:24], w[28]}));
    Pmc11Stays: assert (!valid_i || to11 || (st_i.pmc11 == was_i.pmc11));
    Pmc12Takes: assert (!to12 || (st_i.pmc12 == {w[3:0], w[6], w[7], w[9:8], w[11:10], w[13:12], w[14], w[15]}));
    Pmc12Stays: assert (!valid_i || to12 || (st_i.pmc12 == was_i.pmc12));
    // ITA-29
    Pmc13Takes: assert (!to13 || ((st_i.pmc13.ta == w[0]) && (st_i.pmc13.rest == w[63:1])));
    Pmc13Stays: assert (!valid_i || to13 || (st_i.pmc13 == was_i.pmc13));
  end
  // "State", the column "reset"; PMC[8], PMC[9], PMC[11] and PMC[13] as software sees them.
  state_t reset;
  always_comb begin
    reset           = '0;
    reset.freeze.fr = 1'b1;
    for (int unsigned j = 0; j < 2; j++) begin
      {reset.matcher[j].m, reset.matcher[j].i, reset.matcher[j].f, reset.matcher[j].b} = 4'hF;
      reset.matcher[j].mask = 27'h7FF_FFFF;
    end
    reset.pmc11.pt  = 1'b1;
    reset.pmc13.ta  = 1'b1;
  end
  always_comb begin
    Resets:     assert (rst_ni || (st_i == reset));
  end

  always_comb begin
    CoverRefused: cover (valid_i && made(was_in_i) && (was_in_i.request.reg_op == 4'd8) && (out_i.reg_result == 3'd6) && (w == '1));
    CoverPairs:   cover ((st_i.ibr[3] == '1) && (st_i.dbr[0].mask == '1));
  end

endmodule
