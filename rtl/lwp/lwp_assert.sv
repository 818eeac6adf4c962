// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions that hold in every reachable state, for all inputs, legal or not. They serve simulation and proof, and are
// not part of the hardware.
//
// Each is one property without operators over time; assertions about two cycles are in lwp_assert_step. All of them
// hold in the reset state, so none is disabled by reset. The requirement rows above an assertion are those that it
// shows.

module lwp_assert
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  // Instructions that may retire in one cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes = 4,
  // Event slots of the LWPCB (CPUID LWPMaxEvents): 1 to 26.
  parameter int unsigned EventSlots  = 8,
  // Width of a reported latency (CPUID LWPCacheMax): 10 to 31.
  parameter int unsigned LatencyBits = 31
) (
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
  // Index of the event chosen last (`gather_select` = rotating).
  input logic [1:0]                         rotate_i,
  // Candidate: the load of a `partial` cycle that is recorded when its instruction retires.
  input cand_t                              cand_i,
  // Tag: the load that is being replayed for its address.
  input tag_t                               tag_i,
  // Counters to restore when an instruction is undone.
  input undo_t                              undo_i,
  // Record queue; records[0] is stored first.
  input record_t [RecordQueue-1:0]          records_i,
  // records[0] faulted and is stored before the next instruction retires.
  input logic                               pending_i,
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
  input logic                               init_fault_i,
  // The core must keep the addresses of loads.
  input logic                               addr_track_i,
  // The core must not leave ring 3 yet.
  input logic                               drain_i
);

  localparam logic [4:0] MaxIdx = (EventSlots > 12) ? 5'd3 + 5'(EventSlots) : 5'd15;

  logic store_memory, store_missed, ctl_memory, many, fault_policy, replay;
  assign store_memory = !(store_i.st inside {StoreIdle, StoreReport, StoreReset});
  assign store_missed = store_i.st inside {StoreMissRead, StoreMissWrite};
  assign ctl_memory   = ctl_i.st inside {CtlProbe, CtlFlush, CtlLoad, CtlFlags};
  assign many         = cfg_i.gather_policy && !cfg_i.collision;
  assign fault_policy = cfg_i.fault_policy == PolicyFault;
  assign replay       = cfg_i.address_policy == AddressReplay;

  logic [27:0] used;
  assign used      = ring_used(ring_i.head, ring_i.tail, block_i.size);

  /////////////
  // Session //
  /////////////

  Msr0Reserved:  assert property (@(posedge clk_i) session_i.msr0[30:NumEvents+1] == '0);
  // LWP-CPU-05
  Msr0Available: assert property (@(posedge clk_i)
      ({session_i.msr0[31], session_i.msr0[3:1]} &
      ~{cfg_i.avail_int, cfg_i.avail_dme, cfg_i.avail_bre, cfg_i.avail_ire}) == '0);
  AbsentMsr0:    assert property (@(posedge clk_i) cfg_i.present || (session_i.msr0 == '0));
  FlagsReserved: assert property (@(posedge clk_i) (block_i.flags[30:NumEvents+1] == '0) && !block_i.flags[0]);
  LwpcbAligned:  assert property (@(posedge clk_i) session_i.lwpcb[3:0] == '0);
  EnabledFirst:  assert property (@(posedge clk_i) session_i.msr0[0] || (session_i.lwpcb == '0));
  PointerFirst:  assert property (@(posedge clk_i)
      (session_i.lwpcb != '0) || (!session_i.init_pending && !session_i.active));
  OneSession:    assert property (@(posedge clk_i) !(session_i.active && (session_i.init_pending || session_i.reload)));
  SomeEvent:     assert property (@(posedge clk_i) !session_i.active || (block_i.flags[NumEvents:1] != '0));
  EventExists:   assert property (@(posedge clk_i)
      (block_i.flags[NumEvents:1] & ~{cfg_i.avail_dme, cfg_i.avail_bre, cfg_i.avail_ire}) == '0);
  SomeRoom:      assert property (@(posedge clk_i) !session_i.active || (block_i.size >= 28'd2 * RecordBytes));
  // LWP-STO-08
  HeadInside:    assert property (@(posedge clk_i) !session_i.active || (ring_i.head < block_i.size));
  TailInside:    assert property (@(posedge clk_i) !session_i.active || (ring_i.tail < block_i.size));
  // LWP-STO-07
  UsedInside:    assert property (@(posedge clk_i) !session_i.active || (used <= block_i.size - RecordBytes));
  // LWP-STO-08
  Multiples:     assert property (@(posedge clk_i)
      (block_i.base[4:0] | block_i.size[4:0] | ring_i.head[4:0] | ring_i.tail[4:0] | block_i.threshold[4:0]) == '0);
  RotateInside:  assert property (@(posedge clk_i) rotate_i != 2'd3);

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    SlotExists:  assert property (@(posedge clk_i) events_i[e].slot < 5'(EventSlots));
    for (genvar o = e + 1; o < int'(NumEvents); o++) begin : gen_others
      // The choice of the lowest slot among events that expire in one lane is thus unique.
      SlotsDiffer: assert property (@(posedge clk_i)
          !(session_i.active && block_i.flags[e+1] && block_i.flags[o+1]) ||
          (events_i[e].slot != events_i[o].slot));
    end
  end

  /////////////
  // Records //
  /////////////

  NoHoles:       assert property (@(posedge clk_i)
      ((records_i[0].event_id != EventNone) || (records_i[1].event_id == EventNone)) &&
      ((records_i[1].event_id != EventNone) || (records_i[2].event_id == EventNone)));
  // LWP-STO-10
  SingleRecord:  assert property (@(posedge clk_i) many || (records_i[1].event_id == EventNone));
  OthersInRun:   assert property (@(posedge clk_i) session_i.active || (records_i[1].event_id == EventNone));
  PendingRecord: assert property (@(posedge clk_i) !pending_i || (records_i[0].event_id != EventNone));

  PendingPolicy: assert property (@(posedge clk_i)
      !pending_i || (cfg_i.leave_policy == LeaveHold) || (cfg_i.fault_policy == PolicyTrapPending));
  // A record exists outside a session only if the straps can restore it.
  RecordInRun:   assert property (@(posedge clk_i)
      session_i.active || (records_i[0].event_id == EventNone) || (cfg_i.leave_policy == LeaveHold) ||
      (cfg_i.fault_policy == PolicyTrapPending));

  for (genvar i = 0; i < int'(RecordQueue); i++) begin : gen_records
    // LWP-INS-04, LWP-INS-06
    InsZero:     assert property (@(posedge clk_i)
        (records_i[i].event_id != EventInsRetired) ||
        ((records_i[i].flags == '0) && (records_i[i].data == '0) && (records_i[i].addr == '0)));
    // LWP-BRN-07, LWP-BRN-13, LWP-BRN-22
    BrReserved:  assert property (@(posedge clk_i)
        (records_i[i].event_id != EventBrRetired) ||
        ((records_i[i].data == '0) && !records_i[i].flags[0] && (records_i[i].flags[1] || !records_i[i].flags[2])));
    // LWP-DCM-22
    DcNoAddress: assert property (@(posedge clk_i)
        (records_i[i].event_id != EventDcMiss) || records_i[i].flags[0] || (records_i[i].addr == '0));
    for (genvar o = i + 1; o < int'(RecordQueue); o++) begin : gen_others
      NoEventTwice: assert property (@(posedge clk_i)
          (records_i[i].event_id == EventNone) || (records_i[i].event_id != records_i[o].event_id));
    end
    for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_frozen
      // LWP-CNT-06, LWP-STO-10: what has expired stays at zero until its record is out.
      Frozen: assert property (@(posedge clk_i)
          !(session_i.active && is_event(records_i[i].event_id, e)) || (events_i[e].counter == '0));
    end
  end

  if (LatencyBits < LatencyW) begin : gen_latency
    LatencyFits: assert property (@(posedge clk_i)
        ((records_i[0].data | records_i[1].data | records_i[2].data | cand_i.latency |
        tag_i.latency) >> LatencyBits) == '0);
  end

  CandidateAlone: assert property (@(posedge clk_i) !tag_i.valid || !cand_i.valid);
  CandidateZero:  assert property (@(posedge clk_i)
      !(cand_i.valid && session_i.active) || (events_i[Dc].counter == '0));
  CandidateOps:   assert property (@(posedge clk_i)
      !cand_i.valid || (ctl_i.st == CtlIdle) || ctl_i.ring3 || ctl_i.init);
  CandidateLive:  assert property (@(posedge clk_i)
      !(cand_i.valid && session_i.active) || (session_i.msr0[Dc + 1] && block_i.flags[Dc + 1]));
  TagZero:        assert property (@(posedge clk_i)
      !(tag_i.valid && session_i.active) || (events_i[Dc].counter == '0));
  TagReplay:      assert property (@(posedge clk_i) !(tag_i.valid || retire_i.flush_req) || replay);
  TagNoRecord:    assert property (@(posedge clk_i)
      !(tag_i.valid && session_i.active) || !((records_i[0].event_id == EventDcMiss) ||
      (records_i[1].event_id == EventDcMiss) || (records_i[2].event_id == EventDcMiss)));
  UndoPolicy:     assert property (@(posedge clk_i)
      fault_policy || !(undo_i.split || undo_i.valid || (undo_i.counters != '0)));
  CutSync:        assert property (@(posedge clk_i) cfg_i.store_timing || !retire_i.cut_valid);
  CutInside:      assert property (@(posedge clk_i) 32'(retire_i.cut_lane) < RetireLanes);

  ///////////
  // Store //
  ///////////

  StoreInRun:    assert property (@(posedge clk_i) (store_i.st == StoreIdle) || session_i.active);
  StoreOrTrap:   assert property (@(posedge clk_i) (store_i.st == StoreIdle) || !pf_i.valid);
  StoreKnown:    assert property (@(posedge clk_i) store_i.st <= StoreMissWrite);
  RecordIsOne:   assert property (@(posedge clk_i)
      (store_i.st == StoreIdle) || store_missed || (records_i[0].event_id != EventNone));
  BeatsInWrite:  assert property (@(posedge clk_i)
      (store_i.st inside {StoreIdle, StoreWrite}) || store_missed || (store_i.beat == '0));
  StrapStates:   assert property (@(posedge clk_i)
      ((store_i.st != StoreInterval) || cfg_i.interval_source) &&
      ((store_i.st != StoreFullHead) || cfg_i.head_flush));
  MissedOwed:    assert property (@(posedge clk_i)
      !store_missed || (cfg_i.missed_mode ? (ring_i.missed == 16'hFFFF) : (ring_i.missed != '0)));
  // LWP-ACC-14
  MissedRoom:    assert property (@(posedge clk_i)
      store_missed || (store_i.st inside {StoreIdle, StoreReset}) ||
      (cfg_i.missed_mode ? (ring_i.missed != 16'hFFFF) : (ring_i.missed == '0)));
  // LWP-ADR-04, LWP-ADR-05
  AddrTracked:   assert property (@(posedge clk_i)
      addr_track_i == ((cfg_i.address_policy == AddressNext) && session_i.active && block_i.flags[3] &&
      session_i.msr0[3] && (events_i[Dc].counter == '0) && (retire_i.was_ring3 || !cfg_i.address_gate)));
  DrainNeeded:   assert property (@(posedge clk_i)
      !drain_i || ((cfg_i.leave_policy == LeaveDrain) && session_i.active && retire_i.was_ring3 && !pf_i.valid));

  //////////
  // Port //
  //////////

  OneAccess:     assert property (@(posedge clk_i) !(port_i.req && port_i.waiting));
  DropWaits:     assert property (@(posedge clk_i) !port_i.drop || port_i.waiting);
  // LWP-STO-16
  OneWorks:      assert property (@(posedge clk_i) (store_i.st == StoreIdle) || !ctl_memory);
  SomebodyWaits: assert property (@(posedge clk_i)
      !(port_i.req || (port_i.waiting && !port_i.drop)) || store_memory || ctl_memory);
  // LWP-OVR-07
  EnabledAccess: assert property (@(posedge clk_i) session_i.msr0[0] || !(port_i.req || port_i.waiting));
  // LWP-CTX-08
  ContextAlone:  assert property (@(posedge clk_i)
      ctl_i.init || !ctl_memory || !(ctl_i.op inside {OpSave, OpRestore}));
  MemAligned:    assert property (@(posedge clk_i) port_i.addr[2:0] == '0);
  KnownCommand:  assert property (@(posedge clk_i) port_i.cmd inside {MemRead, MemWrite, MemProbe});
  KnownBytes:    assert property (@(posedge clk_i)
      !(port_i.req || port_i.waiting) || (port_i.be == BytesAll) ||
      (port_i.be == BytesLow) || (port_i.be == BytesHigh));
  DataInBytes:   assert property (@(posedge clk_i)
      !port_i.req || (((port_i.be != BytesLow) || (port_i.wdata[63:32] == '0)) &&
      ((port_i.be != BytesHigh) || (port_i.wdata[31:0] == '0)) &&
      ((port_i.cmd == MemWrite) || (port_i.wdata == '0))));

  // The pending request is a write; the store writes a record; a write of the unit to the LWPCB is pending.
  logic asked_write, in_ring, in_block;
  assign asked_write = port_i.req && (port_i.cmd == MemWrite);
  assign in_ring     = store_i.st == StoreWrite;
  assign in_block    = asked_write && !in_ring;

  // LWP-LCB-09
  FlagsWrite:    assert property (@(posedge clk_i)
      !(in_block && (ctl_i.st != CtlFlags)) || (port_i.addr != session_i.lwpcb));
  // LWP-LCB-15
  TailNotOurs:   assert property (@(posedge clk_i)
      !(in_block && (port_i.addr == session_i.lwpcb + 64'(LwpcbHeadTail)) && (ctl_i.st != CtlFlags)) ||
      (port_i.be == BytesLow));
  // LWP-LCB-09, LWP-LCB-15
  KnownWrites:   assert property (@(posedge clk_i)
      !in_block || ((store_i.st inside {StoreHead, StoreFullHead}) && (port_i.be == BytesLow) &&
      (port_i.addr == session_i.lwpcb + 64'(LwpcbHeadTail))) || ((store_i.st == StoreMissWrite) &&
      (port_i.addr == session_i.lwpcb + 64'(LwpcbMissedEvents))) || (ctl_i.st == CtlFlush) ||
      ((ctl_i.st == CtlFlags) && (port_i.addr == ctl_i.arg) && (port_i.be == BytesLow)));
  // LWP-FLG-05
  FlagsWritten:  assert property (@(posedge clk_i)
      !(port_i.req && (ctl_i.st == CtlFlags)) || (port_i.wdata[30:4] == '0));
  // LWP-LLW-30
  PendingWrite:  assert property (@(posedge clk_i)
      !(asked_write && session_i.init_pending) || (ctl_i.st == CtlFlags));
  // LWP-REC-09, LWP-INS-04, LWP-BRN-07, LWP-BRN-13, LWP-DCM-09, LWP-SEC-07
  FirstBeat:     assert property (@(posedge clk_i)
      !(asked_write && in_ring && (store_i.beat == 2'd0)) || ((port_i.wdata[27:16] == '0) &&
      (port_i.wdata[15:8] == cfg_i.core_id) && (port_i.wdata[7:0] inside {[8'd1:8'd3]}) &&
      ((port_i.wdata[7:0] != 8'd1) || (port_i.wdata[63:28] == '0)) &&
      ((port_i.wdata[7:0] != 8'd2) || ((port_i.wdata[63:32] == '0) && !port_i.wdata[28]))));
  // LWP-REC-09, LWP-INS-06
  ThirdBeat:     assert property (@(posedge clk_i)
      !(asked_write && in_ring && (store_i.beat == 2'd2)) || (records_i[0].event_id != EventInsRetired) ||
      (port_i.wdata == '0));
  // LWP-REC-09, LWP-INS-06, LWP-BRN-16, LWP-DCM-23, LWP-SEC-07
  LastBeat:      assert property (@(posedge clk_i)
      !(asked_write && in_ring && (store_i.beat == 2'd3)) || (port_i.wdata == '0));

  /////////////
  // Control //
  /////////////

  KnownState:    assert property (@(posedge clk_i) ctl_i.st <= CtlDone);
  IdxInside:     assert property (@(posedge clk_i) ctl_i.idx <= MaxIdx);
  NoInitFlush:   assert property (@(posedge clk_i)
      !(ctl_i.init && (ctl_i.st inside {CtlWait, CtlFlush, CtlDone})));
  FlushActive:   assert property (@(posedge clk_i) (ctl_i.st != CtlFlush) || session_i.active);
  LoadInactive:  assert property (@(posedge clk_i) !(ctl_i.st inside {CtlLoad, CtlFlags}) || !session_i.active);
  ArgAligned:    assert property (@(posedge clk_i)
      !(ctl_i.st inside {CtlProbe, CtlLoad, CtlFlags}) || (ctl_i.arg[3:0] == '0));
  // LWP-LLW-10
  LoadInRing3:   assert property (@(posedge clk_i)
      !(ctl_i.st inside {CtlProbe, CtlLoad, CtlFlags}) || ctl_i.ring3 || ctl_i.init);
  ReloadLoads:   assert property (@(posedge clk_i)
      !(session_i.reload && (ctl_i.st inside {CtlFlush, CtlFlags})) &&
      !(session_i.reload && ctl_i.init && (ctl_i.st == CtlProbe)));
  UnknownFaults:  assert property (@(posedge clk_i)
      ctl_i.init || (ctl_i.st == CtlIdle) || (ctl_i.op <= OpRestore) ||
      (ctl_i.fault == FaultUd));

  // LWPMSR0 belongs to the core: no operation issued in ring 3 changes it.
  UserFaults:    assert property (@(posedge clk_i)
      (ctl_i.st == CtlIdle) || ctl_i.init || !ctl_i.ring3 || (ctl_i.fault != FaultNone) ||
      !((ctl_i.op == OpWrMsr0) || ((ctl_i.op == OpRestore) && (ctl_i.idx == 5'd8))));
  AbsentFaults:  assert property (@(posedge clk_i)
      cfg_i.present || (ctl_i.st == CtlIdle) || (ctl_i.fault != FaultNone));

  //////////////
  // Requests //
  //////////////

  AbortPolicy:   assert property (@(posedge clk_i) !pf_i.aborts || fault_policy);

  //////////////////////////
  // Miss address buffer //
  //////////////////////////

  localparam logic [LatencyW-1:0] MaxLatency = LatencyW'((64'd1 << LatencyBits) - 64'd16);

  for (genvar i = 0; i < int'(MabEntries); i++) begin : gen_mab
    // LWP-LAT-06
    MabSaturates: assert property (@(posedge clk_i) mab_i.entries[i].latency <= MaxLatency);
    MabUnused:    assert property (@(posedge clk_i) cfg_i.latency_source || (mab_i.entries[i] == '0));
  end
  PhaseUnused:    assert property (@(posedge clk_i)
      (cfg_i.latency_source && cfg_i.latency_phase) || (mab_i.phase == '0));

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
    .session_i,
    .block_i,
    .ring_i,
    .events_i,
    .lfsr_i,
    .cand_i,
    .tag_i,
    .undo_i,
    .records_i,
    .store_i,
    .port_i,
    .ctl_i,
    .pf_i,
    .irq_i,
    .retire_i,
    .mab_i,
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
