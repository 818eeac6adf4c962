// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Latency: an entry of the miss address buffer counts the cycles of its load, at every value, and never wraps.
//
// Rows: LWP-LAT-01, LWP-LAT-03, LWP-LAT-05, LWP-LAT-06.

module formal_latency
  import lwp_pkg::*;
  import lwp_state_pkg::*;
  import formal_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input in_t     in_i,
  input out_t    out_i,
  input state_t  st_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input out_t    was_out_i,
  input state_t  was_i
);

  // The largest latency that is reported: with steps of 16, too.
  localparam logic [32:0] Most = (33'd1 << LatBits) - 33'd16;

  logic own, free;
  assign own  = valid_i && cfg_i.latency_source;
  assign free = own && cfg_i.latency_phase;

  // With a free-running phase all entries move together, one step of 16 in 16 cycles.
  logic [32:0] step;
  assign step = !cfg_i.latency_phase ? 33'd1 : (was_i.mab.phase == 4'd15) ? 33'd16 : 33'd0;

  always_comb begin
    PhaseRuns: assert (!valid_i || (st_i.mab.phase == (free ? was_i.mab.phase + 4'd1 : was_i.mab.phase)));
  end

  for (genvar i = 0; i < int'(MabEntries); i++) begin : gen_entries
    logic        taken, filled;
    logic [32:0] counted;
    assign taken   = own && was_in_i.alloc_valid && (was_in_i.alloc_entry == 3'(i));
    assign filled  = own && was_in_i.fill_valid && (was_in_i.fill_entry == 3'(i));
    assign counted = 33'(was_i.mab.entries[i].latency) + step;

    always_comb begin
      Begins:   assert (!taken || (st_i.mab.entries[i].counting && (st_i.mab.entries[i].latency == '0)));
      Ends:     assert (!(filled && !taken) || !st_i.mab.entries[i].counting);
      GoesOn:   assert (!valid_i || taken || filled || (st_i.mab.entries[i].counting == was_i.mab.entries[i].counting));
      Counts:   assert (!(own && was_i.mab.entries[i].counting && !taken) ||
                        (33'(st_i.mab.entries[i].latency) == ((counted > Most) ? Most : counted)));
      Stands:   assert (!valid_i || taken || (own && was_i.mab.entries[i].counting) ||
                        (st_i.mab.entries[i].latency == was_i.mab.entries[i].latency));
    end
    always_comb begin
      CoverWaits: cover (valid_i && was_i.mab.entries[i].counting && !st_i.mab.entries[i].counting && (st_i.mab.entries[i].latency != '0));
    end
  end

endmodule
