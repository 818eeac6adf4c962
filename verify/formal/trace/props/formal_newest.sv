// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Newest: the entry at TOS is what the lane of the newest recorded transfer showed, in the format of the strap; the others
// of the cycle stand behind it, in program order. What else becomes of the stack, the family stack says; what is there at any
// time, the family entry.
//
// Rows: DCTL-04, LBR-01, LBR-05, LBR-07, LBR-08.

module formal_newest
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

  logic [Lanes-1:0] taken;
  assign taken = moves_i.pushes;

  entry_t youngest;
  always_comb begin
    youngest = '0;
    for (int unsigned l = 0; l < Lanes; l++) if (taken[l]) youngest = entry_i[l];
  end

  // One entry, chosen by the solver.
  logic [$clog2(Entries)-1:0] number;
  formal_const #(.WIDTH($clog2(Entries))) u_number (.Y(number));

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lanes
    // A younger one of the cycle is at the same place: more lanes than entries.
    logic covered;
    always_comb begin
      covered = 1'b0;
      for (int unsigned y = 0; y < Lanes; y++) covered |= (y > l) && taken[y] && (moves_i.entries[y] == 5'(number));
    end
    always_comb begin
      // DCTL-04, LBR-01, LBR-05, LBR-08: each is recorded behind the one before.
      Recorded: assert (!taken[l] || (moves_i.entries[l] != 5'(number)) || covered || (st_i.lbr.entry[number] == entry_i[l]));
    end
  end

  always_comb begin
    // LBR-07: the entry at TOS behind a cycle with transfers is what the youngest of them showed.
    NewestShown: assert ((moves_i.pushed == '0) || (st_i.lbr.tos != 5'(number)) || (st_i.lbr.entry[number] == youngest));
  end
  always_comb begin
    CoverWraps:  cover ((moves_i.pushed != '0) && (st_i.lbr.tos == '0) && (st_i.lbr.entry[0].from != '0));
    CoverAll:    cover (taken == '1);
    CoverTr:     cover ((moves_i.pushed != '0) && !was_i.control.debugctl[0]);
    CoverClocks: cover ((moves_i.pushed != '0) && (st_i.lbr.entry[st_i.lbr.tos].cycles == 16'd2));
  end

endmodule
