// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Privilege: outside ring 3 nothing is counted, gathered or stored, and memory is not accessed but by the flush of an
// explicit LLWPCB, SLWPCB or access to LWPMSR1.
//
// Requirement 3 of the proposal, "secure", as far as one run can show it; formal_secure compares two.
//
// Rows: LWP-SEC-01, LWP-SEC-08, LWP-SMM-01, LWP-STO-15, LWP-CTX-13, LWP-LLW-10.

module formal_privilege
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

  logic    op_busy, op_ring3, op_flush, outside;
  ctl_op_e op;
  formal_ops u_ops (
    .clk_i, .rst_ni(rst_n), .in_i, .out_i(out), .st_i(st), .busy_o(op_busy), .op_o(op), .word_o(), .ring3_o(op_ring3),
    .flush_o(op_flush)
  );

  // The cycle before was not in ring 3, or in SMM.
  assign outside = valid && !in_ring3(was_in);

  always_comb begin
    // A request is a register: one may stand in the first cycle outside, decided in the cycle before.
    FlushAlone:     assert (!(outside && out.mem_req) || op_flush);
    // With the strap that skips them there is no access at all, unless the operation was issued in ring 3.
    FlushSkipped:   assert (!(outside && out.mem_req && cfg.flush_outside) || (op_flush && op_ring3));
    SkipsFlush:     assert (!(cfg.flush_outside && (st.ctl_st == CtlFlush)) || st.ctl_ring3);
    // Only the old block's fields are written by what was issued outside ring 3.
    FlushFields:    assert (!(outside && out.mem_req && !op_ring3) || (st.active && (st.ctl_st == CtlFlush)));
  end

  // What belongs to the user: it stays as it is outside ring 3 unless an operation is carried out or an access that was
  // already granted comes to its end.
  logic carried, ends, reports;
  assign carried = valid && ((was.ctl_st != CtlIdle) && !was.ctl_init);
  assign ends    = (was.mem_wait && !was.mem_drop) ||
                   ((was.store_st inside {StoreHead, StoreMissWrite}) && was.mem_req && was_in.mem_gnt) ||
                   ((was.ctl_st == CtlFlags) && was.mem_req && was_in.mem_gnt);
  assign reports = was.store_st inside {StoreReport, StoreReset};

  logic quiet;
  assign quiet = outside && !carried && !ends && !reports;

  logic [NumEvents-1:0] counters_kept;
  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    assign counters_kept[e] = st.events[e] == was.events[e];
    always_comb begin
      NothingCounted: assert (!outside || carried || reports || (st.events[e].counter == was.events[e].counter));
    end
  end
  for (genvar i = 0; i < int'(RecordQueue); i++) begin : gen_records
    always_comb begin
      NothingGathered: assert (!outside || carried || reports || (st.records[i] == was.records[i]) ||
                               (st.records[i] == '0));
    end
  end
  always_comb begin
    SessionKept:    assert (!quiet || ({st.msr0, st.lwpcb, st.active, st.init_pending, st.reload, st.flags, st.base,
                            st.size, st.random, st.head, st.tail, st.threshold, st.filter, st.missed, st.tail_skip,
                            st.lfsr, st.rotate} == {was.msr0, was.lwpcb, was.active, was.init_pending, was.reload,
                            was.flags, was.base, was.size, was.random, was.head, was.tail, was.threshold, was.filter,
                            was.missed, was.tail_skip, was.lfsr, was.rotate}));
    EventsKept:     assert (!quiet || (counters_kept == '1));
    NoFault:        assert (!outside || !out.pf_valid || was_out.pf_valid);
    NoCut:          assert (!outside || (!out.cut_valid && !out.flush_req));
  end

  always_comb begin
    CoverFlush:     cover (outside && out.mem_req && !op_ring3);
    CoverQuiet:     cover (quiet && was.active && was_in.lanes[0].valid && was_in.lanes[0].counts);
    CoverSmm:       cover (quiet && was.active && was_in.smm && (was_in.cpl == 2'd3) && was_in.lanes[0].valid);
    CoverWithdrawn: cover (outside && was_out.mem_req && !was_in.mem_gnt && !out.mem_req);
  end

endmodule
