// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Lemmas: facts about the registers that the assertions of the RTL need for their induction. The proof "invariants"
// proves all of them together.

module formal_lemmas
  import trace_pkg::*;
  import formal_pkg::*;
  import formal_store_pkg::*;
(
  input logic    clk_i,
  input config_t cfg_i,
  input state_t  st_i
);

  logic [15:0] copy;
  assign copy = st_i.control.smm_debugctl;

  // What an SMI saves is a value that IA32_DEBUGCTL can have.
  CopyExists:   assert property (@(posedge clk_i) !refuses(cfg_i, 32'h1D9, {48'd0, copy}));
  // The counter whose record is stored is the lowest that is pending: none is added meanwhile.
  LowestStored: assert property (@(posedge clk_i)
      !st_i.store.pebs || ((st_i.pebs.pending & ((4'd1 << st_i.store.counter) - 4'd1)) == '0));

  // The format of a record does not change while it is stored.
  logic busy;
  assign busy = st_i.store.step != StepIdle;
  KindStays:    assert property (@(posedge clk_i)
      !busy || ((st_i.store.pebs == stores_pebs(st_i)) && (st_i.store.wide == stores_wide(st_i))));
  // "Values of 4 bytes are extended with zeros."
  NarrowStore:  assert property (@(posedge clk_i)
      st_i.store.wide || ({st_i.store.base[63:32], st_i.store.index[63:32], st_i.store.maximum[63:32],
                           st_i.store.threshold[63:32]} == '0));
  // A frozen stack stays so through RSM.
  FrozenOff:    assert property (@(posedge clk_i)
      !st_i.control.lbr_frozen || (!st_i.control.debugctl[0] && !copy[0]));

endmodule
