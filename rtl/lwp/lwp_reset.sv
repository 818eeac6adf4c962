// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Reset: reloads the counter of the recorded event in the one cycle of the reset state.
//
// The new counter is the interval, with its low Random bits replaced by random bits of the advanced LFSR, or of the
// port `entropy`.
//
// Specification: Lightweight Profiling Proposal, "Overview" step 5, "LWP Control Block" (Random). Contract:
// docs/src/lwp/store.md.

module lwp_reset
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic                 clk_i,
  // Asynchronous reset, active low.
  input  logic                 rst_ni,

  // Strap `lfsr_seed`: state in which the LFSR starts; 0 acts as 1.
  input  logic [31:0]          lfsr_seed_i,
  // Strap `entropy` = port: random bits come from `entropy_i` and not from the LFSR.
  input  logic                 outside_i,
  // Random bits, new in every cycle; used only with the strap `entropy` = port.
  input  logic [31:0]          entropy_i,

  // State of the store state machine.
  input  store_st_e            store_st_i,
  // EventId of records[0].
  input  event_id_e            event_id_i,
  // Random: number of low counter bits that are randomised.
  input  logic [3:0]           random_i,

  // Context word 9 is restored: the LFSR.
  input  logic                 restore_i,
  // Restored state of the LFSR; valid with `restore_i`.
  input  logic [31:0]          restore_lfsr_i,

  // records[0] leaves the queue.
  output logic                 reset_o,
  // One-hot: the event whose counter is reloaded; 0 if there is none.
  output logic [NumEvents-1:0] reload_o,
  // Bits of the interval that are kept: new counter = (interval & `reload_keep_o`) | `reload_bits_o`.
  output logic [CounterW-1:0]  reload_keep_o,
  // Random bits of the reload: new counter = (interval & `reload_keep_o`) | `reload_bits_o`.
  output logic [CounterW-1:0]  reload_bits_o,

  // Bits 17:16 of the random word.
  output logic [1:0]           choice_o,
  // State of the LFSR; 0 until its first advance.
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

  // Random has four bits, so at most 15 bits are random.
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
