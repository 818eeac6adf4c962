// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the proofs share: the size of the build under proof, its inputs and outputs as one struct each, the default
// straps, and a reading of the contract that the properties compare the unit with.
//
// The size comes as macros from the program that runs the proofs (verify/formal/debug/proofs.toml, "builds").

package formal_pkg;

  import retire_pkg::*;
  import debug_pkg::*;

  localparam int unsigned Lanes    = `FORMAL_LANES;
  localparam int unsigned Accesses = `FORMAL_ACCESSES;

  // Inputs, in the order of docs/src/debug/ports.md.
  typedef struct packed {
    logic              partial;
    lane_t [Lanes-1:0] lanes;
    io_t               io;
    mode_t             mode;
    interrupted_t      interrupted;
    logic              de;
    logic              btf;
    logic              rtm_debug;
    ask_t              ask;
    logic              db_ack;
    reg_request_t      request;
  } in_t;

  // Outputs, in the order of docs/src/debug/ports.md.
  typedef struct packed {
    request_t    request;
    cut_t        cut;
    logic        hold;
    logic        ask_done;
    frame_t      frame;
    logic        reg_ready;
    reg_answer_t answer;
  } out_t;

  // Instruction breakpoints at an address.
  typedef struct packed {
    // Those that are enabled.
    logic [3:0] hit;
    // What B0 to B3 report of them.
    logic [3:0] told;
  } fetch_t;

  localparam config_t DefaultStraps = debug_config_pkg::ConfigDefault;

  //////////
  // Case //
  //////////

  // A cycle is given by the straps, its inputs and the registers before it.

  // The core takes the pending request.
  function automatic logic taken(in_t in, state_t st);
    return st.request.db_valid && in.db_ack;
  endfunction

  // A #DB is delivered.
  function automatic logic own(in_t in, state_t st);
    return taken(in, st) && (st.request.db_class != ClassAbort);
  endfunction

  // A request is taken, or lost.
  function automatic logic delivers(in_t in, state_t st);
    return in.interrupted.int_valid || taken(in, st);
  endfunction

  // SMI or RSM, not taken for a delivery of #DB.
  function automatic logic system(in_t in, state_t st, int_kind_e kind);
    return in.interrupted.int_valid && !own(in, st) && (in.interrupted.int_kind == kind);
  endfunction

  // A handler is entered: a frame is pushed.
  function automatic logic enters(in_t in, state_t st);
    if (own(in, st)) return 1'b1;
    return in.interrupted.int_valid && !system(in, st, IntSmi) && !system(in, st, IntRsm);
  endfunction

  // It is entered by a switch of tasks.
  function automatic logic enters_task(in_t in, state_t st);
    return enters(in, st) && in.interrupted.int_valid && in.interrupted.int_task;
  endfunction

  function automatic logic any_lane(in_t in);
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (in.lanes[l].retired.valid) return 1'b1;
    end
    return 1'b0;
  endfunction

  // Nothing else comes before the lanes and the question.
  function automatic logic free_cycle(in_t in, state_t st);
    return !in.interrupted.int_valid && !st.request.db_valid;
  endfunction

  function automatic logic group(in_t in, state_t st);
    return free_cycle(in, st) && !in.partial && any_lane(in);
  endfunction

  function automatic logic asks(in_t in, state_t st);
    return free_cycle(in, st) && !in.partial && !any_lane(in) && in.ask.ask_valid;
  endfunction

  // The lane of this group is accepted: no cut, seen in the next cycle, leaves it out.
  function automatic logic accepted(in_t in, state_t st, cut_t cut, int unsigned lane);
    if (!group(in, st) || !in.lanes[lane].retired.valid) return 1'b0;
    if (!cut.cut_valid) return 1'b1;
    if (cut.cut_before) return lane < 32'(cut.cut_lane);
    return lane <= 32'(cut.cut_lane);
  endfunction

  // The lane is no instruction: the region was aborted.
  function automatic logic abort_lane(config_t cfg, lane_t lane);
    return cfg.rtm && lane.transaction.tx_abort;
  endfunction

  // RF comes with the image that the instruction loads.
  function automatic logic loads_image(lane_t lane);
    return lane.debug.kind inside {KindIret, KindTask};
  endfunction

  // An iteration, not the last one, that leaves RF as it is.
  function automatic logic keeps_rf(config_t cfg, lane_t lane);
    return (cfg.rep_rf == RepRfKeep) && (lane.flags.rep inside {RepFirst, RepFurther}) && !loads_image(lane);
  endfunction

  /////////////
  // Compare //
  /////////////

  function automatic logic wide(config_t cfg, in_t in);
    return cfg.long_mode && (in.mode.op_mode == Mode64);
  endfunction

  function automatic logic is_on(dr7_t dr7, int unsigned n);
    return dr7.enable[2*n] || dr7.enable[2*n+1];
  endfunction

  // An instruction breakpoint of these registers is at the address.
  function automatic logic meets(config_t cfg, in_t in, registers_t registers, logic [63:0] address, int unsigned n);
    logic [63:0] linear;
    linear = {address[63:32] & {32{wide(cfg, in)}}, address[31:0]};
    if (registers.dr7.kind[4*n+:2] != 2'b00) return 1'b0;
    if ((cfg.exec_length == ExecLengthNothing) && (registers.dr7.kind[4*n+2+:2] != 2'b00)) return 1'b0;
    return linear == registers.address[n];
  endfunction

  // The enabled ones.
  function automatic logic [3:0] hits(config_t cfg, in_t in, registers_t registers, logic [63:0] address);
    logic [3:0] found;
    for (int unsigned n = 0; n < 4; n++) found[n] = meets(cfg, in, registers, address, n) && is_on(registers.dr7, n);
    return found;
  endfunction

  // What B0 to B3 report of them.
  function automatic logic [3:0] reports(config_t cfg, in_t in, registers_t registers, logic [63:0] address);
    logic [3:0] found;
    for (int unsigned n = 0; n < 4; n++) begin
      found[n] = meets(cfg, in, registers, address, n) &&
                 (is_on(registers.dr7, n) || (cfg.status_off == StatusOffReport));
    end
    return found;
  endfunction

  /////////////
  // Request //
  /////////////

  function automatic logic level0(in_t in);
    if ((in.mode.op_mode == ModeReal) || in.mode.smm) return 1'b1;
    if (in.mode.op_mode == ModeV86) return 1'b0;
    return in.mode.cpl == 2'd0;
  endfunction

  function automatic logic is_mov(in_t in);
    return in.request.reg_op inside {RegMovFromDr, RegMovToDr};
  endfunction

  // The table of docs/src/debug/registers.md, "MOV to and from DR", row by row.
  function automatic reg_result_e result(config_t cfg, in_t in, state_t st);
    logic [2:0] n;
    n = in.request.reg_number[2:0];
    if (!is_mov(in)) return ResultNotMine;
    if (!level0(in)) return ResultGp;
    if ((n inside {3'd4, 3'd5}) && in.de) return ResultUd;
    if (st.registers.dr7.gd) return ResultDb;
    if ((in.request.reg_op == RegMovToDr) && (n >= 3'd4) && wide(cfg, in) && (in.request.reg_wdata[63:32] != '0))
      return ResultGp;
    return ResultDone;
  endfunction

  // The request is accepted.
  function automatic logic requests(in_t in, state_t st);
    return in.request.reg_valid && !st.request.db_valid;
  endfunction

  // MOV to DRn is done. DR4 is DR6, DR5 is DR7.
  function automatic logic moves_to(config_t cfg, in_t in, state_t st, int unsigned n);
    logic [2:0] number;
    number = in.request.reg_number[2:0];
    if (number inside {3'd4, 3'd5}) number = number + 3'd2;
    return requests(in, st) && (in.request.reg_op == RegMovToDr) && (32'(number) == n) &&
           (result(cfg, in, st) == ResultDone);
  endfunction

  // The operand of a MOV to DR.
  function automatic logic [63:0] operand(config_t cfg, in_t in);
    return wide(cfg, in) ? in.request.reg_wdata : {32'd0, in.request.reg_wdata[31:0]};
  endfunction

endpackage
