// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Facts that hold in every reachable state, whatever the inputs: legal or not. For simulation and proof alike; not
// part of the hardware.
//
// Each is one property without operators over time; facts about two cycles are in lwp_assert_step. All of them hold in
// the reset state, so none needs to be disabled by reset. The rows above an assertion are those of the requirements
// that it shows.

module lwp_assert
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  parameter int unsigned RetireLanes = 4,
  parameter int unsigned EventSlots  = 8,
  parameter int unsigned LatencyBits = 31
) (
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
  input logic                               init_fault_i,
  input logic                               addr_track_i,
  input logic                               drain_i
);

  localparam logic [4:0] MaxIdx = (EventSlots > 12) ? 5'd3 + 5'(EventSlots) : 5'd15;

  logic store_memory, store_missed, ctl_memory, many, fault_policy, replay;
  assign store_memory = !(st_i.store.st inside {StoreIdle, StoreReport, StoreReset});
  assign store_missed = st_i.store.st inside {StoreMissRead, StoreMissWrite};
  assign ctl_memory   = st_i.ctl.st inside {CtlProbe, CtlFlush, CtlLoad, CtlFlags};
  assign many         = cfg_i.gather_policy && !cfg_i.collision;
  assign fault_policy = cfg_i.fault_policy == PolicyFault;
  assign replay       = cfg_i.address_policy == AddressReplay;

  logic [27:0] used;
  assign used = ring_used(st_i.ring.head, st_i.ring.tail, st_i.block.size);

  /////////////
  // Session //
  /////////////

  Msr0Reserved:  assert property (@(posedge clk_i) st_i.session.msr0[30:NumEvents+1] == '0);
  // LWP-CPU-05
  Msr0Available: assert property (@(posedge clk_i)
      ({st_i.session.msr0[31], st_i.session.msr0[3:1]} &
      ~{cfg_i.avail_int, cfg_i.avail_dme, cfg_i.avail_bre, cfg_i.avail_ire}) == '0);
  AbsentMsr0:    assert property (@(posedge clk_i) cfg_i.present || (st_i.session.msr0 == '0));
  FlagsReserved: assert property (@(posedge clk_i) (st_i.block.flags[30:NumEvents+1] == '0) && !st_i.block.flags[0]);
  LwpcbAligned:  assert property (@(posedge clk_i) st_i.session.lwpcb[3:0] == '0);
  EnabledFirst:  assert property (@(posedge clk_i) st_i.session.msr0[0] || (st_i.session.lwpcb == '0));
  PointerFirst:  assert property (@(posedge clk_i)
      (st_i.session.lwpcb != '0) || (!st_i.session.init_pending && !st_i.session.active));
  OneSession:    assert property (@(posedge clk_i) !(st_i.session.active && (st_i.session.init_pending || st_i.session.reload)));
  SomeEvent:     assert property (@(posedge clk_i) !st_i.session.active || (st_i.block.flags[NumEvents:1] != '0));
  EventExists:   assert property (@(posedge clk_i)
      (st_i.block.flags[NumEvents:1] & ~{cfg_i.avail_dme, cfg_i.avail_bre, cfg_i.avail_ire}) == '0);
  SomeRoom:      assert property (@(posedge clk_i) !st_i.session.active || (st_i.block.size >= 28'd2 * RecordBytes));
  // LWP-STO-08
  HeadInside:    assert property (@(posedge clk_i) !st_i.session.active || (st_i.ring.head < st_i.block.size));
  TailInside:    assert property (@(posedge clk_i) !st_i.session.active || (st_i.ring.tail < st_i.block.size));
  // LWP-STO-07
  UsedInside:    assert property (@(posedge clk_i) !st_i.session.active || (used <= st_i.block.size - RecordBytes));
  // LWP-STO-08
  Multiples:     assert property (@(posedge clk_i)
      (st_i.block.base[4:0] | st_i.block.size[4:0] | st_i.ring.head[4:0] | st_i.ring.tail[4:0] | st_i.block.threshold[4:0]) == '0);
  RotateInside:  assert property (@(posedge clk_i) st_i.rotate != 2'd3);

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    SlotExists:  assert property (@(posedge clk_i) st_i.events[e].slot < 5'(EventSlots));
    for (genvar o = e + 1; o < int'(NumEvents); o++) begin : gen_others
      // Else the choice between events that expire in one lane would not be one.
      SlotsDiffer: assert property (@(posedge clk_i)
          !(st_i.session.active && st_i.block.flags[e+1] && st_i.block.flags[o+1]) ||
          (st_i.events[e].slot != st_i.events[o].slot));
    end
  end

  /////////////
  // Records //
  /////////////

  NoHoles:       assert property (@(posedge clk_i)
      ((st_i.records[0].event_id != EventNone) || (st_i.records[1].event_id == EventNone)) &&
      ((st_i.records[1].event_id != EventNone) || (st_i.records[2].event_id == EventNone)));
  // LWP-STO-10
  SingleRecord:  assert property (@(posedge clk_i) many || (st_i.records[1].event_id == EventNone));
  OthersInRun:   assert property (@(posedge clk_i) st_i.session.active || (st_i.records[1].event_id == EventNone));
  PendingRecord: assert property (@(posedge clk_i) !st_i.pending || (st_i.records[0].event_id != EventNone));

  PendingPolicy: assert property (@(posedge clk_i)
      !st_i.pending || (cfg_i.leave_policy == LeaveHold) || (cfg_i.fault_policy == PolicyTrapPending));
  // What cannot be restored is there only in a session.
  RecordInRun:   assert property (@(posedge clk_i)
      st_i.session.active || (st_i.records[0].event_id == EventNone) || (cfg_i.leave_policy == LeaveHold) ||
      (cfg_i.fault_policy == PolicyTrapPending));

  for (genvar i = 0; i < int'(RecordQueue); i++) begin : gen_records
    for (genvar o = i + 1; o < int'(RecordQueue); o++) begin : gen_others
      NoEventTwice: assert property (@(posedge clk_i)
          (st_i.records[i].event_id == EventNone) || (st_i.records[i].event_id != st_i.records[o].event_id));
    end
    for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_frozen
      // LWP-CNT-06, LWP-STO-10: what has expired stays at zero until its record is out.
      Frozen: assert property (@(posedge clk_i)
          !(st_i.session.active && is_event(st_i.records[i].event_id, e)) || (st_i.events[e].counter == '0));
    end
  end

  if (LatencyBits < LatencyW) begin : gen_latency
    LatencyFits: assert property (@(posedge clk_i)
        ((st_i.records[0].data | st_i.records[1].data | st_i.records[2].data | st_i.cand.latency |
        st_i.tag.latency) >> LatencyBits) == '0);
  end

  CandidateAlone: assert property (@(posedge clk_i) !st_i.tag.valid || !st_i.cand.valid);
  CandidateZero:  assert property (@(posedge clk_i)
      !(st_i.cand.valid && st_i.session.active) || (st_i.events[Dc].counter == '0));
  CandidateOps:   assert property (@(posedge clk_i)
      !st_i.cand.valid || (st_i.ctl.st == CtlIdle) || st_i.ctl.ring3 || st_i.ctl.init);
  CandidateLive:  assert property (@(posedge clk_i)
      !(st_i.cand.valid && st_i.session.active) || (st_i.session.msr0[Dc + 1] && st_i.block.flags[Dc + 1]));
  TagZero:        assert property (@(posedge clk_i)
      !(st_i.tag.valid && st_i.session.active) || (st_i.events[Dc].counter == '0));
  TagReplay:      assert property (@(posedge clk_i) !(st_i.tag.valid || st_i.retire.flush_req) || replay);
  TagNoRecord:    assert property (@(posedge clk_i)
      !(st_i.tag.valid && st_i.session.active) || !((st_i.records[0].event_id == EventDcMiss) ||
      (st_i.records[1].event_id == EventDcMiss) || (st_i.records[2].event_id == EventDcMiss)));
  UndoPolicy:     assert property (@(posedge clk_i)
      fault_policy || !(st_i.undo.split || st_i.undo.valid || (st_i.undo.counters != '0)));
  CutSync:        assert property (@(posedge clk_i) cfg_i.store_timing || !st_i.retire.cut_valid);
  CutInside:      assert property (@(posedge clk_i) 32'(st_i.retire.cut_lane) < RetireLanes);

  ///////////
  // Store //
  ///////////

  StoreInRun:    assert property (@(posedge clk_i) (st_i.store.st == StoreIdle) || st_i.session.active);
  StoreOrTrap:   assert property (@(posedge clk_i) (st_i.store.st == StoreIdle) || !st_i.pf.valid);
  StoreKnown:    assert property (@(posedge clk_i) st_i.store.st <= StoreMissWrite);
  RecordIsOne:   assert property (@(posedge clk_i)
      (st_i.store.st == StoreIdle) || store_missed || (st_i.records[0].event_id != EventNone));
  BeatsInWrite:  assert property (@(posedge clk_i)
      (st_i.store.st inside {StoreIdle, StoreWrite}) || store_missed || (st_i.store.beat == '0));
  StrapStates:   assert property (@(posedge clk_i)
      ((st_i.store.st != StoreInterval) || cfg_i.interval_source) &&
      ((st_i.store.st != StoreFullHead) || cfg_i.head_flush));
  MissedOwed:    assert property (@(posedge clk_i)
      !store_missed || (cfg_i.missed_mode ? (st_i.ring.missed == 16'hFFFF) : (st_i.ring.missed != '0)));
  // LWP-ACC-14
  MissedRoom:    assert property (@(posedge clk_i)
      store_missed || (st_i.store.st inside {StoreIdle, StoreReset}) ||
      (cfg_i.missed_mode ? (st_i.ring.missed != 16'hFFFF) : (st_i.ring.missed == '0)));
  // LWP-ADR-04, LWP-ADR-05
  AddrTracked:   assert property (@(posedge clk_i)
      addr_track_i == ((cfg_i.address_policy == AddressNext) && st_i.session.active && st_i.block.flags[3] &&
      st_i.session.msr0[3] && (st_i.events[Dc].counter == '0) && (st_i.retire.was_ring3 || !cfg_i.address_gate)));
  DrainNeeded:   assert property (@(posedge clk_i)
      !drain_i || ((cfg_i.leave_policy == LeaveDrain) && st_i.session.active && st_i.retire.was_ring3 && !st_i.pf.valid));

  //////////
  // Port //
  //////////

  OneAccess:     assert property (@(posedge clk_i) !(st_i.port.req && st_i.port.waiting));
  DropWaits:     assert property (@(posedge clk_i) !st_i.port.drop || st_i.port.waiting);
  // LWP-STO-16
  OneWorks:      assert property (@(posedge clk_i) (st_i.store.st == StoreIdle) || !ctl_memory);
  SomebodyWaits: assert property (@(posedge clk_i)
      !(st_i.port.req || (st_i.port.waiting && !st_i.port.drop)) || store_memory || ctl_memory);
  // LWP-OVR-07
  EnabledAccess: assert property (@(posedge clk_i) st_i.session.msr0[0] || !(st_i.port.req || st_i.port.waiting));
  // LWP-CTX-08
  ContextAlone:  assert property (@(posedge clk_i)
      st_i.ctl.init || !ctl_memory || !(st_i.ctl.op inside {OpSave, OpRestore}));
  MemAligned:    assert property (@(posedge clk_i) st_i.port.addr[2:0] == '0);
  KnownCommand:  assert property (@(posedge clk_i) st_i.port.cmd inside {MemRead, MemWrite, MemProbe});
  KnownBytes:    assert property (@(posedge clk_i)
      !(st_i.port.req || st_i.port.waiting) || (st_i.port.be == BytesAll) ||
      (st_i.port.be == BytesLow) || (st_i.port.be == BytesHigh));
  DataInBytes:   assert property (@(posedge clk_i)
      !st_i.port.req || (((st_i.port.be != BytesLow) || (st_i.port.wdata[63:32] == '0)) &&
      ((st_i.port.be != BytesHigh) || (st_i.port.wdata[31:0] == '0)) &&
      ((st_i.port.cmd == MemWrite) || (st_i.port.wdata == '0))));

  // Of the state that asked, the request that stands.
  logic asked_write, in_ring, in_block;
  assign asked_write = st_i.port.req && (st_i.port.cmd == MemWrite);
  assign in_ring     = st_i.store.st == StoreWrite;
  assign in_block    = asked_write && !in_ring;

  // LWP-LCB-09
  FlagsWrite:    assert property (@(posedge clk_i)
      !(in_block && (st_i.ctl.st != CtlFlags)) || (st_i.port.addr != st_i.session.lwpcb));
  // LWP-LCB-15
  TailNotOurs:   assert property (@(posedge clk_i)
      !(in_block && (st_i.port.addr == st_i.session.lwpcb + 64'(LwpcbHeadTail)) && (st_i.ctl.st != CtlFlags)) ||
      (st_i.port.be == BytesLow));
  // LWP-LCB-09, LWP-LCB-15
  KnownWrites:   assert property (@(posedge clk_i)
      !in_block || ((st_i.store.st inside {StoreHead, StoreFullHead}) && (st_i.port.be == BytesLow) &&
      (st_i.port.addr == st_i.session.lwpcb + 64'(LwpcbHeadTail))) || ((st_i.store.st == StoreMissWrite) &&
      (st_i.port.addr == st_i.session.lwpcb + 64'(LwpcbMissedEvents))) || (st_i.ctl.st == CtlFlush) ||
      ((st_i.ctl.st == CtlFlags) && (st_i.port.addr == st_i.ctl.arg) && (st_i.port.be == BytesLow)));
  // LWP-FLG-05
  FlagsWritten:  assert property (@(posedge clk_i)
      !(st_i.port.req && (st_i.ctl.st == CtlFlags)) || (st_i.port.wdata[30:4] == '0));
  // LWP-LLW-30
  PendingWrite:  assert property (@(posedge clk_i)
      !(asked_write && st_i.session.init_pending) || (st_i.ctl.st == CtlFlags));
  // LWP-REC-09, LWP-DCM-09, LWP-SEC-07
  FirstBeat:     assert property (@(posedge clk_i)
      !(asked_write && in_ring && (st_i.store.beat == 2'd0)) || ((st_i.port.wdata[27:16] == '0) &&
      (st_i.port.wdata[15:8] == cfg_i.core_id) && (st_i.port.wdata[7:0] inside {[8'd1:8'd3]})));
  // LWP-REC-09, LWP-INS-06, LWP-BRN-16, LWP-DCM-23, LWP-SEC-07
  LastBeat:      assert property (@(posedge clk_i)
      !(asked_write && in_ring && (st_i.store.beat == 2'd3)) || (st_i.port.wdata == '0));

  /////////////
  // Control //
  /////////////

  KnownState:    assert property (@(posedge clk_i) st_i.ctl.st <= CtlDone);
  IdxInside:     assert property (@(posedge clk_i) st_i.ctl.idx <= MaxIdx);
  NoInitFlush:   assert property (@(posedge clk_i)
      !(st_i.ctl.init && (st_i.ctl.st inside {CtlWait, CtlFlush, CtlDone})));
  FlushActive:   assert property (@(posedge clk_i) (st_i.ctl.st != CtlFlush) || st_i.session.active);
  LoadInactive:  assert property (@(posedge clk_i) !(st_i.ctl.st inside {CtlLoad, CtlFlags}) || !st_i.session.active);
  ArgAligned:    assert property (@(posedge clk_i)
      !(st_i.ctl.st inside {CtlProbe, CtlLoad, CtlFlags}) || (st_i.ctl.arg[3:0] == '0));
  // LWP-LLW-10
  LoadInRing3:   assert property (@(posedge clk_i)
      !(st_i.ctl.st inside {CtlProbe, CtlLoad, CtlFlags}) || st_i.ctl.ring3 || st_i.ctl.init);
  ReloadLoads:   assert property (@(posedge clk_i)
      !(st_i.session.reload && (st_i.ctl.st inside {CtlFlush, CtlFlags})) &&
      !(st_i.session.reload && st_i.ctl.init && (st_i.ctl.st == CtlProbe)));
  UnknownFaults:  assert property (@(posedge clk_i)
      st_i.ctl.init || (st_i.ctl.st == CtlIdle) || (st_i.ctl.op <= OpRestore) ||
      (st_i.ctl.fault == FaultUd));

  // LWPMSR0 belongs to the core: no operation of a user's changes it.
  UserFaults:    assert property (@(posedge clk_i)
      (st_i.ctl.st == CtlIdle) || st_i.ctl.init || !st_i.ctl.ring3 || (st_i.ctl.fault != FaultNone) ||
      !((st_i.ctl.op == OpWrMsr0) || ((st_i.ctl.op == OpRestore) && (st_i.ctl.idx == 5'd8))));
  AbsentFaults:  assert property (@(posedge clk_i)
      cfg_i.present || (st_i.ctl.st == CtlIdle) || (st_i.ctl.fault != FaultNone));

  //////////////
  // Requests //
  //////////////

  AbortPolicy:   assert property (@(posedge clk_i) !st_i.pf.aborts || fault_policy);

  //////////////////////////
  // Miss address buffer //
  //////////////////////////

  localparam logic [LatencyW-1:0] MaxLatency = LatencyW'((64'd1 << LatencyBits) - 64'd16);

  for (genvar i = 0; i < int'(MabEntries); i++) begin : gen_mab
    // LWP-LAT-06
    MabSaturates: assert property (@(posedge clk_i) st_i.mab.entries[i].latency <= MaxLatency);
    MabUnused:    assert property (@(posedge clk_i) cfg_i.latency_source || (st_i.mab.entries[i] == '0));
  end
  PhaseUnused:    assert property (@(posedge clk_i)
      (cfg_i.latency_source && cfg_i.latency_phase) || (st_i.mab.phase == '0));

  /////////////////////
  // Straps and steps //
  /////////////////////

  lwp_assert_straps u_straps (
    .clk_i,
    .cfg_i
  );

  lwp_assert_step u_step (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .st_i,
    .ring3_i,
    .mem_gnt_i,
    .irq_ack_i,
    .pf_ack_i,
    .alloc_valid_i,
    .alloc_entry_i,
    .store_want_i,
    .ctl_want_i,
    .store_fault_i,
    .init_fault_i
  );

endmodule
