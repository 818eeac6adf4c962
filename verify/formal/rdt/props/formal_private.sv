// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Private: a class of service with ways and lines of its own meets a private cache. One class, chosen by the solver, is compared
// with a cache of its ways alone (formal_lru), which gets the accesses of this class and nothing else: its hits and misses, its
// ways and its victims are the same. So they do not depend on what other classes do.
//
// The class has the memory whose lines equal `value` in the bits of `key`, both chosen by the solver. The comparison begins in any
// cycle of idle in which its ways are empty, as after reset or a flush. From then on masks, CDP and power stay as they are.
//
// Rows: RDTA-02, RDTA-05, RDTA-08.

module formal_private
  import rdt_pkg::*;
  import formal_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input in_t     in_i,
  input out_t    out_i,
  input state_t  st_i,
  input tags_t   tags_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input out_t    was_out_i,
  input state_t  was_i,
  input tags_t   was_tags_i,
  // What was asked for, and the access that was chosen last.
  input asked_t [Processors-1:0] asked_i,
  input chosen_t                 choice_i
);

  logic [3:0]       number;
  logic [LineW-1:0] key, value;
  logic             wish;
  formal_const #(.WIDTH(4))     u_number (.Y(number));
  formal_const #(.WIDTH(LineW)) u_key (.Y(key));
  formal_const #(.WIDTH(LineW)) u_value (.Y(value));
  formal_free  #(.WIDTH(1))     u_wish (.Y(wish));

  // The line belongs to the class.
  function automatic logic owns(logic [LineW-1:0] line, logic [LineW-1:0] bits, logic [LineW-1:0] wanted_bits);
    return (line & bits) == wanted_bits;
  endfunction

  logic [15:0] l3_mask;
  logic [7:0]  l2_mask;
  assign l3_mask = st_i.classes[number].l3_mask;
  assign l2_mask = st_i.classes[number].l2_mask;

  // No other class may fill its ways, all classes have masks, and all ways have power.
  logic apart;
  always_comb begin
    apart = (32'(number) < Classes) && (32'(cfg_i.l3_cos) == Classes - 1) && cfg_i.l3_cat && (st_i.cdp == '0) &&
            (!cfg_i.l2 || (cfg_i.l2_cat && (32'(cfg_i.l2_cos) == Classes - 1))) &&
            (st_i.power.l3_on == cfg_i.l3_ways) && (st_i.power.l2_on == cfg_i.l2_ways);
    for (int unsigned n = 0; n < Classes; n++) begin
      if ((32'(number) != n) && (((st_i.classes[n].l3_mask & l3_mask) != '0) ||
          ((st_i.classes[n].l2_mask & l2_mask) != '0))) begin
        apart = 1'b0;
      end
    end
  end

  // Its ways are empty, and none of its lines is in another way.
  logic empty;
  always_comb begin
    empty = st_i.job.step == StepIdle;
    for (int unsigned i = 0; i < Processors; i++) begin
      if (st_i.lp[i].stage != '0) empty = 1'b0;
    end
    for (int unsigned s = 0; s < L3Sets; s++) begin
      for (int unsigned w = 0; w < L3Ways; w++) begin
        if (tags_i.l3[s][w].valid && (l3_mask[w] || owns(tags_i.l3[s][w].line, key, value))) empty = 1'b0;
      end
    end
    for (int unsigned s = 0; s < L2Sets; s++) begin
      for (int unsigned w = 0; w < L2Ways; w++) begin
        if (tags_i.l2[s][w].valid && (l2_mask[w] || owns(tags_i.l2[s][w].line, key, value))) empty = 1'b0;
      end
    end
  end

  logic begun, begun_q;
  assign begun = begun_q || (wish && apart && empty);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begun_q <= 1'b0;
    else begun_q <= begun;
  end

  always_comb begin
    MasksStay:  assume (!begun_q || apart);
    PowerStays: assume (!begun || ((wanted(cfg_i, in_i).l3_on == cfg_i.l3_ways) && (wanted(cfg_i,
        in_i).l2_on == cfg_i.l2_ways)));
  end
  for (genvar i = 0; i < int'(Processors); i++) begin : gen_owned
    always_comb OwnLines: assume (!(begun && accepts(in_i, out_i, i)) ||
        ((st_i.lp[i].cos == number) == owns(LineW'(in_i.lp[i].req_addr >> cfg_i.line), key, value)));
  end
  // The mask of the class.
  logic [15:0] l3_mask_q;
  logic [7:0]  l2_mask_q;
  always_ff @(posedge clk_i) begin
    l3_mask_q <= l3_mask;
    l2_mask_q <= l2_mask;
  end
  always_comb MaskStays: assume (!begun_q || ((l3_mask == l3_mask_q) && (l2_mask == l2_mask_q)));

  ///////////////////////
  // The private cache //
  ///////////////////////

  // The access in progress is one of the class.
  logic mine;
  assign mine = begun && accesses(st_i) && (choice_i.asked.cos == number);

  localparam int unsigned L3B = $clog2(L3Sets);
  localparam int unsigned L2B = $clog2(L2Sets);
  logic [LineW-1:0] line;
  logic [L3B-1:0]   l3_at;
  logic [L2B-1:0]   l2_at;
  assign line  = choice_i.asked.line;
  assign l3_at = L3B'(l3_set(cfg_i, line));
  assign l2_at = L2B'(l2_set(cfg_i, line));

  logic                          l3_hit, l2_hit, l3_full, l2_full;
  logic [L3Ways-1:0]             l3_hits, l3_victim;
  logic [L2Ways-1:0]             l2_hits, l2_victim;
  logic [LineW-1:0]              l3_leaves;
  logic [L3Sets-1:0][L3Ways-1:0] l3_valid;
  logic [L2Sets-1:0][L2Ways-1:0] l2_valid;
  logic [L3Sets-1:0][L3Ways-1:0][LineW-1:0] l3_line;
  logic [L2Sets-1:0][L2Ways-1:0][LineW-1:0] l2_line;
  logic [L3Sets-1:0][L3Ways-1:0][L3Ways-1:0] l3_younger;
  logic [L2Sets-1:0][L2Ways-1:0][L2Ways-1:0] l2_younger;

  // The way that the access takes, from its miss on.
  logic [L3Ways-1:0] takes_q;
  logic              evicts_q;
  logic [LineW-1:0]  leaves_q;
  always_ff @(posedge clk_i) begin
    if (mine && (st_i.job.step == StepL3Look)) begin
      takes_q  <= l3_victim;
      evicts_q <= l3_full;
      leaves_q <= l3_leaves;
    end
  end

  formal_lru #(.Sets(L3Sets), .Ways(L3Ways)) u_l3 (
    .clk_i, .rst_ni, .ways_i(l3_mask[L3Ways-1:0]), .set_i(l3_at), .line_i(line),
    .hit_o(l3_hit), .hits_o(l3_hits), .victim_o(l3_victim), .full_o(l3_full), .leaves_o(l3_leaves),
    .fill_i (takes_q & {L3Ways{mine && (st_i.job.step == StepL3Fill)}}),
    .use_i  (l3_hits & {L3Ways{mine && (st_i.job.step == StepL3Look)}}),
    .empty_i(mine && (st_i.job.step == StepEvict)), .gone_i(leaves_q),
    .valid_o(l3_valid), .line_o(l3_line), .younger_o(l3_younger)
  );
  formal_lru #(.Sets(L2Sets), .Ways(L2Ways)) u_l2 (
    .clk_i, .rst_ni, .ways_i(l2_mask[L2Ways-1:0]), .set_i(l2_at), .line_i(line),
    .hit_o(l2_hit), .hits_o(l2_hits), .victim_o(l2_victim), .full_o(l2_full), .leaves_o(),
    .fill_i (l2_victim & {L2Ways{mine && !l2_hit && (st_i.job.step == StepL2Fill)}}),
    .use_i  (l2_hits & {L2Ways{mine && ((st_i.job.step == StepL2Look) || (st_i.job.step == StepL2Fill))}}),
    .empty_i(mine && (st_i.job.step == StepInvLook)), .gone_i(leaves_q),
    .valid_o(l2_valid), .line_o(l2_line), .younger_o(l2_younger)
  );

  //////////////////////////
  // The unit is the same //
  //////////////////////////

  for (genvar s = 0; s < int'(L3Sets); s++) begin : gen_l3
    for (genvar w = 0; w < int'(L3Ways); w++) begin : gen_ways
      l3_line_t is;
      assign is = tags_i.l3[s][w];
      always_comb begin
        SameLine: assert (!begun_q || !l3_mask[w] || ((is.valid == l3_valid[s][w]) && (!is.valid ||
            (is.line == l3_line[s][w]))));
        OwnWay:   assert (!begun_q || !is.valid || (owns(is.line, key, value) == l3_mask[w]));
      end
      for (genvar v = 0; v < int'(L3Ways); v++) begin : gen_pairs
        if (v != w) begin : gen_order
          always_comb SameOrder: assert (!begun_q || !(l3_mask[v] && l3_mask[w] && is.valid && tags_i.l3[s][v].valid) ||
              ((tags_i.l3[s][v].age < is.age) == l3_younger[s][v][w]));
        end
      end
    end
  end
  for (genvar s = 0; s < int'(L2Sets); s++) begin : gen_l2
    for (genvar w = 0; w < int'(L2Ways); w++) begin : gen_ways
      l2_line_t is;
      assign is = tags_i.l2[s][w];
      always_comb begin
        SameLine: assert (!begun_q || !l2_mask[w] || ((is.valid == l2_valid[s][w]) && (!is.valid ||
            (is.line == l2_line[s][w]))));
        OwnWay:   assert (!begun_q || !is.valid || (owns(is.line, key, value) == l2_mask[w]));
      end
      for (genvar v = 0; v < int'(L2Ways); v++) begin : gen_pairs
        if (v != w) begin : gen_order
          always_comb SameOrder: assert (!begun_q || !(l2_mask[v] && l2_mask[w] && is.valid && tags_i.l2[s][v].valid) ||
              ((tags_i.l2[s][v].age < is.age) == l2_younger[s][v][w]));
        end
      end
    end
  end

  for (genvar i = 0; i < int'(Processors); i++) begin : gen_processors
    always_comb OwnAsked: assert (!begun_q || (st_i.lp[i].stage == '0) ||
        ((asked_i[i].cos == number) == owns(asked_i[i].line, key, value)));
  end

  logic was_mine, was_l2_hit_q, was_l3_hit_q, mine_q, misses;
  always_ff @(posedge clk_i) begin
    mine_q       <= mine;
    was_l2_hit_q <= l2_hit;
    was_l3_hit_q <= l3_hit;
  end
  assign was_mine = valid_i && mine_q;
  // A way waits for the line.
  assign misses = mine && (st_i.job.step inside {StepInvRead, StepInvLook, StepWriteBack, StepEvict, StepL3Fill}) ||
                  (mine && st_i.job.fills && (st_i.job.step inside {StepMemRequest, StepMemWait}));

  // The ways in which the word that was read for the look in the L3 cache has the line are those in which the private cache has it. What is
  // said of every set says so too, but from that the solver comes to no end of L3HitSame.
  logic [L3Ways-1:0] read_hits;
  logic              was_read_hit_q;
  always_ff @(posedge clk_i) was_read_hit_q <= read_hits != '0;
  for (genvar w = 0; w < int'(L3Ways); w++) begin : gen_look
    l3_line_t read;
    assign read         = st_i.l3.word.line[w];
    assign read_hits[w] = read.valid && (read.line == line);
    always_comb LookSame: assert (!(mine && (st_i.job.step == StepL3Look)) || (read_hits[w] == l3_hits[w]));
  end
  always_comb LookHits: assert (!(was_mine && (was_i.job.step == StepL3Look)) || (was_read_hit_q == st_i.job.hit));

  always_comb begin
    BeginsEmpty: assert (begun_q ? (st_i.job.step != StepClear) : ((l3_valid == '0) && (l2_valid == '0)));
    OwnJob:     assert (!(begun_q && accesses(st_i)) || ((choice_i.asked.cos == number) == owns(line, key, value)));
    OwnAllowed: assert (!(begun_q && accesses(st_i)) || ((choice_i.l3 == (mine ? l3_mask : (choice_i.l3 & ~l3_mask))) &&
                        (choice_i.l2 == (mine ? (cfg_i.l2 ? l2_mask : '0) : (choice_i.l2 & ~l2_mask)))));
    // The outcome of each look, and with it what the access does next, is that of the private cache.
    L2HitSame:  assert (!(was_mine && (was_i.job.step == StepL2Look)) || (was_l2_hit_q == st_i.lp[was_i.job.turn].l2_hit));
    L3HitSame:  assert (!(was_mine && (was_i.job.step == StepL3Look)) || (was_l3_hit_q == st_i.job.hit));
    EvictsSame: assert (!(was_mine && (was_i.job.step == StepL3Look) && !was_l3_hit_q && (l3_mask != '0)) ||
                        (evicts_q == (st_i.job.step inside {StepInvRead, StepWriteBack, StepEvict})));
    WaySame:    assert (!misses || (takes_q == (L3Ways'(1) << st_i.job.way)));
    VictimSame: assert (!(mine && (st_i.job.step inside {StepInvRead, StepInvLook, StepWriteBack, StepEvict})) ||
        (st_i.job.victim == leaves_q));
    HitEnds:    assert (!(was_mine && st_i.lp[was_i.job.turn].done) ||
        (st_i.lp[was_i.job.turn].l3_hit == (was_i.job.step == StepL2Look ? 1'b0 :
                        ((was_i.job.step == StepL3Look) ? was_l3_hit_q : was_i.job.hit))));
  end
  always_comb begin
    CoverEvicts: cover (mine && (st_i.job.step == StepL3Fill) && evicts_q);
    CoverOther:  cover (begun_q && mine && (st_i.job.step == StepL3Look) && l3_hit && (tags_i.l3 != '0) &&
        tags_i.l3[0][1].valid &&
                        tags_i.l3[0][0].valid && (tags_i.l3[0][0].rmid != tags_i.l3[0][1].rmid));
    CoverL2:     cover (was_mine && (was_i.job.step == StepL2Look) && was_l2_hit_q);
  end

endmodule
