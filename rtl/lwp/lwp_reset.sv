// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Reset: in the one cycle of the reset state the counter of the recorded event starts over from its interval, the low
// Random bits of it replaced by those of the advanced LFSR.
//
// Specification: Lightweight Profiling Proposal, "Overview" step 5, "LWP Control Block" (Random). Contract:
// docs/src/lwp/store.md.

module lwp_reset
  import lwp_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic [31:0]          lfsr_seed_i,
  input  store_st_e            store_st_i,
  input  event_id_e            rec_event_i,
  input  logic [3:0]           random_i,

  // Which event is reloaded, and with what: the interval's bits under keep, and these random ones.
  output logic [NumEvents-1:0] reload_o,
  output logic [CounterW-1:0]  reload_keep_o,
  output logic [CounterW-1:0]  reload_bits_o,

  output logic [31:0]          lfsr_o
);

  logic        advance;
  logic [31:0] lfsr_next;

  assign advance = store_st_i == StoreReset;

  lwp_lfsr u_lfsr (
    .clk_i,
    .rst_ni,
    .seed_i   (lfsr_seed_i),
    .advance_i(advance),
    .state_o  (lfsr_o),
    .next_o   (lfsr_next)
  );

  assign reload_keep_o = ~CounterW'((32'd1 << random_i) - 32'd1);
  assign reload_bits_o = lfsr_next[CounterW-1:0] & ~reload_keep_o;

  // Random has four bits, so at most 15 of the LFSR are asked for.
  logic unused_lfsr;
  assign unused_lfsr = ^lfsr_next[31:CounterW];

  always_comb begin
    reload_o = '0;
    if (advance) begin
      unique case (rec_event_i)
        EventInsRetired: reload_o[0] = 1'b1;
        EventBrRetired:  reload_o[1] = 1'b1;
        EventDcMiss:     reload_o[2] = 1'b1;
        default: ;
      endcase
    end
  end

endmodule
