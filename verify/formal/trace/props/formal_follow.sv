// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Follow: where a transfer is in the LBR stack, and how long. One transfer and one entry, chosen by the solver, are followed from
// the cycle in which the transfer is recorded there.
//
// It stays there unchanged until N more have been recorded or WRMSR writes the entry. The entry is as far behind TOS as there
// were transfers recorded since, RDMSR shows it, and it is the last exception record from the exception behind it to the next.
//
// Rows: LBR-06 to LBR-08, LBR-17 to LBR-19, LBR-22.

module formal_follow
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

  logic [EntryBits-1:0] number;
  formal_const #(.WIDTH(EntryBits)) u_number (.Y(number));

  // A WRMSR of the cycle before has written a register of the entry.
  logic rewritten;
  assign rewritten = valid_i && (rewrites(cfg_i, was_in_i, was_i, 5'(number)) != '0);

  // The transfer.
  typedef struct packed {
    // It has been recorded and not overwritten, this many records ago.
    logic       lives;
    logic [4:0] age;
    // TOS has been written since.
    logic       moved;
    // It was the newest one at the last exception that was recorded.
    logic       excepted;
    entry_t     entry;
  } chosen_t;

  // A free choice of the lane, in any cycle.
  logic [Lanes-1:0] chooses;
  formal_free #(.WIDTH(Lanes)) u_chooses (.Y(chooses));

  logic exception;
  assign exception = valid_i && records(cfg_i, was_i) && delivers(was_in_i, was_i) &&
                     (was_in_i.interrupted.int_kind != IntRsm);

  chosen_t chosen_d, chosen_q;
  always_comb begin
    chosen_d = chosen_q;
    if (exception) chosen_d.excepted = chosen_q.lives && !chosen_q.moved && (chosen_q.age == '0);
    if (rewritten) chosen_d.lives = 1'b0;
    if (valid_i && writes(cfg_i, was_in_i, was_i, 32'h1C9)) chosen_d.moved = 1'b1;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (moves_i.pushes[l]) begin
        chosen_d.age = chosen_d.age + 5'd1;
        if (moves_i.entries[l] == 5'(number)) begin
          chosen_d.lives = 1'b0;
          // Not while the last one is still the last exception record.
          if (chooses[l] && !chosen_d.excepted) begin
            chosen_d       = '0;
            chosen_d.lives = 1'b1;
            chosen_d.entry = entry_i[l];
          end
        end
      end
    end
  end
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) chosen_q <= '0;
    else chosen_q <= chosen_d;
  end

  // The register of it that was read in the cycle before.
  logic        reads;
  logic [31:0] read_number;
  assign reads       = valid_i && chosen_q.lives && accepts(was_in_i, was_i) && (was_in_i.request.reg_op == RegRdmsr) &&
                       (result(cfg_i, was_in_i) == ResultDone);
  assign read_number = was_in_i.request.reg_number;

  always_comb begin
    // LBR-08: until it is overwritten it is in its entry, unchanged.
    ChosenHeld:    assert (!chosen_d.lives || (st_i.lbr.entry[number] == chosen_d.entry));
    // LBR-07, LBR-08: the entries behind TOS are the last transfers, in their order; each stays until there have been N more.
    ChosenPlace:   assert (!chosen_d.lives || chosen_d.moved ||
                           (5'(number) == ((st_i.lbr.tos - chosen_d.age) & last_entry(cfg_i))));
    ChosenAge:     assert (!chosen_d.lives || chosen_d.moved || (chosen_d.age <= last_entry(cfg_i)));
    ChosenStays:   assert (!(chosen_q.lives && !chosen_q.moved && !chosen_d.lives) || rewritten ||
                           (6'(chosen_q.age) + 6'(moves_i.pushed) > 6'(last_entry(cfg_i))));
    // LBR-06, LBR-22: software reads it there.
    ChosenFrom:    assert (!(reads && (read_number == first_from(cfg_i) + 32'(number))) ||
                           (out_i.answer.reg_rdata == chosen_q.entry.from));
    ChosenTo:      assert (!(reads && (read_number == first_to(cfg_i) + 32'(number))) ||
                           (out_i.answer.reg_rdata == chosen_q.entry.to));
    ChosenInfo:    assert (!(reads && (read_number == 32'hDC0 + 32'(number))) ||
                           (out_i.answer.reg_rdata == {chosen_q.entry.mispredicted, chosen_q.entry.in_tx,
                                                       chosen_q.entry.tsx_abort, 45'd0, chosen_q.entry.cycles}));
    // LBR-17, LBR-18, LBR-19: the last one before an exception stays the last exception record until the next one.
    ChosenLer:     assert (!chosen_d.excepted ||
                           ({st_i.lbr.ler_from, st_i.lbr.ler_to} == last_exception(cfg_i, chosen_d.entry)));
  end
  always_comb begin
    CoverOld:      cover (chosen_d.lives && !chosen_d.moved && (chosen_d.age == 5'd3));
    CoverLer:      cover (chosen_d.excepted && !chosen_d.lives && (chosen_d.entry.from != '0));
    CoverRead:     cover (reads && (read_number == first_to(cfg_i) + 32'(number)) && (chosen_q.entry.to == 64'h8) &&
                          (chosen_q.age == 5'd1));
    CoverMoved:    cover (chosen_d.lives && chosen_d.moved && (5'(number) != st_i.lbr.tos));
  end

endmodule
