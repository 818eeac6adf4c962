// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Adjust: what a write adds to the counter it adds to IA32_TSC_ADJUST, and the other way round; nothing else moves it.
// So equal adjustments mean equal counters.
//
// Rows: TSC-12, TSC-14, TSC-19, TSC-21, TSC-22, TSC-23, TSC-24.

module formal_adjust
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

  logic [63:0] passed, wdata;
  assign passed = ticks(cfg_i, was_i.rate, was_in_i.processor);
  assign wdata  = was_in_i.request.reg_wdata;

  for (genvar i = 0; i < int'(Processors); i++) begin : gen_processors
    logic        to_counter, to_adjust, to_aux;
    lp_t         now, earlier;
    logic [63:0] asked, by_counter, by_adjust;
    assign to_counter = valid_i && writes(cfg_i, was_in_i, i, 32'h0000_0010);
    assign to_adjust  = valid_i && writes(cfg_i, was_in_i, i, 32'h0000_003B);
    assign to_aux     = valid_i && writes(cfg_i, was_in_i, i, 32'hC000_0103);
    assign now        = st_i.processors[i];
    assign earlier     = was_i.processors[i];
    assign asked      = (cfg_i.write_width == WriteLow32) ? {32'd0, wdata[31:0]} : wdata;
    // What a write adds.
    assign by_counter = asked - earlier.counter;
    assign by_adjust  = wdata - earlier.adjust;

    always_comb begin
      // TSC-12: the value that is written, and the ticks of the cycle.
      CounterTakes: assert (!to_counter || (now.counter == asked + passed));
      // TSC-21
      CounterMoves: assert (!(to_counter && cfg_i.adjust) || (now.adjust == earlier.adjust + by_counter));
      // TSC-22
      AdjustTakes:  assert (!to_adjust || (now.adjust == wdata));
      AdjustMoves:  assert (!to_adjust || (now.counter == earlier.counter + by_adjust + passed));
      // TSC-14
      AuxTakes:     assert (!to_aux || (now.aux == wdata[31:0]));
      // A write that is refused leaves the counter to the ticks.
      CounterFree:  assert (!valid_i || to_counter || to_adjust || (now.counter == earlier.counter + passed));
      // TSC-23: neither time nor a write that is refused.
      AdjustStays:  assert (!valid_i || to_counter || to_adjust || (now.adjust == earlier.adjust));
      AuxStays:     assert (!valid_i || to_aux || (now.aux == earlier.aux));
      // TSC-19
      NoAdjust:     assert (cfg_i.adjust || (now.adjust == '0));
      // TSC-24
      Together:     assert (!cfg_i.adjust || (now.adjust != st_i.processors[0].adjust) ||
                            (now.counter == st_i.processors[0].counter));
    end
    always_comb begin
      CoverBack:    cover (to_counter && (asked < earlier.counter) && (passed != '0));
      CoverReturns: cover (to_adjust && (earlier.adjust != '0) && (now.adjust == '0));
      CoverLow:     cover (to_counter && (wdata[63:32] != '0));
    end
  end

endmodule
