// SPDX-License-Identifier: MIT OR Apache-2.0
//
// What the proofs share: the size of the build under proof, its inputs and outputs as one struct each, the words of its two
// memories, the default straps, and a reading of the contract that the properties compare the unit with.
//
// The size comes as macros from the program that runs the proofs (verify/formal/rdt/proofs.toml, "builds").

package formal_pkg;

  import retire_pkg::*;
  import rdt_pkg::*;

  localparam int unsigned Processors = `FORMAL_PROCESSORS;
  localparam int unsigned L3Sets     = `FORMAL_L3_SETS;
  localparam int unsigned L3Ways     = `FORMAL_L3_WAYS;
  localparam int unsigned L2Sets     = `FORMAL_L2_SETS;
  localparam int unsigned L2Ways     = `FORMAL_L2_WAYS;
  localparam int unsigned Rmids      = `FORMAL_RMIDS;
  localparam int unsigned Classes    = `FORMAL_CLASSES;
  // "The larger of `L3Sets` and `L2Sets`."
  localparam int unsigned MoreSets   = (L3Sets > L2Sets) ? L3Sets : L2Sets;

  // Inputs, in the order of docs/src/rdt/ports.md.
  typedef struct packed {
    lp_in_t [Processors-1:0] lp;
    mem_in_t                 mem;
    power_in_t               power;
    logic                    qm_unavailable;
    logic [SetW-1:0]         show;
    mode_in_t                mode;
    reg_request_t            request;
  } in_t;

  // Memory request.
  typedef struct packed {
    logic                mem_req;
    logic                mem_write;
    logic [AddressW-1:0] mem_addr;
    logic [4:0]          mem_rmid;
    logic [3:0]          mem_cos;
  } mem_out_t;

  // Outputs, in the order of docs/src/rdt/ports.md.
  typedef struct packed {
    lp_out_t [Processors-1:0] lp;
    mem_out_t                 mem;
    power_t                   power;
    logic                     walking;
    answer_t                  answer;
  } out_t;

  // A way of the L3 cache.
  typedef logic [$clog2(L3Ways)-1:0] way_t;

  // What the unit finds in the word of each cache, one-hot: the way that holds the line that is searched; the victim; the way that a walk
  // empties.
  typedef struct packed {
    logic [L3Ways-1:0] l3_hit;
    logic [L2Ways-1:0] l2_hit;
    logic [L2Ways-1:0] l2_victim;
    logic [L2Ways-1:0] l2_off;
  } ways_t;

  // Every word of the two memories.
  typedef struct packed {
    l3_line_t [L3Sets-1:0][L3Ways-1:0] l3;
    l2_line_t [L2Sets-1:0][L2Ways-1:0] l2;
  } tags_t;

  // An access as it was requested, with the RMID and the class of that cycle.
  typedef struct packed {
    logic [4:0]       rmid;
    logic [3:0]       cos;
    logic             write;
    logic             code;
    logic [LineW-1:0] line;
  } asked_t;

  // The access that was chosen last, with the ways that its class allowed in that cycle.
  typedef struct packed {
    logic [2:0]  turn;
    asked_t      asked;
    logic [15:0] l3;
    logic [7:0]  l2;
  } chosen_t;

  // The straps of ConfigDefault, as far as the build goes.
  function automatic config_t default_straps();
    config_t cfg;
    cfg = rdt_config_pkg::ConfigDefault;
    cfg.l3_sets     = 4'($clog2(L3Sets));
    cfg.l3_ways     = 5'(L3Ways);
    cfg.l2_sets     = 4'($clog2(L2Sets));
    cfg.l2_ways     = 4'(L2Ways);
    cfg.max_rmid    = 5'(Rmids - 1);
    cfg.l3_max_rmid = 5'(Rmids - 1);
    cfg.l3_cos      = 4'(Classes - 1);
    cfg.l2_cos      = 4'(Classes - 1);
    cfg.mba_cos     = 4'(Classes - 1);
    return cfg;
  endfunction
  localparam config_t DefaultStraps = default_straps();

  ///////////
  // Terms //
  ///////////

  // "*There is allocation* = `l3_cat`, `l2_cat` or `mba`. *There is monitoring* = `events` is not 0."
  function automatic logic allocation(config_t cfg);
    return cfg.l3_cat || cfg.l2_cat || cfg.mba;
  endfunction

  function automatic logic monitoring(config_t cfg);
    return cfg.events != '0;
  endfunction

  // Number of classes of a resource, and of its masks: the table under "Terms".
  function automatic logic [4:0] masks(logic exists, logic [3:0] last);
    return exists ? (5'(last) + 5'd1) : 5'd0;
  endfunction

  function automatic logic [4:0] l3_classes(config_t cfg, state_t st);
    return st.cdp.l3 ? (masks(cfg.l3_cat, cfg.l3_cos) >> 1) : masks(cfg.l3_cat, cfg.l3_cos);
  endfunction

  function automatic logic [4:0] l2_classes(config_t cfg, state_t st);
    return st.cdp.l2 ? (masks(cfg.l2_cat, cfg.l2_cos) >> 1) : masks(cfg.l2_cat, cfg.l2_cos);
  endfunction

  // The ways 0 to n - 1.
  function automatic logic [15:0] ways_below(logic [4:0] n);
    return 16'((17'd1 << n) - 17'd1);
  endfunction

  // "Allowed ways" of an access of a class, by the registers of the cycle.
  function automatic logic [15:0] l3_allowed(config_t cfg, state_t st, logic [3:0] cos, logic code);
    logic [4:0] number;
    number = st.cdp.l3 ? {cos, code} : 5'(cos);
    if (st.power.l3_on < cfg.l3_ways) return ways_below(st.power.l3_on);
    if (5'(cos) < l3_classes(cfg, st)) return st.classes[number[3:0]].l3_mask;
    return ways_below(cfg.l3_ways);
  endfunction

  function automatic logic [7:0] l2_allowed(config_t cfg, state_t st, logic [3:0] cos, logic code);
    logic [4:0] number;
    number = st.cdp.l2 ? {cos, code} : 5'(cos);
    if (!cfg.l2) return '0;
    if (st.power.l2_on < cfg.l2_ways) return 8'(ways_below(5'(st.power.l2_on)));
    if (5'(cos) < l2_classes(cfg, st)) return st.classes[number[3:0]].l2_mask;
    return 8'(ways_below(5'(cfg.l2_ways)));
  endfunction

  // "Set of a line: its lowest `l3_sets` (`l2_sets`) bits."
  function automatic logic [SetW-1:0] l3_set(config_t cfg, logic [LineW-1:0] line);
    return line[SetW-1:0] & 12'(last_set(cfg.l3_sets));
  endfunction

  function automatic logic [SetW-1:0] l2_set(config_t cfg, logic [LineW-1:0] line);
    return line[SetW-1:0] & 12'(last_set(cfg.l2_sets));
  endfunction

  // 2^n - 1: the number of the last set.
  function automatic logic [15:0] last_set(logic [3:0] n);
    return (16'd1 << n) - 16'd1;
  endfunction

  // "The smaller of `l3_power` and `l3_ways`, of `l2_power` and `l2_ways`."
  function automatic power_t wanted(config_t cfg, in_t in);
    power_t ways;
    ways.l3_on = (in.power.l3_power > cfg.l3_ways) ? cfg.l3_ways : in.power.l3_power;
    ways.l2_on = (in.power.l2_power > cfg.l2_ways) ? cfg.l2_ways : in.power.l2_power;
    return ways;
  endfunction

  //////////
  // Pace //
  //////////

  // The delay of a class.
  function automatic logic [11:0] delay_of(config_t cfg, state_t st, logic [3:0] cos);
    return (5'(cos) < masks(cfg.mba, cfg.mba_cos)) ? st.classes[cos].delay : '0;
  endfunction

  // The delay of a logical processor.
  function automatic logic [11:0] delay(config_t cfg, state_t st, int unsigned i);
    logic [11:0] most;
    if (cfg.mba_scope) return delay_of(cfg, st, st.lp[i].access_cos);
    most = '0;
    for (int unsigned j = 0; j < Processors; j++) begin
      if (delay_of(cfg, st, st.lp[j].cos) > most) most = delay_of(cfg, st, st.lp[j].cos);
    end
    return most;
  endfunction

  // The table of rate and cost. 100 is 64 + 32 + 4.
  function automatic logic [CreditW-1:0] rate(config_t cfg, logic [11:0] d);
    if (d == '0) return '0;
    return cfg.mba_linear ? (15'd100 - 15'(d)) : 15'd1;
  endfunction

  function automatic logic [CreditW-1:0] cost(config_t cfg, logic [11:0] d);
    if (d == '0) return '0;
    if (cfg.mba_linear) return (15'(cfg.mba_period) << 6) + (15'(cfg.mba_period) << 5) + (15'(cfg.mba_period) << 2);
    for (int b = 11; b >= 0; b--) begin
      if (d[b]) return 15'(cfg.mba_period) + (15'd1 << b);
    end
    return '0;
  endfunction

  // "*Paced* = `credit` >= cost."
  function automatic logic paced(config_t cfg, state_t st, int unsigned i);
    return st.lp[i].credit >= cost(cfg, delay(cfg, st, i));
  endfunction

  //////////////////////
  // Requests, choice //
  //////////////////////

  // "*Accepted* = `req_valid` and `req_ready`."
  function automatic logic accepts(in_t in, out_t out, int unsigned i);
    return in.lp[i].req_valid && out.lp[i].req_ready;
  endfunction

  // "*Ready* is a logical processor with `stage` = 1, or with `stage` = 2 that is paced."
  function automatic logic ready(config_t cfg, state_t st, int unsigned i);
    return (st.lp[i].stage == 2'd1) || ((st.lp[i].stage == 2'd2) && paced(cfg, st, i));
  endfunction

  // A cycle of idle in which a logical processor is chosen if one is ready: no cache loses ways.
  function automatic logic chooses(config_t cfg, in_t in, state_t st);
    return (st.job.step == StepIdle) && (wanted(cfg, in).l2_on >= st.power.l2_on) &&
           (wanted(cfg, in).l3_on >= st.power.l3_on);
  endfunction

  // "Chosen is the first that is ready behind `turn`."
  function automatic logic [Processors-1:0] chosen(config_t cfg, in_t in, state_t st);
    logic [Processors-1:0] all_ready, one;
    int unsigned           i;
    one = '0;
    for (int unsigned j = 0; j < Processors; j++) all_ready[j] = ready(cfg, st, j);
    for (int unsigned n = 1; n <= Processors; n++) begin
      i = (32'(st.job.turn) + n) % Processors;
      if ((one == '0) && all_ready[i]) one[i] = 1'b1;
    end
    return chooses(cfg, in, st) ? one : '0;
  endfunction

  // A step of an access, not of clear, idle or a change of power.
  function automatic logic accesses(state_t st);
    return !(st.job.step inside {StepClear, StepIdle}) && !st.job.walk;
  endfunction

  ////////////////
  // The caches //
  ////////////////

  // Lines of an RMID in the L3 memory.
  function automatic logic [OccupancyW-1:0] l3_lines(tags_t tags, logic [4:0] rmid);
    logic [OccupancyW-1:0] sum;
    sum = '0;
    for (int unsigned s = 0; s < L3Sets; s++) begin
      for (int unsigned w = 0; w < L3Ways; w++) begin
        if (tags.l3[s][w].valid && (tags.l3[s][w].rmid == rmid)) sum = sum + 17'd1;
      end
    end
    return sum;
  endfunction

  // Valid lines in the L3 memory, set by set.
  function automatic logic [OccupancyW-1:0] l3_valid(tags_t tags);
    logic [OccupancyW-1:0] sum;
    sum = '0;
    for (int unsigned s = 0; s < L3Sets; s++) sum = sum + OccupancyW'(set_valid(tags.l3[s]));
    return sum;
  endfunction

  // Valid lines in a set of the L3 memory.
  function automatic logic [4:0] set_valid(l3_line_t [L3Ways-1:0] set);
    logic [4:0] sum;
    sum = '0;
    for (int unsigned w = 0; w < L3Ways; w++) sum = sum + 5'(set[w].valid);
    return sum;
  endfunction

  // A line is valid in a set of the L2 cache.
  function automatic logic in_l2_set(l2_line_t [L2Ways-1:0] set, logic [LineW-1:0] line);
    for (int unsigned w = 0; w < L2Ways; w++) if (set[w].valid && (set[w].line == line)) return 1'b1;
    return 1'b0;
  endfunction

endpackage
