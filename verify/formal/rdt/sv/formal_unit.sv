// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The unit under proof, its ports gathered in two structs, and its memories, with the facts about its registers that its own
// assertions (rtl/rdt/rdt_assert*.sv) and the lemmas state. The proof "invariants" proves them; the others build on them.

module formal_unit
  import rdt_pkg::*;
  import formal_pkg::*;
(
  input  logic    clk_i,
  input  logic    rst_ni,
  input  config_t cfg_i,
  input  in_t     in_i,
  output out_t    out_o,
  output state_t  st_o,
  output tags_t   tags_o
);

  rdt #(
    .LogicalProcessors(Processors),
    .L3Sets           (L3Sets),
    .L3Ways           (L3Ways),
    .L2Sets           (L2Sets),
    .L2Ways           (L2Ways),
    .Rmids            (Rmids),
    .Classes          (Classes)
  ) u_rdt (
    .clk_i,
    .rst_ni,
    .cfg_i,
    .lp_i            (in_i.lp),
    .mem_i           (in_i.mem),
    .power_i         (in_i.power),
    .qm_unavailable_i(in_i.qm_unavailable),
    .show_i          (in_i.show),
    .mode_i          (in_i.mode),
    .reg_i           (in_i.request),
    .lp_o            (out_o.lp),
    .mem_req_o       (out_o.mem.mem_req),
    .mem_write_o     (out_o.mem.mem_write),
    .mem_addr_o      (out_o.mem.mem_addr),
    .mem_rmid_o      (out_o.mem.mem_rmid),
    .mem_cos_o       (out_o.mem.mem_cos),
    .l3_on_o         (out_o.power.l3_on),
    .l2_on_o         (out_o.power.l2_on),
    .walking_o       (out_o.walking),
    .reg_done_o      (out_o.answer.reg_done),
    .reg_result_o    (out_o.answer.reg_result),
    .reg_rdata_o     (out_o.answer.reg_rdata),
    .state_o         (st_o)
  );

  ////////////////
  // The memory //
  ////////////////

  // Bits of a stored line: an age, 50 more, and in the L3 cache the owner. ShownL3 and ShownL2 compare this with the window.
  localparam int unsigned L3AgeW = $clog2(L3Ways);
  localparam int unsigned L2AgeW = $clog2(L2Ways);
  localparam int unsigned L3Bits = 2 + LineW + L3AgeW + 6;
  localparam int unsigned L2Bits = 2 + LineW + L2AgeW;

  for (genvar s = 0; s < int'(L3Sets); s++) begin : gen_l3
    for (genvar w = 0; w < int'(L3Ways); w++) begin : gen_ways
      logic [L3Bits-1:0] stored;
      assign stored = u_rdt.u_l3.u_memory.words[s][w*L3Bits +: L3Bits];
      assign tags_o.l3[s][w] = '{valid: stored[0], dirty: stored[1], line: stored[2 +: LineW],
          age: 4'(stored[2+LineW +: L3AgeW]),
                                 code: stored[L3Bits-1], rmid: stored[L3Bits-2 -: 5]};
    end
  end

  for (genvar s = 0; s < int'(L2Sets); s++) begin : gen_l2
    for (genvar w = 0; w < int'(L2Ways); w++) begin : gen_ways
      logic [L2Bits-1:0] stored;
      assign stored = u_rdt.u_l2.u_memory.words[s][w*L2Bits +: L2Bits];
      assign tags_o.l2[s][w] = '{valid: stored[0], dirty: stored[1], line: stored[2 +: LineW],
          age: 3'(stored[2+LineW +: L2AgeW])};
    end
  end

  // Cost and rate are those of the table.
  for (genvar i = 0; i < int'(Processors); i++) begin : gen_pace
    always_comb begin
      CostKnown: assert (u_rdt.u_pace.gen_processors[i].cost == cost(cfg_i, delay(cfg_i, st_o, i)));
      RateKnown: assert (u_rdt.u_pace.gen_processors[i].rate == rate(cfg_i, delay(cfg_i, st_o, i)));
    end
  end

  formal_shown  u_shown (.cfg_i, .out_i(out_o), .st_i(st_o), .tags_i(tags_o));
  ways_t ways;
  assign ways = '{l3_hit: u_rdt.u_l3.u_set.hit, l2_hit: u_rdt.u_l2.u_set.hit, l2_victim: u_rdt.u_l2.u_set.victim,
                  l2_off: u_rdt.u_l2.u_set.off_lowest};
  formal_lemmas u_lemmas (.clk_i, .cfg_i, .st_i(st_o), .tags_i(tags_o), .ways_i(ways));

endmodule
