// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Freeze: a counter whose enable is clear holds its count unless it is written, whatever clears the enable: EN (in P6 that of the
// first select for both), the global control, the pin `freeze`, a frozen SMM or performance interrupt, or USR and OS. What a freeze
// cleared stays clear until software or RSM sets it. A counter of cycles that is enabled counts each.
//
// Rows: P6-15, P6-26, P6-40 to P6-42, APM-29, APM-38, APM-39, DCTL-12 to DCTL-14.

module formal_freeze
  import retire_pkg::*;
  import perf_pkg::*;
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

  logic        p6, controlled, takes;
  logic [31:0] number;
  assign p6         = cfg_i.personality == 2'd0;
  assign controlled = cfg_i.personality >= 2'd2;
  assign takes      = valid_i && takes_effect(cfg_i, was_in_i);
  assign number     = was_in_i.request.reg_number;

  for (genvar i = 0; i < int'(Processors); i++) begin : gen_processors
    lp_in_t pins;
    logic   mine, to_control, smi, rsm, froze, thawed;
    assign pins       = was_in_i.lp[i];
    assign mine       = takes && asks(was_in_i, i);
    assign to_control = mine && (number == 32'h38F);
    assign smi        = pins.int_valid && (pins.int_kind == 3'd3);
    assign rsm        = pins.int_valid && (pins.int_kind == 3'd4);
    // The output says that a performance interrupt was asked for in the cycle before.
    assign froze      = valid_i && controlled &&
                        ((smi && pins.freeze_while_smm) || (out_i.lp[i].pmi && pins.freeze_on_pmi));
    assign thawed     = rsm && was_i.lp[i].smm_frozen;

    for (genvar c = 0; c < int'(General); c++) begin : gen_general
      general_t now, earlier;
      logic     enabled, written;
      assign now     = st_i.general[i][c];
      assign earlier = was_i.general[i][c];
      assign enabled = (c < 32'(cfg_i.counters)) && earlier.on && !pins.freeze &&
                       (p6 ? was_i.general[i][0].select[22] : earlier.select[22]);
      assign written = mine && ((number == 32'h0C1 + c) || (number == 32'h4C1 + c));
      // A counter of unhalted cycles at every level, without threshold, inversion, edges and AnyThread: 79H of P6, 3CH of the
      // architectural events, if that is available.
      logic clock;
      assign clock   = (earlier.select[31:23] == '0) && !earlier.select[21] && (earlier.select[18:16] == 3'b011) &&
                       (p6 ? (earlier.select[15:0] == 16'h0079) : ((earlier.select[15:0] == 16'h003C) && cfg_i.events[0]));
      always_comb begin
        // P6-26, P6-40, P6-41, APM-29, APM-39
        Holds:     assert (!valid_i || enabled || written || (now.counter == earlier.counter));
        HoldsOver: assert (!valid_i || enabled || !out_i.general[i][c].overflow);
        // P6-26, P6-42, APM-29: and one that is enabled counts.
        Counts:    assert (!(valid_i && enabled && clock && was_in_i.core_clock && !pins.halted) || written ||
                           (64'(now.counter) == ((64'(earlier.counter) + 64'd1) & ((64'd1 << cfg_i.width) - 64'd1))));
        CountsNot: assert (!(valid_i && clock && (pins.halted || !was_in_i.core_clock)) || written ||
                           (now.counter == earlier.counter));
        // A condition begins anew.
        HoldsAnew: assert (!valid_i || enabled || !now.held);
        // P6-15
        NoLevel:   assert (!valid_i || earlier.select[16] || earlier.select[17] || written ||
                           (now.counter == earlier.counter));
        // DCTL-12, DCTL-13
        Freezes:   assert (!(froze && (c < 32'(cfg_i.counters))) || !now.on);
        Frozen:    assert (!(valid_i && controlled && !earlier.on) || to_control || thawed || !now.on);
        // APM-39
        Enabled:   assert (!(valid_i && earlier.on) || froze || to_control || now.on);
        // DCTL-14
        Thaws:     assert (!(valid_i && controlled && thawed) || froze || now.on);
      end
      always_comb begin
        CoverHolds:  cover (valid_i && !enabled && earlier.select[22] && (earlier.counter != '0) && was_in_i.core_clock);
        CoverStarts: cover (valid_i && enabled && !written && (now.counter > earlier.counter));
        CoverFrozen: cover (froze && earlier.on && (now.counter > earlier.counter) && !written);
        CoverThaws:  cover (valid_i && controlled && thawed && !earlier.on && now.on);
      end
    end

    for (genvar k = 0; k < int'(Fixed); k++) begin : gen_fixed
      fixed_t now, earlier;
      logic   enabled, written;
      assign now     = st_i.fixed[i][k];
      assign earlier = was_i.fixed[i][k];
      assign enabled = (k < 32'(cfg_i.fixed)) && earlier.on && !pins.freeze && (earlier.control[1:0] != 2'd0);
      assign written = mine && (number == 32'h309 + k);
      always_comb begin
        FixedHolds:     assert (!valid_i || enabled || written || (now.counter == earlier.counter));
        FixedHoldsOver: assert (!valid_i || enabled || !out_i.fixed[i][k].overflow);
        // DCTL-12, DCTL-13
        FixedFreezes:   assert (!(froze && (k < 32'(cfg_i.fixed))) || !now.on);
        FixedFrozen:    assert (!(valid_i && controlled && !earlier.on) || to_control || thawed || !now.on);
      end
    end
  end

endmodule
