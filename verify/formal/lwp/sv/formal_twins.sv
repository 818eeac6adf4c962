// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Two runs of the unit, a and b, with the same straps. The proofs of non-interference say what their inputs share
// and assert that what they show is the same.
//
// Of the miss address buffer, mine_o tells the entries that loads of the user hold in both runs. The sentence above
// each assumption is the rule that it writes down (docs/src/lwp/ports.md, docs/src/lwp/mab.md).

module formal_twins
  import lwp_pkg::*;
  import formal_pkg::*;
(
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  config_t               cfg_i,
  // Both runs get the same inputs in this cycle; nobody's entries are kept from before.
  input  logic                  same_i,
  input  logic                  fresh_i,
  input  in_t                   a_i,
  input  in_t                   b_i,
  output logic [MabEntries-1:0] mine_o
);

  logic [MabEntries-1:0] mine_q;

  for (genvar i = 0; i < int'(MabEntries); i++) begin : gen_entries
    logic alloc_a, alloc_b;
    assign alloc_a = a_i.alloc_valid && (a_i.alloc_entry == 3'(i));
    assign alloc_b = b_i.alloc_valid && (b_i.alloc_entry == 3'(i));
    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        mine_q[i] <= 1'b0;
      end else if (fresh_i) begin
        mine_q[i] <= 1'b0;
      end else if (alloc_a || alloc_b) begin
        mine_q[i] <= same_i;
      end
    end
  end
  assign mine_o = mine_q;

  logic fill_mine_a, fill_mine_b;
  assign fill_mine_a = a_i.fill_valid && mine_q[a_i.fill_entry];
  assign fill_mine_b = b_i.fill_valid && mine_q[b_i.fill_entry];

  always_comb begin
    // "The data of a load that missed in ring 3 has returned": it has an entry of its own.
    FillOfUser:   assume (!(cfg_i.latency_source && same_i && in_ring3(a_i) && a_i.fill_valid) || fill_mine_a);
    // The same load returns at the same time in both runs.
    FillTogether: assume (!cfg_i.latency_source || same_i || ((fill_mine_a == fill_mine_b) &&
                          (!fill_mine_a || (a_i.fill_entry == b_i.fill_entry))));
  end
  for (genvar l = 0; l < int'(Lanes); l++) begin : gen_lanes
    for (genvar p = 0; p < int'(LoadPorts); p++) begin : gen_ports
      always_comb begin
        // "[The core] does not give the entry to another load before that": a load that retires still has its own.
        EntryOfUser: assume (!(cfg_i.latency_source && same_i && in_ring3(a_i) && a_i.lanes[l].loads[p].miss) ||
                             mine_q[a_i.lanes[l].loads[p].latency[2:0]]);
      end
    end
  end

endmodule
