// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Progress: no deadlock. Where memory answers in time, a store comes to its end, an operation is answered and a
// deferred initialisation ends within a bound; what can start, starts in the next cycle.
//
// Each claim is a rank: the cycles that what is under way may still take. The cycles it has taken and the rank are
// together never above the bound, so the rank falls in every cycle, and the bound holds without a bound on the run.

module formal_progress
  import lwp_pkg::*;
  import lwp_state_pkg::*;
  import formal_pkg::*;
#(
  // As in formal_env: cycles until a grant, from the grant to the response.
  parameter int unsigned GntMax = 2,
  parameter int unsigned RspMax = 2
) (
  input logic       clk_i,
  input logic       rst_ni,
  input config_t    cfg_i,
  input in_t        in_i,
  input out_t       out_i,
  input state_t     st_i,
  // The cycle before, if there was one.
  input logic       valid_i,
  input in_t        was_in_i,
  input out_t       was_out_i,
  input state_t     was_i,
  // Cycles that the request stands, that the response is awaited.
  input logic [3:0] gnt_age_i,
  input logic [3:0] rsp_age_i
);

  typedef logic [11:0] cycles_t;

  // An access: issue, grant, response.
  localparam cycles_t Access = cycles_t'(1 + GntMax + RspMax);
  localparam cycles_t Rsp    = cycles_t'(RspMax);
  // All reads of a block; a record from its start to its reset; MissedEvents.
  localparam cycles_t Block  = cycles_t'(4 + Slots) * Access;
  localparam cycles_t Record = cycles_t'(1) + Rsp + cycles_t'(7) * Access + cycles_t'(2);
  localparam cycles_t Missed = cycles_t'(1) + Rsp + cycles_t'(2) * Access;

  // Of the access under way, or of the next; one that belongs to nobody any more comes first.
  cycles_t left;
  always_comb begin
    left = Access;
    if (st_i.port.req) begin
      left = cycles_t'(GntMax) - cycles_t'(gnt_age_i) + Rsp;
    end else if (st_i.port.waiting) begin
      left = Rsp - cycles_t'(rsp_age_i) + (st_i.port.drop ? Access : '0);
    end
  end

  always_comb begin
    GrantAge:  assert (!st_i.port.req || (32'(gnt_age_i) < GntMax));
    AnswerAge: assert (st_i.port.waiting ? (32'(rsp_age_i) < RspMax) : (rsp_age_i == '0));
    // Only the first access of a store may have to wait for the answer to one that was given up.
    DropFirst: assert (!st_i.port.drop || (st_i.store.st inside {StoreIdle, StoreInterval, StoreMissRead}) ||
                       ((st_i.store.st == StoreWrite) && (st_i.store.beat == '0)) ||
                       ((st_i.store.st == StoreTail) && cfg_i.write_on_full));
    DropInit:  assert (!(st_i.port.drop && (st_i.ctl.st inside {CtlFlush, CtlFlags})) &&
                       !(st_i.port.drop && (st_i.ctl.st inside {CtlProbe, CtlLoad}) && (st_i.ctl.idx != '0)));
    NobodyAsks:assert (!((st_i.store.st == StoreIdle) && (st_i.ctl.st inside {CtlIdle, CtlWait, CtlDone})) ||
                       (!st_i.port.req && (!st_i.port.waiting || st_i.port.drop)));
  end

  ///////////
  // Store //
  ///////////

  localparam cycles_t StoreBound = Record + Rsp;

  cycles_t store_rank, store_age_q;
  always_comb begin
    unique case (st_i.store.st)
      StoreInterval:  store_rank = left + cycles_t'(6) * Access + cycles_t'(2);
      StoreWrite:     store_rank = left + cycles_t'(2'd3 - st_i.store.beat) * Access +
                                   (cfg_i.write_on_full ? Access : Access + Access) + cycles_t'(2);
      StoreTail:      store_rank = left + (cfg_i.write_on_full ? cycles_t'(5) * Access : Access) + cycles_t'(2);
      StoreHead:      store_rank = left + cycles_t'(2);
      StoreFullHead:  store_rank = left + cycles_t'(1);
      StoreReport:    store_rank = cycles_t'(2);
      StoreReset:     store_rank = cycles_t'(1);
      StoreMissRead:  store_rank = left + Access;
      StoreMissWrite: store_rank = left;
      default:        store_rank = '0;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      store_age_q <= '0;
    end else begin
      store_age_q <= (st_i.store.st == StoreIdle) ? '0 : store_age_q + cycles_t'(1);
    end
  end

  logic starts;
  assign starts = valid_i && was_i.session.active && in_ring3(was_in_i) && !was_i.pf.valid &&
                  (was_i.ctl.st inside {CtlIdle, CtlWait}) && (was_i.store.st == StoreIdle) &&
                  (was_i.records[0].event_id != EventNone);

  always_comb begin
    StoreEnds:   assert ((store_age_q <= StoreBound) && (store_rank <= StoreBound - store_age_q));
    StoreStarts: assert (!starts || (st_i.store.st != StoreIdle));
  end

  /////////////
  // Control //
  /////////////

  // What the accesses of an operation, or of an initialisation, may still take: a load that faults is followed by one
  // of
  // the block that was flushed.
  localparam cycles_t LoadAll = Block + Access + Block + cycles_t'(2);
  localparam cycles_t MemAll  = Rsp + cycles_t'(8) * Access + LoadAll;

  cycles_t ctl_rank;
  logic    back;
  assign back = !st_i.ctl.init && (st_i.ctl.fault != FaultNone);
  always_comb begin
    unique case (st_i.ctl.st)
      CtlProbe: ctl_rank = left + cycles_t'(5'd1 - st_i.ctl.idx) * Access + cycles_t'(6) * Access + LoadAll;
      CtlFlush: ctl_rank = left + cycles_t'(5'd5 - st_i.ctl.idx) * Access + LoadAll;
      CtlLoad:  ctl_rank = left + cycles_t'(5'd3 + 5'(Slots) - st_i.ctl.idx) * Access + cycles_t'(2) +
                           (back ? '0 : Access + Block);
      CtlFlags: ctl_rank = left + Block + cycles_t'(2);
      CtlDone:  ctl_rank = cycles_t'(1);
      default:  ctl_rank = '0;
    endcase
  end

  cycles_t mem_age_q;
  logic    memory;
  assign memory = st_i.ctl.st inside {CtlProbe, CtlFlush, CtlLoad, CtlFlags};
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      mem_age_q <= '0;
    end else begin
      mem_age_q <= memory ? mem_age_q + cycles_t'(1) : '0;
    end
  end

  logic begins;
  assign begins = valid_i && was_i.session.init_pending && in_ring3(was_in_i) && !was_i.pf.valid && (was_i.ctl.st == CtlIdle) &&
                  (!was_in_i.ctl_valid || was_out_i.stall);

  always_comb begin
    AccessesEnd: assert (!memory || ((mem_age_q <= MemAll) && (ctl_rank <= MemAll - mem_age_q)));
    InitStarts:  assert (!begins || (st_i.ctl.st != CtlIdle));
    DoneIsOne:   assert (!(valid_i && (was_i.ctl.st == CtlDone)) || (st_i.ctl.st == CtlIdle));
  end

  //////////
  // Wait //
  //////////

  // What the store machine has to do before the unit has settled: what it is at, the records behind it, and for each of
  // them a missed event. Nothing new is gathered meanwhile.
  localparam cycles_t WaitAll = StoreBound + cycles_t'(3) * (Record + Missed) + Missed + Missed + Rsp + cycles_t'(2);

  cycles_t others, dropped, wait_rank, wait_age_q;
  logic    owed, misses, storing_record;
  assign owed           = cfg_i.missed_mode ? (st_i.ring.missed == 16'hFFFF) : (st_i.ring.missed != '0);
  assign storing_record = st_i.store.st inside {[StoreInterval:StoreReset]};
  // Records that the store machine is not at yet; the one that it is at may be missed.
  assign others         = cycles_t'((st_i.records[0].event_id != EventNone) && !storing_record) +
                          cycles_t'(st_i.records[1].event_id != EventNone) +
                          cycles_t'(st_i.records[2].event_id != EventNone);
  assign misses         = storing_record || (owed && !(st_i.store.st inside {StoreMissRead, StoreMissWrite}));

  logic ring3;
  assign ring3 = in_ring3(in_i);
  always_comb begin
    // The answer to an access that was given up; a store that is at work counts it in its rank.
    dropped   = ((st_i.store.st == StoreIdle) && st_i.port.waiting) ? Rsp - cycles_t'(rsp_age_i) : '0;
    wait_rank = cycles_t'(1) + dropped;
    if (!ring3) begin
      if (st_i.store.st != StoreIdle) wait_rank = cycles_t'(2) + Rsp + store_rank;
    end else if (st_i.session.active && !st_i.pf.valid) begin
      wait_rank = cycles_t'(1) + dropped + store_rank + others * (Record + Missed) + (misses ? Missed : '0);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wait_age_q <= '0;
    end else begin
      wait_age_q <= (st_i.ctl.st == CtlWait) ? wait_age_q + cycles_t'(1) : '0;
    end
  end

  always_comb begin
    WaitEnds: assert ((st_i.ctl.st != CtlWait) || (st_i.ctl.fault != FaultNone) ||
                      ((wait_age_q <= WaitAll) && (wait_rank <= WaitAll - wait_age_q)));
    FaultEnds:assert (!(valid_i && (was_i.ctl.st == CtlWait) && (was_i.ctl.fault != FaultNone)) ||
                      (st_i.ctl.st == CtlDone));
  end

  always_comb begin
    CoverStore: cover (valid_i && (was_i.store.st == StoreReset));
    CoverWait:  cover (wait_age_q > cycles_t'(10));
  end

endmodule
