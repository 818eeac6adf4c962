// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Load: what the unit holds of a block is what memory answered, every bit of it, and stays that until another is read.
//
// Each step of a load reads one word of eight bytes at its place in the block. In the cycle after the answer the
// registers that come from this word are compared with the fields of the LWPCB in it.
//
// Rows: LWP-LCB-11, LWP-LCB-12, LWP-LCB-18, LWP-LCB-19, LWP-LCB-34, LWP-LCB-35, LWP-LCB-36, LWP-LCB-38, LWP-LCB-39, LWP-LCB-40,
// LWP-LCB-42, LWP-LCB-43, LWP-LCB-44.

module formal_load
  import lwp_pkg::*;
  import lwp_state_pkg::*;
  import formal_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input in_t     in_i,
  input out_t    out_i,
  input state_t  st_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input out_t    was_out_i,
  input state_t  was_i
);

  // Memory has answered a word of the block.
  logic        came;
  logic [4:0]  word;
  logic [63:0] data;
  assign came = valid_i && (was_i.ctl.st == CtlLoad) && was_i.port.waiting && !was_i.port.drop && was_in_i.mem_rvalid &&
                !was_in_i.mem_err && (in_ring3(was_in_i) || !was_i.ctl.init);
  assign word = was_i.ctl.idx;
  assign data = was_in_i.mem_rdata;

  // The session is one that was restored, or comes back because the new block cannot be read: events and interrupt are
  // those of Flags in memory, not those that LWPMSR0 enables now.
  logic reload, again;
  assign reload = was_i.ctl.init && was_i.session.reload;
  assign again  = reload || (!was_i.ctl.init && (was_i.ctl.fault != FaultNone));

  // Word 2: an offset beyond the buffer, or a buffer of less than two records, makes a block of no use.
  logic [31:0] head, tail;
  logic        usable;
  assign head   = reload ? 32'(was_i.ring.head) : data[31:0] & ~32'd31;
  assign tail   = data[63:32] & ~32'd31;
  assign usable = (was_i.block.size >= 28'd64) && (head < 32'(was_i.block.size)) && (tail < 32'(was_i.block.size));

  logic first;
  assign first = came && (word == 5'd0);

  // What comes from no word but its own, and does not change else.
  logic [63:0] place;
  assign place = (!st_i.ctl.init && (st_i.ctl.fault != FaultNone)) ? st_i.session.lwpcb : st_i.ctl.arg;

  logic [8:0] offset;
  always_comb begin
    unique case (st_i.ctl.idx)
      5'd0:    offset = 9'd0;
      5'd1:    offset = 9'd8;
      5'd2:    offset = 9'd16;
      5'd3:    offset = 9'd32;
      default: offset = 9'd40 + 9'(st_i.ctl.idx - 5'd4) * 9'd8;
    endcase
  end

  always_comb begin
    LoadReads:      assert (!((st_i.ctl.st == CtlLoad) && (st_i.port.req || st_i.port.waiting) && !st_i.port.drop) ||
                            ((st_i.port.cmd == MemRead) && (st_i.port.be == BytesAll) &&
                            (st_i.port.addr == place + 64'(offset))));
    SizeLoaded:     assert (!first || (st_i.block.size == {data[59:37], 5'd0}));
    RandomLoaded:   assert (!first || (st_i.block.random == data[63:60]));
    InterruptTaken: assert (!first || (st_i.block.flags[31] == (again ? data[31] : was_i.session.msr0[31])));
    AllowTaken:     assert (!first || (st_i.block.allow == ({cfg_i.avail_dme, cfg_i.avail_bre, cfg_i.avail_ire} &
                            (again ? data[3:1] : was_i.session.msr0[3:1]))));
    BaseLoaded:     assert (!(came && (word == 5'd1)) || (st_i.block.base == (data & ~64'd31)));
    HeadLoaded:     assert (!(came && (word == 5'd2)) || (st_i.ring.head == head[27:0]));
    TailLoaded:     assert (!(came && (word == 5'd2)) || (st_i.ring.tail == tail[27:0]));
    SizeUsable:     assert (!(came && (word == 5'd2)) || (st_i.block.size == (usable ? was_i.block.size : 28'd0)));
    ThresholdRead:  assert (!(came && (word == 5'd3)) || (st_i.block.threshold == (data[31:0] & ~32'd31)));
    FilterLoaded:   assert (!(came && (word == 5'd3)) || (st_i.block.filter == data[45:32]));
    SizeStays:      assert (!valid_i || (was_i.ctl.st == CtlLoad) || (st_i.block.size == was_i.block.size));
    RandomStays:    assert (!valid_i || (was_i.ctl.st == CtlLoad) || (st_i.block.random == was_i.block.random));
    BaseStays:      assert (!valid_i || (was_i.ctl.st == CtlLoad) || (st_i.block.base == was_i.block.base));
    ThresholdStays: assert (!valid_i || (was_i.ctl.st == CtlLoad) || (st_i.block.threshold == was_i.block.threshold));
    FilterStays:    assert (!valid_i || (was_i.ctl.st == CtlLoad) || (st_i.block.filter == was_i.block.filter));
  end

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_events
    logic selects;
    // Of several slots with one event the first selects it.
    assign selects = came && (word >= 5'd4) && (data[31:26] == 6'(e + 1)) && was_i.block.allow[e] && !was_i.block.flags[e+1];

    always_comb begin
      Selected:      assert (!(came && (word >= 5'd4)) || (st_i.block.flags[e+1] == (was_i.block.flags[e+1] || selects)));
      SlotLoaded:    assert (!selects || (st_i.events[e].slot == word - 5'd4));
      IntervalRead:  assert (!selects || (st_i.events[e].interval == data[25:0]));
      CounterLoaded: assert (!selects || (st_i.events[e].counter == (reload ? was_i.events[e].counter : data[57:32])));
      SlotStays:     assert (!valid_i || selects || (st_i.events[e].slot == was_i.events[e].slot));
    end
  end

  always_comb begin
    CoverLoaded:  cover (came && (word == 5'd3) && (st_i.block.size != '0));
    CoverSlot:    cover (came && (word >= 5'd4) && (st_i.block.flags[NumEvents:1] != '0) && (was_i.block.flags[NumEvents:1] == '0));
  end

endmodule
