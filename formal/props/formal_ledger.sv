// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Ledger: no record is lost or doubled except as counted.
//
// Each place of the queue is followed from cycle to cycle. A record moves up only when the first one has been stored or
// missed; it leaves otherwise only for a reason of the contract (ring 3 is left, a page fault, an operation); a new record
// takes a free place only in a cycle that gathers or restores. A record is published once or missed once, never both, and
// a miss adds one to MissedEvents: in the register, and from there in memory.
//
// Rows: LWP-GAT-08, LWP-STO-10, LWP-STO-13, LWP-ACC-14, LWP-OVR-11.

module formal_ledger
  import lwp_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  in_i
);

  logic    rst_n, valid;
  config_t cfg;
  out_t    out;
  state_t  st;
  // The cycle before.
  in_t     was_in;
  out_t    was_out;
  state_t  was;

  formal_env  u_env (.clk_i, .in_i, .out_i(out), .st_i(st), .rst_no(rst_n), .cfg_o(cfg), .gnt_age_o(), .rsp_age_o());
  formal_unit u_unit (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i, .out_o(out), .st_o(st));
  formal_past u_past (
    .clk_i, .rst_ni(rst_n), .in_i, .out_i(out), .st_i(st), .valid_o(valid), .in_o(was_in), .out_o(was_out), .st_o(was)
  );

  // What happened to the first record in the cycle before.
  logic moved, missed, shifted, restored, forgot, fault, left;
  logic in_run;
  assign in_run   = valid && was.active && st.active;
  assign moved    = in_run && (was.head != st.head);
  assign missed   = in_run && (st.missed == was.missed + 16'd1) && (st.missed != '0);
  assign shifted  = valid && (was.store_st == StoreReset);
  assign restored = valid && (was.ctl_st == CtlWait) && (st.ctl_st != CtlWait) && (was.ctl_op == OpRestore) &&
                    (was.ctl_fault == FaultNone);
  // The reasons for which records are dropped: an operation, or the end of a load; a page fault; ring 3 is left.
  assign forgot   = valid && (((was.ctl_st == CtlWait) && (st.ctl_st != CtlWait) && (was.ctl_fault == FaultNone) &&
                    !(was.ctl_op inside {OpSave, OpRdMsr0})) || ((was.ctl_st inside {CtlProbe, CtlLoad, CtlFlags,
                    CtlFlush}) && (st.ctl_st != was.ctl_st)));
  assign fault    = valid && was.mem_wait && !was.mem_drop && was_in.mem_rvalid && was_in.mem_err &&
                    (was.store_st inside {[StoreInterval:StoreFullHead], StoreMissRead, StoreMissWrite});
  assign left     = valid && was.active && !in_ring3(was_in);

  // Of the first record: published, or missed.
  logic published_q, missed_q, published, counted;
  assign published = published_q || moved;
  assign counted   = missed_q || missed;

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      published_q <= 1'b0;
      missed_q    <= 1'b0;
    end else begin
      published_q <= published && !shifted && (st.store_st != StoreIdle);
      missed_q    <= counted && !shifted && (st.store_st != StoreIdle);
    end
  end

  // Once, and not both.
  always_comb begin
    PublishedOnce: assert (!moved || (!published_q && !missed_q && (was.records[0].event_id != EventNone)));
    MissedOnce:    assert (!missed || restored || (!published_q && !missed_q && (was.records[0].event_id != EventNone)));
    LeavesCounted: assert ((st.store_st != StoreReset) || (published != counted));
    ReportsMoved:  assert ((st.store_st != StoreReport) || (published && !counted));
    NotYet:        assert (!(st.store_st inside {StoreInterval, StoreWrite, StoreTail, StoreHead, StoreFullHead}) ||
                           (!published && !counted));
  end

  // Place by place.
  logic [RecordQueue-1:0] there, was_there;
  logic                   gathers, any_lane;
  for (genvar i = 0; i < int'(RecordQueue); i++) begin : gen_there
    assign there[i]     = st.records[i].event_id != EventNone;
    assign was_there[i] = was.records[i].event_id != EventNone;
  end
  always_comb begin
    any_lane = 1'b0;
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (was_in.lanes[l].valid && was_in.lanes[l].counts) any_lane = 1'b1;
    end
  end
  assign gathers = valid && was.active && in_ring3(was_in) && !was_out.stall && !was_in.partial && !was.pf_valid &&
                   any_lane;

  for (genvar i = 0; i < int'(RecordQueue); i++) begin : gen_places
    record_t came;
    logic    was_here;
    // What this place holds if nothing is dropped and nothing comes.
    if (i + 1 < int'(RecordQueue)) begin : gen_up
      assign came     = shifted ? was.records[i+1] : was.records[i];
      assign was_here = shifted ? was_there[i+1] : was_there[i];
    end else begin : gen_last
      assign came     = shifted ? '0 : was.records[i];
      assign was_here = !shifted && was_there[i];
    end
    always_comb begin
      Kept: assert (!valid || !was_here || (st.records[i] == came) || restored ||
                    (!there[i] && (forgot || fault || left)));
      New:  assert (!valid || !there[i] || was_here || gathers || ((i == 0) && restored));
    end
  end

  // A record that has been published or missed leaves by the reset and in no other way.
  always_comb begin
    NotDroppedLate: assert (!(valid && (was.store_st inside {StoreReport, StoreReset})) ||
                            (was.store_st == StoreReset) || there[0]);
  end

  // MissedEvents: what is written back is what was read and what memory lacks, and then nothing is lacking.
  logic [63:0] read_q;
  logic        missed_write;
  assign missed_write = (st.missed != '0) && ((st.store_st == StoreMissWrite) || ((st.ctl_st == CtlFlush) && (st.ctl_idx == 5'd5)));
  always_ff @(posedge clk_i) begin
    if (st.mem_wait && !st.mem_drop && in_i.mem_rvalid && !in_i.mem_err) begin
      read_q <= in_i.mem_rdata;
    end
  end
  always_comb begin
    MissedAdds:   assert (!missed_write || (st.mem_wdata == read_q + 64'(st.missed)));
    MissedWrites: assert (!(missed_write && (st.mem_req || st.mem_wait)) ||
                          ((st.mem_cmd == MemWrite) && !st.mem_drop));
    MissedSpent:  assert (!valid || (st.missed == was.missed) || missed || restored || (st.missed == '0) ||
                          (fault && (st.missed == was.missed - 16'd1)));
    MissedStored: assert (!(in_run && (st.missed == '0) && (was.missed != '0)) || restored ||
                          ((was.store_st == StoreMissWrite) || (was.ctl_st == CtlFlush)) && was_in.mem_rvalid &&
                          (!was_in.mem_err || (fault && (was.missed == 16'd1))) || fault);
  end

  always_comb begin
    CoverKept:    cover (valid && shifted && there[0]);
    CoverDropped: cover (valid && was_there[0] && !there[0] && left);
    CoverFault:   cover (valid && was_there[0] && !there[0] && fault);
    CoverMissed:  cover (missed && !restored);
  end

endmodule
