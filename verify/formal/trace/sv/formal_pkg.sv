// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the proofs share: the size of the build under proof, its inputs and outputs as one struct each, the default
// straps, and a reading of the contract that the properties compare the unit with.
//
// The size comes as macros from the program that runs the proofs (verify/formal/trace/proofs.toml, "builds").

package formal_pkg;

  import retire_pkg::*;
  import trace_pkg::*;

  localparam int unsigned Lanes   = `FORMAL_LANES;
  localparam int unsigned Entries = `FORMAL_ENTRIES;
  // "The queue of branch records has `QueueEntries` = 2 x `RetireLanes` entries."
  localparam int unsigned Waiting = 2 * Lanes;

  // Inputs, in the order of docs/src/trace/ports.md.
  typedef struct packed {
    logic              partial;
    lane_t [Lanes-1:0] lanes;
    mode_t             mode;
    logic [63:0]       cs_base;
    logic [63:0]       far_base;
    logic              far_long;
    interruption_t     interrupted;
    logic              core_clock;
    logic              pmi;
    pebs_in_t          pebs;
    logic              btm_ready;
    mem_answer_t       mem;
    reg_request_t      request;
  } in_t;

  // Message for the system bus.
  typedef struct packed {
    logic        btm_valid;
    logic [63:0] btm_from;
    logic [63:0] btm_to;
    logic        btm_predicted;
  } message_t;

  // Outputs, in the order of docs/src/trace/ports.md.
  typedef struct packed {
    logic         stall;
    message_t     message;
    mem_request_t mem;
    notice_t      notice;
    logic [3:0]   pebs_armed;
    logic [4:0]   state_index;
    reload_t      reload;
    logic         btf;
    logic         freeze_on_pmi;
    logic         freeze_while_smm;
    logic         rtm_debug;
    logic         reg_ready;
    reg_answer_t  answer;
  } out_t;

  // Transfer of control, as a lane or the interruption shows it.
  typedef struct packed {
    logic        valid;
    logic        is_far;
    logic        predicted;
    logic        mispredicted;
    logic        in_tx;
    logic        tx_abort;
    logic        is_debug;
    logic [63:0] from;
    logic [63:0] to;
  } shown_t;

  // Records that left and joined those that wait; transfers that were recorded in the LBR stack.
  typedef struct packed {
    // The oldest one was sent; it was stored, or lost; one of these.
    logic                  sent;
    logic                  ended;
    logic                  leaves;
    // Those that stayed, and those that joined them.
    logic [4:0]            kept;
    logic [4:0]            total;
    // The transfer of a lane makes a record, at this place.
    logic [Lanes-1:0]      joins;
    logic [Lanes-1:0][4:0] places;
    // It is recorded in the LBR stack, in this entry; the number of these.
    logic [Lanes-1:0]      pushes;
    logic [Lanes-1:0][4:0] entries;
    logic [4:0]            pushed;
  } moves_t;

  localparam config_t DefaultStraps = trace_config_pkg::ConfigDefault;

  //////////
  // Mode //
  //////////

  // A cycle is given by the straps, its inputs and the registers in it.

  // "The level is 0 if `op_mode` is real (0), 3 if it is virtual-8086 (1), else `cpl`."
  function automatic logic [1:0] level(in_t in);
    if (in.mode.op_mode == ModeReal) return 2'd0;
    if (in.mode.op_mode == ModeV86) return 2'd3;
    return in.mode.cpl;
  endfunction

  function automatic logic long_mode(in_t in);
    return in.mode.op_mode == Mode64;
  endfunction

  // A record of this cycle has the 64-bit format of the debug store.
  function automatic logic makes_wide(config_t cfg, in_t in);
    return cfg.dtes64 || (in.mode.op_mode inside {ModeCompatibility, Mode64});
  endfunction

  // Number of the last entry of the LBR stack that exists.
  function automatic logic [4:0] last_entry(config_t cfg);
    return 5'((6'd4 << cfg.lbr_depth) - 6'd1);
  endfunction

  /////////////
  // Collect //
  /////////////

  // "`stall` = `count` > L, or `pending` is not 0."
  function automatic logic stalls(state_t st);
    return (32'(st.waiting.count) > Lanes) || (st.pebs.pending != '0);
  endfunction

  function automatic logic any_lane(in_t in);
    for (int unsigned l = 0; l < Lanes; l++) begin
      if (in.lanes[l].retired.valid) return 1'b1;
    end
    return 1'b0;
  endfunction

  function automatic logic delivers(in_t in, state_t st);
    return in.interrupted.int_valid && !stalls(st);
  endfunction

  // An interruption of this kind is delivered. Kinds 5 to 7 act as interrupt.
  function automatic logic delivers_kind(in_t in, state_t st, int_kind_e kind);
    return delivers(in, st) && (in.interrupted.int_kind == kind);
  endfunction

  function automatic logic delivers_debug(in_t in, state_t st);
    return delivers_kind(in, st, IntException) && (in.interrupted.int_vector == 8'd1);
  endfunction

  // The transfer of a lane, or for lane 0 of the interruption.
  function automatic shown_t shown(config_t cfg, in_t in, state_t st, int unsigned l);
    shown_t transfer;
    lane_t  lane;
    lane     = in.lanes[l];
    transfer = '0;
    if (stalls(st)) return transfer;
    if (in.interrupted.int_valid) begin
      if (l != 0) return transfer;
      transfer.valid    = !((in.interrupted.int_kind == IntRsm) ||
                            ((in.interrupted.int_kind == IntSmi) && st.control.debugctl[14]));
      transfer.is_far   = 1'b1;
      transfer.is_debug = delivers_debug(in, st);
      transfer.from     = in.interrupted.int_from;
      transfer.to       = in.interrupted.int_to;
    end else begin
      transfer.valid        = lane.retired.valid && (lane.branch.branch_kind != BranchNone) &&
                              lane.branch.branch_taken && !in.partial;
      transfer.is_far       = 4'(lane.branch.branch_kind) >= 4'd7;
      transfer.predicted    = lane.branch.branch_pred_valid && lane.branch.branch_pred_ok;
      transfer.mispredicted = lane.branch.branch_pred_valid && !lane.branch.branch_pred_ok;
      transfer.in_tx        = lane.transaction.in_tx && cfg.rtm;
      transfer.tx_abort     = lane.transaction.tx_abort && cfg.rtm;
      transfer.from         = lane.retired.ip;
      transfer.to           = lane.branch.branch_next;
    end
    return transfer;
  endfunction

  // A transfer of the unit, in the order of `shown_t`.
  function automatic shown_t as_shown(transfer_t transfer);
    return '{valid: transfer.valid, is_far: transfer.is_far, predicted: transfer.predicted,
             mispredicted: transfer.mispredicted, in_tx: transfer.in_tx, tx_abort: transfer.tx_abort,
             is_debug: transfer.is_debug, from: transfer.from, to: transfer.to};
  endfunction

  // "Recording = `debugctl`[0], or (`lbr_tr`, `debugctl`[6] and not `lbr_frozen`)."
  function automatic logic records(config_t cfg, state_t st);
    return st.control.debugctl[0] || (cfg.lbr_tr && st.control.debugctl[6] && !st.control.lbr_frozen);
  endfunction

  // "Tracing = `debugctl`[6], and not `debugctl`[9] if the level is 0, not `debugctl`[10] if it is not."
  function automatic logic traces(in_t in, state_t st);
    if (level(in) == 2'd0) return st.control.debugctl[6] && !st.control.debugctl[9];
    return st.control.debugctl[6] && !st.control.debugctl[10];
  endfunction

  // The stack takes the transfer.
  function automatic logic stacked(config_t cfg, state_t st, shown_t transfer);
    return records(cfg, st) && transfer.valid && !transfer.is_debug;
  endfunction

  // "`clocks` = `elapsed` + `core_clock`, saturated at 65535."
  function automatic logic [15:0] clocks(in_t in, state_t st);
    if (st.lbr.elapsed == 16'd65535) return st.lbr.elapsed;
    return st.lbr.elapsed + 16'(in.core_clock);
  endfunction

  // "`entry[tos]` becomes": the table of formats.
  function automatic entry_t entry(config_t cfg, in_t in, shown_t transfer, logic [15:0] cycles);
    entry_t      made;
    logic        to_long;
    logic [63:0] source, destination;
    to_long     = transfer.is_far ? in.far_long : long_mode(in);
    source      = transfer.from;
    destination = transfer.to;
    if (cfg.lbr_format != FormatLinear) begin
      source      = transfer.from - in.cs_base;
      destination = transfer.to - (transfer.is_far ? in.far_base : in.cs_base);
    end
    if (!long_mode(in)) source[63:32] = '0;
    if (!to_long) destination[63:32] = '0;
    made      = '0;
    made.from = source;
    made.to   = destination;
    case (cfg.lbr_format)
      FormatOffset32: begin
        made.from = {destination[31:0], source[31:0]};
        made.to   = '0;
      end
      FormatFlags: made.from = {transfer.mispredicted, source[62:0]};
      FormatTsx: made.from = {transfer.mispredicted, transfer.in_tx, transfer.tx_abort, source[60:0]};
      FormatInfo: begin
        made.cycles       = cycles;
        made.tsx_abort    = transfer.tx_abort;
        made.in_tx        = transfer.in_tx;
        made.mispredicted = transfer.mispredicted;
      end
      default: ;
    endcase
    return made;
  endfunction

  // What becomes of the last exception record: source and destination of the newest entry.
  function automatic logic [127:0] last_exception(config_t cfg, entry_t newest);
    if (cfg.lbr_format == FormatOffset32) return {32'd0, newest.from[31:0], 32'd0, newest.from[63:32]};
    return {newest.from, newest.to};
  endfunction

  // The transfer makes a message or a branch record.
  function automatic logic traced(config_t cfg, in_t in, state_t st, shown_t transfer);
    return traces(in, st) && transfer.valid && (!transfer.is_debug || cfg.db_message);
  endfunction

  // The record that it makes.
  function automatic record_t made(config_t cfg, in_t in, state_t st, shown_t transfer);
    record_t waits;
    waits.store     = st.control.debugctl[7];
    waits.wide      = makes_wide(cfg, in);
    waits.circular  = !st.control.debugctl[8];
    waits.predicted = transfer.predicted;
    waits.from      = transfer.from;
    waits.to        = transfer.to;
    return waits;
  endfunction

  //////////
  // PEBS //
  //////////

  // "`raised` = `armed` or (`pebs_overflow` and `on`)."
  function automatic logic [3:0] raised(in_t in, state_t st);
    return st.pebs.armed | (in.pebs.pebs_overflow & st.control.pebs_enable);
  endfunction

  // "`fire` = `raised` and `pebs_event`, if the cycle is not `stall`, not `int_valid` and not `partial`, else 0."
  function automatic logic [3:0] fires(in_t in, state_t st);
    if (stalls(st) || in.interrupted.int_valid || in.partial) return '0;
    return raised(in, st) & in.pebs.pebs_event;
  endfunction

  /////////////
  // Request //
  /////////////

  // "`reg_ready` = `count` is 0, `step` is idle and `pending` is 0."
  function automatic logic ready(state_t st);
    return (st.waiting.count == '0) && (st.store.step == StepIdle) && (st.pebs.pending == '0);
  endfunction

  function automatic logic accepts(in_t in, state_t st);
    return in.request.reg_valid && ready(st) && !in.interrupted.int_valid && (in.partial || !any_lane(in));
  endfunction

  function automatic logic [31:0] first_from(config_t cfg);
    return (cfg.lbr_numbers == NumbersCore) ? 32'h40 : 32'h680;
  endfunction

  function automatic logic [31:0] first_to(config_t cfg);
    return (cfg.lbr_numbers == NumbersCore) ? 32'h60 : 32'h6C0;
  endfunction

  // The number is among as many as the stack has entries.
  function automatic logic of_stack(config_t cfg, logic [31:0] number, logic [31:0] first);
    return (number >= first) && (number - first <= {27'd0, last_entry(cfg)});
  endfunction

  // "The unit has these numbers".
  function automatic logic has(config_t cfg, logic [31:0] number);
    if (number inside {32'h1D9, 32'h1C9, 32'h1DD, 32'h1DE}) return 1'b1;
    if (of_stack(cfg, number, first_from(cfg))) return 1'b1;
    if (of_stack(cfg, number, first_to(cfg))) return cfg.lbr_format != FormatOffset32;
    if (of_stack(cfg, number, 32'hDC0)) return cfg.lbr_format == FormatInfo;
    if (number == 32'h600) return cfg.ds;
    if (number == 32'h3F1) return cfg.pebs_counters != '0;
    return 1'b0;
  endfunction

  function automatic logic canonical(config_t cfg, logic [63:0] address);
    if (cfg.linear == Linear32) return address[63:32] == '0;
    if (cfg.linear == Linear48) return (address[63:47] == '0) || (address[63:47] == '1);
    return (address[63:56] == '0) || (address[63:56] == '1);
  endfunction

  // "WRMSR refuses a value with".
  function automatic logic refuses(config_t cfg, logic [31:0] number, logic [63:0] value);
    case (number)
      32'h1D9: return (value[63:16] != '0) || value[13] || (value[5:2] != '0) || (!cfg.ds && (value[8:6] != '0)) ||
                      (!cfg.ds_cpl && (value[10:9] != '0)) || (!cfg.pmi_freeze && (value[12:11] != '0)) ||
                      (!cfg.smm_freeze && value[14]) || (!cfg.rtm && value[15]);
      32'h1C9: return value > {59'd0, last_entry(cfg)};
      32'h600: return !canonical(cfg, value);
      32'h3F1: return (value >> cfg.pebs_counters) != '0;
      32'h1DD, 32'h1DE: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  // The result of a request.
  function automatic reg_result_e result(config_t cfg, in_t in);
    if (!(in.request.reg_op inside {RegRdmsr, RegWrmsr}) || !has(cfg, in.request.reg_number)) return ResultNotMine;
    if (level(in) != 2'd0) return ResultGp;
    if ((in.request.reg_op == RegWrmsr) && refuses(cfg, in.request.reg_number, in.request.reg_wdata)) return ResultGp;
    return ResultDone;
  endfunction

  // The value of a register that RDMSR shows.
  function automatic logic [63:0] shows(config_t cfg, state_t st, logic [31:0] number);
    entry_t at;
    at = st.lbr.entry[number[4:0]];
    case (number)
      32'h1D9: return {48'd0, st.control.debugctl};
      32'h1C9: return {59'd0, st.lbr.tos};
      32'h1DD: return st.lbr.ler_from;
      32'h1DE: return st.lbr.ler_to;
      32'h600: return st.control.ds_area;
      32'h3F1: return {60'd0, st.control.pebs_enable};
      default: ;
    endcase
    if (of_stack(cfg, number, first_from(cfg))) return at.from;
    if (of_stack(cfg, number, first_to(cfg))) return at.to;
    return {at.mispredicted, at.in_tx, at.tsx_abort, 45'd0, at.cycles};
  endfunction

  // A WRMSR of this number is done.
  function automatic logic writes(config_t cfg, in_t in, state_t st, logic [31:0] number);
    return accepts(in, st) && (in.request.reg_op == RegWrmsr) && (in.request.reg_number == number) &&
           (result(cfg, in) == ResultDone);
  endfunction

  // A WRMSR that is done of a register of an entry of the stack: source, destination, information.
  function automatic logic [2:0] rewrites(config_t cfg, in_t in, state_t st, logic [4:0] entry);
    return {writes(cfg, in, st, first_from(cfg) + 32'(entry)), writes(cfg, in, st, first_to(cfg) + 32'(entry)),
            writes(cfg, in, st, 32'hDC0 + 32'(entry))};
  endfunction

endpackage
