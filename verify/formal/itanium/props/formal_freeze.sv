// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Freeze: nothing is counted, captured or announced while frozen. An overflow freezes with PMC[i].oi, or always by the strap; it
// requests the interrupt with oi. PMC[0] falls only by a write of software, and not in the cycle of an overflow.
//
// Rows: ITA-17, ITA-18, ITA-20.

module formal_freeze
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

  logic                thaws;
  logic [Counters-1:0] over, oi, noted;
  assign thaws = valid_i && writes(was_in_i, Pmc, 0);
  always_comb begin
    for (int unsigned c = 0; c < 4; c++) begin
      over[c] = valid_i && passes(was_i.counter[c].count, adds(cfg_i, was_i, was_in_i, c));
      oi[c]   = was_i.counter[c].oi;
    end
  end
  assign noted = cfg_i.freeze_always ? over : (over & oi);

  always_comb begin
    // ITA-17
    Freezes:   assert ((noted == '0) || st_i.freeze.fr);
    // ITA-17
    Notes:     assert ((noted & ~st_i.freeze.overflow) == '0);
    // ITA-17: what neither overflows nor is written stays.
    Exact:     assert (!valid_i || (st_i.freeze.fr == ((thaws ? was_in_i.request.reg_wdata[0] : was_i.freeze.fr) ||
                                                       (noted != '0))));
    ExactBits: assert (!valid_i || (st_i.freeze.overflow == ((thaws ? was_in_i.request.reg_wdata[7:4] : was_i.freeze.overflow) |
                                                             noted)));
    // ITA-18
    FrStays:   assert (!(valid_i && was_i.freeze.fr) || thaws || st_i.freeze.fr);
    BitsStay:  assert (!valid_i || thaws || ((was_i.freeze.overflow & ~st_i.freeze.overflow) == '0));
    // ITA-20
    Written:   assert (!thaws || (noted != '0) || ({st_i.freeze.overflow, st_i.freeze.fr} ==
                                                   {was_in_i.request.reg_wdata[7:4], was_in_i.request.reg_wdata[0]}));
    // ITA-17
    Requests:  assert (!valid_i || (out_i.irq == (((over & oi) != '0) || (was_i.freeze.irq && !was_in_i.irq_ack))));
    IrqFreezes: assert (!(valid_i && out_i.irq && !was_i.freeze.irq) || (st_i.freeze.fr && (st_i.freeze.overflow != '0)));
    // ITA-18
    NoPin:     assert (!(valid_i && was_i.freeze.fr) || ((out_i.pin == '0) && (over == '0)));
    // ITA-18
    NoEar:     assert (!(valid_i && was_i.freeze.fr) || ({out_i.iear_on, out_i.dear_on, out_i.btb_on} == '0));
  end
  for (genvar c = 0; c < int'(Counters); c++) begin : gen_counters
    always_comb begin
      // ITA-18
      Frozen: assert (!(valid_i && was_i.freeze.fr) || writes(was_in_i, Pmd, 4 + c) ||
                      (st_i.counter[c].count == was_i.counter[c].count));
    end
  end
  always_comb begin
    CoverFreezes: cover ((noted != '0) && !was_i.freeze.fr && out_i.irq && !cfg_i.freeze_always);
    CoverAlways:  cover ((noted != '0) && !out_i.irq && st_i.freeze.fr);
    CoverLate:    cover ((noted != '0) && thaws && !was_in_i.request.reg_wdata[0]);
    CoverThaws:   cover (thaws && was_i.freeze.fr && !st_i.freeze.fr && (was_i.freeze.overflow == 4'b0100));
    CoverNeither: cover ((over != '0) && (noted == '0) && !st_i.freeze.fr);
  end

endmodule
