// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Counters: each occurrence counts once, a counter at zero stays there until its record is stored or missed, and only the
// event of that record starts over.
//
// The reference below takes the lanes one after another, as the contract says it, and so is a second reading of count and
// gather beside the prefix sums of the RTL.
//
// Rows: LWP-CNT-03, LWP-CNT-06, LWP-CNT-10, LWP-RST-03, LWP-RST-04, LWP-MSR0-15.

module formal_counter
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

  // Occurrences, as docs/src/lwp/count-gather.md defines them.
  function automatic logic loads_count(logic [30:0] latency, logic [2:0] source);
    logic [26:0] steps, minimum;
    logic        latency_ok, level_ok;
    steps      = 27'(latency[LatBits-1:4]);
    minimum    = 27'(was.filter[7:0]);
    minimum    = (minimum > 27'((64'd1 << (LatBits - 4)) - 64'd1)) ? 27'((64'd1 << (LatBits - 4)) - 64'd1) : minimum;
    latency_ok = !cfg.latency_filter || (was.filter[7:0] == '0) || (steps >= minimum);
    level_ok   = !cfg.level_filter || !was.filter[FilterClf] ||
                 ((source == 3'd1) && was.filter[FilterNbc]) || ((source == 3'd2) && was.filter[FilterRdc]) ||
                 ((source == 3'd3) && was.filter[FilterRam]) || ((source == 3'd7) && was.filter[FilterOth]);
    return latency_ok && level_ok;
  endfunction

  logic counting, replay;
  assign counting = valid && !was_out.stall && in_ring3(was_in) && was.active;
  assign replay   = cfg.address_policy == AddressReplay;

  logic [NumEvents-1:0]                 live, reset_of, loads, restores;
  logic [NumEvents-1:0][CounterW-1:0]   expected;
  logic [Lanes-1:0][NumEvents-1:0][1:0] occ;
  logic                                 undone, restored;
  assign undone   = valid && st.pf_valid && st.pf_abort && !was.pf_valid && (was.store_st != StoreIdle);
  assign restored = valid && (was.ctl_st == CtlWait) && (st.ctl_st != CtlWait) && (was.ctl_op == OpRestore) &&
                    (was.ctl_fault == FaultNone);

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lanes
    lane_t             lane;
    logic              here, retires;
    logic [1:0]        miss;
    logic [1:0][30:0]  latency;
    assign lane    = was_in.lanes[l];
    assign here    = lane.valid && lane.counts && ((l == 0) || !was_in.partial);
    assign retires = here && !was_in.partial;
    for (genvar p = 0; p < int'(LoadPorts); p++) begin : gen_ports
      assign latency[p] = cfg.latency_source ?
          (was.mab[lane.loads[p].latency[2:0]].latency & (cfg.latency_step ? ~31'd15 : ~31'd0)) :
          31'(lane.loads[p].latency[LatBits-1:0]);
      assign miss[p] = lane.loads[p].miss && !(replay && lane.loads[p].is_tagged) &&
                       loads_count(latency[p], lane.loads[p].source);
    end
    assign occ[l][Ins] = 2'(retires);
    assign occ[l][Br]  = 2'(retires && (lane.branch_kind inside {[4'd1:4'd9]}) &&
                         !((lane.branch_kind == BranchJmpRel) && was.filter[FilterNdb]));
    assign occ[l][Dc]  = here ? 2'(miss[0]) + 2'(miss[1]) : 2'd0;
  end

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    assign reset_of[e] = valid && (was.store_st == StoreReset) && (was.records[0].event_id == event_id_e'(e + 1));
    assign live[e]     = counting && was.flags[e+1] && was.msr0[e+1] && !reset_of[e];
    // A slot of the block being loaded may bring the counter along.
    assign loads[e]    = valid && (was.ctl_st == CtlLoad) && (was.ctl_idx >= 5'd4) && was_in.mem_rvalid && !was.flags[e+1];
    assign restores[e] = restored;

    always_comb begin
      expected[e] = was.events[e].counter;
      if (live[e]) begin
        for (int unsigned l = 0; l < Lanes; l++) begin
          // Lanes above the cut have not been accepted.
          if (!(out.cut_valid && (LaneW'(l) > out.cut_lane))) begin
            expected[e] = (expected[e] > CounterW'(occ[l][e])) ? expected[e] - CounterW'(occ[l][e]) : '0;
          end
        end
      end
    end

    // Bits of the interval that stay in a reset.
    logic [CounterW-1:0] counter, now;
    assign counter = was.events[e].counter;
    assign now     = st.events[e].counter;

    always_comb begin
      CountsExact:  assert (!valid || reset_of[e] || loads[e] || restores[e] || undone || (now == expected[e]));
      ZeroStays:    assert (!valid || (counter != '0) || reset_of[e] || loads[e] || restores[e] || undone || (now == '0));
      ResetsToInterval: assert (!reset_of[e] || restored ||
                            ((now >> was.random) == (was.events[e].interval >> was.random)));
      OthersKeep:   assert (!(valid && (was.store_st == StoreReset)) || reset_of[e] || restored || (now <= counter));
      // Undoing brings back what was there before the instruction, which was not less.
      UndoneUp:     assert (!undone || (now >= counter) || (cfg.fault_policy == PolicyFault));
      IntervalKept: assert (!valid || (was.ctl_st == CtlLoad) || (was.store_st == StoreInterval) ||
                            (st.events[e].interval == was.events[e].interval));
    end
    always_comb begin
      CoverZero:    cover (valid && (counter != '0) && (now == '0) && live[e]);
      CoverFrozen:  cover (live[e] && (counter == '0) && (occ[0][e] != '0) && (now == '0));
      CoverReset:   cover (reset_of[e] && (now != '0));
    end
  end

  // Reset follows a report (stored) or a missed event, and nothing else.
  always_comb begin
    ResetAfter: assert (!(valid && (st.store_st == StoreReset)) || (was.store_st == StoreReport) ||
                        (st.missed == was.missed + 16'd1));
    ResetOnce:  assert (!(valid && (was.store_st == StoreReset)) || (st.store_st == StoreIdle));
  end

endmodule
