// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Assertions that hold in every reachable state with legal straps, for all inputs. They serve simulation and proof, and
// are not part of the hardware.
//
// Each is one property without operators over time; assertions about two cycles are in rdt_assert_step. All of them
// hold in the reset state, so none is disabled by reset. The requirement rows above an assertion are those that it shows.
//
// Contract: docs/src/rdt/state.md, "What always holds".

module rdt_assert
  import retire_pkg::*;
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
#(
  // Sizes of the build.
  parameter int unsigned LogicalProcessors = 2,
  parameter int unsigned L3Sets            = 8,
  parameter int unsigned L3Ways            = 4,
  parameter int unsigned L2Sets            = 4,
  parameter int unsigned L2Ways            = 2,
  parameter int unsigned Rmids             = 4,
  parameter int unsigned Classes           = 4
) (
  // Clock: all registers change at its rising edge.
  input logic                                      clk_i,
  // Asynchronous reset, active low.
  input logic                                      rst_ni,

  // Straps, constant after reset.
  input config_t                                   cfg_i,
  // Answers of memory.
  input mem_in_t                                   mem_i,
  // Mode of the logical processor that makes the register request, and the request.
  input mode_in_t                                  mode_i,
  input reg_request_t                              reg_i,

  // Registers. No assertion reads all of them.
  // verilator lint_off UNUSEDSIGNAL
  input cdp_t                                      cdp_i,
  input class_t [Classes-1:0]                      classes_i,
  input binding_t [LogicalProcessors-1:0]          binding_i,
  input entry_t [LogicalProcessors-1:0]            access_i,
  input logic [LogicalProcessors-1:0][CreditW-1:0] credit_i,
  input rmid_t [Rmids-1:0]                         rmid_i,
  input job_t                                      job_i,
  input power_t                                    power_i,
  input answer_t                                   answer_i,
  // What the step does with the caches and finds in them.
  input command_t                                  l3_command_i,
  input command_t                                  l2_command_i,
  input found_t                                    l3_found_i,
  input found_t                                    l2_found_i,
  // The words of the caches, and whether the memories were written in the last cycle.
  input l3_line_t [L3Ways-1:0]                     l3_word_i,
  input l3_line_t [L2Ways-1:0]                     l2_word_i,
  input logic                                      l3_written_i,
  input logic                                      l2_written_i,
  // What is counted.
  input count_t                                    count_i,
  // verilator lint_on UNUSEDSIGNAL
  // An access of this logical processor is chosen for the L3 cache.
  input logic [LogicalProcessors-1:0]              chosen_i,
  // It may access the L3 cache.
  input logic [LogicalProcessors-1:0]              paced_i
);

  ///////////
  // Steps //
  ///////////

  logic clear, first, idle, moving;
  assign clear = job_i.step == StepClear;
  assign first = clear && (job_i.set_index == '0);
  assign idle  = job_i.step == StepIdle;
  // An access is in progress.
  assign moving = !clear && !idle && !job_i.walk;

  // Steps of a walk alone, of an access alone, and of either.
  logic walk_step, access_step;
  always_comb begin
    walk_step   = 1'b0;
    access_step = 1'b0;
    unique case (job_i.step)
      StepL2WalkRead, StepL2Walk, StepL3WalkRead, StepL3Walk: walk_step = 1'b1;
      StepL2Read, StepL2Look, StepL3Read, StepL3Look, StepMemRequest, StepMemWait, StepL3Fill, StepL2Fetch, StepL2Fill:
        access_step = 1'b1;
      default: ;
    endcase
  end

  logic [1:0] turn_stage;
  always_comb begin
    turn_stage = StageNone;
    for (int unsigned i = 0; i < LogicalProcessors; i++) begin
      if (job_i.turn == 3'(i)) turn_stage = access_i[i].stage;
    end
  end

  StepKnown:      assert property (@(posedge clk_i) job_i.step <= StepL3Walk);
  WalkAlone:      assert property (@(posedge clk_i) !walk_step || job_i.walk);
  AccessAlone:    assert property (@(posedge clk_i) !access_step || !job_i.walk);
  ClearIdleWalk:  assert property (@(posedge clk_i) !(clear || idle) || !job_i.walk);
  TurnBuilt:      assert property (@(posedge clk_i) 32'(job_i.turn) < LogicalProcessors);
  TurnWaits:      assert property (@(posedge clk_i) !moving || (turn_stage != StageNone));
  TurnStageL2:    assert property (@(posedge clk_i)
      !((job_i.step == StepL2Read) || (job_i.step == StepL2Look)) || (turn_stage == StageL2));
  TurnStageL3:    assert property (@(posedge clk_i)
      !(access_step && (job_i.step != StepL2Read) && (job_i.step != StepL2Look)) || (turn_stage == StageL3));
  L2StepsWithL2:  assert property (@(posedge clk_i)
      cfg_i.l2 || !((job_i.step == StepL2Read) || (job_i.step == StepL2Look) || (job_i.step == StepInvRead) ||
                    (job_i.step == StepInvLook) || (job_i.step == StepL2Fetch) || (job_i.step == StepL2Fill) ||
                    (job_i.step == StepMarkRead) || (job_i.step == StepMark) || (job_i.step == StepL2WalkRead) ||
                    (job_i.step == StepL2Walk)));
  WriteBackDirty: assert property (@(posedge clk_i) (job_i.step != StepWriteBack) || job_i.victim_dirty);
  L2AllowedHas:   assert property (@(posedge clk_i)
      !((job_i.step == StepL2Fetch) || (job_i.step == StepL2Fill)) || (job_i.l2_allowed != '0));

  // RDTA-02, RDTA-23: ways that may be filled are in use and have power.
  AllowedL3:      assert property (@(posedge clk_i)
      !moving || ((job_i.l3_allowed & ~first_ways(power_i.l3_on)) == '0));
  AllowedL2:      assert property (@(posedge clk_i)
      !moving || ((16'(job_i.l2_allowed) & ~first_ways(5'(power_i.l2_on))) == '0));

  ////////////
  // Caches //
  ////////////

  l3_line_t way;
  always_comb begin
    way = '0;
    for (int unsigned w = 0; w < L3Ways; w++) begin
      if (job_i.way == 4'(w)) way |= l3_word_i[w];
    end
  end

  // RDTM-02, RDTA-02: a line enters only an allowed way, which is empty, of a set that does not hold it.
  FillAllowed:  assert property (@(posedge clk_i) (job_i.step != StepL3Fill) || job_i.l3_allowed[job_i.way]);
  FillEmpty:    assert property (@(posedge clk_i) (job_i.step != StepL3Fill) || !way.valid);
  FillMissed:   assert property (@(posedge clk_i) (job_i.step != StepL3Fill) || !l3_found_i.hit);
  L2FillAllowed: assert property (@(posedge clk_i)
      (job_i.step != StepL2Fill) || job_i.l2_allowed[l2_found_i.victim_way[2:0]]);
  // The line that leaves is the one that was found, and is charged to the RMID that filled it.
  EvictKnown:   assert property (@(posedge clk_i)
      !((job_i.step == StepWriteBack) || (job_i.step == StepEvict)) ||
      (way.valid && (way.line == job_i.victim) && (way.rmid == job_i.victim_rmid)));
  // RDT-04: the L3 cache has what leaves the L2 cache.
  MarkFinds:    assert property (@(posedge clk_i) (job_i.step != StepMark) || l3_found_i.hit);
  OnePort:      assert property (@(posedge clk_i)
      (!(l3_command_i.read && l3_command_i.write)) && !(l2_command_i.read && l2_command_i.write));

  ////////////////////////
  // Logical processors //
  ////////////////////////

  // The largest cost of an access to the L3 cache.
  logic [CreditW-1:0] largest_cost;
  assign largest_cost = cfg_i.mba_linear ? (CreditW'(cfg_i.mba_period) * CreditW'(7'd100)) :
                                           (CreditW'(cfg_i.mba_period) + CreditW'(12'd2048));

  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_processors
    // verilator lint_off UNUSEDSIGNAL
    entry_t access;
    // verilator lint_on UNUSEDSIGNAL
    assign access = access_i[i];

    StageKnown:  assert property (@(posedge clk_i) access.stage <= StageL3);
    StageWithL2: assert property (@(posedge clk_i) cfg_i.l2 || (access.stage != StageL2));
    ClearNoAccess: assert property (@(posedge clk_i) !clear || (access.stage == StageNone));
    WriteNoCode: assert property (@(posedge clk_i) !(access.write && access.code));
    RmidInUse:   assert property (@(posedge clk_i)
        (binding_i[i].rmid <= cfg_i.max_rmid) && (access.rmid <= cfg_i.max_rmid));
    CosBuilt:    assert property (@(posedge clk_i)
        (32'(binding_i[i].cos) < Classes) && (32'(access.cos) < Classes));
    DoneFree:    assert property (@(posedge clk_i) !access.done || (access.stage == StageNone));
    HitDone:     assert property (@(posedge clk_i)
        !(access.l2_hit && access.l3_hit) && (access.done || !(access.l2_hit || access.l3_hit)));
    HitWithL2:   assert property (@(posedge clk_i) cfg_i.l2 || !access.l2_hit);
    SettleBound: assert property (@(posedge clk_i) binding_i[i].settle <= cfg_i.settle);
    // RDTA-28
    CreditBound: assert property (@(posedge clk_i) credit_i[i] <= (cfg_i.mba ? largest_cost : '0));
    // RDTA-28
    ChosenPaced: assert property (@(posedge clk_i) !chosen_i[i] || paced_i[i]);
  end
  OneChosen: assert property (@(posedge clk_i)
      (chosen_i & (chosen_i - LogicalProcessors'(1))) == '0);

  /////////////
  // Classes //
  /////////////

  for (genvar n = 0; n < int'(Classes); n++) begin : gen_classes
    class_t      c;
    logic        l3_has, l2_has, in_pieces;
    logic [15:0] upper3;
    logic [7:0]  upper2;
    assign c      = classes_i[n];
    assign l3_has = has_class(cfg_i.l3_cat, 1'b0, cfg_i.l3_cos, 4'(n));
    assign l2_has = has_class(cfg_i.l2_cat, 1'b0, cfg_i.l2_cos, 4'(n));
    // Ones that begin a piece: ones above a zero.
    assign upper3    = c.l3_mask & ~(c.l3_mask << 1);
    assign upper2    = c.l2_mask & ~(c.l2_mask << 1);
    assign in_pieces = ((upper3 & (upper3 - 16'd1)) != '0) || ((upper2 & (upper2 - 8'd1)) != '0);

    L3MaskInUse:  assert property (@(posedge clk_i)
        (c.l3_mask & ~(first_ways(cfg_i.l3_ways) & {16{l3_has}})) == '0);
    L2MaskInUse:  assert property (@(posedge clk_i)
        (16'(c.l2_mask) & ~(first_ways(5'(cfg_i.l2_ways)) & {16{l2_has}})) == '0);
    // RDTA-09, RDTA-20
    MaskOnePiece: assert property (@(posedge clk_i)
        (cfg_i.vendor == VendorAmd) || cfg_i.sparse || !in_pieces);
    MaskNotEmpty: assert property (@(posedge clk_i)
        (cfg_i.vendor == VendorAmd) || first ||
        ((!l3_has || (c.l3_mask != '0)) && (!l2_has || (c.l2_mask != '0))));
    // RDTA-33
    DelayBound:   assert property (@(posedge clk_i) c.delay <= (cfg_i.mba ? cfg_i.mba_max : '0));
  end

  // RDTA-12
  CdpExists:   assert property (@(posedge clk_i) (!cdp_i.l3 || cfg_i.l3_cdp) && (!cdp_i.l2 || cfg_i.l2_cdp));

  //////////////
  // Counters //
  //////////////

  // Lines that all RMIDs have, and those of the line that leaves.
  logic [OccupancyW+4:0] lines;
  logic [OccupancyW-1:0] leaver;
  always_comb begin
    lines  = '0;
    leaver = '0;
    for (int unsigned r = 0; r < Rmids; r++) begin
      lines += (OccupancyW + 5)'(rmid_i[r].occupancy);
      if (job_i.victim_rmid == 5'(r)) leaver |= rmid_i[r].occupancy;
    end
  end

  // RDTM-02
  LinesFit:     assert property (@(posedge clk_i) 32'(lines) <= L3Sets * L3Ways);
  RoomToEnter:  assert property (@(posedge clk_i) !count_i.enter || (32'(lines) < L3Sets * L3Ways));
  NeverWraps:   assert property (@(posedge clk_i)
      !(count_i.leave && cfg_i.events[0]) || (leaver != '0));
  CountOnce:    assert property (@(posedge clk_i)
      {1'b0, count_i.start} + {1'b0, count_i.charge} + {1'b0, count_i.enter || count_i.leave} <= 2'd1);
  // verilator lint_off UNUSEDSIGNAL
  logic [MaxRmids-1:0] in_use;
  // verilator lint_on UNUSEDSIGNAL
  assign in_use = ~(32'hFFFF_FFFE << cfg_i.max_rmid);
  for (genvar r = 0; r < int'(Rmids); r++) begin : gen_rmids
    // What the straps do not monitor is never counted.
    Unmonitored: assert property (@(posedge clk_i)
        (cfg_i.events[0] || (rmid_i[r].occupancy == '0)) && (cfg_i.events[1] || (rmid_i[r].total == '0)) &&
        (cfg_i.events[2] || (rmid_i[r].local_lines == '0)));
    RmidAbsent:  assert property (@(posedge clk_i) in_use[r] || (rmid_i[r] == '0));
  end

  ///////////
  // Power //
  ///////////

  // RDTA-23
  PowerBound:  assert property (@(posedge clk_i)
      (power_i.l3_on <= cfg_i.l3_ways) && (power_i.l2_on <= cfg_i.l2_ways));
  SetBound:    assert property (@(posedge clk_i)
      clear || (job_i.set_index <= set_of({SetW{1'b1}}, (cfg_i.l3_sets > cfg_i.l2_sets) ? cfg_i.l3_sets : cfg_i.l2_sets)));

  ////////////
  // Answer //
  ////////////

  ResultKnown:    assert property (@(posedge clk_i)
      (answer_i.reg_result == ResultDone) || (answer_i.reg_result == ResultGp) ||
      (answer_i.reg_result == ResultNotMine));
  ResultAnswered: assert property (@(posedge clk_i) answer_i.reg_done || (answer_i.reg_result == ResultDone));
  // A request that is not done shows no data.
  RefusedEmpty:   assert property (@(posedge clk_i)
      (answer_i.reg_done && (answer_i.reg_result == ResultDone)) || (answer_i.reg_rdata == '0));

  rdt_assert_step #(
    .LogicalProcessors(LogicalProcessors),
    .Rmids            (Rmids),
    .Classes          (Classes)
  ) u_step (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .mem_i,
    .mode_i,
    .reg_i,
    .cdp_i,
    .classes_i,
    .binding_i,
    .access_i,
    .rmid_i,
    .job_i,
    .power_i,
    .answer_i
  );

  rdt_assert_word #(
    .Ways (L3Ways),
    .Apart(1'b1)
  ) u_l3 (
    .clk_i,
    .rst_ni,
    .clear_i  (clear),
    .idle_i   (idle),
    .ways_i   (cfg_i.l3_ways),
    .on_i     (power_i.l3_on),
    .written_i(l3_written_i),
    .word_i   (l3_word_i)
  );

  rdt_assert_word #(
    .Ways (L2Ways),
    .Apart(1'b0)
  ) u_l2 (
    .clk_i,
    .rst_ni,
    .clear_i  (clear),
    .idle_i   (idle),
    .ways_i   (5'(cfg_i.l2_ways)),
    .on_i     (5'(power_i.l2_on)),
    .written_i(l2_written_i),
    .word_i   (l2_word_i)
  );

  rdt_assert_straps #(
    .L3Sets (L3Sets),
    .L3Ways (L3Ways),
    .L2Sets (L2Sets),
    .L2Ways (L2Ways),
    .Rmids  (Rmids),
    .Classes(Classes)
  ) u_straps (.clk_i, .cfg_i);

endmodule
