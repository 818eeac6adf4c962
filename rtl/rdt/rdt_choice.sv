// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Choice: the access that is next, round robin among the logical processors that are ready, and the ways that it may
// fill. Combinational.
//
// Contract: docs/src/rdt/cycle.md, "Terms" and "Choice". Requirements RDTA-02, RDTA-13, RDTA-19, RDTA-23.

module rdt_choice
  import rdt_pkg::*;
  import rdt_stage_pkg::*;
#(
  // Logical processors: 1, 2, 4 or 8.
  parameter int unsigned LogicalProcessors = 2,
  // Classes of service: 2 to 16.
  parameter int unsigned Classes           = 4
) (
  // Straps, constant after reset. Few of them are used.
  // verilator lint_off UNUSEDSIGNAL
  input  config_t                         cfg_i,
  // verilator lint_on UNUSEDSIGNAL

  // CDP of each cache is on.
  input  cdp_t                            cdp_i,
  // Per class: its masks. Delays do not matter.
  // verilator lint_off UNUSEDSIGNAL
  input  class_t [Classes-1:0]            classes_i,
  // verilator lint_on UNUSEDSIGNAL
  // Ways that have power.
  input  power_t                          power_i,
  // Per logical processor: the access that it waits for.
  // verilator lint_off UNUSEDSIGNAL
  input  entry_t [LogicalProcessors-1:0]  access_i,
  // verilator lint_on UNUSEDSIGNAL
  // The logical processor may access the L3 cache.
  input  logic [LogicalProcessors-1:0]    paced_i,
  // Logical processor that was chosen last.
  input  logic [2:0]                      turn_i,

  // One-hot: the logical processor that is next; 0 if none is ready.
  output logic [LogicalProcessors-1:0]    next_o,
  // Its access.
  output choice_t                         choice_o
);

  ////////////////
  // Who is next //
  ////////////////

  // The first that is ready behind `turn`: the lowest of those above it, else the lowest of all.
  logic [LogicalProcessors-1:0] ready, above, among;
  for (genvar i = 0; i < int'(LogicalProcessors); i++) begin : gen_ready
    assign ready[i] = (access_i[i].stage == StageL2) || ((access_i[i].stage == StageL3) && paced_i[i]);
  end
  assign above  = ready & LogicalProcessors'(8'hFE << turn_i);
  assign among  = (above != '0) ? above : ready;
  assign next_o = among & (~among + LogicalProcessors'(1));

  // verilator lint_off UNUSEDSIGNAL
  entry_t access;
  // verilator lint_on UNUSEDSIGNAL
  logic [2:0] turn;
  always_comb begin
    access = '0;
    turn   = '0;
    for (int unsigned i = 0; i < LogicalProcessors; i++) begin
      access |= access_i[i] & {$bits(entry_t){next_o[i]}};
      turn   |= 3'(i) & {3{next_o[i]}};
    end
  end

  //////////////////
  // Allowed ways //
  //////////////////

  // Number of the mask of each cache: that of the class, or one of its pair.
  logic [3:0]  l3_number, l2_number;
  logic [15:0] l3_mask, l3_allowed;
  logic [7:0]  l2_mask, l2_allowed;
  assign l3_number = cdp_i.l3 ? {access.cos[2:0], access.code} : access.cos;
  assign l2_number = cdp_i.l2 ? {access.cos[2:0], access.code} : access.cos;

  always_comb begin
    l3_mask = '0;
    l2_mask = '0;
    for (int unsigned n = 0; n < Classes; n++) begin
      if (l3_number == 4'(n)) l3_mask |= classes_i[n].l3_mask;
      if (l2_number == 4'(n)) l2_mask |= classes_i[n].l2_mask;
    end
  end

  always_comb begin
    if (power_i.l3_on < cfg_i.l3_ways) l3_allowed = first_ways(power_i.l3_on);
    else if (has_class(cfg_i.l3_cat, cdp_i.l3, cfg_i.l3_cos, access.cos)) l3_allowed = l3_mask;
    else l3_allowed = first_ways(cfg_i.l3_ways);

    if (!cfg_i.l2) l2_allowed = '0;
    else if (power_i.l2_on < cfg_i.l2_ways) l2_allowed = 8'(first_ways(5'(power_i.l2_on)));
    else if (has_class(cfg_i.l2_cat, cdp_i.l2, cfg_i.l2_cos, access.cos)) l2_allowed = l2_mask;
    else l2_allowed = 8'(first_ways(5'(cfg_i.l2_ways)));
  end

  assign choice_o = '{
    valid:      ready != '0,
    turn:       turn,
    to_l2:      access.stage == StageL2,
    rmid:       access.rmid,
    cos:        access.cos,
    write:      access.write,
    code:       access.code,
    line:       access.line,
    l3_allowed: l3_allowed,
    l2_allowed: l2_allowed
  };

endmodule
