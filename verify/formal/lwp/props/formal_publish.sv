// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Publish: a record is visible before the head that publishes it.
//
// A monitor at the memory port keeps what memory is known to hold in the place at head: a word is known from the
// successful response of a write to it, and unknown from the grant of another. When the head moves, or its write is
// requested, all four words are known and are those of the record being stored.
//
// Rows: LWP-STO-14, LWP-FLT-11, LWP-REC-09.

module formal_publish
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

  // The words of the record being stored (docs/src/lwp/store.md, "The accesses").
  record_t          rec;
  logic [3:0][63:0] words;
  assign rec   = st_i.records[0];
  assign words = {64'd0, rec.addr, rec.ip,
                  {32'(rec.data), rec.flags, 12'b0, cfg_i.core_id, 6'b0, 2'(rec.event_id)}};

  // The access under way, latched at its grant.
  logic        busy_q, write_q, grant, answer;
  logic [7:0]  be_q;
  logic [63:0] addr_q, data_q;
  assign grant  = out_i.mem_req && in_i.mem_gnt;
  assign answer = busy_q && in_i.mem_rvalid;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
    end else begin
      busy_q <= grant || (busy_q && !in_i.mem_rvalid);
    end
  end

  always_ff @(posedge clk_i) begin
    if (grant) begin
      write_q <= out_i.mem_cmd == MemWrite;
      be_q    <= out_i.mem_be;
      addr_q  <= out_i.mem_addr;
      data_q  <= out_i.mem_wdata;
    end
  end

  // The place at head.
  logic [63:0] place;
  assign place = st_i.block.base + 64'(st_i.ring.head);

  logic [3:0]       known_q;
  logic [3:0][63:0] word_q;
  logic             same_place;
  assign same_place = valid_i && (was_i.block.base == st_i.block.base) && (was_i.ring.head == st_i.ring.head);

  for (genvar i = 0; i < 4; i++) begin : gen_words
    logic [63:0] at;
    logic        known;
    assign at    = place + 64'(8 * i);
    // A word is known at once after its answer; it belongs to the place at head only while that stays.
    assign known = known_q[i] && same_place;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        known_q[i] <= 1'b0;
      end else if (answer && write_q && (addr_q == at) && (be_q == BytesAll) && !in_i.mem_err) begin
        known_q[i] <= 1'b1;
      end else if ((grant && (out_i.mem_cmd == MemWrite) && (out_i.mem_addr == at)) ||
                   (answer && write_q && (addr_q == at))) begin
        known_q[i] <= 1'b0;
      end else begin
        known_q[i] <= known_q[i] && (same_place || (st_i.store.st == StoreIdle));
      end
    end
    always_ff @(posedge clk_i) begin
      if (answer && write_q && (addr_q == at)) begin
        word_q[i] <= data_q;
      end
    end
  end

  // All of the record is in memory.
  logic complete;
  logic [3:0] right;
  for (genvar i = 0; i < 4; i++) begin : gen_right
    assign right[i] = known_q[i] && (word_q[i] == words[i]);
  end
  assign complete = right == '1;

  // The word whose answer is here.
  logic [3:0] last;
  for (genvar i = 0; i < 4; i++) begin : gen_last
    assign last[i] = answer && write_q && !in_i.mem_err && (addr_q == place + 64'(8 * i)) && (be_q == BytesAll) &&
                     (data_q == words[i]);
  end

  // The head in the register has moved, in this session, by a store.
  logic moved, was_complete_q, busy_before_q;
  assign moved = valid_i && was_i.session.active && st_i.session.active && (was_i.ring.head != st_i.ring.head);
  always_ff @(posedge clk_i) begin
    was_complete_q <= (right | last) == '1;
    busy_before_q  <= answer && write_q && (addr_q == st_i.session.lwpcb + 64'(LwpcbHeadTail)) && (be_q == BytesLow);
  end

  always_comb begin
    // Before it is granted: a block that lies in its own buffer loses the record by its own head.
    HeadRequested:   assert (!(st_i.store.st == StoreHead) || st_i.port.waiting || complete);
    // A head that is not written yet moves in the register alone.
    HeadMoved:       assert (!(moved && (was_i.store.st != StoreHead)) || was_complete_q);
    HeadAnswered:    assert (!(moved && (was_i.store.st == StoreHead)) || (busy_before_q && !was_in_i.mem_err));
    HeadIsNext:      assert (!(out_i.mem_req && (st_i.store.st == StoreHead)) ||
                             (out_i.mem_wdata == 64'((st_i.ring.head + RecordBytes == st_i.block.size) ? 28'd0 :
                             st_i.ring.head + RecordBytes)));
  end

  // What makes it inductive.
  logic own, beat_known;
  assign own = st_i.port.waiting && !st_i.port.drop;
  always_comb begin
    beat_known = 1'b1;
    for (int unsigned i = 0; i < 4; i++) begin
      if ((st_i.store.st == StoreWrite) && (2'(i) < st_i.store.beat) && !right[i]) beat_known = 1'b0;
    end
    MonitorWaits:    assert (busy_q == st_i.port.waiting);
    MonitorLatched:  assert (!busy_q || ((addr_q == st_i.port.addr) && (be_q == st_i.port.be) &&
                             (write_q == (st_i.port.cmd == MemWrite)) && (!write_q || (data_q == st_i.port.wdata))));
    BeatRequested:   assert (!(st_i.port.req && (st_i.store.st == StoreWrite)) ||
                             ((st_i.port.addr == place + {59'b0, st_i.store.beat, 3'b0}) && (st_i.port.be == BytesAll) &&
                             (st_i.port.cmd == MemWrite) && (st_i.port.wdata == words[st_i.store.beat])));
    BeatAwaited:     assert (!(own && (st_i.store.st == StoreWrite)) ||
                             ((st_i.port.addr == place + {59'b0, st_i.store.beat, 3'b0}) && (st_i.port.be == BytesAll) &&
                             (st_i.port.cmd == MemWrite) && (st_i.port.wdata == words[st_i.store.beat])));
    ReadNotWritten:  assert (!((st_i.port.req || own) && (st_i.store.st inside {StoreTail, StoreInterval})) ||
                             (st_i.port.cmd == MemRead));
    DropFirst:       assert (!(st_i.port.drop && (st_i.store.st == StoreWrite)) || (st_i.store.beat == '0));
    DropLeft:        assert (!st_i.port.drop || !(st_i.store.st inside {StoreHead, StoreReport, StoreReset,
                             StoreFullHead}) &&
                             !((st_i.store.st == StoreTail) && !cfg_i.write_on_full));
    HeadAwaited:     assert (!((st_i.port.req || own) && (st_i.store.st == StoreHead)) || ((st_i.port.cmd == MemWrite) &&
                             (st_i.port.addr == st_i.session.lwpcb + 64'(LwpcbHeadTail)) && (st_i.port.be == BytesLow)));
    BeatsInMemory:   assert (beat_known);
    TailAfterBeats:  assert (!((st_i.store.st == StoreTail) && !cfg_i.write_on_full) || complete);
  end

  always_comb begin
    CoverPublished:  cover (moved && (st_i.store.st == StoreReport));
  end

endmodule
