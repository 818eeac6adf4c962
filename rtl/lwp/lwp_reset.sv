// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Reset: in the one cycle of the reset state the counter of the recorded event starts over from its interval, the low
// Random bits of it replaced by random ones: of the advanced LFSR, or from outside.
//
// Specification: Lightweight Profiling Proposal, "Overview" step 5, "LWP Control Block" (Random). Contract:
// docs/src/lwp/store.md.

module lwp_reset
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic [31:0]          lfsr_seed_i,
  // Random bits from outside.
  input  logic                 outside_i,
  input  logic [31:0]          entropy_i,

  input  store_st_e            store_st_i,
  input  event_id_e            event_id_i,
  input  logic [3:0]           random_i,

  input  logic                 restore_i,
  input  logic [31:0]          restore_lfsr_i,

  // The first record leaves. Which event is reloaded, and with what: the interval's bits under keep, and these.
  output logic                 reset_o,
  output logic [NumEvents-1:0] reload_o,
  output logic [CounterW-1:0]  reload_keep_o,
  output logic [CounterW-1:0]  reload_bits_o,

  // For a choice among events, in any cycle.
  output logic [1:0]           choice_o,
  output logic [31:0]          lfsr_o
);

  logic [31:0] lfsr_now, lfsr_next;
  logic [14:0] word;

  assign reset_o = store_st_i == StoreReset;

  lwp_lfsr u_lfsr (
    .clk_i,
    .rst_ni,
    .seed_i   (lfsr_seed_i),
    .advance_i(reset_o),
    .restore_i,
    .restore_lfsr_i,
    .state_o  (lfsr_o),
    .current_o(lfsr_now),
    .next_o   (lfsr_next)
  );

  // Random has four bits, so at most 15 are asked for.
  assign word          = outside_i ? entropy_i[14:0] : lfsr_next[14:0];
  assign choice_o      = outside_i ? entropy_i[17:16] : lfsr_now[17:16];
  assign reload_keep_o = ~CounterW'((32'd1 << random_i) - 32'd1);
  assign reload_bits_o = CounterW'(word) & ~reload_keep_o;

  logic unused_random;
  assign unused_random = ^{entropy_i[31:18], entropy_i[15], lfsr_now[31:18], lfsr_now[15:0], lfsr_next[31:15]};

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_reload
    assign reload_o[e] = reset_o && is_event(event_id_i, e);
  end

endmodule
