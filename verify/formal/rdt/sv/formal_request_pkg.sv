// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A reading of docs/src/rdt/cycle.md, "5. Register requests" and "Data", table by table.

package formal_request_pkg;

  import retire_pkg::*;
  import rdt_pkg::*;
  import formal_pkg::*;

  // "The level is 0 if `op_mode` is real (0), 3 if it is virtual-8086 (1), else `cpl`."
  function automatic logic level0(in_t in);
    if (in.mode.op_mode == ModeReal) return 1'b1;
    if (in.mode.op_mode == ModeV86) return 1'b0;
    return in.mode.cpl == 2'd0;
  endfunction

  // "Logical processor p is `reg_lp` modulo `LogicalProcessors`"; the pair of p.
  function automatic int unsigned asks(in_t in);
    return 32'(in.request.reg_lp) % Processors;
  endfunction

  function automatic int unsigned pair(config_t cfg, in_t in);
    return cfg.select ? 0 : asks(in);
  endfunction

  // The number is one of `count` from `first` on.
  function automatic logic among(logic [31:0] number, logic [31:0] first, logic [4:0] count);
    return (number >= first) && (number < first + 32'(count));
  endfunction

  function automatic logic of_l3(config_t cfg, logic [31:0] number);
    return among(number, 32'hC90, masks(cfg.l3_cat, cfg.l3_cos));
  endfunction

  function automatic logic of_l2(config_t cfg, logic [31:0] number);
    return among(number, 32'hD10, masks(cfg.l2_cat, cfg.l2_cos));
  endfunction

  function automatic logic of_delay(config_t cfg, logic [31:0] number);
    return among(number, 32'hD50, masks(cfg.mba, cfg.mba_cos));
  endfunction

  // "The unit *has* these numbers."
  function automatic logic has(config_t cfg, logic [31:0] number);
    case (number)
      32'hC81:          return cfg.l3_cdp;
      32'hC82:          return cfg.l2_cdp;
      32'hC8D, 32'hC8E: return monitoring(cfg);
      32'hC8F:          return monitoring(cfg) || allocation(cfg);
      default:          return of_l3(cfg, number) || of_l2(cfg, number) || of_delay(cfg, number);
    endcase
  endfunction

  // "Ones in more than one piece": some zero has ones below and above it.
  function automatic logic pieces(logic [15:0] mask);
    logic found;
    found = 1'b0;
    for (int unsigned zero = 1; zero < 15; zero++) begin
      found = found | (!mask[zero] && ((mask >> (zero + 1)) != '0) && ((mask & ((16'd1 << zero) - 16'd1)) != '0));
    end
    return found;
  endfunction

  function automatic logic refuses_mask(config_t cfg, logic [63:0] value, logic [4:0] ways);
    if ((value >> ways) != '0) return 1'b1;
    if (cfg.vendor == VendorAmd) return 1'b0;
    return (value == '0) || (!cfg.sparse && pieces(value[15:0]));
  endfunction

  // "A class that no resource has, other than 0."
  function automatic logic no_class(config_t cfg, state_t st, logic [31:0] cos);
    return (cos != '0) && (cos >= 32'(l3_classes(cfg, st))) && (cos >= 32'(l2_classes(cfg, st))) &&
           (cos >= 32'(masks(cfg.mba, cfg.mba_cos)));
  endfunction

  // The table "WRMSR of, refuses". An RMID above `max_rmid` covers reserved bits below bit 32.
  function automatic logic refuses(config_t cfg, state_t st, logic [31:0] number, logic [63:0] value);
    logic amd;
    amd = cfg.vendor == VendorAmd;
    case (number)
      32'hC81, 32'hC82: return value[63:1] != '0;
      32'hC8D: return (value[31:8] != '0) || (amd ? (value[63:44] != '0) : (value[63:42] != '0));
      32'hC8F: return (value[31:0] > 32'(cfg.max_rmid)) || no_class(cfg, st, value[63:32]);
      default: ;
    endcase
    if (of_l3(cfg, number)) return refuses_mask(cfg, value, cfg.l3_ways);
    if (of_l2(cfg, number)) return refuses_mask(cfg, value, 5'(cfg.l2_ways));
    return value > 64'(cfg.mba_max);
  endfunction

  // "The result is that of the first row that applies."
  function automatic reg_result_e result(config_t cfg, in_t in, state_t st);
    if (!(in.request.reg_op inside {RegRdmsr, RegWrmsr}) || !has(cfg, in.request.reg_number)) return ResultNotMine;
    if (!level0(in)) return ResultGp;
    if (in.request.reg_op == RegRdmsr) return ResultDone;
    if (in.request.reg_number == 32'hC8E) return ResultGp;
    return refuses(cfg, st, in.request.reg_number, in.request.reg_wdata) ? ResultGp : ResultDone;
  endfunction

  // A WRMSR of this number is done, given its result.
  function automatic logic writes(in_t in, reg_result_e verdict, logic [31:0] number);
    return in.request.reg_valid && (in.request.reg_op == RegWrmsr) && (in.request.reg_number == number) &&
        (verdict == ResultDone);
  endfunction

  // "Data": bits 63, 62 and 61:0 of IA32_QM_CTR.
  function automatic logic [63:0] data(config_t cfg, in_t in, state_t st);
    lp_t                 selection;
    rmid_t               counts;
    logic [CounterW-1:0] lines;
    selection = st.lp[pair(cfg, in)];
    counts    = st.rmid[selection.event_rmid[4:0]];
    if (!(selection.event_id inside {8'd1, 8'd2, 8'd3}) || !cfg.events[2'(selection.event_id - 8'd1)] ||
        (selection.event_rmid > 12'(cfg.l3_max_rmid))) return {2'b10, 62'd0};
    if (in.qm_unavailable || (selection.settle != '0)) return {2'b01, 62'd0};
    if (selection.event_id == 8'd1) return {2'b00, 62'(counts.occupancy) >> cfg.scale};
    lines = ((selection.event_id == 8'd2) ? counts.total : counts.local_lines) >> cfg.scale;
    return {2'b00, lines & 62'((64'd1 << cfg.width) - 64'd1)};
  endfunction

  // The value of a register that RDMSR shows.
  function automatic logic [63:0] shows(config_t cfg, in_t in, state_t st);
    logic [31:0] number;
    lp_t         own, selection;
    number    = in.request.reg_number;
    own       = st.lp[asks(in)];
    selection = st.lp[pair(cfg, in)];
    case (number)
      32'hC81: return 64'(st.cdp.l3);
      32'hC82: return 64'(st.cdp.l2);
      32'hC8D: return {20'd0, selection.event_rmid, 24'd0, selection.event_id};
      32'hC8E: return data(cfg, in, st);
      32'hC8F: return {28'd0, own.cos, 27'd0, own.rmid};
      default: ;
    endcase
    if (of_l3(cfg, number)) return 64'(st.classes[4'(number - 32'hC90)].l3_mask);
    if (of_l2(cfg, number)) return 64'(st.classes[4'(number - 32'hD10)].l2_mask);
    return 64'(st.classes[4'(number - 32'hD50)].delay);
  endfunction

endpackage
