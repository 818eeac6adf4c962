// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Reachability: whole stories of the unit, from reset through a session to what is covered. No assertions.
//
// One set of covers for each set of straps (formal_pkg); the first for all of them.

module formal_reach
  import lwp_pkg::*;
  import lwp_state_pkg::*;
  import formal_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  // The straps of the run are fixed.
  input config_t cfg_i,
  input in_t     in_i,
  input out_t    out_i,
  input state_t  st_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input out_t    was_out_i,
  input state_t  was_i
);

  logic moved, left, fault, loaded, answered, dropped;
  logic [NumEvents-1:0] stored;
  assign moved    = valid_i && was_i.session.active && st_i.session.active && (was_i.ring.head != st_i.ring.head);
  assign left     = valid_i && in_ring3(was_in_i) && !in_ring3(in_i);
  assign fault    = valid_i && out_i.pf_valid && !was_out_i.pf_valid;
  assign loaded   = valid_i && !was_i.session.active && st_i.session.active;
  assign answered = out_i.rsp_valid && (out_i.rsp_fault == FaultNone);
  // A store was given up because ring 3 was left.
  assign dropped  = valid_i && (was_i.store.st inside {StoreWrite, StoreTail}) && (st_i.store.st == StoreIdle) &&
                    !in_ring3(was_in_i);

  // What has happened so far.
  logic faulted_q, acked_q, dropped_q, restored_q, flushed_q, outside_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      faulted_q  <= 1'b0;
      acked_q    <= 1'b0;
      dropped_q  <= 1'b0;
      restored_q <= 1'b0;
      flushed_q  <= 1'b0;
      outside_q  <= 1'b0;
    end else begin
      faulted_q  <= faulted_q || fault;
      acked_q    <= acked_q || (out_i.pf_valid && in_i.pf_ack);
      dropped_q  <= dropped_q || dropped;
      restored_q <= restored_q || (answered && (st_i.ctl.op == OpRestore));
      flushed_q  <= flushed_q || (valid_i && (was_i.ctl.st == CtlFlush) && (st_i.ctl.st == CtlLoad));
      // The record that is held has been outside ring 3.
      outside_q  <= (st_i.records[0].event_id != EventNone) && (outside_q || !in_ring3(in_i));
    end
  end

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    assign stored[e] = moved && (was_i.records[0].event_id == event_id_e'(e + 1));
  end

  // A cover of what has been reached in some cycle: it is looked for in the last one alone, not in each.
`define FORMAL_REACHED(NAME, CONDITION) \
  logic NAME``_q; \
  always_ff @(posedge clk_i or negedge rst_ni) begin \
    if (!rst_ni) NAME``_q <= 1'b0; \
    else NAME``_q <= NAME``_q || (CONDITION); \
  end \
  always_comb begin \
    NAME: cover (NAME``_q); \
  end

`ifdef FORMAL_REACH_FIRST
  // From reset to a session and its first record.
  `FORMAL_REACHED(CoverLoaded, loaded)
  `FORMAL_REACHED(CoverFirst, stored[Ins])
`endif

// Ring 3 is not left, no operation comes.
`ifdef FORMAL_REACH_COUNT
  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_stored
    `FORMAL_REACHED(CoverEvent, stored[e])
  end
`ifdef FORMAL_DEFAULT_STRAPS
  // A page fault is delivered; software repairs it; the next record is stored.
  `FORMAL_REACHED(CoverRetried, acked_q && moved)
  // A record is missed, and memory knows it.
  `FORMAL_REACHED(CoverMissWritten, valid_i && (was_i.store.st == StoreMissWrite) && (st_i.ring.missed == '0) && st_i.session.active)
`endif
`ifdef FORMAL_RICH_STRAPS
  // A record that faulted is stored after the trap.
  `FORMAL_REACHED(CoverPended, acked_q && was_i.pending && moved)
  // The address of a miss comes with the replay; or the replay is aborted.
  `FORMAL_REACHED(CoverReplayed, valid_i && was_i.tag.valid && !st_i.tag.valid && st_i.records[0].flags[0] &&
                  (st_i.records[0].event_id == EventDcMiss))
  `FORMAL_REACHED(CoverAborted, valid_i && was_i.tag.valid && !st_i.tag.valid && was_in_i.replay_abort && st_i.session.active)
  // A full ring makes the head known.
  `FORMAL_REACHED(CoverFullHead, valid_i && (was_i.store.st == StoreFullHead) && (st_i.store.st == StoreReset))
  // A head that stays in the register; the record behind comes up.
  `FORMAL_REACHED(CoverDeferred, moved && (was_i.store.st != StoreHead))
  `FORMAL_REACHED(CoverKept, valid_i && (was_i.store.st == StoreReset) && (st_i.records[0].event_id != EventNone))
  `FORMAL_REACHED(CoverThree, st_i.records[2].event_id != EventNone)
`endif
`ifdef FORMAL_SYNC_STRAPS
  `FORMAL_REACHED(CoverCut, valid_i && out_i.cut_valid)
  // A fault undoes the instruction; it is executed again, and its record is stored.
  `FORMAL_REACHED(CoverUndone, fault && out_i.pf_abort)
  `FORMAL_REACHED(CoverAgain, acked_q && moved)
  `FORMAL_REACHED(CoverDelayed, valid_i && out_i.irq && !was_out_i.irq && (was_i.irq.count == 8'd1))
  // MissedEvents stays in the register.
  `FORMAL_REACHED(CoverCached, st_i.session.active && (st_i.ring.missed != '0) && (st_i.store.st == StoreIdle))
  `FORMAL_REACHED(CoverInterval, valid_i && (was_i.store.st == StoreInterval) && (st_i.store.st != StoreIdle))
  // The ring is found full before the record is written.
  `FORMAL_REACHED(CoverSkipped, valid_i && (was_i.store.st == StoreTail) && (st_i.store.st == StoreReset))
  `FORMAL_REACHED(CoverBuffer, (st_i.records[0].event_id == EventDcMiss) && (st_i.records[0].data == 31'd16))
`endif
`endif

// Ring 3 is left and entered again.
`ifdef FORMAL_REACH_LEAVE
`ifdef FORMAL_DEFAULT_STRAPS
  // A store is given up, and the next one comes to its end.
  `FORMAL_REACHED(CoverResumed, dropped_q && moved)
`endif
`ifdef FORMAL_RICH_STRAPS
  // A record stays while ring 3 is left, and is stored after that.
  `FORMAL_REACHED(CoverHeld, outside_q && moved)
`endif
`endif

// Operations, while nothing retires.
`ifdef FORMAL_REACH_OPERATE
`ifdef FORMAL_DEFAULT_STRAPS
  // SLWPCB in ring 3 flushes, and tells the block.
  `FORMAL_REACHED(CoverStored, answered && (st_i.ctl.op == OpSlwpcb) && (out_i.rsp_rdata != '0))
  `FORMAL_REACHED(CoverSaved, answered && (st_i.ctl.op == OpSave) && (st_i.ctl.idx == 5'd1) && out_i.rsp_rdata[32])
  // A restored session runs on.
  `FORMAL_REACHED(CoverRestored, restored_q && loaded && (was_i.ctl.st == CtlLoad))
  // One session follows another.
  `FORMAL_REACHED(CoverReplaced, flushed_q && loaded)
`endif
`ifdef FORMAL_RICH_STRAPS
  // The block of a pointer that was loaded outside ring 3.
  `FORMAL_REACHED(CoverLate, loaded && was_i.ctl.init)
`endif
`ifdef FORMAL_SYNC_STRAPS
  // Another pointer, without the flush.
  `FORMAL_REACHED(CoverNoFlush, answered && (st_i.ctl.op == OpLlwpcb) && !st_i.ctl.ring3 && !st_i.session.active)
`endif
`endif

// Two lanes in one cycle.
`ifdef FORMAL_REACH_LANES
  logic both, other_ip;
  assign both     = valid_i && was_i.session.active && !was_out_i.stall && was_in_i.lanes[0].valid && was_in_i.lanes[0].counts &&
                    was_in_i.lanes[Lanes-1].valid && was_in_i.lanes[Lanes-1].counts && !was_in_i.partial;
  assign other_ip = st_i.records[0].ip == was_in_i.lanes[Lanes-1].ip;
`ifdef FORMAL_DEFAULT_STRAPS
  // One event counts in both.
  `FORMAL_REACHED(CoverBothCount, both && (was_i.events[Ins].counter == CounterW'(2)) &&
                  (st_i.events[Ins].counter == '0) && other_ip && (st_i.records[0].event_id == EventInsRetired))
  // Two events expire, each in a lane of its own; the one that has no record waits.
  `FORMAL_REACHED(CoverBothExpire, both && (was_i.events[Ins].counter == CounterW'(1)) &&
                  (was_i.events[Br].counter == CounterW'(1)) && (was_in_i.lanes[0].branch_kind == BranchNone) &&
                  (was_in_i.lanes[1].branch_kind == BranchCond) && (st_i.events[Br].counter == '0) &&
                  (st_i.records[0].event_id == EventInsRetired))
  // A load of the upper lane alone.
  `FORMAL_REACHED(CoverUpperLoad, both && !was_in_i.lanes[0].loads[0].miss && other_ip &&
                  (st_i.records[0].event_id == EventDcMiss) && (was_i.records[0].event_id == EventNone))
`endif
`ifdef FORMAL_RICH_STRAPS
  // Both lanes gather, and the records stand in the order of the lanes.
  `FORMAL_REACHED(CoverBothGather, both && (was_i.records[0].event_id == EventNone) &&
                  (st_i.records[1].event_id != EventNone) && (st_i.records[1].ip == was_in_i.lanes[Lanes-1].ip) &&
                  (st_i.records[0].ip == was_in_i.lanes[0].ip))
`endif
`ifdef FORMAL_SYNC_STRAPS
  // The upper lane is cut off; it retires again and is counted then.
  logic cut_q;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) cut_q <= 1'b0;
    else cut_q <= cut_q || (both && out_i.cut_valid && (out_i.cut_lane == '0));
  end
  `FORMAL_REACHED(CoverCutUpper, both && out_i.cut_valid && (out_i.cut_lane == '0))
  `FORMAL_REACHED(CoverCutLast, both && out_i.cut_valid && (out_i.cut_lane == LaneW'(Lanes - 1)))
  `FORMAL_REACHED(CoverCutAgain, cut_q && both && out_i.cut_valid)
`endif
`endif

// Everything at once, and a memory that takes its time; so not for long.
`ifdef FORMAL_REACH_ABANDON
`ifdef FORMAL_RICH_STRAPS
  // A restored record beside a tagged load: the session that the tag belongs to has just ended.
  `FORMAL_REACHED(CoverTagged, valid_i && st_i.tag.valid && (st_i.records[0].event_id == EventDcMiss))
`else
  `FORMAL_REACHED(CoverAbandoned, dropped)
  // An answer that nobody awaits any more.
  `FORMAL_REACHED(CoverLateAnswer, valid_i && st_i.port.drop && in_i.mem_rvalid)
  // Disabled while an access of a store is under way.
  `FORMAL_REACHED(CoverDisabled, dropped_q && answered && (st_i.ctl.op == OpWrMsr0) && !st_i.session.msr0[0] && !st_i.session.active)
`endif
`endif

endmodule
