// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Counters: each occurrence counts once, a counter at zero stays there until its record is stored or missed, only the
// event of that record starts over, what expires while there is room gets a record, and what is undone is what the
// instruction has counted. Of several occurrences in a cycle the record is the one's that counted down to zero.
//
// The reference below takes the lanes one after another, as the contract says it, and so is a second reading of
// count and gather beside the prefix sums of the RTL.
//
// Rows: LWP-CNT-03, LWP-CNT-06, LWP-CNT-10, LWP-RST-03, LWP-RST-04, LWP-MSR0-15.

module formal_counter
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
  import formal_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
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

  // Occurrences, as docs/src/lwp/count-gather.md defines them.
  function automatic logic loads_count(logic [30:0] latency, logic [2:0] source);
    logic [26:0] steps, minimum;
    logic        latency_ok, level_ok;
    steps      = 27'(latency[LatBits-1:4]);
    minimum    = 27'(was_i.block.filter[7:0]);
    minimum    = (minimum > 27'((64'd1 << (LatBits - 4)) - 64'd1)) ? 27'((64'd1 << (LatBits - 4)) - 64'd1) : minimum;
    latency_ok = !cfg_i.latency_filter || (was_i.block.filter[7:0] == '0) || (steps >= minimum);
    level_ok   = !cfg_i.level_filter || !was_i.block.filter[FilterClf] ||
                 ((source == 3'd1) && was_i.block.filter[FilterNbc]) || ((source == 3'd2) && was_i.block.filter[FilterRdc]) ||
                 ((source == 3'd3) && was_i.block.filter[FilterRam]) || ((source == 3'd7) && was_i.block.filter[FilterOth]);
    return latency_ok && level_ok;
  endfunction

  logic counting, replay;
  assign counting = valid_i && !was_out_i.stall && in_ring3(was_in_i) && was_i.session.active;
  assign replay   = cfg_i.address_policy == AddressReplay;

  logic [NumEvents-1:0]                 live, reset_of, loads, restores;
  logic [NumEvents-1:0][CounterW-1:0]   expected;
  // Before each lane; which lanes count it down to zero.
  logic [NumEvents-1:0][Lanes-1:0][CounterW-1:0] earlier;
  logic [NumEvents-1:0][Lanes-1:0]      expires;
  logic [Lanes-1:0][NumEvents-1:0][1:0] occ;
  logic                                 undone, restored;
  assign undone   = valid_i && st_i.pf.valid && st_i.pf.aborts && !was_i.pf.valid && (was_i.store.st != StoreIdle);
  assign restored = valid_i && (was_i.ctl.st == CtlWait) && (st_i.ctl.st != CtlWait) && (was_i.ctl.op == OpRestore) &&
                    (was_i.ctl.fault == FaultNone);

  // Of a split instruction the counters were kept when it began: its record is lane 0's.
  logic gathered_split, undo_stays;
  int unsigned undo_lane;
  assign undo_lane      = 32'(st_i.retire.cut_lane) % Lanes;
  assign gathered_split = was_i.undo.split && (undo_lane == 0);
  assign undo_stays     = (st_i.retire.cut_valid && st_i.undo.valid) ? gathered_split :
                          (st_i.undo.split && was_i.undo.split) || (st_i.undo.valid && was_i.undo.valid);

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lanes
    lane_t             lane;
    logic              here, retires;
    logic [1:0]        miss;
    logic [1:0][30:0]  latency;
    assign lane    = was_in_i.lanes[l];
    assign here    = lane.valid && lane.counts && ((l == 0) || !was_in_i.partial);
    assign retires = here && !was_in_i.partial;
    for (genvar p = 0; p < int'(LoadPorts); p++) begin : gen_ports
      assign latency[p] = cfg_i.latency_source ?
          (was_i.mab.entries[lane.loads[p].latency[2:0]].latency & (cfg_i.latency_step ? ~31'd15 : ~31'd0)) :
          31'(lane.loads[p].latency[LatBits-1:0]);
      assign miss[p] = lane.loads[p].miss && !(replay && lane.loads[p].is_tagged) &&
                       loads_count(latency[p], lane.loads[p].source);
    end
    assign occ[l][Ins] = 2'(retires);
    assign occ[l][Br]  = 2'(retires && (lane.branch_kind inside {[4'd1:4'd9]}) &&
                         !((lane.branch_kind == BranchJmpRel) && was_i.block.filter[FilterNdb]));
    assign occ[l][Dc]  = here ? 2'(miss[0]) + 2'(miss[1]) : 2'd0;
  end

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    assign reset_of[e] = valid_i && (was_i.store.st == StoreReset) && (was_i.records[0].event_id == event_id_e'(e + 1));
    assign live[e]     = counting && was_i.block.flags[e+1] && was_i.session.msr0[e+1] && !reset_of[e];
    // A slot of the block being loaded may bring the counter along.
    assign loads[e]    = valid_i && (was_i.ctl.st == CtlLoad) && (was_i.ctl.idx >= 5'd4) && was_in_i.mem_rvalid &&
                         !was_i.block.flags[e+1];
    assign restores[e] = restored;

    always_comb begin
      expected[e] = was_i.events[e].counter;
      earlier[e]   = {Lanes{was_i.events[e].counter}};
      expires[e]  = '0;
      if (live[e]) begin
        for (int unsigned l = 0; l < Lanes; l++) begin
          // Lanes above the cut have not been accepted.
          earlier[e][l] = expected[e];
          if (!(out_i.cut_valid && (LaneW'(l) > out_i.cut_lane))) begin
            expires[e][l] = (occ[l][e] != '0) && (CounterW'(occ[l][e]) >= expected[e]);
            expected[e] = (expected[e] > CounterW'(occ[l][e])) ? expected[e] - CounterW'(occ[l][e]) : '0;
          end
        end
      end
    end

    logic [CounterW-1:0] counter, now;
    assign counter = was_i.events[e].counter;
    assign now     = st_i.events[e].counter;

    always_comb begin
      // That a counter at zero stays there is part of this.
      CountsExact:  assert (!valid_i || reset_of[e] || loads[e] || restores[e] || undone || (now == expected[e]));
      // The bits of the interval that stay in a reset.
      ResetsToInterval: assert (!reset_of[e] || restored ||
                            ((now >> was_i.block.random) == (was_i.events[e].interval >> was_i.block.random)));
      // With the policy "fault": the counters from before the instruction whose record is gathered; they stay until it
      // is stored or undone; and undoing brings them back.
      UndoTaken:    assert (!(valid_i && st_i.retire.cut_valid && st_i.undo.valid && !gathered_split) ||
                            (st_i.undo.counters[e] == earlier[e][undo_lane]));
      UndoBegun:    assert (!(valid_i && st_i.undo.split && !was_i.undo.split) || (st_i.undo.counters[e] == counter));
      UndoKept:     assert (!(valid_i && undo_stays) || (st_i.undo.counters[e] == was_i.undo.counters[e]));
      UndoneBack:   assert (!undone || (now == was_i.undo.counters[e]));
    end
    always_comb begin
      CoverZero:    cover (valid_i && (counter != '0) && (now == '0) && live[e]);
      CoverFrozen:  cover (live[e] && (counter == '0) && (occ[0][e] != '0) && (now == '0));
      CoverReset:   cover (reset_of[e] && (now != '0));
    end
  end

  // Counted down to zero while no record waits, or beside those that do if several may: a record is gathered, for this
  // event or another one. An event that has a record already waits for that one; so does what is counted by rules of its
  // own, as the target "next" and replayed loads.
  logic [NumEvents-1:0] wanting;
  logic                 room;
  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_wanting
    logic plain;
    assign plain      = !cfg_i.gather_target && ((e != Dc) || !(cfg_i.address_policy inside {AddressNext, AddressReplay}));
    assign wanting[e] = plain && (expires[e] != '0) && (was_i.records[0].event_id != event_id_e'(e + 1)) &&
                        (was_i.records[1].event_id != event_id_e'(e + 1)) &&
                        (was_i.records[2].event_id != event_id_e'(e + 1));
  end
  assign room = (was_i.records[0].event_id == EventNone) || (cfg_i.gather_policy && !cfg_i.collision);

  function automatic logic [1:0] number(record_t [RecordQueue-1:0] records);
    return 2'(records[0].event_id != EventNone) + 2'(records[1].event_id != EventNone) +
           2'(records[2].event_id != EventNone);
  endfunction

  logic gathered;
  assign gathered = number(st_i.records) > number(was_i.records) - 2'(was_i.store.st == StoreReset);

  // A record that is gathered in the very cycle of a page fault goes with the others.
  logic faults;
  assign faults = was_i.port.waiting && was_in_i.mem_rvalid && was_in_i.mem_err;
  always_comb begin
    Gathers: assert (!(counting && !was_in_i.partial && !was_i.pf.valid && (wanting != '0) && room && !faults) || gathered);
  end

  // The interval that is read anew for a record is that of its event's slot.
  logic       reads_interval;
  logic [4:0] slot;
  assign reads_interval = (st_i.store.st == StoreInterval) && (st_i.port.req || st_i.port.waiting) && !st_i.port.drop;
  always_comb begin
    slot = '0;
    for (int unsigned e = 0; e < NumEvents; e++) begin
      if (is_event(st_i.records[0].event_id, e)) slot = st_i.events[e].slot;
    end
  end

  // Records that came in this cycle lie behind those that were there.
  logic [1:0] were, are;
  record_t    newest;
  logic       came, rotating;
  assign were     = number(was_i.records) - 2'(was_i.store.st == StoreReset);
  assign are      = number(st_i.records);
  assign came     = valid_i && !restored && (are > were);
  assign newest   = (are == 2'd3) ? st_i.records[2] : (are == 2'd2) ? st_i.records[1] : st_i.records[0];
  assign rotating = cfg_i.gather_select == SelectRotating;

  // Whether a record of a miss came, of a load of this cycle; it has the latency of one that counts down to zero.
  logic             miss_came;
  logic [30:0]      miss_latency;
  logic [Lanes-1:0] miss_here;
  always_comb begin
    miss_came    = 1'b0;
    miss_latency = '0;
    for (int unsigned i = 0; i < RecordQueue; i++) begin
      if (came && (2'(i) >= were) && is_event(st_i.records[i].event_id, Dc)) begin
        miss_came    = !was_i.cand.valid && !was_in_i.partial && !cfg_i.gather_target &&
                       !(cfg_i.address_policy inside {AddressNext, AddressReplay});
        miss_latency = 31'(st_i.records[i].data);
      end
    end
  end
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_miss
    // Both loads miss, and the first one leaves something to count.
    logic second;
    assign second       = (occ[l][Dc] == 2'd2) && (earlier[Dc][l] > CounterW'(1));
    assign miss_here[l] = expires[Dc][l] && (miss_latency ==
                          ((second || !gen_lanes[l].miss[0]) ? gen_lanes[l].latency[1] : gen_lanes[l].latency[0]));
  end

  always_comb begin
    IntervalPlace: assert (!reads_interval || ((st_i.port.cmd == MemRead) && (st_i.port.be == BytesLow) &&
                           (st_i.port.addr == st_i.session.lwpcb + 64'(LwpcbEvents) + {56'd0, slot, 3'd0})));
    // Loads of before their instruction retires take no part in the choice.
    RotatesToLast: assert (!(came && rotating && !is_event(newest.event_id, Dc)) ||
                           is_event(newest.event_id, 32'(st_i.rotate)));
    MissThatCounts: assert (!miss_came || (miss_here != '0));
  end

endmodule
