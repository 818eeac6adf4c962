// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions about two successive cycles, for all inputs. Not part of the hardware.
//
// They compare the state with that of the previous cycle. Reset clears both, so the assertions hold in reset. Software
// chooses the values of a restore, so most assertions except the cycle after one.

module lwp_assert_step
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input logic                               clk_i,
  // Asynchronous reset, active low.
  input logic                               rst_ni,
  // Straps and data that no assertion reads are passed through.
  // verilator lint_off UNUSEDSIGNAL
  // Straps, constant after reset.
  input config_t                            cfg_i,
  // LWPMSR0, the LWPCB pointer, and the state of the session.
  input session_t                           session_i,
  // Fields of the LWPCB that were read when the session was loaded.
  input block_t                             block_i,
  // Head, tail, missed events, and records until the tail is read again.
  input ring_t                              ring_i,
  // Per event: slot, interval and counter.
  input event_t [NumEvents-1:0]             events_i,
  // State of the LFSR; 0 until its first advance.
  input logic [31:0]                        lfsr_i,
  // Candidate: the load of a `partial` cycle that is recorded when its instruction retires.
  input cand_t                              cand_i,
  // Tag: the load that is being replayed for its address.
  input tag_t                               tag_i,
  // Counters to restore when an instruction is undone.
  input undo_t                              undo_i,
  // Record queue; records[0] is stored first.
  input record_t [RecordQueue-1:0]          records_i,
  // Registers of the store state machine.
  input store_t                             store_i,
  // Registers of the memory port.
  input port_t                              port_i,
  // Registers of the control state machine.
  input ctl_t                               ctl_i,
  // Registers of the page-fault request.
  input pf_t                                pf_i,
  // Registers of the threshold interrupt.
  input irq_t                               irq_i,
  // Retirement in the last cycle.
  input retire_t                            retire_i,
  // Cycle counter and entries of the miss address buffer.
  input mab_t                               mab_i,
  // verilator lint_on UNUSEDSIGNAL
  // The core is in ring 3 and not in System Management Mode.
  input logic                               ring3_i,
  // Memory takes the pending request in this cycle; ignored if no request is pending.
  input logic                               mem_gnt_i,
  // The core takes the threshold interrupt.
  input logic                               irq_ack_i,
  // The core takes the page-fault trap.
  input logic                               pf_ack_i,
  // A load that missed takes the entry `alloc_entry_i` of the miss address buffer.
  input logic                               alloc_valid_i,
  // Entry of the miss address buffer that is taken; valid with `alloc_valid_i`.
  input logic [2:0]                         alloc_entry_i,
  // The store wants an access.
  input logic                               store_want_i,
  // The control state machine wants an access.
  input logic                               ctl_want_i,
  // An access of the store failed with a page fault in ring 3.
  input logic                               store_fault_i,
  // An access of an initialisation or a reload failed with a page fault in ring 3.
  input logic                               init_fault_i
);

  /////////////////////
  // The cycle before //
  /////////////////////

  // verilator lint_off UNUSEDSIGNAL
  session_t                  past_session_q;
  block_t                    past_block_q;
  ring_t                     past_ring_q;
  event_t [NumEvents-1:0]    past_events_q;
  logic [31:0]               past_lfsr_q;
  tag_t                      past_tag_q;
  undo_t                     past_undo_q;
  record_t [RecordQueue-1:0] past_records_q;
  store_t                    past_store_q;
  port_t                     past_port_q;
  ctl_t                      past_ctl_q;
  pf_t                       past_pf_q;
  irq_t                      past_irq_q;
  mab_t                      past_mab_q;
  // verilator lint_on UNUSEDSIGNAL
  logic       past_valid_q, past_ring3_q, past_gnt_q, past_irq_ack_q, past_pf_ack_q, past_alloc_q;
  logic [2:0] past_entry_q;
  logic       past_store_want_q, past_ctl_want_q, past_store_fault_q, past_init_fault_q;
  // The record being stored is complete in memory; the tail was read for it.
  logic       wrote, wrote_q, read_tail, read_tail_q;
  // The record being stored has decremented `tail_skip`.
  logic       skipped, skipped_q;

  // In the previous cycle: an operation left wait; it was a restore; an instruction was undone; load; reset.
  logic settled, restored, undone, loading, resetting;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      past_session_q     <= '0;
      past_block_q       <= '0;
      past_ring_q        <= '0;
      past_events_q      <= '0;
      past_lfsr_q        <= '0;
      past_tag_q         <= '0;
      past_undo_q        <= '0;
      past_records_q     <= '0;
      past_store_q       <= '0;
      past_port_q        <= '0;
      past_ctl_q         <= '0;
      past_pf_q          <= '0;
      past_irq_q         <= '0;
      past_mab_q         <= '0;
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
      past_session_q     <= session_i;
      past_block_q       <= block_i;
      past_ring_q        <= ring_i;
      past_events_q      <= events_i;
      past_lfsr_q        <= lfsr_i;
      past_tag_q         <= tag_i;
      past_undo_q        <= undo_i;
      past_records_q     <= records_i;
      past_store_q       <= store_i;
      past_port_q        <= port_i;
      past_ctl_q         <= ctl_i;
      past_pf_q          <= pf_i;
      past_irq_q         <= irq_i;
      past_mab_q         <= mab_i;
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
      wrote_q            <= wrote && (store_i.st != StoreIdle);
      read_tail_q        <= read_tail && (store_i.st != StoreIdle);
      skipped_q          <= skipped && (store_i.st != StoreIdle);
    end
  end

  assign settled   = (past_ctl_q.st == CtlWait) && (ctl_i.st != CtlWait);
  assign restored  = settled && (past_ctl_q.op == OpRestore) && (past_ctl_q.fault == FaultNone);
  assign undone    = (past_store_q.st != StoreIdle) && pf_i.valid && pf_i.aborts;
  assign loading   = past_ctl_q.st == CtlLoad;
  assign resetting = past_store_q.st == StoreReset;

  assign wrote     = wrote_q || ((past_store_q.st == StoreWrite) && (past_store_q.beat == 2'd3) &&
                     (store_i.beat == 2'd0));
  assign read_tail = read_tail_q || ((past_store_q.st == StoreTail) && (store_i.st != StoreTail));
  assign skipped   = skipped_q || ((store_i.st != StoreIdle) && (past_store_q.st != StoreTail) &&
                     (past_ring_q.tail_skip != '0) && (ring_i.tail_skip == past_ring_q.tail_skip - 4'd1));

  logic [27:0] used, past_used, next_head;
  assign used      = ring_used(ring_i.head, ring_i.tail, block_i.size);
  assign past_used = ring_used(past_ring_q.head, ring_i.tail, block_i.size);
  assign next_head = (past_ring_q.head + RecordBytes == past_block_q.size) ? 28'd0 : past_ring_q.head + RecordBytes;

  // In the previous cycle the space used was equal to the threshold.
  logic crossed;
  assign crossed = 32'(ring_used(past_ring_q.head, past_ring_q.tail, past_block_q.size)) == past_block_q.threshold;

  ///////////
  // Count //
  ///////////

  logic [NumEvents-1:0] up, down, reset_of, queued, past_queued, kept_undo;

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    assign up[e]          = events_i[e].counter > past_events_q[e].counter;
    assign down[e]        = events_i[e].counter < past_events_q[e].counter;
    assign reset_of[e]    = resetting && is_event(past_records_q[0].event_id, e);
    assign queued[e]      = is_event(records_i[0].event_id, e) || is_event(records_i[1].event_id, e) ||
                            is_event(records_i[2].event_id, e);
    assign past_queued[e] = is_event(past_records_q[0].event_id, e) || is_event(past_records_q[1].event_id, e) ||
                            is_event(past_records_q[2].event_id, e);
    assign kept_undo[e]   = events_i[e].counter == past_undo_q.counters[e];

    // LWP-CNT-06, LWP-RST-03, LWP-RST-04
    CounterUp:     assert property (@(posedge clk_i) !up[e] || reset_of[e] || loading || restored || undone);
    // LWP-CNT-03, LWP-CNT-10, LWP-OVR-07, LWP-MSR0-15, LWP-SMM-01, LWP-SEC-01
    CounterDown:   assert property (@(posedge clk_i)
        !down[e] || (past_ring3_q && past_session_q.active && past_block_q.flags[e+1] && past_session_q.msr0[e+1]) ||
        reset_of[e] || loading || restored || undone);
    // LWP-GAT-08, LWP-STO-10, LWP-RST-04
    DroppedZero:   assert property (@(posedge clk_i)
        !(past_queued[e] && !queued[e] && past_session_q.active && session_i.active) || reset_of[e] || undone ||
        (events_i[e].counter == '0));
    // Slot and interval change only when they are read from the block.
    SlotKept:      assert property (@(posedge clk_i)
        loading || (events_i[e].slot == past_events_q[e].slot));
    IntervalKept:  assert property (@(posedge clk_i)
        loading || (past_store_q.st == StoreInterval) || (events_i[e].interval == past_events_q[e].interval));
  end

  // LWP-FLT-03
  Undone:          assert property (@(posedge clk_i)
      !undone || ((kept_undo == '1) && (queued == '0) && (ring_i.head == past_ring_q.head)));

  ////////////
  // Replay //
  ////////////

  // LWP-ADR-08
  FlushOnce:       assert property (@(posedge clk_i)
      retire_i.flush_req == (tag_i.valid && !past_tag_q.valid));
  TagInRun:        assert property (@(posedge clk_i) !tag_i.valid || (past_ring3_q && past_session_q.active));
  CandidateInRun:  assert property (@(posedge clk_i) !cand_i.valid || (past_ring3_q && past_session_q.active));
  UndoInRun:       assert property (@(posedge clk_i)
      !(undo_i.valid || undo_i.split) || (past_ring3_q && past_session_q.active));

  for (genvar i = 0; i < int'(MabEntries); i++) begin : gen_mab
    // LWP-LAT-06
    MabWraps:      assert property (@(posedge clk_i)
        (mab_i.entries[i].latency >= past_mab_q.entries[i].latency) || (past_alloc_q && (past_entry_q == 3'(i))));
  end

  ///////////////////////////
  // Store, report, reset //
  ///////////////////////////

  store_st_e st;
  assign st = store_i.st;

  logic order_ok;
  always_comb begin
    unique case (past_store_q.st)
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
      (st != StoreReset) || (past_store_q.st == StoreReport) || (ring_i.missed == past_ring_q.missed + 16'd1));
  // LWP-ACC-09: nothing is missed unless the tail was read for this record.
  MissedRead:      assert property (@(posedge clk_i)
      !((st == StoreReset) && (past_store_q.st != StoreReport)) || read_tail);
  // LWP-ACC-03
  FullFlushed:     assert property (@(posedge clk_i)
      !(cfg_i.head_flush && (st == StoreReset)) || (past_store_q.st != StoreTail));
  // LWP-ACC-14
  MissedStep:      assert property (@(posedge clk_i)
      (ring_i.missed <= past_ring_q.missed) || restored || (ring_i.missed == past_ring_q.missed + 16'd1));
  // LWP-STO-02
  HeadStep:        assert property (@(posedge clk_i)
      (ring_i.head == past_ring_q.head) || loading || restored ||
      ((ring_i.head == next_head) && (past_store_q.st inside {StoreHead, StoreWrite, StoreTail})));
  // LWP-STO-04
  HeadNotTail:     assert property (@(posedge clk_i)
      (ring_i.head == past_ring_q.head) || loading || restored || (ring_i.head != ring_i.tail));
  // LWP-STO-14, LWP-FLT-11
  HeadAfterRecord: assert property (@(posedge clk_i)
      (ring_i.head == past_ring_q.head) || loading || restored || wrote);
  // LWP-STO-14
  HeadWritten:     assert property (@(posedge clk_i) (st != StoreHead) || wrote);
  TailStep:        assert property (@(posedge clk_i)
      (ring_i.tail == past_ring_q.tail) || loading || (past_store_q.st == StoreTail));
  // LWP-ACC-08
  SkipBelowNth:    assert property (@(posedge clk_i) ring_i.tail_skip < cfg_i.tail_nth);
  // Only a read of the tail and a restore increase `tail_skip`.
  SkipStep:        assert property (@(posedge clk_i)
      (ring_i.tail_skip <= past_ring_q.tail_skip) || restored ||
      ((past_store_q.st == StoreTail) && (ring_i.tail_skip == cfg_i.tail_nth - 4'd1)));

  // LWP-RPT-11, LWP-ACC-04: with the threshold reached, the head is in memory.
  ReachedWritten:  assert property (@(posedge clk_i)
      !((st == StoreReport) && (block_i.threshold != '0) && (32'(used) >= block_i.threshold)) ||
      (past_store_q.st == StoreHead));
  // LWP-RPT-06: before, it was not.
  CrossingUp:      assert property (@(posedge clk_i)
      !((st == StoreReport) && (block_i.threshold != '0) && (32'(used) == block_i.threshold)) ||
      (32'(past_used) < block_i.threshold) || (past_ring_q.head == ring_i.head) || (past_ring_q.head == ring_i.tail));
  // LWP-ACC-06: for each record with which the threshold is reached, the tail was read, or one of the records between
  // two readings was used up; that is none with which the threshold comes to be reached.
  ReachedRead:     assert property (@(posedge clk_i)
      !((st == StoreReport) && (block_i.threshold != '0) && (32'(used) >= block_i.threshold)) ||
      (skipped && ((32'(used) - 32'(RecordBytes)) >= block_i.threshold)) || read_tail);
  // LWP-RPT-03
  IrqCause:        assert property (@(posedge clk_i)
      !irq_i.valid || past_irq_q.valid || restored || (past_irq_q.count == 8'd1) ||
      ((past_store_q.st == StoreReport) && (past_block_q.threshold != '0) && past_block_q.flags[31] &&
      (cfg_i.irq_delay == '0) && crossed));
  // LWP-RPT-03: a delay begins with the same.
  DelayCause:      assert property (@(posedge clk_i)
      (irq_i.count <= past_irq_q.count) || restored ||
      ((past_store_q.st == StoreReport) && (past_block_q.threshold != '0) && past_block_q.flags[31] &&
      past_session_q.msr0[31] && crossed));
  // LWP-INT-02
  IrqEnabled:      assert property (@(posedge clk_i) !irq_i.valid || past_irq_q.valid || restored || past_session_q.msr0[31]);
  // LWP-INT-06
  IrqStands:       assert property (@(posedge clk_i) !past_irq_q.valid || past_irq_ack_q || irq_i.valid);
  // The LFSR does not return to 0, except by a restore.
  LfsrRuns:        assert property (@(posedge clk_i) (lfsr_i != '0) || (past_lfsr_q == '0) || restored);

  //////////
  // Port //
  //////////

  OneWants:        assert property (@(posedge clk_i) !(past_store_want_q && past_ctl_want_q));
  // A request stays pending and unchanged until it is granted, or withdrawn because ring 3 was left.
  ReqStands:       assert property (@(posedge clk_i)
      !past_port_q.req || past_gnt_q || port_i.req || !past_ring3_q);
  ReqStable:       assert property (@(posedge clk_i)
      !(past_port_q.req && port_i.req) || ((past_port_q.cmd == port_i.cmd) &&
      (past_port_q.be == port_i.be) && (past_port_q.addr == port_i.addr) &&
      (past_port_q.wdata == port_i.wdata)));
  // LWP-STO-15, LWP-SEC-08, LWP-CTX-13, LWP-LLW-10, LWP-SMM-01: a store or a deferred initialisation has no request
  // standing after a cycle outside ring 3.
  NoUserAccess:    assert property (@(posedge clk_i)
      past_ring3_q || !past_valid_q || !port_i.req || (!ctl_i.init &&
      (ctl_i.st inside {CtlProbe, CtlFlush, CtlLoad, CtlFlags})));

  /////////////
  // Control //
  /////////////

  OneDone:         assert property (@(posedge clk_i) (past_ctl_q.st != CtlDone) || (ctl_i.st == CtlIdle));

  logic same_session;
  assign same_session = (session_i.msr0 == past_session_q.msr0) && (session_i.lwpcb == past_session_q.lwpcb) &&
                        (session_i.active == past_session_q.active) &&
                        (session_i.init_pending == past_session_q.init_pending) &&
                        (session_i.reload == past_session_q.reload);

  // LWP-MSR0-10, LWP-LLW-26
  FaultKeeps:      assert property (@(posedge clk_i)
      !(settled && (past_ctl_q.fault != FaultNone)) || ((ctl_i.st == CtlDone) && same_session));
  // LWP-LLW-26
  PageFaultKeeps:  assert property (@(posedge clk_i)
      !((ctl_i.st == CtlDone) && (past_ctl_q.st inside {CtlProbe, CtlFlush, CtlLoad, CtlFlags}) &&
      (ctl_i.fault == FaultPf) && (past_ctl_q.fault == FaultNone)) ||
      (same_session && (ring_i.head == past_ring_q.head) && (down == '0) && (up == '0) &&
      ((records_i[0].event_id == past_records_q[0].event_id) || (!past_ring3_q && (cfg_i.leave_policy != LeaveHold)))));
  // LWP-LLW-26
  FlushedReturns:  assert property (@(posedge clk_i)
      !((past_ctl_q.st == CtlLoad) && !past_ctl_q.init && (past_ctl_q.fault != FaultNone) && (ctl_i.st == CtlDone)) ||
      (session_i.lwpcb == past_session_q.lwpcb) || !session_i.active);
  // LWP-SLW-08
  SlwpcbKeeps:     assert property (@(posedge clk_i)
      !((past_ctl_q.st == CtlFlush) && (past_ctl_q.op inside {OpSlwpcb, OpRdMsr1})) ||
      (same_session && (ring_i.head == past_ring_q.head) && (down == '0) && (up == '0)));
  // LWP-MSR0-15
  Msr0Keeps:       assert property (@(posedge clk_i)
      !(settled && (past_ctl_q.op == OpWrMsr0) && (past_ctl_q.fault == FaultNone)) ||
      ((down == '0) && (up == '0) && !port_i.req));
  // LWP-CTX-08
  ContextNoAccess: assert property (@(posedge clk_i)
      !(settled && (past_ctl_q.op inside {OpSave, OpRestore}) && (past_ctl_q.fault == FaultNone)) ||
      ((ctl_i.st == CtlDone) && !port_i.req && !port_i.waiting));
  // LWP-CTX-12, LWP-SMM-04
  PendingKept:     assert property (@(posedge clk_i)
      !past_session_q.init_pending || session_i.init_pending || past_ring3_q ||
      (past_ctl_q.st inside {CtlWait, CtlProbe, CtlFlags}) || ((past_ctl_q.st == CtlLoad) && !past_ctl_q.init));
  ReloadKept:      assert property (@(posedge clk_i)
      !past_session_q.reload || session_i.reload || past_ring3_q || (past_ctl_q.st inside {CtlWait, CtlProbe}));

  logic [63:0] arg;
  assign arg = past_ctl_q.arg;

  // LWP-CTX-10, LWP-CTX-12
  RestorePointer:  assert property (@(posedge clk_i)
      !(restored && (past_ctl_q.idx == 5'd0)) ||
      ((session_i.lwpcb == ({arg[63:4], 4'b0} & {64{past_session_q.msr0[0]}})) &&
      !session_i.active && (session_i.init_pending == (session_i.lwpcb != '0))));
  // LWP-CTX-10
  RestoreRing:     assert property (@(posedge clk_i)
      !(restored && (past_ctl_q.idx == 5'd1)) || ((ring_i.head == {arg[27:5], 5'b0}) &&
      (ring_i.missed == arg[63:48]) && (session_i.reload == arg[32]) && !session_i.active));
  // LWP-CTX-10
  RestoreCounters: assert property (@(posedge clk_i)
      !(restored && (past_ctl_q.idx == 5'd2)) ||
      ((events_i[0].counter == arg[25:0]) && (events_i[1].counter == arg[57:32])));
  // LWP-CTX-10
  RestoreCounter:  assert property (@(posedge clk_i)
      !(restored && (past_ctl_q.idx == 5'd3)) ||
      ((events_i[2].counter == arg[25:0]) && (ring_i.tail_skip == ((arg[35:32] < cfg_i.tail_nth) ? arg[35:32] : 4'd0))));
  // LWP-CTX-10
  RestoreCore:     assert property (@(posedge clk_i)
      (!(restored && (past_ctl_q.idx == 5'd8)) || (irq_i.count == arg[47:40])) &&
      (!(restored && (past_ctl_q.idx == 5'd9)) || (lfsr_i == arg[31:0])));
  // The restore of word 7 clears the old thread's state.
  RestoreClears:   assert property (@(posedge clk_i)
      !(restored && (past_ctl_q.idx == 5'd7)) ||
      (!session_i.active && !session_i.init_pending && (session_i.lwpcb == '0) &&
      (ring_i.head == '0) && (ring_i.missed == '0) && (events_i[0].counter == '0) && (events_i[1].counter == '0) &&
      (events_i[2].counter == '0) && (queued == '0)));

  //////////////
  // Requests //
  //////////////

  OneFault:        assert property (@(posedge clk_i) !(past_store_fault_q && past_init_fault_q));
  NoOverwrite:     assert property (@(posedge clk_i)
      !((past_store_fault_q || past_init_fault_q) && past_pf_q.valid));
  PfStands:        assert property (@(posedge clk_i) !past_pf_q.valid || past_pf_ack_q || pf_i.valid);
  PfStable:        assert property (@(posedge clk_i)
      !(past_pf_q.valid && pf_i.valid) || ((past_pf_q.addr == pf_i.addr) &&
      (past_pf_q.write == pf_i.write) && (past_pf_q.aborts == pf_i.aborts)));

endmodule
