// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Monitor: with its process, its level or its instruction set not monitored, or while frozen, a counter stands unless it is
// written, and has no pin. With all of them it counts each period of the core's clock. The address registers and the branch
// trace buffer are on exactly if their monitors are.
//
// Rows: ITA-14 to ITA-16, ITA-18, ITA-43 to ITA-47, ITA-54, ITA-55.

module formal_monitor
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
    counter_t now, counter;
    logic     still, leaves_out, clock;
    assign now     = st_i.counter[c];
    assign counter = was_i.counter[c];
    assign still   = !valid_i || (!now.pin && (writes(was_in_i, Pmd, 4 + c) || (now.count == counter.count)));
    // `field`: bit 24 leaves out IA-64, bit 25 IA-32. `printed`: the other way round.
    assign leaves_out = was_in_i.psr_is ? (cfg_i.ism_order ? counter.ism[0] : counter.ism[1])
                                        : (cfg_i.ism_order ? counter.ism[1] : counter.ism[0]);
    assign clock   = valid_i && (counter.es == 7'h12) && (counter.threshold == '0) && was_in_i.core_clock &&
                     !writes(was_in_i, Pmd, 4 + c);
    always_comb begin
      // ITA-46: whatever another process does, a user-level monitor stands.
      UserStill:   assert (counter.pm || was_i.status.up || still);
      // ITA-47
      SystemStill: assert (!counter.pm || was_i.status.pp || still);
      // ITA-14
      // ITA-43
      // ITA-44
      LevelStill:  assert (counter.plm[was_in_i.cpl] || still);
      // ITA-15
      // ITA-16
      // ITA-54
      SetStill:    assert (!leaves_out || still);
      // ITA-18
      FrozenStill: assert (!was_i.freeze.fr || still);
      // ITA-44
      // ITA-46
      // ITA-47
      Counts:      assert (!(clock && !was_i.freeze.fr && counter.plm[was_in_i.cpl] && !leaves_out &&
                             (counter.pm ? was_i.status.pp : was_i.status.up)) || (now.count == counter.count + 32'd1));
    end
    always_comb begin
      CoverUser:   cover (clock && !counter.pm && (now.count != counter.count) && !was_i.status.pp && (was_in_i.cpl == 2'd3));
      CoverSystem: cover (clock && counter.pm && (now.count != counter.count) && !was_i.status.up && (was_in_i.cpl == 2'd0));
      CoverOther:  cover (clock && !counter.pm && !was_i.status.up && !was_i.freeze.fr && (counter.plm == '1));
    end
  end

  pmc10_t pmc10;
  pmc11_t pmc11;
  pmc12_t pmc12;
  assign pmc10 = was_i.pmc10;
  assign pmc11 = was_i.pmc11;
  assign pmc12 = was_i.pmc12;

  always_comb begin
    // ITA-54
    Iear: assert (!valid_i || (out_i.iear_on == monitored(cfg_i, was_i, was_in_i, pmc10.plm, pmc10.pm, pmc10.ism)));
    // ITA-54
    Dear: assert (!valid_i || (out_i.dear_on == monitored(cfg_i, was_i, was_in_i, pmc11.plm, pmc11.pm, pmc11.ism)));
    // ITA-55: without `ism`, for IA-64 code alone.
    Btb:  assert (!valid_i || (out_i.btb_on == (!was_in_i.psr_is &&
                                                monitored(cfg_i, was_i, was_in_i, pmc12.plm, pmc12.pm, 2'b00))));
  end
  always_comb begin
    CoverEars: cover (valid_i && out_i.iear_on && out_i.dear_on && out_i.btb_on && pmc10.pm && !pmc11.pm);
    CoverIs:   cover (valid_i && out_i.iear_on && !out_i.dear_on && !out_i.btb_on && was_in_i.psr_is && (pmc11.plm == '1) &&
                      (pmc12.plm == '1) && !pmc11.pm && !pmc12.pm);
  end

endmodule
