// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Privilege: outside ring 3 nothing is counted, gathered or stored, and memory is not accessed but by the flush of
// an explicit LLWPCB, SLWPCB or access to LWPMSR1.
//
// Requirement 3 of the proposal, "secure", as far as one run can show it; formal_secure compares two.
//
// Rows: LWP-SEC-01, LWP-SEC-08, LWP-SMM-01, LWP-STO-15, LWP-CTX-13, LWP-LLW-10.

module formal_privilege
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

  logic    op_busy, op_ring3, op_flush, outside;
  ctl_op_e op;
  formal_ops u_ops (
    .clk_i, .rst_ni, .in_i, .out_i, .st_i, .busy_o(op_busy), .op_o(op), .word_o(), .ring3_o(op_ring3),
    .flush_o(op_flush)
  );

  // The cycle before was not in ring 3, or in SMM.
  assign outside = valid_i && !in_ring3(was_in_i);

  always_comb begin
    // A request is a register: one may stand in the first cycle outside, decided in the cycle before.
    FlushAlone:     assert (!(outside && out_i.mem_req) || op_flush);
    // With the strap that skips them there is no access at all, unless the operation was issued in ring 3.
    SkipsFlush:     assert (!(cfg_i.flush_outside && (st_i.ctl.st == CtlFlush)) || st_i.ctl.ring3);
    // Only the old block's fields are written by what was issued outside ring 3.
    FlushFields:    assert (!(outside && out_i.mem_req && !op_ring3) || (st_i.session.active && (st_i.ctl.st == CtlFlush)));
  end

  // What belongs to the user: it stays as it is outside ring 3 unless an operation is carried out or an access that was
  // already granted comes to its end.
  logic carried, ends, reports;
  assign carried = valid_i && ((was_i.ctl.st != CtlIdle) && !was_i.ctl.init);
  assign ends    = (was_i.port.waiting && !was_i.port.drop) ||
                   ((was_i.store.st inside {StoreHead, StoreMissWrite}) && was_i.port.req && was_in_i.mem_gnt) ||
                   ((was_i.ctl.st == CtlFlags) && was_i.port.req && was_in_i.mem_gnt);
  assign reports = was_i.store.st inside {StoreReport, StoreReset};

  logic quiet;
  assign quiet = outside && !carried && !ends && !reports;

  logic [NumEvents-1:0] counters_kept;
  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    assign counters_kept[e] = st_i.events[e] == was_i.events[e];
    always_comb begin
      NothingCounted: assert (!outside || carried || reports || (st_i.events[e].counter == was_i.events[e].counter));
    end
  end
  for (genvar i = 0; i < int'(RecordQueue); i++) begin : gen_records
    always_comb begin
      NothingGathered: assert (!outside || carried || reports || (st_i.records[i] == was_i.records[i]) ||
                               (st_i.records[i] == '0));
    end
  end
  always_comb begin
    SessionKept:    assert (!quiet || ({st_i.session.msr0, st_i.session.lwpcb, st_i.session.active, st_i.session.init_pending, st_i.session.reload,
                            st_i.block.flags, st_i.block.base,
                            st_i.block.size, st_i.block.random, st_i.ring.head, st_i.ring.tail, st_i.block.threshold, st_i.block.filter, st_i.ring.missed,
                            st_i.ring.tail_skip,
                            st_i.lfsr, st_i.rotate} == {was_i.session.msr0, was_i.session.lwpcb, was_i.session.active, was_i.session.init_pending,
                            was_i.session.reload,
                            was_i.block.flags, was_i.block.base, was_i.block.size, was_i.block.random, was_i.ring.head, was_i.ring.tail,
                            was_i.block.threshold, was_i.block.filter,
                            was_i.ring.missed, was_i.ring.tail_skip, was_i.lfsr, was_i.rotate}));
    EventsKept:     assert (!quiet || (counters_kept == '1));
    NoFault:        assert (!outside || !out_i.pf_valid || was_out_i.pf_valid);
    NoCut:          assert (!outside || (!out_i.cut_valid && !out_i.flush_req));
  end

  always_comb begin
    CoverFlush:     cover (outside && out_i.mem_req && !op_ring3);
    CoverQuiet:     cover (quiet && was_i.session.active && was_in_i.lanes[0].valid && was_in_i.lanes[0].counts);
    CoverSmm:       cover (quiet && was_i.session.active && was_in_i.smm && (was_in_i.cpl == 2'd3) && was_in_i.lanes[0].valid);
    CoverWithdrawn: cover (outside && was_out_i.mem_req && !was_in_i.mem_gnt && !out_i.mem_req);
  end

endmodule
