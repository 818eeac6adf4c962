// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Turn: who is ready is chosen before any other is chosen twice.
//
// Rows: none; the contract's "Round robin among those that are ready".

module formal_turn
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

  logic [Processors-1:0] now, now_q;
  assign now = chosen(cfg_i, in_i, st_i);
  always_ff @(posedge clk_i) now_q <= now;

  for (genvar i = 0; i < int'(Processors); i++) begin : gen_processors
    // Choices of others since it is ready.
    logic       waits, waits_q;
    logic [3:0] passed, passed_q;
    assign waits  = ready(cfg_i, st_i, i);
    assign passed = (waits && waits_q) ? passed_q : 4'd0;
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        waits_q  <= 1'b0;
        passed_q <= '0;
      end else begin
        waits_q  <= waits;
        passed_q <= now[i] ? 4'd0 : (passed + 4'(now != '0));
      end
    end
    always_comb begin
      Passed:      assert (32'(passed) < Processors);
      // Each one that was chosen since it is ready stands behind it.
      PassedTurn:  assert (32'(passed) <= (32'(st_i.job.turn) + Processors - i) % Processors);
      // Who is ready does not wait while nothing is in progress.
      Chooses:     assert (!(waits && chooses(cfg_i, in_i, st_i)) || (now != '0));
      CoverPassed: cover ((passed == 4'd1) && now[i]);
    end
    always_comb TurnTaken: assert (!(valid_i && now_q[i]) || ((32'(st_i.job.turn) == i) &&
        (st_i.job.step == ((was_i.lp[i].stage == 2'd1) ? StepL2Read : StepL3Read))));
  end

endmodule
