// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Ledger: no record is lost or doubled except as counted.
//
// Each place of the queue is followed from cycle to cycle. A record moves up only when the first one has been stored
// or missed; it leaves otherwise only for a reason of the contract (ring 3 is left, a page fault, an operation); a
// new record takes a free place only in a cycle that gathers or restores. A record is published once or missed once,
// never both. That it is missed is told by the way it leaves, not by the count: the count has to follow, in the
// register exactly by one for each, and from there in memory. What the unit's own assertions say of the count is not
// taken as proved here (proofs.toml, `without`).
//
// That what has expired gets a record is said in formal_counter.
//
// Rows: LWP-GAT-08, LWP-STO-10, LWP-STO-13, LWP-ACC-14, LWP-OVR-11.

module formal_ledger
  import lwp_pkg::*;
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

  // What happened to the first record in the cycle before.
  logic moved, missed, shifted, restored, forgot, fault, left;
  logic in_run;
  assign in_run   = valid_i && was_i.session.active && st_i.session.active;
  assign moved    = in_run && (was_i.ring.head != st_i.ring.head);
  assign missed   = valid_i && (was_i.store.st inside {StoreTail, StoreFullHead}) && (st_i.store.st == StoreReset);
  assign shifted  = valid_i && (was_i.store.st == StoreReset);
  assign restored = valid_i && (was_i.ctl.st == CtlWait) && (st_i.ctl.st != CtlWait) && (was_i.ctl.op == OpRestore) &&
                    (was_i.ctl.fault == FaultNone);
  // The reasons for which records are dropped: an operation, or the end of a load; a page fault; ring 3 is left.
  assign forgot   = valid_i && (((was_i.ctl.st == CtlWait) && (st_i.ctl.st != CtlWait) &&
                    (was_i.ctl.fault == FaultNone) &&
                    !(was_i.ctl.op inside {OpSave, OpRdMsr0})) || ((was_i.ctl.st inside {CtlProbe, CtlLoad, CtlFlags,
                    CtlFlush}) && (st_i.ctl.st != was_i.ctl.st)));
  assign fault    = valid_i && was_i.port.waiting && !was_i.port.drop && was_in_i.mem_rvalid && was_in_i.mem_err &&
                    (was_i.store.st inside {[StoreInterval:StoreFullHead], StoreMissRead, StoreMissWrite});
  assign left     = valid_i && was_i.session.active && !in_ring3(was_in_i);

  // Of the first record: published, or missed.
  logic published_q, missed_q, published, counted;
  assign published = published_q || moved;
  assign counted   = missed_q || missed;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      published_q <= 1'b0;
      missed_q    <= 1'b0;
    end else begin
      published_q <= published && !shifted && (st_i.store.st != StoreIdle);
      missed_q    <= counted && !shifted && (st_i.store.st != StoreIdle);
    end
  end

  // Once, and not both.
  always_comb begin
    PublishedOnce: assert (!moved || (!published_q && !missed_q && (was_i.records[0].event_id != EventNone)));
    LeavesCounted: assert ((st_i.store.st != StoreReset) || (published != counted));
    ReportsMoved:  assert ((st_i.store.st != StoreReport) || (published && !counted));
    NotYet:        assert (!(st_i.store.st inside {StoreInterval, StoreWrite, StoreTail, StoreHead, StoreFullHead}) ||
                           (!published && !counted));
  end

  // Place by place.
  logic [RecordQueue-1:0] there, was_there;
  logic                   gathers, any_lane;
  for (genvar i = 0; i < int'(RecordQueue); i++) begin : gen_there
    assign there[i]     = st_i.records[i].event_id != EventNone;
    assign was_there[i] = was_i.records[i].event_id != EventNone;
  end
  always_comb begin
    any_lane = 1'b0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (was_in_i.lanes[l].valid && was_in_i.lanes[l].counts) any_lane = 1'b1;
    end
  end
  assign gathers = valid_i && was_i.session.active && in_ring3(was_in_i) && !was_out_i.stall && !was_in_i.partial &&
                   !was_i.pf.valid &&
                   any_lane;

  for (genvar i = 0; i < int'(RecordQueue); i++) begin : gen_places
    record_t came;
    logic    was_here;
    // What this place holds if nothing is dropped and nothing comes.
    if (i + 1 < int'(RecordQueue)) begin : gen_up
      assign came     = shifted ? was_i.records[i+1] : was_i.records[i];
      assign was_here = shifted ? was_there[i+1] : was_there[i];
    end else begin : gen_last
      assign came     = shifted ? '0 : was_i.records[i];
      assign was_here = !shifted && was_there[i];
    end
    always_comb begin
      Kept: assert (!valid_i || !was_here || (st_i.records[i] == came) || restored ||
                    (!there[i] && (forgot || fault || left)));
      New:  assert (!valid_i || !there[i] || was_here || gathers || ((i == 0) && restored));
    end
  end

  // MissedEvents. What memory lacks, by what happened: a miss adds one; undoing the instruction that caused it takes
  // one back; memory that has answered the write lacks none; a restored context brings its own. It is forgotten only
  // with its session: when that ends, or another one begins.
  logic        gave, undone, ended;
  logic [63:0] lacks, read_q;
  logic        read_here_q, missed_read, missed_write, returned;
  assign returned     = valid_i && was_i.port.waiting && !was_i.port.drop && was_in_i.mem_rvalid;
  assign gave         = returned && !was_in_i.mem_err && (was_i.port.cmd == MemWrite) &&
                        ((was_i.store.st == StoreMissWrite) || ((was_i.ctl.st == CtlFlush) && (was_i.ctl.idx == 5'd5)));
  assign undone       = fault && st_i.pf.valid && st_i.pf.aborts && (was_i.store.st inside {StoreMissRead, StoreMissWrite});
  assign ended        = forgot && !st_i.session.reload && !(was_i.session.active && st_i.session.active) && !(was_i.session.reload && st_i.session.active);
  assign lacks        = (restored && (was_i.ctl.idx == 5'd1)) ? 64'(was_i.ctl.arg[63:48]) :
                        gave ? '0 : 64'(was_i.ring.missed) + 64'(missed) - 64'(undone);

  // Memory: what is written back is what was read for it, and what memory lacks.
  assign missed_read  = (st_i.store.st == StoreMissRead) || ((st_i.ctl.st == CtlFlush) && (st_i.ctl.idx == 5'd4) &&
                        (st_i.ring.missed != '0));
  assign missed_write = (st_i.ring.missed != '0) && ((st_i.store.st == StoreMissWrite) || ((st_i.ctl.st == CtlFlush) &&
                        (st_i.ctl.idx == 5'd5)));
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      read_q      <= '0;
      read_here_q <= 1'b0;
    end else if (st_i.port.waiting && !st_i.port.drop && in_i.mem_rvalid && !in_i.mem_err) begin
      read_q      <= in_i.mem_rdata;
      read_here_q <= (st_i.port.cmd == MemRead) && (st_i.port.be == BytesAll) &&
                     (st_i.port.addr == st_i.session.lwpcb + 64'(LwpcbMissedEvents));
    end
  end
  always_comb begin
    MissedExact:  assert (!valid_i || (64'(st_i.ring.missed) == lacks) || (ended && (st_i.ring.missed == '0)));
    MissedAdds:   assert (!missed_write || (st_i.port.wdata == read_q + 64'(st_i.ring.missed)));
    MissedPlace:  assert (!((missed_read || missed_write) && (st_i.port.req || st_i.port.waiting) && !st_i.port.drop) ||
                          ((st_i.port.addr == st_i.session.lwpcb + 64'(LwpcbMissedEvents)) && (st_i.port.be == BytesAll) &&
                          (st_i.port.cmd == (missed_write ? MemWrite : MemRead))));
    MissedFresh:  assert (!missed_write || read_here_q);
    MissedWrites: assert (!(missed_write && (st_i.port.req || st_i.port.waiting)) || !st_i.port.drop);
    // Memory may hold the sum already: its answer is waited for, and the sum not made anew.
    MissedWaits:  assert (!(valid_i && (was_i.store.st == StoreMissWrite) && was_i.port.waiting && !was_in_i.mem_rvalid) ||
                          (st_i.store.st == StoreMissWrite));
  end

  always_comb begin
    CoverDropped: cover (valid_i && was_there[0] && !there[0] && left);
    CoverFault:   cover (valid_i && was_there[0] && !there[0] && fault);
    CoverMissed:  cover (missed);
  end

endmodule
