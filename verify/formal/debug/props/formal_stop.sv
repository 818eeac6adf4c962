// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Stop: no accepted instruction, and none that a question lets go, has an enabled instruction breakpoint, unless RF or a
// shadow suppresses it, a question has let it pass, or it continues a repetition. Where one has, the group is cut before
// it, with these breakpoints.
//
// Rows: DBG-36, DBG-37, DBG-38, DBG-40, DBG-41, DBG-42.

module formal_stop
  import retire_pkg::*;
  import debug_pkg::*;
  import formal_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input out_t    out_i,
  input state_t  st_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input state_t  was_i,
  // Instruction breakpoints at its lanes; of the first one those at the next instruction, if it is not valid.
  input fetch_t [Lanes-1:0] fetch_i
);

  // What suppresses a breakpoint at a lane whose predecessors are all accepted.
  logic [Lanes-1:0] rf, shadow, passed, continues;
  always_comb begin
    logic rf_now, shadow_now, passed_now, rep_now;
    rf_now     = was_i.flags.rf;
    shadow_now = was_i.flags.shadow;
    passed_now = was_i.flags.passed;
    rep_now    = was_i.flags.in_rep;
    for (int unsigned l = 0; l < Lanes; l++) begin
      lane_t lane;
      lane         = was_in_i.lanes[l];
      rf[l]        = rf_now;
      shadow[l]    = shadow_now;
      passed[l]    = passed_now;
      continues[l] = rep_now && (lane.flags.rep inside {RepFurther, RepLast});
      if (lane.retired.valid) begin
        passed_now = 1'b0;
        if (abort_lane(cfg_i, lane)) begin
          rf_now     = 1'b0;
          shadow_now = 1'b0;
          rep_now    = 1'b0;
        end else begin
          rf_now     = loads_image(lane) ? lane.debug.rf_image : (rf_now && keeps_rf(cfg_i, lane));
          shadow_now = lane.flags.ss_load && ((cfg_i.ss_chain == SsChainEach) || !shadow_now);
          rep_now    = lane.flags.rep inside {RepFirst, RepFurther};
        end
      end
    end
  end

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lanes
    lane_t      lane;
    logic       taken_in, cut_here, excused;
    logic [3:0] hit, report;
    assign lane     = was_in_i.lanes[l];
    assign taken_in = valid_i && accepted(was_in_i, was_i, st_i.cut, l) && !abort_lane(cfg_i, lane);
    assign cut_here = valid_i && st_i.cut.cut_valid && st_i.cut.cut_before && (32'(st_i.cut.cut_lane) == l);
    assign excused  = rf[l] || (shadow[l] && (cfg_i.ss_fetch == SsFetchSkip)) || passed[l] || continues[l];
    assign hit      = fetch_i[l].hit;
    assign report   = fetch_i[l].told;

    always_comb begin
      // DBG-36, DBG-38, DBG-40
      NoneHits:    assert (!taken_in || (hit == '0) || excused);
      // DBG-36: the cut has a reason, and reports it.
      CutHits:     assert (!cut_here || ((hit != '0) && !excused) ||
                           ((lane.debug.kind == KindInt3) && lane.transaction.in_tx && cfg_i.rtm));
      CutReports:  assert (!cut_here || (st_i.request.db_b == (((hit != '0) && !excused) ? report : '0)));
      // DBG-37: the breakpoint comes alone.
      CutAlone:    assert (!cut_here || (!st_i.request.db_bs && !st_i.request.db_bt && !st_i.request.db_bd));
      CutFault:    assert (!cut_here || (st_i.request.db_class != ClassTrap));
      CutValid:    assert (!cut_here || lane.retired.valid);
      // Every lane below is accepted, none above.
      CutBelow:    assert (!cut_here || (group(was_in_i, was_i) && !abort_lane(cfg_i, lane)));
    end
    always_comb begin
      CoverCut:       cover (cut_here && (st_i.request.db_b != '0));
      CoverRf:        cover (taken_in && (hit != '0) && rf[l] && !shadow[l] && !passed[l] && !continues[l]);
      CoverShadow:    cover (taken_in && (hit != '0) && shadow[l] && !rf[l] && !passed[l] && !continues[l]);
      CoverContinues: cover (taken_in && (hit != '0) && continues[l] && !rf[l] && !passed[l] && !shadow[l]);
    end
    if (l == 0) begin : gen_passed
      always_comb begin
        CoverPassed:  cover (taken_in && (hit != '0) && passed[l] && !rf[l] && !shadow[l] && !continues[l]);
      end
    end
  end

  // The question.
  logic       asked, stops;
  logic [3:0] ask_hit, ask_report;
  assign asked      = valid_i && asks(was_in_i, was_i);
  assign ask_hit    = fetch_i[0].hit;
  assign ask_report = fetch_i[0].told;
  assign stops      = (ask_hit != '0) && !was_i.flags.rf && !was_i.flags.in_rep &&
                      !(was_i.flags.shadow && (cfg_i.ss_fetch == SsFetchSkip));

  always_comb begin
    AskAnswers: assert (!valid_i || (st_i.ask.ask_done == asked));
    // DBG-36: stop.
    AskStops:   assert (!(asked && stops) || (st_i.request.db_valid && (st_i.request.db_b == ask_report) &&
                        !st_i.request.db_bd && !st_i.request.db_bs && !st_i.request.db_bt &&
                        (st_i.request.db_class != ClassTrap)));
    // Go, unless a register request of the cycle is general detect.
    AskGoes:    assert (!(asked && !stops) || !st_i.request.db_valid || st_i.request.db_bd);
    AskPasses:  assert (!asked || (st_i.flags.passed == !stops));
    // `passed` comes from a question that goes, and from nothing else.
    PassedAsked: assert (!(valid_i && st_i.flags.passed) || (asked && !stops) || was_i.flags.passed);
    // It lasts until the instruction retires or an interruption comes between.
    PassedOnce: assert (!(valid_i && st_i.flags.passed && !asked) ||
                        (!group(was_in_i, was_i) || (st_i.cut.cut_valid && st_i.cut.cut_before)));
    PassedEnds: assert (!(valid_i && delivers(was_in_i, was_i)) || !st_i.flags.passed);
  end
  always_comb begin
    CoverStops: cover (asked && stops);
    CoverGoes:  cover (asked && !stops && (ask_hit != '0));
  end

endmodule
