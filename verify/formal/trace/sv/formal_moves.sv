// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What has become of the records that wait, seen from the ports: which left in the cycle before, and how; and which joined
// them, by the transfers that the core showed. The same transfers in the LBR stack.

module formal_moves
  import trace_pkg::*;
  import formal_pkg::*;
(
  input  config_t            cfg_i,
  input  out_t               out_i,
  // The cycle before, if there was one.
  input  logic               valid_i,
  input  in_t                was_in_i,
  input  out_t               was_out_i,
  input  state_t             was_i,
  input  shown_t [Lanes-1:0] shown_i,
  output moves_t             moves_o
);

  // The bus took the oldest record, or it was reported as stored or lost.
  logic sent, ended;
  assign sent  = valid_i && was_out_i.message.btm_valid && was_in_i.btm_ready;
  assign ended = valid_i && (was_i.waiting.count != '0) && (out_i.notice.stored || out_i.notice.lost);

  always_comb begin
    moves_o.sent   = sent;
    moves_o.ended  = ended;
    moves_o.leaves = sent || ended;
    moves_o.kept   = was_i.waiting.count - 5'(sent || ended);
    moves_o.total  = '0;
    moves_o.pushed = '0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      moves_o.joins[l]  = valid_i && traced(cfg_i, was_in_i, was_i, shown_i[l]);
      moves_o.places[l] = moves_o.kept + moves_o.total;
      if (moves_o.joins[l]) moves_o.total = moves_o.total + 5'd1;
      // "For each record in order: `tos` becomes (`tos` + 1) modulo N, and `entry[tos]` becomes".
      moves_o.pushes[l] = valid_i && stacked(cfg_i, was_i, shown_i[l]);
      if (moves_o.pushes[l]) moves_o.pushed = moves_o.pushed + 5'd1;
      moves_o.entries[l] = (was_i.lbr.tos + moves_o.pushed) & last_entry(cfg_i);
    end
  end

endmodule
