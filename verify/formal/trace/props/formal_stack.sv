// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Stack: TOS moves by one for each recorded transfer, and nothing of the stack changes but the entries of these, or by WRMSR.
// A frozen stack does not change. The last exception record is the newest entry before the exception. What the entries of
// transfers become, the family newest says.
//
// Rows: DCTL-04, DCTL-11, DCTL-22, DCTL-25, LBR-01, LBR-03, LBR-04, LBR-06 to LBR-08, LBR-17, LBR-19, LBR-21, LBR-22, LBR-24.

module formal_stack
  import retire_pkg::*;
  import trace_pkg::*;
  import formal_pkg::*;
(
  input logic               clk_i,
  input logic               rst_ni,
  input config_t            cfg_i,
  input out_t               out_i,
  input state_t             st_i,
  input in_t                in_i,
  // The cycle before, if there was one.
  input logic               valid_i,
  input in_t                was_in_i,
  input state_t             was_i,
  input shown_t [Lanes-1:0] shown_i,
  // Its transfers that were recorded.
  input moves_t             moves_i
);

  logic [4:0] last, newest;
  assign last = last_entry(cfg_i);

  assign newest = (was_i.lbr.tos + moves_i.pushed) & last;

  logic recorded, exception, to_tos;
  assign recorded  = valid_i && records(cfg_i, was_i);
  assign exception = valid_i && delivers(was_in_i, was_i) && (was_in_i.interrupted.int_kind != IntRsm);
  assign to_tos    = valid_i && writes(cfg_i, was_in_i, was_i, 32'h1C9);

  logic [63:0] wdata;
  assign wdata = was_in_i.request.reg_wdata;

  // One entry, chosen by the solver.
  logic [$clog2(Entries)-1:0] number;
  formal_const #(.WIDTH($clog2(Entries))) u_number (.Y(number));

  logic   to_from, to_to, to_info, mine;
  entry_t now, old;
  assign now = st_i.lbr.entry[number];
  assign old = was_i.lbr.entry[number];
  assign {to_from, to_to, to_info} = valid_i ? rewrites(cfg_i, was_in_i, was_i, 5'(number)) : '0;
  always_comb begin
    mine = 1'b0;
    for (int unsigned l = 0; l < Lanes; l++) mine |= moves_i.pushes[l] && (moves_i.entries[l] == 5'(number));
  end
  always_comb begin
    // LBR-08: nothing else of the stack changes.
    EntryStays:  assert (!valid_i || mine || to_from || to_to || to_info || (now == old));
    // LBR-06, LBR-21
    FromWritten: assert (!to_from || (now == {wdata, old[$bits(entry_t)-65:0]}));
    ToWritten:   assert (!to_to || (now == {old.from, wdata, old[$bits(entry_t)-129:0]}));
    // LBR-22
    InfoWritten: assert (!to_info || ({now.from, now.to, now.mispredicted, now.in_tx, now.tsx_abort, now.cycles} ==
                                      {old.from, old.to, wdata[63:61], wdata[15:0]}));
    // LBR-04
    EntryExists: assert ((5'(number) <= last) || (now == '0));
  end

  // Nothing of the stack is written by software.
  logic quiet;
  assign quiet = valid_i && !(accepts(was_in_i, was_i) && (was_in_i.request.reg_op == RegWrmsr));

  // A performance interrupt was to freeze the stack, and IA32_DEBUGCTL has not been written since.
  logic frozen_q, was_frozen_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      frozen_q     <= 1'b0;
      was_frozen_q <= 1'b0;
    end else begin
      was_frozen_q <= frozen_q;
      if ((in_i.pmi || out_i.notice.ds_pmi) && st_i.control.debugctl[11]) frozen_q <= 1'b1;
      else if (writes(cfg_i, in_i, st_i, 32'h1D9)) frozen_q <= 1'b0;
    end
  end

  entry_t top;
  assign top = was_i.lbr.entry[was_i.lbr.tos];

  always_comb begin
    // LBR-07, LBR-08
    TosMoves:    assert (!valid_i || to_tos || (st_i.lbr.tos == newest));
    TosWritten:  assert (!to_tos || (st_i.lbr.tos == wdata[4:0]));
    // DCTL-04, LBR-03: without LBR, and TR by the strap, the stack stands still.
    Still:       assert (recorded || !quiet || ({st_i.lbr.tos, now} == {was_i.lbr.tos, old}));
    // LBR-01: a #DB leaves the stack, and so does RSM.
    DebugStays:  assert (!(valid_i && was_in_i.interrupted.int_valid &&
                           (delivers_debug(was_in_i, was_i) || (was_in_i.interrupted.int_kind == IntRsm))) ||
                         ({st_i.lbr.tos, now} == {was_i.lbr.tos, old}));
    // LBR-24
    Elapsed:     assert (!valid_i || (st_i.lbr.elapsed == ((moves_i.pushed != '0) ? 16'd0 : clocks(was_in_i, was_i))));
    // LBR-17, LBR-19: the newest entry behind an exception or interrupt is that before it.
    LerTaken:    assert (!(recorded && exception) ||
                         ({st_i.lbr.ler_from, st_i.lbr.ler_to} == last_exception(cfg_i, top)));
    LerStays:    assert (!valid_i || (recorded && exception) ||
                         ({st_i.lbr.ler_from, st_i.lbr.ler_to} == {was_i.lbr.ler_from, was_i.lbr.ler_to}));
    // DCTL-11, DCTL-22, DCTL-25: in whatever mode, and whatever happens meanwhile, but for a WRMSR of the stack's registers.
    FrozenKnown: assert (frozen_q == st_i.control.lbr_frozen);
    FrozenStill: assert (!was_frozen_q || !quiet ||
                         ({st_i.lbr.tos, now, st_i.lbr.ler_from, st_i.lbr.ler_to} ==
                          {was_i.lbr.tos, old, was_i.lbr.ler_from, was_i.lbr.ler_to}));
  end
  always_comb begin
    CoverLer:    cover (recorded && exception && (moves_i.pushed == '0) && (top.from != '0) && (st_i.lbr.ler_from != '0));
    CoverFrozen: cover (was_frozen_q && quiet && shown_i[0].valid && was_i.control.debugctl[6] && cfg_i.lbr_tr);
    CoverInfo:   cover (valid_i && writes(cfg_i, was_in_i, was_i, 32'hDC1));
  end

endmodule
