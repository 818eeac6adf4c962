// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Area: nothing is written outside what the management area declares, as memory has answered it for this record; nothing
// at all if what it declares makes no sense; and the index that is written is never past the absolute maximum.
//
// Of the unit the memory port is looked at, IA32_DS_AREA, and which record is the oldest; nothing of the stage that stores it.
//
// Rows: BTS-07, BTS-13 to BTS-15, BTS-17, BTS-19, BTS-40.

module formal_area
  import retire_pkg::*;
  import trace_pkg::*;
  import formal_pkg::*;
  import formal_store_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input out_t    out_i,
  input state_t  st_i,
  input seen_t   seen_i
);

  logic        pebs, wide, circular, writes_now, reads_now, complete;
  logic [63:0] area, size, maximum;
  assign pebs       = stores_pebs(st_i);
  assign wide       = stores_wide(st_i);
  assign circular   = stores_circular(st_i);
  assign area       = st_i.control.ds_area;
  assign size       = bytes(cfg_i, pebs, wide);
  assign maximum    = seen_i.maximum;
  assign writes_now = out_i.mem.mem_req && (out_i.mem.mem_cmd != MemRead);
  assign reads_now  = out_i.mem.mem_req && (out_i.mem.mem_cmd == MemRead);
  // Every word of the record is in memory: what is written now is the index.
  assign complete   = seen_i.words == fields(cfg_i, pebs, wide);

  // The first and the last byte that is written, and the value.
  logic [63:0] first, last, value;
  always_comb begin
    first = out_i.mem.mem_addr;
    last  = out_i.mem.mem_addr + 64'd7;
    value = out_i.mem.mem_wdata;
    if (!wide) begin
      if (!out_i.mem.mem_be[0]) first = out_i.mem.mem_addr + 64'd4;
      if (!out_i.mem.mem_be[7]) last = out_i.mem.mem_addr + 64'd3;
      value = out_i.mem.mem_be[0] ? {32'd0, out_i.mem.mem_wdata[31:0]} : {32'd0, out_i.mem.mem_wdata[63:32]};
    end
  end

  logic [63:0] index_first;
  assign index_first = area + offset_index(pebs, wide);

  // Index behind the record.
  logic [63:0] behind, goes;
  assign behind = place(seen_i, size) + size;
  assign goes   = (circular && !room(behind, maximum, size)) ? seen_i.base : behind;

  always_comb begin
    // BTS-13, BTS-14, BTS-15, BTS-17: what is written comes behind the reads of the whole area.
    WriteInformed: assert (!writes_now || (seen_i.has_base && seen_i.has_index && seen_i.has_maximum &&
                                           seen_i.has_threshold));
    // The bytes are those of one field: 8 of them, or 4 at either half.
    WriteBytes:    assert (!writes_now || (wide ? (out_i.mem.mem_be == 8'hFF) :
                                                  ((out_i.mem.mem_be == 8'h0F) || (out_i.mem.mem_be == 8'hF0))));
    // BTS-15, BTS-17: the buffer's first byte is `base`, the first one behind it `maximum`.
    WriteInBuffer: assert (!writes_now || complete || ((seen_i.base <= first) && (first <= last) && (last < maximum)));
    // BTS-14, BTS-19: of the management area the index alone is written, all of it.
    WriteIndex:    assert (!(writes_now && complete) || (first == index_first));
    // One index is written for a record, and nothing behind it.
    WriteLast:     assert (!writes_now || (seen_i.words <= fields(cfg_i, pebs, wide)));
    // An area that makes no sense, or that has no room, is not written at all.
    Nonsense:      assert (!writes_now || has_place(seen_i, wide, circular, size));
    // An area at an odd place is not even read.
    AreaPlaced:    assert (!out_i.mem.mem_req || (area[2:0] == '0));
    // BTS-15: the index that is written is in the buffer, at most at its end.
    IndexInBuffer: assert (!(writes_now && complete) || ((seen_i.base <= value) && (value <= maximum)));
    // BTS-14: it is behind the record that has been written, or at the base of a circular buffer.
    IndexNext:     assert (!(writes_now && complete) || (value == goes));
    // BTS-40: in a circular buffer it is where the next record has room.
    IndexCircular: assert (!(writes_now && complete && circular) || room(value, maximum, size));
    // BTS-07, BTS-19: reads are of the fields that the record needs, and of the reset value of a counter.
    ReadOfArea:    assert (!reads_now ||
                           (out_i.mem.mem_addr == area + offset_base(pebs, wide)) ||
                           (wide && (out_i.mem.mem_addr == area + offset_index(pebs, wide))) ||
                           (out_i.mem.mem_addr == area + offset_maximum(pebs, wide)) ||
                           (wide && (out_i.mem.mem_addr == area + offset_threshold(pebs, wide))) ||
                           (pebs && !wide && (out_i.mem.mem_addr == area + 64'h20)) ||
                           (pebs && wide && (out_i.mem.mem_addr - area inside {64'h40, 64'h48, 64'h50, 64'h58})));
    // The command is a read or a write: the unit tests for no permission.
    Commands:      assert (!writes_now || (out_i.mem.mem_cmd == MemWrite));
  end
  always_comb begin
    CoverBuffer:   cover (writes_now && !complete && wide && (seen_i.words == 5'd2));
    CoverIndex:    cover (writes_now && complete && !wide && (value == maximum));
    CoverAround:   cover (writes_now && complete && (value == seen_i.base));
    CoverBack:     cover (writes_now && (seen_i.words == '0) && (first == seen_i.base) && (seen_i.index == maximum) && circular);
    CoverNonsense: cover (out_i.notice.lost && seen_i.has_maximum && !sensible(seen_i, wide) && (seen_i.index > maximum));
    CoverFull:     cover (out_i.notice.lost && seen_i.has_maximum && sensible(seen_i, wide));
  end

endmodule
