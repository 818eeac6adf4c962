// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Apart: a request of one logical processor changes nothing of another one, and all advance by the same ticks.
//
// Rows: TSC-17, TSC-19.

module formal_apart
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

  for (genvar i = 0; i < int'(Processors); i++) begin : gen_processors
    logic other;
    lp_t  now, earlier;
    assign other  = valid_i && !(was_in_i.request.reg_valid && asks(was_in_i, i));
    assign now    = st_i.processors[i];
    assign earlier = was_i.processors[i];

    always_comb begin
      // TSC-17
      CounterOwn: assert (!other || (now.counter == earlier.counter + ticks(cfg_i, was_i.rate, was_in_i.processor)));
      // TSC-19
      AdjustOwn:  assert (!other || (now.adjust == earlier.adjust));
      AuxOwn:     assert (!other || (now.aux == earlier.aux));
    end
    always_comb begin
      CoverOther: cover (other && was_in_i.request.reg_valid && (was_in_i.request.reg_op == retire_pkg::RegWrmsr) &&
                         (out_i.reg_result == retire_pkg::ResultDone));
    end
  end

endmodule
