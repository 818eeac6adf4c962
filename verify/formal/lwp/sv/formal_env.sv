// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The environment of the proofs: reset, straps, and every assumption about the inputs. The sentence above each is
// the rule of the port that it writes down (docs/src/lwp/ports.md; the book's chapter on proofs lists them).
//
// Proofs of safety set neither Core nor Fair: they hold whatever the inputs. Covers set Core, so that what they
// reach needs no core that breaks a rule. Proofs of progress set both.

module formal_env
  import lwp_pkg::*;
  import lwp_state_pkg::*;
  import formal_pkg::*;
#(
  // The core keeps the rules of the ports.
  parameter bit          Core   = `FORMAL_CORE,
  // Memory answers: a request is granted in its GntMax-th cycle at the latest, the response comes RspMax cycles after
  // the grant at the latest.
  parameter bit          Fair   = `FORMAL_FAIR,
  parameter int unsigned GntMax = 2,
  parameter int unsigned RspMax = 2
) (
  input  logic    clk_i,
  input  in_t     raw_i,
  input  out_t    out_i,
  input  state_t  st_i,
  output logic    rst_no,
  // The inputs of the unit: free, or in covers those of a start first.
  output in_t     in_o,
  output config_t cfg_o,
  // Cycles that the request stands, that the response is awaited.
  output logic [3:0] gnt_age_o,
  output logic [3:0] rsp_age_o
);

  ///////////
  // Reset //
  ///////////

  // "All reset to 0 (asynchronous, active low)." The first cycle of a run is one of reset; none follows.
  logic started_q = 1'b0;
  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
  end
  assign rst_no = started_q;

`ifdef FORMAL_START
  formal_start u_start (.clk_i, .rst_ni(rst_no), .in_i(raw_i), .out_i, .in_o);
`else
  assign in_o = raw_i;
`endif

  ////////////
  // Straps //
  ////////////

`ifdef FORMAL_DEFAULT_STRAPS
  assign cfg_o = DefaultStraps;
`elsif FORMAL_RICH_STRAPS
  assign cfg_o = RichStraps;
`elsif FORMAL_SYNC_STRAPS
  assign cfg_o = SyncStraps;
`else
  // "Straps are constant after reset."
  formal_const #(.WIDTH($bits(config_t))) u_straps (.Y(cfg_o));

  logic fault;
  assign fault = cfg_o.fault_policy == PolicyFault;

  // "These combinations are illegal": the table under "Straps".
  always_comb begin
    StrapsHaveFilter:         assume (cfg_o.latency_filter || cfg_o.level_filter);
    StrapsSeedNotZero:        assume (cfg_o.lfsr_seed != '0);
    StrapsFaultIsSync:        assume (!fault || cfg_o.store_timing);
    StrapsFaultIsOnePerInstr: assume (!fault || !cfg_o.gather_policy || cfg_o.one_per_instr);
    StrapsSeveralNeedAll:     assume (cfg_o.one_per_instr || cfg_o.gather_policy);
    StrapsPhaseNeedsStep:     assume (!cfg_o.latency_phase || cfg_o.latency_step);
    StrapsNthNotZero:         assume (cfg_o.tail_nth != '0);
    StrapsNthNeedsLazy:       assume (cfg_o.tail_reread || (cfg_o.tail_nth <= 4'd1));
    StrapsSelectKnown:        assume (cfg_o.gather_select != 2'd3);
    StrapsLeaveKnown:         assume (cfg_o.leave_policy != 2'd3);
    StrapsPredictionKnown:    assume (cfg_o.prediction != 2'd3);
  end
`endif

  //////////
  // Core //
  //////////

  logic             waiting_q, partial_q, new_mode;
  logic [1:0]       cpl_q;
  logic             smm_q;
  logic [2:0]       op_mode_q;
  logic [Lanes-1:0] valid;

  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_valid
    assign valid[l] = in_o.lanes[l].valid;
  end

  always_ff @(posedge clk_i or negedge rst_no) begin
    if (!rst_no) begin
      waiting_q <= 1'b0;
      partial_q <= 1'b0;
      cpl_q     <= '0;
      smm_q     <= 1'b0;
      op_mode_q <= '0;
    end else begin
      waiting_q <= (waiting_q && !in_o.mem_rvalid) || (out_i.mem_req && in_o.mem_gnt);
      partial_q <= valid[0] ? in_o.partial : partial_q && !new_mode;
      cpl_q     <= in_o.cpl;
      smm_q     <= in_o.smm;
      op_mode_q <= in_o.op_mode;
    end
  end

  assign new_mode = {in_o.cpl, in_o.smm, in_o.op_mode} != {cpl_q, smm_q, op_mode_q};

  if (Core) begin : gen_core
    logic op_busy;

    formal_ops u_ops (
      .clk_i,
      .rst_ni (rst_no),
      .in_i   (in_o),
      .out_i,
      .st_i,
      .busy_o (op_busy),
      .op_o   (),
      .word_o (),
      .ring3_o(),
      .flush_o()
    );

    always_comb begin
      // "In the first cycle with new cpl, smm or op_mode the core retires nothing."
      ModeTakesACycle:  assume (!new_mode || (valid == '0));
      // "In a cycle with stall = 1 the core retires nothing."
      StallRetiresNone: assume (!out_i.stall || (valid == '0));
      // "[The core] presents an operation in a cycle without lanes."
      OperationAlone:   assume (!in_o.ctl_valid || (valid == '0));
      // "The core takes pf_valid before its next instruction."
      TrapFirst:        assume (!out_i.pf_valid || ((valid == '0) && (!in_o.ctl_valid || out_i.stall)));
      // "... unless an operation of its own is in progress (between acceptance and rsp_valid)."
      NoTrapInOp:       assume (!op_busy || (!in_o.pf_ack && !new_mode));
      // "irq and pf_valid stay asserted until acknowledged."
      AckWhatStands:    assume ((!in_o.pf_ack || out_i.pf_valid) && (!in_o.irq_ack || out_i.irq));
      // "5 to 7 are not used."
      ModeKnown:        assume (in_o.op_mode <= Mode64);
      // "The mode does not change between those cycles and the one in which the instruction retires, except for a
      // page-fault trap that the unit's stall enforces."
      PartialKeepsMode: assume (!(partial_q && new_mode) || out_i.stall);
      // "The request is taken in this cycle." "The response of the granted access is valid in this cycle."
      AnswerWhatStands: assume ((!in_o.mem_gnt || out_i.mem_req) && (!in_o.mem_rvalid || waiting_q));
    end
  end

  ////////////
  // Memory //
  ////////////

  logic [3:0] gnt_age_q, rsp_age_q;

  always_ff @(posedge clk_i or negedge rst_no) begin
    if (!rst_no) begin
      gnt_age_q <= '0;
      rsp_age_q <= '0;
    end else begin
      gnt_age_q <= (out_i.mem_req && !in_o.mem_gnt) ? gnt_age_q + 4'd1 : '0;
      rsp_age_q <= (st_i.port.waiting && !in_o.mem_rvalid) ? rsp_age_q + 4'd1 : '0;
    end
  end

  assign gnt_age_o = gnt_age_q;
  assign rsp_age_o = rsp_age_q;

  if (Fair) begin : gen_fair
    always_comb begin
      // The hypothesis of every bound: memory answers in time.
      MemoryGrants:   assume (!out_i.mem_req || in_o.mem_gnt || (32'(gnt_age_q) + 1 < GntMax));
      MemoryResponds: assume (!st_i.port.waiting || in_o.mem_rvalid || (32'(rsp_age_q) + 1 < RspMax));
    end
  end

endmodule
