// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the proofs share: the size of the build under proof, its inputs and outputs as one struct each, the default straps, and
// a reading of the contract that the properties compare the unit with.
//
// The size comes as macros from the program that runs the proofs (verify/formal/perf/proofs.toml, "builds").

package formal_pkg;

  import retire_pkg::*;
  import perf_pkg::*;

  localparam int unsigned Processors   = `FORMAL_PROCESSORS;
  localparam int unsigned General      = `FORMAL_GENERAL;
  localparam int unsigned Fixed        = `FORMAL_FIXED;
  localparam int unsigned Lanes        = `FORMAL_LANES;
  localparam int unsigned FixedEntries = (Fixed == 0) ? 1 : Fixed;

  // Inputs, in the order of docs/src/perf/ports.md.
  typedef struct packed {
    logic                              bus_tick;
    logic [7:0]                        core_ratio;
    logic                              core_clock;
    lane_t [Processors-1:0][Lanes-1:0] lanes;
    lp_in_t [Processors-1:0]           lp;
    reg_request_t                      request;
    apic_t                             apic;
  } in_t;

  // Outputs, in the order of docs/src/perf/ports.md.
  typedef struct packed {
    logic                                           reg_done;
    reg_result_e                                    reg_result;
    logic [63:0]                                    reg_rdata;
    lp_out_t [Processors-1:0]                       lp;
    general_out_t [Processors-1:0][General-1:0]     general;
    fixed_out_t [Processors-1:0][FixedEntries-1:0]  fixed;
  } out_t;

  localparam config_t DefaultStraps = perf_config_pkg::ConfigDefault;

  /////////////
  // Request //
  /////////////

  function automatic logic level0(in_t in, int unsigned processor);
    case (in.lp[processor].op_mode)
      ModeReal: return 1'b1;
      ModeV86:  return 1'b0;
      default:  return in.lp[processor].cpl == 2'd0;
    endcase
  endfunction

  // The logical processor that asks.
  function automatic logic asks(in_t in, int unsigned processor);
    return (32'(in.request.reg_lp) % Processors) == processor;
  endfunction

  // Bits of a value from `width` upwards are 0.
  function automatic logic fits_in(logic [63:0] value, logic [5:0] width);
    return value < (64'd1 << width);
  endfunction

  // A value that WRMSR of an event select does not refuse.
  function automatic logic select_allowed(config_t cfg, int unsigned counter, logic [63:0] value);
    if (value[63:32] != '0) return 1'b0;
    if (cfg.personality == 2'd0) return !value[21] && ((counter == 0) || cfg.sel1_en || !value[22]);
    return cfg.any_thread || !value[21];
  endfunction

  // The table "WRMSR refuses a value with" and that of the numbers that the unit has, of docs/src/perf/cycle.md. 0: the unit
  // does not have the number; 1: WRMSR refuses the value; 2: it takes it.
  function automatic logic [1:0] write_of(config_t cfg, logic [31:0] number, logic [63:0] value);
    logic [63:0] left;
    for (int unsigned c = 0; c < General; c++) begin
      if (c < 32'(cfg.counters)) begin
        if (number == 32'h0C1 + c) return 2'd2;
        if (number == 32'h186 + c) return select_allowed(cfg, c, value) ? 2'd2 : 2'd1;
        if ((number == 32'h4C1 + c) && cfg.capabilities[13]) return fits_in(value, cfg.width) ? 2'd2 : 2'd1;
      end
    end
    for (int unsigned k = 0; k < Fixed; k++) begin
      if ((k < 32'(cfg.fixed)) && (number == 32'h309 + k)) return fits_in(value, cfg.fixed_width) ? 2'd2 : 2'd1;
    end
    if ((number == 32'h345) && cfg.pdcm) return 2'd1;
    if ((number == 32'h834) && cfg.x2apic)
      return ((value[63:17] != '0) || (value[15:13] != '0) || value[11]) ? 2'd1 : 2'd2;
    if (cfg.personality < 2'd2) return 2'd0;
    // What is left of the value when all bits that may be 1 are taken away.
    left = value;
    case (number)
      32'h38D: begin
        for (int unsigned k = 0; k < 3; k++) begin
          if (k < 32'(cfg.fixed)) begin
            left[4*k +: 2] = '0;
            left[4*k + 3]  = 1'b0;
            if (cfg.any_thread) left[4*k + 2] = 1'b0;
          end
        end
        return (left == '0) ? 2'd2 : 2'd1;
      end
      32'h38E: return 2'd1;
      32'h38F, 32'h390: begin
        for (int unsigned c = 0; c < 8; c++) if (c < 32'(cfg.counters)) left[c] = 1'b0;
        for (int unsigned k = 0; k < 3; k++) if (k < 32'(cfg.fixed)) left[32 + k] = 1'b0;
        if (number == 32'h390) begin
          left[63:62] = '0;
          if (cfg.personality == 2'd3) left[61] = 1'b0;
        end
        return (left == '0) ? 2'd2 : 2'd1;
      end
      default: return 2'd0;
    endcase
  endfunction

  // RDPMC of the number names a counter.
  function automatic logic names(config_t cfg, logic [31:0] number);
    if (number[31] && !cfg.fast_read) return 1'b0;
    if (number[30:0] < 31'(cfg.counters)) return 1'b1;
    return number[30] && (number[29:0] < 30'(cfg.fixed));
  endfunction

  // The table of results, row by row.
  function automatic reg_result_e result(config_t cfg, in_t in);
    logic       level_is_0, pce;
    logic [1:0] write;
    level_is_0 = 1'b0;
    pce        = 1'b0;
    for (int unsigned i = 0; i < Processors; i++) begin
      if (asks(in, i)) begin
        level_is_0 = level0(in, i);
        pce        = in.lp[i].pce;
      end
    end
    write = write_of(cfg, in.request.reg_number, in.request.reg_wdata);
    case (in.request.reg_op)
      RegRdpmc: return !names(cfg, in.request.reg_number) ? ResultNotMine : (level_is_0 || pce) ? ResultDone : ResultGp;
      RegRdmsr: return (write == 2'd0) ? ResultNotMine : level_is_0 ? ResultDone : ResultGp;
      RegWrmsr: return (write == 2'd0) ? ResultNotMine : (level_is_0 && (write == 2'd2)) ? ResultDone : ResultGp;
      default:  return ResultNotMine;
    endcase
  endfunction

  // A WRMSR takes effect in this cycle.
  function automatic logic takes_effect(config_t cfg, in_t in);
    return in.request.reg_valid && (in.request.reg_op == RegWrmsr) && (result(cfg, in) == ResultDone);
  endfunction

endpackage
