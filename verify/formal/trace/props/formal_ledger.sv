// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Ledger: each record that waits is that of its branch or interruption, in program order, until it has been sent, stored or
// lost: exactly one of these, a message never in memory and a branch record never on the bus. One record, chosen by the
// solver, is followed from its branch to its end. How many records there are, tally says.
//
// Rows: DCTL-06, DCTL-07, BTS-01 to BTS-03, BTS-08, BTS-38, BTS-39.

module formal_ledger
  import trace_pkg::*;
  import formal_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input config_t             cfg_i,
  input out_t                out_i,
  input state_t              st_i,
  // The cycle before, if there was one.
  input logic                valid_i,
  input in_t                 was_in_i,
  input state_t              was_i,
  input out_t                was_out_i,
  // What left and joined in it, and the records that its transfers make, if they are traced.
  input moves_t              moves_i,
  input record_t [Lanes-1:0] made_i
);

  logic             sent, ended, leaves;
  logic [4:0]       kept;
  logic [Lanes-1:0] joins;
  assign sent   = moves_i.sent;
  assign ended  = moves_i.ended;
  assign leaves = moves_i.leaves;
  assign kept   = moves_i.kept;
  assign joins  = moves_i.joins;

  // One place, chosen by the solver.
  logic [$clog2(Waiting)-1:0] place;
  formal_const #(.WIDTH($clog2(Waiting))) u_place (.Y(place));

  // What is there, and what was there and behind it in the cycle before.
  record_t now, old, behind;
  assign now    = st_i.waiting.record[place];
  assign old    = was_i.waiting.record[place];
  assign behind = was_i.waiting.record[5'(place)+5'd1];

  always_comb begin
    // What waits stays as it is, and moves up when the oldest record leaves.
    Kept: assert (!valid_i || (5'(place) >= kept) || (now == (leaves ? behind : old)));
  end
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lanes
    always_comb begin
      // DCTL-06, BTS-01, BTS-02, BTS-08: behind it is the record of each transfer, in program order.
      Joined: assert (!joins[l] || (moves_i.places[l] != 5'(place)) || (now == made_i[l]));
    end
  end

  always_comb begin
    // BTS-03: a message stays until the bus has taken it.
    MessageHeld: assert (!(valid_i && was_out_i.message.btm_valid && !was_in_i.btm_ready) ||
                         (out_i.message == was_out_i.message));
    // BTS-38, BTS-39: while a message waits, nothing is written to memory.
    MessageOnly: assert (!out_i.message.btm_valid || !out_i.mem.mem_req);
  end

  /////////////////////
  // A chosen record //
  /////////////////////

  typedef struct packed {
    // The record has been chosen; it waits, at this place of those that wait.
    logic       chosen;
    logic       waits;
    logic [4:0] place;
    // It has been sent, stored or lost.
    logic       sent;
    logic       stored;
    logic       lost;
    record_t    record;
  } chosen_t;

  // A free choice of the lane, in any cycle.
  logic [Lanes-1:0] chooses;
  formal_free #(.WIDTH(Lanes)) u_chooses (.Y(chooses));

  chosen_t chosen_d, chosen_q;
  always_comb begin
    chosen_d = chosen_q;
    if (chosen_q.waits && leaves) begin
      if (chosen_q.place != '0) chosen_d.place = chosen_q.place - 5'd1;
      else begin
        chosen_d.waits  = 1'b0;
        chosen_d.sent   = sent;
        chosen_d.stored = ended && out_i.notice.stored;
        chosen_d.lost   = ended && out_i.notice.lost;
      end
    end
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (!chosen_d.chosen && joins[l] && chooses[l]) begin
        chosen_d.chosen = 1'b1;
        chosen_d.waits  = 1'b1;
        chosen_d.place  = moves_i.places[l];
        chosen_d.record = made_i[l];
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) chosen_q <= '0;
    else chosen_q <= chosen_d;
  end

  record_t [Waiting-1:0] was_waiting;
  assign was_waiting = was_i.waiting.record[Waiting-1:0];
  always_comb begin
    // The step of the induction: what ChosenKept, shown for each place, says of the cycle before.
    KeptBefore: assume (!valid_i || !chosen_q.waits || (chosen_q.place >= 5'(Waiting)) ||
                        (was_waiting[chosen_q.place[$clog2(Waiting)-1:0]] == chosen_q.record));
    // BTS-08: while it waits it is in its place, unchanged.
    ChosenKept: assert (!chosen_d.waits || (chosen_d.place != 5'(place)) || (now == chosen_d.record));
  end

  // It leaves in this cycle.
  logic goes;
  assign goes = chosen_q.waits && !chosen_d.waits;

  always_comb begin
    ChosenWaits: assert (!chosen_d.waits || (chosen_d.place < st_i.waiting.count));
    // BTS-39: exactly one of these is true of it.
    ChosenOnce:  assert (3'(chosen_d.waits) + 3'(chosen_d.sent) + 3'(chosen_d.stored) + 3'(chosen_d.lost) ==
                         3'(chosen_d.chosen));
    // DCTL-07, BTS-38: BTS decides.
    ChosenSent:  assert (!chosen_d.sent || !chosen_d.record.store);
    ChosenTold:  assert (!(chosen_d.stored || chosen_d.lost) || chosen_d.record.store);
    // BTS-01, BTS-03: the bus has been shown its addresses.
    ChosenShown: assert (!(goes && sent) || ({was_out_i.message.btm_from, was_out_i.message.btm_to,
                                              was_out_i.message.btm_predicted} ==
                         {chosen_d.record.from, chosen_d.record.to, chosen_d.record.predicted}));
    // What was stored or lost was the oldest record: publish shows what is written of it.
    ChosenHead:  assert (!(goes && ended) || (was_i.waiting.record[0] == chosen_d.record));
  end

  always_comb begin
    CoverSent:   cover (goes && sent && chosen_d.record.predicted && (chosen_q.place == '0));
    CoverStored: cover (goes && chosen_d.stored);
    CoverLost:   cover (goes && chosen_d.lost);
    CoverMoves:  cover (chosen_q.waits && chosen_d.waits && leaves);
    CoverMixed:  cover (chosen_d.waits && (chosen_d.place == 5'd1) && chosen_d.record.store && out_i.message.btm_valid);
  end

endmodule
