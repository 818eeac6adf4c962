// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Facts about the registers that the unit's own assertions need before one step of them follows from the step
// before. They say nothing that the contract does not say; they are here because only a proof needs them. All of
// them hold whatever the inputs, and are proved together with the assertions of rtl/lwp/lwp_assert*.sv by the proof
// "invariants".
//
// Contract: docs/src/lwp/store.md, docs/src/lwp/control.md.

module formal_lemmas
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
  import formal_pkg::*;
(
  input config_t cfg_i,
  input state_t  st_i,
  // Of the record being stored: all of it is in memory; the tail was read for it, or one of the records between two
  // readings was used up.
  input logic    wrote_i,
  input logic    read_tail_i,
  input logic    skipped_i
);

  logic ctl_memory, loading, operation;
  assign ctl_memory = st_i.ctl.st inside {CtlProbe, CtlFlush, CtlLoad, CtlFlags};
  assign loading    = st_i.ctl.st == CtlLoad;
  assign operation  = ctl_memory && !st_i.ctl.init;

  ///////////
  // Store //
  ///////////

  logic [27:0] next_head;
  logic        reached, stays_reached, publishes;
  assign next_head     = (st_i.ring.head + RecordBytes == st_i.block.size) ? 28'd0 : st_i.ring.head + RecordBytes;
  assign reached       = (st_i.block.threshold != '0) && (32'(ring_used(next_head, st_i.ring.tail, st_i.block.size)) >= st_i.block.threshold);
  assign stays_reached = 32'(ring_used(st_i.ring.head, st_i.ring.tail, st_i.block.size)) >= st_i.block.threshold;
  // The tail has been asked for, if it had to be, and the ring had room.
  assign publishes     = (st_i.store.st == StoreHead) || (cfg_i.write_on_full && (st_i.store.st == StoreWrite));

  always_comb begin
    ReadForHead:  assert (!(publishes && reached) || (skipped_i && stays_reached) || read_tail_i);
    ReadForFull:  assert ((st_i.store.st != StoreFullHead) || read_tail_i);
    RoomForHead:  assert (!publishes || (next_head != st_i.ring.tail));
    WroteForTail: assert (!((st_i.store.st == StoreTail) && !cfg_i.write_on_full) || wrote_i);
  end

  /////////////
  // Control //
  /////////////

  logic [7:0] steps;
  assign steps = {2'b00, {2{st_i.ring.missed != '0}}, st_i.block.flags[NumEvents:1], 1'b1};

  always_comb begin
    InitOrTrap:    assert (!(st_i.pf.valid && st_i.ctl.init && ctl_memory));
    InitPends:     assert (!(ctl_memory && st_i.ctl.init) || st_i.session.init_pending);
    InitArg:       assert (!(ctl_memory && st_i.ctl.init) || (st_i.ctl.arg == st_i.session.lwpcb));
    ArgThere:      assert (!(st_i.ctl.st inside {CtlProbe, CtlLoad, CtlFlags}) || (st_i.ctl.arg != '0));
    WaitAligned:   assert (!((st_i.ctl.st inside {CtlWait, CtlFlush}) && (st_i.ctl.op inside {OpLlwpcb, OpWrMsr1}) &&
                           (st_i.ctl.fault == FaultNone)) || (st_i.ctl.arg[3:0] == '0));
    WaitEnabled:   assert (!((st_i.ctl.st == CtlWait) && (st_i.ctl.fault == FaultNone) &&
                           (st_i.ctl.op inside {OpLlwpcb, OpSlwpcb, OpRdMsr1, OpWrMsr1})) || st_i.session.msr0[0]);
    MemoryEnabled: assert (!ctl_memory || st_i.session.msr0[0]);
    MemoryOps:     assert (!operation || (st_i.ctl.op inside {OpLlwpcb, OpWrMsr1}) ||
                           ((st_i.ctl.st == CtlFlush) && (st_i.ctl.op inside {OpSlwpcb, OpRdMsr1})));
    NotYetFaulted: assert (!(operation && !loading) || (st_i.ctl.fault == FaultNone));
    NotYetOld:     assert (!((st_i.ctl.st inside {CtlWait, CtlProbe, CtlFlush}) && !st_i.ctl.init) || !st_i.ctl.old);
    OldPends:      assert (!((loading || (st_i.ctl.st == CtlFlags)) && !st_i.ctl.init &&
                           (st_i.ctl.old || (st_i.ctl.fault != FaultNone))) || st_i.session.init_pending);
    NoDropInOp:    assert (!operation || !st_i.port.drop);
    NoAccessSkip:  assert (!((st_i.ctl.st == CtlFlush) && !steps[st_i.ctl.idx[2:0]]) ||
                           !(st_i.port.req || st_i.port.waiting));
    LoadForgotten: assert (!((loading || (st_i.ctl.st == CtlFlags)) && !st_i.ctl.init) ||
                           ((st_i.records[0].event_id == EventNone) && !st_i.session.reload));
    WaitSteps:     assert ((st_i.ctl.st != CtlWait) || (st_i.ctl.idx == '0) ||
                           (st_i.ctl.op inside {OpSave, OpRestore}));
    ProbeSteps:    assert ((st_i.ctl.st != CtlProbe) || (st_i.ctl.idx <= 5'd1));
    FlushSteps:    assert ((st_i.ctl.st != CtlFlush) || (st_i.ctl.idx <= 5'd5));
    LoadSteps:     assert (!loading || (st_i.ctl.idx <= 5'd3 + 5'(Slots)));
  end

  //////////////
  // Requests //
  //////////////

  // Of accesses to halves of eight bytes.
  always_comb begin
    TrapAligned:   assert (st_i.pf.addr[1:0] == '0);
  end

  //////////////////////////
  // A block being loaded //
  //////////////////////////

  logic ring_here, allow_here, flags_here;
  assign allow_here = loading && (st_i.ctl.idx >= 5'd1);
  assign flags_here = allow_here || (st_i.ctl.st == CtlFlags);
  assign ring_here  = (loading && (st_i.ctl.idx >= 5'd3)) || (st_i.ctl.st == CtlFlags);

  always_comb begin
    LoadedRoom:   assert (!ring_here || (st_i.block.size == '0) || ((st_i.block.size >= 28'd2 * RecordBytes) &&
                          (st_i.ring.head < st_i.block.size) && (st_i.ring.tail < st_i.block.size)));
    AllowExists:  assert (!allow_here ||
                          ((st_i.block.allow & ~{cfg_i.avail_dme, cfg_i.avail_bre, cfg_i.avail_ire}) == '0));
    NoneSelected: assert (!(loading && (st_i.ctl.idx inside {[5'd1:5'd4]})) || (st_i.block.flags[NumEvents:1] == '0));
  end

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    always_comb begin
      SlotRead: assert (!(loading && (st_i.ctl.idx >= 5'd4) && st_i.block.flags[e+1]) ||
                        (st_i.events[e].slot + 5'd4 < st_i.ctl.idx));
    end
    for (genvar o = e + 1; o < int'(NumEvents); o++) begin : gen_others
      always_comb begin
        SlotsDiffer: assert (!(flags_here && st_i.block.flags[e+1] && st_i.block.flags[o+1]) ||
                             (st_i.events[e].slot != st_i.events[o].slot));
      end
    end
  end

endmodule
