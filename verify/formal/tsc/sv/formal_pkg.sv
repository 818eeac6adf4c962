// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the proofs share: the size of the build under proof, its inputs and outputs as one struct each, sets of straps, and a
// reading of the contract that the properties compare the unit with.
//
// The size comes as a macro from the program that runs the proofs (verify/formal/tsc/proofs.toml, "builds").

package formal_pkg;

  import retire_pkg::*;
  import tsc_pkg::*;

  localparam int unsigned Processors = `FORMAL_PROCESSORS;

  // Inputs, in the order of docs/src/tsc/ports.md.
  typedef struct packed {
    processor_t   processor;
    logic [1:0]   cpl;
    op_mode_e     op_mode;
    logic         tsd;
    reg_request_t request;
  } in_t;

  // Outputs, in the order of docs/src/tsc/ports.md.
  typedef answer_t out_t;

  localparam config_t DefaultStraps = tsc_config_pkg::ConfigDefault;
  // A whole ratio of the crystal.
  function automatic config_t whole();
    config_t cfg;
    cfg = DefaultStraps;
    cfg.write_width     = WriteLow32;
    cfg.max_ratio       = 8'd1;
    cfg.art_whole       = 16'd1;
    cfg.art_rest        = 16'd0;
    cfg.art_denominator = 16'd1;
    return cfg;
  endfunction
  localparam config_t WholeStraps = whole();

  // A ratio of halves.
  function automatic config_t half();
    config_t cfg;
    cfg = DefaultStraps;
    cfg.max_ratio       = 8'd255;
    cfg.art_whole       = 16'd65535;
    cfg.art_rest        = 16'd1;
    cfg.art_denominator = 16'd2;
    return cfg;
  endfunction
  localparam config_t HalfStraps = half();

  //////////
  // Rate //
  //////////

  // What a tick of the time base is worth, in units of 1 / denominator, without the whole ticks of the crystal's ratio.
  function automatic logic [15:0] denominator(config_t cfg);
    return (cfg.rate == RateInvariant) ? cfg.art_denominator : 16'd2;
  endfunction

  // The ratio of core clock to bus clock that counts, in halves.
  function automatic logic [7:0] halves(config_t cfg, rate_t rate, processor_t processor);
    case (cfg.rate)
      RateConstantMax:  return cfg.max_ratio;
      RateConstantBoot: return rate.booted ? rate.boot_ratio : processor.core_ratio;
      default:          return processor.core_ratio;
    endcase
  endfunction

  function automatic logic runs(config_t cfg, processor_t processor);
    logic tick, asleep;
    tick   = (cfg.rate == RateInvariant) ? processor.crystal_tick : processor.bus_tick;
    asleep = processor.dpslp && (cfg.deep_sleep == DeepSleepStop);
    return cfg.present && tick && !asleep;
  endfunction

  // Ticks of the counter in a cycle.
  function automatic logic [63:0] ticks(config_t cfg, rate_t rate, processor_t processor);
    logic [63:0] halves_now, parts;
    halves_now = 64'(halves(cfg, rate, processor)) + 64'(rate.fraction);
    parts      = 64'(cfg.art_rest) + 64'(rate.fraction);
    if (!runs(cfg, processor)) return '0;
    if (cfg.rate != RateInvariant) return halves_now >> 1;
    return 64'(cfg.art_whole) + 64'(parts >= 64'(cfg.art_denominator));
  endfunction

  /////////////
  // Request //
  /////////////

  function automatic logic level0(in_t in);
    case (in.op_mode)
      ModeReal: return 1'b1;
      ModeV86:  return 1'b0;
      default:  return in.cpl == 2'd0;
    endcase
  endfunction

  // The register exists.
  function automatic logic has(config_t cfg, logic [31:0] number);
    case (number)
      32'h0000_0010: return cfg.present;
      32'h0000_003B: return cfg.adjust;
      32'hC000_0103: return cfg.aux;
      default:       return 1'b0;
    endcase
  endfunction

  // The table of docs/src/tsc/cycle.md, "1. Request", row by row.
  function automatic reg_result_e result(config_t cfg, in_t in);
    logic time_op, msr_op;
    time_op = in.request.reg_op inside {RegRdtsc, RegRdtscp};
    msr_op  = in.request.reg_op inside {RegRdmsr, RegWrmsr};
    if ((in.request.reg_op == RegRdtsc) && !cfg.present) return ResultUd;
    if ((in.request.reg_op == RegRdtscp) && !cfg.aux) return ResultUd;
    if (time_op && in.tsd && !level0(in)) return ResultGp;
    if (msr_op && !has(cfg, in.request.reg_number)) return ResultNotMine;
    if (msr_op && !level0(in)) return ResultGp;
    if ((in.request.reg_op == RegWrmsr) && (in.request.reg_number == 32'hC000_0103) && (in.request.reg_wdata[63:32] != '0))
      return ResultGp;
    return (time_op || msr_op) ? ResultDone : ResultNotMine;
  endfunction

  // The logical processor that asks.
  function automatic logic asks(in_t in, int unsigned processor);
    return (32'(in.request.reg_lp) % Processors) == processor;
  endfunction

  // A WRMSR of this register takes effect in this processor.
  function automatic logic writes(config_t cfg, in_t in, int unsigned processor, logic [31:0] number);
    return in.request.reg_valid && (in.request.reg_op == RegWrmsr) && (in.request.reg_number == number) &&
           (result(cfg, in) == ResultDone) && asks(in, processor);
  endfunction

endpackage
