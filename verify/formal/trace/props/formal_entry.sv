// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Entry: what the LBR stack holds, always. An entry, chosen by the solver and followed from reset, is at any time what the
// contract makes of the last transfer that was recorded there, or what WRMSR has made of that; and 0 before the first. How long
// a transfer stays, and where, the family follow says.
//
// Rows: DCTL-04, LBR-01, LBR-04 to LBR-06, LBR-08, LBR-09, LBR-11 to LBR-16, LBR-21, LBR-22, LBR-24.

module formal_entry
  import retire_pkg::*;
  import trace_pkg::*;
  import formal_pkg::*;
(
  input logic               clk_i,
  input logic               rst_ni,
  input config_t            cfg_i,
  input out_t               out_i,
  input state_t             st_i,
  // The cycle before, if there was one.
  input logic               valid_i,
  input in_t                was_in_i,
  input state_t             was_i,
  // Its transfers that were recorded, and the entries that they make.
  input moves_t             moves_i,
  input entry_t [Lanes-1:0] entry_i
);

  localparam int unsigned EntryBits = $clog2(Entries);

  logic [63:0] wdata;
  assign wdata = was_in_i.request.reg_wdata;

  logic [EntryBits-1:0] number;
  formal_const #(.WIDTH(EntryBits)) u_number (.Y(number));

  // What it is to hold.
  entry_t     held_d, held_q;
  // Its registers that a WRMSR of the cycle before has written: source, destination, information.
  logic [2:0] rewritten;
  assign rewritten = valid_i ? rewrites(cfg_i, was_in_i, was_i, 5'(number)) : '0;
  always_comb begin
    held_d = held_q;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (moves_i.pushes[l] && (moves_i.entries[l] == 5'(number))) held_d = entry_i[l];
    end
    if (rewritten[2]) held_d.from = wdata;
    if (rewritten[1]) held_d.to = wdata;
    if (rewritten[0]) begin
      held_d.mispredicted = wdata[63];
      held_d.in_tx        = wdata[62];
      held_d.tsx_abort    = wdata[61];
      held_d.cycles       = wdata[15:0];
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) held_q <= '0;
    else held_q <= held_d;
  end

  always_comb begin
    // DCTL-04, LBR-01, LBR-04, LBR-05, LBR-06, LBR-08, LBR-09, LBR-11, LBR-12, LBR-13, LBR-14, LBR-15, LBR-16, LBR-21, LBR-22,
    // LBR-24
    Held: assert (st_i.lbr.entry[number] == held_d);
  end
  always_comb begin
    CoverTwice:    cover ((held_q.from != '0) && (held_d.from != '0) && (held_d.from != held_q.from) && (rewritten == '0));
    CoverRewrites: cover ((rewritten == 3'b001) && (held_q.from != '0));
  end

endmodule
