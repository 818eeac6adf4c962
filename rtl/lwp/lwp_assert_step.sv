// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Facts about two cycles that hold whatever the inputs. Not part of the hardware.
//
// The state is compared with that of the cycle before. Reset clears both, so the facts hold there too. What a restore
// does is as software wants it; most facts except the cycle after one.

module lwp_assert_step
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  input logic                               clk_i,
  input logic                               rst_ni,
  // Straps and data that only pass through have no facts of their own.
  // verilator lint_off UNUSEDSIGNAL
  input config_t                            cfg_i,
  input state_t                             st_i,
  // verilator lint_on UNUSEDSIGNAL
  input logic                               ring3_i,
  input logic                               mem_gnt_i,
  input logic                               irq_ack_i,
  input logic                               pf_ack_i,
  input logic                               alloc_valid_i,
  input logic [2:0]                         alloc_entry_i,
  input logic                               store_want_i,
  input logic                               ctl_want_i,
  input logic                               store_fault_i,
  input logic                               init_fault_i
);

  /////////////////////
  // The cycle before //
  /////////////////////

  // verilator lint_off UNUSEDSIGNAL
  state_t     past_q;
  // verilator lint_on UNUSEDSIGNAL
  logic       past_valid_q, past_ring3_q, past_gnt_q, past_irq_ack_q, past_pf_ack_q, past_alloc_q;
  logic [2:0] past_entry_q;
  logic       past_store_want_q, past_ctl_want_q, past_store_fault_q, past_init_fault_q;
  // Of the record being stored: all of it is in memory; the tail was read for it.
  logic       wrote, wrote_q, read_tail, read_tail_q;
  // One of the records that tail_nth leaves between two readings of the tail was used up for it.
  logic       skipped, skipped_q;

  // An operation was carried out in the cycle before; a restore; the undoing of an instruction.
  logic settled, restored, undone, loading, resetting;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_q             <= '0;
      past_valid_q       <= 1'b0;
      past_ring3_q       <= 1'b0;
      past_gnt_q         <= 1'b0;
      past_irq_ack_q     <= 1'b0;
      past_pf_ack_q      <= 1'b0;
      past_alloc_q       <= 1'b0;
      past_entry_q       <= '0;
      past_store_want_q  <= 1'b0;
      past_ctl_want_q    <= 1'b0;
      past_store_fault_q <= 1'b0;
      past_init_fault_q  <= 1'b0;
      wrote_q            <= 1'b0;
      read_tail_q        <= 1'b0;
      skipped_q          <= 1'b0;
    end else begin
      past_q             <= st_i;
      past_valid_q       <= 1'b1;
      past_ring3_q       <= ring3_i;
      past_gnt_q         <= mem_gnt_i;
      past_irq_ack_q     <= irq_ack_i;
      past_pf_ack_q      <= pf_ack_i;
      past_alloc_q       <= alloc_valid_i;
      past_entry_q       <= alloc_entry_i;
      past_store_want_q  <= store_want_i;
      past_ctl_want_q    <= ctl_want_i;
      past_store_fault_q <= store_fault_i;
      past_init_fault_q  <= init_fault_i;
      wrote_q            <= wrote && (st_i.store.st != StoreIdle);
      read_tail_q        <= read_tail && (st_i.store.st != StoreIdle);
      skipped_q          <= skipped && (st_i.store.st != StoreIdle);
    end
  end

  assign settled   = (past_q.ctl.st == CtlWait) && (st_i.ctl.st != CtlWait);
  assign restored  = settled && (past_q.ctl.op == OpRestore) && (past_q.ctl.fault == FaultNone);
  assign undone    = (past_q.store.st != StoreIdle) && st_i.pf.valid && st_i.pf.aborts;
  assign loading   = past_q.ctl.st == CtlLoad;
  assign resetting = past_q.store.st == StoreReset;

  assign wrote     = wrote_q || ((past_q.store.st == StoreWrite) && (past_q.store.beat == 2'd3) &&
                     (st_i.store.beat == 2'd0));
  assign read_tail = read_tail_q || ((past_q.store.st == StoreTail) && (st_i.store.st != StoreTail));
  assign skipped   = skipped_q || ((st_i.store.st != StoreIdle) && (past_q.store.st != StoreTail) &&
                     (past_q.ring.tail_skip != '0) && (st_i.ring.tail_skip == past_q.ring.tail_skip - 4'd1));

  logic [27:0] used, past_used, next_head;
  assign used      = ring_used(st_i.ring.head, st_i.ring.tail, st_i.block.size);
  assign past_used = ring_used(past_q.ring.head, st_i.ring.tail, st_i.block.size);
  assign next_head = (past_q.ring.head + RecordBytes == past_q.block.size) ? 28'd0 : past_q.ring.head + RecordBytes;

  // In the report, the space used was the threshold.
  logic crossed;
  assign crossed = 32'(ring_used(past_q.ring.head, past_q.ring.tail, past_q.block.size)) == past_q.block.threshold;

  ///////////
  // Count //
  ///////////

  logic [NumEvents-1:0] up, down, reset_of, queued, past_queued, kept_undo;

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    assign up[e]          = st_i.events[e].counter > past_q.events[e].counter;
    assign down[e]        = st_i.events[e].counter < past_q.events[e].counter;
    assign reset_of[e]    = resetting && is_event(past_q.records[0].event_id, e);
    assign queued[e]      = is_event(st_i.records[0].event_id, e) || is_event(st_i.records[1].event_id, e) ||
                            is_event(st_i.records[2].event_id, e);
    assign past_queued[e] = is_event(past_q.records[0].event_id, e) || is_event(past_q.records[1].event_id, e) ||
                            is_event(past_q.records[2].event_id, e);
    assign kept_undo[e]   = st_i.events[e].counter == past_q.undo.counters[e];

    // LWP-CNT-06, LWP-RST-03, LWP-RST-04
    CounterUp:     assert property (@(posedge clk_i) !up[e] || reset_of[e] || loading || restored || undone);
    // LWP-CNT-03, LWP-CNT-10, LWP-OVR-07, LWP-MSR0-15, LWP-SMM-01, LWP-SEC-01
    CounterDown:   assert property (@(posedge clk_i)
        !down[e] || (past_ring3_q && past_q.session.active && past_q.block.flags[e+1] && past_q.session.msr0[e+1]) ||
        reset_of[e] || loading || restored || undone);
    // LWP-GAT-08, LWP-STO-10, LWP-RST-04
    DroppedZero:   assert property (@(posedge clk_i)
        !(past_queued[e] && !queued[e] && past_q.session.active && st_i.session.active) || reset_of[e] || undone ||
        (st_i.events[e].counter == '0));
    // A session's slot and interval are those of its block.
    SlotKept:      assert property (@(posedge clk_i)
        loading || (st_i.events[e].slot == past_q.events[e].slot));
    IntervalKept:  assert property (@(posedge clk_i)
        loading || (past_q.store.st == StoreInterval) || (st_i.events[e].interval == past_q.events[e].interval));
  end

  // LWP-FLT-03
  Undone:          assert property (@(posedge clk_i)
      !undone || ((kept_undo == '1) && (queued == '0) && (st_i.ring.head == past_q.ring.head)));

  ////////////
  // Replay //
  ////////////

  // LWP-ADR-08
  FlushOnce:       assert property (@(posedge clk_i)
      st_i.retire.flush_req == (st_i.tag.valid && !past_q.tag.valid));
  TagInRun:        assert property (@(posedge clk_i) !st_i.tag.valid || (past_ring3_q && past_q.session.active));
  CandidateInRun:  assert property (@(posedge clk_i) !st_i.cand.valid || (past_ring3_q && past_q.session.active));
  UndoInRun:       assert property (@(posedge clk_i)
      !(st_i.undo.valid || st_i.undo.split) || (past_ring3_q && past_q.session.active));

  for (genvar i = 0; i < int'(MabEntries); i++) begin : gen_mab
    // LWP-LAT-06
    MabWraps:      assert property (@(posedge clk_i)
        (st_i.mab.entries[i].latency >= past_q.mab.entries[i].latency) || (past_alloc_q && (past_entry_q == 3'(i))));
  end

  ///////////////////////////
  // Store, report, reset //
  ///////////////////////////

  store_st_e st;
  assign st = st_i.store.st;

  logic order_ok;
  always_comb begin
    unique case (past_q.store.st)
      StoreIdle:      order_ok = st inside {StoreIdle, StoreInterval, StoreWrite, StoreTail, StoreMissRead};
      StoreInterval:  order_ok = st inside {StoreInterval, StoreIdle, StoreWrite, StoreTail};
      StoreWrite:     order_ok = st inside {StoreWrite, StoreIdle, StoreTail, StoreHead, StoreReport};
      StoreTail:      order_ok = st inside {StoreTail, StoreIdle, StoreWrite, StoreHead, StoreReport, StoreFullHead,
                                            StoreReset};
      StoreHead:      order_ok = st inside {StoreHead, StoreIdle, StoreReport};
      StoreFullHead:  order_ok = st inside {StoreFullHead, StoreIdle, StoreReset};
      StoreReport:    order_ok = st == StoreReset;
      StoreReset:     order_ok = st == StoreIdle;
      StoreMissRead:  order_ok = st inside {StoreMissRead, StoreIdle, StoreMissWrite};
      StoreMissWrite: order_ok = st inside {StoreMissWrite, StoreIdle};
      default:        order_ok = 1'b0;
    endcase
  end

  // LWP-OVR-11
  StoreOrder:      assert property (@(posedge clk_i) order_ok);
  // LWP-OVR-11, LWP-RST-04: a reset follows a report or a missed event.
  ResetAfter:      assert property (@(posedge clk_i)
      (st != StoreReset) || (past_q.store.st == StoreReport) || (st_i.ring.missed == past_q.ring.missed + 16'd1));
  // LWP-ACC-09: nothing is missed unless the tail was read for this record.
  MissedRead:      assert property (@(posedge clk_i)
      !((st == StoreReset) && (past_q.store.st != StoreReport)) || read_tail);
  // LWP-ACC-03
  FullFlushed:     assert property (@(posedge clk_i)
      !(cfg_i.head_flush && (st == StoreReset)) || (past_q.store.st != StoreTail));
  // LWP-ACC-14
  MissedStep:      assert property (@(posedge clk_i)
      (st_i.ring.missed <= past_q.ring.missed) || restored || (st_i.ring.missed == past_q.ring.missed + 16'd1));
  // LWP-STO-02
  HeadStep:        assert property (@(posedge clk_i)
      (st_i.ring.head == past_q.ring.head) || loading || restored ||
      ((st_i.ring.head == next_head) && (past_q.store.st inside {StoreHead, StoreWrite, StoreTail})));
  // LWP-STO-04
  HeadNotTail:     assert property (@(posedge clk_i)
      (st_i.ring.head == past_q.ring.head) || loading || restored || (st_i.ring.head != st_i.ring.tail));
  // LWP-STO-14, LWP-FLT-11
  HeadAfterRecord: assert property (@(posedge clk_i)
      (st_i.ring.head == past_q.ring.head) || loading || restored || wrote);
  // LWP-STO-14
  HeadWritten:     assert property (@(posedge clk_i) (st != StoreHead) || wrote);
  TailStep:        assert property (@(posedge clk_i)
      (st_i.ring.tail == past_q.ring.tail) || loading || (past_q.store.st == StoreTail));
  // A reading of the tail leaves tail_nth - 1 records until the next; nothing else but a restore leaves any.
  SkipStep:        assert property (@(posedge clk_i)
      (st_i.ring.tail_skip <= past_q.ring.tail_skip) || restored ||
      ((past_q.store.st == StoreTail) && (st_i.ring.tail_skip == cfg_i.tail_nth - 4'd1)));

  // LWP-RPT-11, LWP-ACC-04: with the threshold reached, the head is in memory.
  ReachedWritten:  assert property (@(posedge clk_i)
      !((st == StoreReport) && (st_i.block.threshold != '0) && (32'(used) >= st_i.block.threshold)) ||
      (past_q.store.st == StoreHead));
  // LWP-RPT-06: before, it was not.
  CrossingUp:      assert property (@(posedge clk_i)
      !((st == StoreReport) && (st_i.block.threshold != '0) && (32'(used) == st_i.block.threshold)) ||
      (32'(past_used) < st_i.block.threshold) || (past_q.ring.head == st_i.ring.head) || (past_q.ring.head == st_i.ring.tail));
  // LWP-ACC-06: for each record with which the threshold is reached, the tail was read, or one of the records between
  // two readings was used up.
  ReachedRead:     assert property (@(posedge clk_i)
      !((st == StoreReport) && (st_i.block.threshold != '0) && (32'(used) >= st_i.block.threshold)) ||
      skipped || read_tail);
  // LWP-RPT-03
  IrqCause:        assert property (@(posedge clk_i)
      !st_i.irq.valid || past_q.irq.valid || restored || (past_q.irq.count == 8'd1) ||
      ((past_q.store.st == StoreReport) && (past_q.block.threshold != '0) && past_q.block.flags[31] &&
      (cfg_i.irq_delay == '0) && crossed));
  // LWP-RPT-03: a delay begins with the same.
  DelayCause:      assert property (@(posedge clk_i)
      (st_i.irq.count <= past_q.irq.count) || restored ||
      ((past_q.store.st == StoreReport) && (past_q.block.threshold != '0) && past_q.block.flags[31] &&
      past_q.session.msr0[31] && crossed));
  // LWP-INT-02
  IrqEnabled:      assert property (@(posedge clk_i) !st_i.irq.valid || past_q.irq.valid || restored || past_q.session.msr0[31]);
  // LWP-INT-06
  IrqStands:       assert property (@(posedge clk_i) !past_q.irq.valid || past_irq_ack_q || st_i.irq.valid);
  // The LFSR leaves 0 once and never comes back.
  LfsrRuns:        assert property (@(posedge clk_i) (st_i.lfsr != '0) || (past_q.lfsr == '0) || restored);

  //////////
  // Port //
  //////////

  OneWants:        assert property (@(posedge clk_i) !(past_store_want_q && past_ctl_want_q));
  // A request stands until it is granted, or withdrawn because ring 3 was left; never changed.
  ReqStands:       assert property (@(posedge clk_i)
      !past_q.port.req || past_gnt_q || st_i.port.req || !past_ring3_q);
  ReqStable:       assert property (@(posedge clk_i)
      !(past_q.port.req && st_i.port.req) || ((past_q.port.cmd == st_i.port.cmd) &&
      (past_q.port.be == st_i.port.be) && (past_q.port.addr == st_i.port.addr) &&
      (past_q.port.wdata == st_i.port.wdata)));
  // LWP-STO-15, LWP-SEC-08, LWP-CTX-13, LWP-LLW-10, LWP-SMM-01: a store or a deferred initialisation has no request
  // standing after a cycle outside ring 3.
  NoUserAccess:    assert property (@(posedge clk_i)
      past_ring3_q || !past_valid_q || !st_i.port.req || (!st_i.ctl.init &&
      (st_i.ctl.st inside {CtlProbe, CtlFlush, CtlLoad, CtlFlags})));

  /////////////
  // Control //
  /////////////

  OneDone:         assert property (@(posedge clk_i) (past_q.ctl.st != CtlDone) || (st_i.ctl.st == CtlIdle));

  logic same_session;
  assign same_session = (st_i.session.msr0 == past_q.session.msr0) && (st_i.session.lwpcb == past_q.session.lwpcb) &&
                        (st_i.session.active == past_q.session.active) &&
                        (st_i.session.init_pending == past_q.session.init_pending) &&
                        (st_i.session.reload == past_q.session.reload);

  // LWP-MSR0-10, LWP-LLW-26
  FaultKeeps:      assert property (@(posedge clk_i)
      !(settled && (past_q.ctl.fault != FaultNone)) || ((st_i.ctl.st == CtlDone) && same_session));
  // LWP-LLW-26
  PageFaultKeeps:  assert property (@(posedge clk_i)
      !((st_i.ctl.st == CtlDone) && (past_q.ctl.st inside {CtlProbe, CtlFlush, CtlLoad, CtlFlags}) &&
      (st_i.ctl.fault == FaultPf) && (past_q.ctl.fault == FaultNone)) ||
      (same_session && (st_i.ring.head == past_q.ring.head) && (down == '0) && (up == '0)));
  // LWP-LLW-26
  FlushedReturns:  assert property (@(posedge clk_i)
      !((past_q.ctl.st == CtlLoad) && !past_q.ctl.init && (past_q.ctl.fault != FaultNone) && (st_i.ctl.st == CtlDone)) ||
      (st_i.session.lwpcb == past_q.session.lwpcb) || !st_i.session.active);
  // LWP-SLW-08
  SlwpcbKeeps:     assert property (@(posedge clk_i)
      !((past_q.ctl.st == CtlFlush) && (past_q.ctl.op inside {OpSlwpcb, OpRdMsr1})) ||
      (same_session && (st_i.ring.head == past_q.ring.head) && (down == '0) && (up == '0)));
  // LWP-MSR0-15
  Msr0Keeps:       assert property (@(posedge clk_i)
      !(settled && (past_q.ctl.op == OpWrMsr0) && (past_q.ctl.fault == FaultNone)) ||
      ((down == '0) && (up == '0) && !st_i.port.req));
  // LWP-CTX-08
  ContextNoAccess: assert property (@(posedge clk_i)
      !(settled && (past_q.ctl.op inside {OpSave, OpRestore}) && (past_q.ctl.fault == FaultNone)) ||
      ((st_i.ctl.st == CtlDone) && !st_i.port.req && !st_i.port.waiting));
  // LWP-CTX-12, LWP-SMM-04
  PendingKept:     assert property (@(posedge clk_i)
      !past_q.session.init_pending || st_i.session.init_pending || past_ring3_q ||
      (past_q.ctl.st inside {CtlWait, CtlProbe, CtlFlags}) || ((past_q.ctl.st == CtlLoad) && !past_q.ctl.init));
  ReloadKept:      assert property (@(posedge clk_i)
      !past_q.session.reload || st_i.session.reload || past_ring3_q || (past_q.ctl.st inside {CtlWait, CtlProbe}));

  logic [63:0] arg;
  assign arg = past_q.ctl.arg;

  // LWP-CTX-10, LWP-CTX-12
  RestorePointer:  assert property (@(posedge clk_i)
      !(restored && (past_q.ctl.idx == 5'd0)) ||
      ((st_i.session.lwpcb == ({arg[63:4], 4'b0} & {64{past_q.session.msr0[0]}})) &&
      !st_i.session.active && (st_i.session.init_pending == (st_i.session.lwpcb != '0))));
  // LWP-CTX-10
  RestoreRing:     assert property (@(posedge clk_i)
      !(restored && (past_q.ctl.idx == 5'd1)) || ((st_i.ring.head == {arg[27:5], 5'b0}) &&
      (st_i.ring.missed == arg[63:48]) && (st_i.session.reload == arg[32]) && !st_i.session.active));
  // LWP-CTX-10
  RestoreCounters: assert property (@(posedge clk_i)
      !(restored && (past_q.ctl.idx == 5'd2)) ||
      ((st_i.events[0].counter == arg[25:0]) && (st_i.events[1].counter == arg[57:32])));
  // LWP-CTX-10
  RestoreCounter:  assert property (@(posedge clk_i)
      !(restored && (past_q.ctl.idx == 5'd3)) ||
      ((st_i.events[2].counter == arg[25:0]) && (st_i.ring.tail_skip == arg[35:32])));
  // LWP-CTX-10
  RestoreCore:     assert property (@(posedge clk_i)
      (!(restored && (past_q.ctl.idx == 5'd8)) || (st_i.irq.count == arg[47:40])) &&
      (!(restored && (past_q.ctl.idx == 5'd9)) || (st_i.lfsr == arg[31:0])));
  // Nothing of one thread is left for the next.
  RestoreClears:   assert property (@(posedge clk_i)
      !(restored && (past_q.ctl.idx == 5'd7)) ||
      (!st_i.session.active && !st_i.session.init_pending && (st_i.session.lwpcb == '0) &&
      (st_i.ring.head == '0) && (st_i.ring.missed == '0) && (st_i.events[0].counter == '0) && (st_i.events[1].counter == '0) &&
      (st_i.events[2].counter == '0) && (queued == '0)));

  //////////////
  // Requests //
  //////////////

  OneFault:        assert property (@(posedge clk_i) !(past_store_fault_q && past_init_fault_q));
  NoOverwrite:     assert property (@(posedge clk_i)
      !((past_store_fault_q || past_init_fault_q) && past_q.pf.valid));
  PfStands:        assert property (@(posedge clk_i) !past_q.pf.valid || past_pf_ack_q || st_i.pf.valid);
  PfStable:        assert property (@(posedge clk_i)
      !(past_q.pf.valid && st_i.pf.valid) || ((past_q.pf.addr == st_i.pf.addr) &&
      (past_q.pf.write == st_i.pf.write) && (past_q.pf.aborts == st_i.pf.aborts)));

endmodule
