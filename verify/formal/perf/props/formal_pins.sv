// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Pins: a pin is asserted for exactly one bus clock, after an overflow, or with PC after an increment; then it is deasserted for
// at least one. What comes meanwhile is one more assertion.
//
// Rows: P6-20, P6-21, P6-22, P6-52, APM-26, APM-27.

module formal_pins
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

  logic ratio, tick;
  assign tick  = was_in_i.bus_tick;
  assign ratio = tick ? (was_in_i.core_ratio inside {8'd4, 8'd6}) : was_i.ratio_fits;
  always_comb begin
    // P6-52
    Ratio: assert (!valid_i || (st_i.ratio_fits == ratio));
  end

  for (genvar i = 0; i < int'(Processors); i++) begin : gen_processors
    for (genvar c = 0; c < int'(General); c++) begin : gen_general
      general_t now, earlier;
      logic     odd, over, written, known, trigger, wanted;
      assign now     = st_i.general[i][c];
      assign earlier = was_i.general[i][c];
      assign odd     = (cfg_i.personality == 2'd0) && (earlier.select[15:0] inside {16'h007A, 16'h007B});
      assign over    = out_i.general[i][c].overflow;
      assign written = takes_effect(cfg_i, was_in_i) && asks(was_in_i, i) &&
                       ((was_in_i.request.reg_number == 32'h0C1 + c) || (was_in_i.request.reg_number == 32'h4C1 + c));
      // An increment shows in the counter, unless that is written in the same cycle.
      assign known   = odd || !earlier.select[19] || !written;
      assign trigger = odd ? (over && ratio) : earlier.select[19] ? (now.counter != earlier.counter) : over;
      assign wanted  = earlier.due || trigger;
      always_comb begin
        // P6-22, APM-27
        OneClock:  assert (!valid_i || tick || (out_i.general[i][c].pin == earlier.pin));
        Apart:     assert (!(valid_i && tick && earlier.pin) || !out_i.general[i][c].pin);
        // P6-20, P6-21, P6-52, APM-26
        Toggles:   assert (!(valid_i && known && tick && !earlier.pin) || (out_i.general[i][c].pin == wanted));
        DueKept:   assert (!(valid_i && known && (!tick || earlier.pin)) || (now.due == wanted));
        DueServed: assert (!(valid_i && tick && !earlier.pin) || !now.due);
      end
      always_comb begin
        CoverJoined: cover (valid_i && earlier.pin && earlier.due && trigger && !tick);
        CoverPc:     cover (valid_i && earlier.select[19] && !over && !earlier.pin && out_i.general[i][c].pin);
        CoverOver:   cover (valid_i && !earlier.select[19] && !earlier.pin && out_i.general[i][c].pin);
      end
    end
  end

endmodule
