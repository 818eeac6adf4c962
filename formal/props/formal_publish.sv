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
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  in_i
);

  logic    rst_n, valid;
  config_t cfg;
  out_t    out;
  state_t  st;
  // The cycle before.
  in_t     was_in;
  out_t    was_out;
  state_t  was;

  formal_env  u_env (.clk_i, .in_i, .out_i(out), .st_i(st), .rst_no(rst_n), .cfg_o(cfg), .gnt_age_o(), .rsp_age_o());
  formal_unit u_unit (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i, .out_o(out), .st_o(st));
  formal_past u_past (
    .clk_i, .rst_ni(rst_n), .in_i, .out_i(out), .st_i(st), .valid_o(valid), .in_o(was_in), .out_o(was_out), .st_o(was)
  );

  // The words of the record being stored (docs/src/lwp/store.md, "The accesses").
  record_t          rec;
  logic [3:0][63:0] words;
  assign rec   = st.records[0];
  assign words = {64'd0, rec.addr, rec.ip,
                  {32'(rec.data), rec.flags, 12'b0, cfg.core_id, 6'b0, 2'(rec.event_id)}};

  // The access under way, latched at its grant.
  logic        busy_q, write_q, grant, answer;
  logic [7:0]  be_q;
  logic [63:0] addr_q, data_q;
  assign grant  = out.mem_req && in_i.mem_gnt;
  assign answer = busy_q && in_i.mem_rvalid;

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      busy_q <= 1'b0;
    end else begin
      busy_q <= grant || (busy_q && !in_i.mem_rvalid);
    end
  end

  always_ff @(posedge clk_i) begin
    if (grant) begin
      write_q <= out.mem_cmd == MemWrite;
      be_q    <= out.mem_be;
      addr_q  <= out.mem_addr;
      data_q  <= out.mem_wdata;
    end
  end

  // The place at head.
  logic [63:0] place;
  assign place = st.base + 64'(st.head);

  logic [3:0]       known_q;
  logic [3:0][63:0] word_q;
  logic             same_place;
  assign same_place = valid && (was.base == st.base) && (was.head == st.head);

  for (genvar i = 0; i < 4; i++) begin : gen_words
    logic [63:0] at;
    logic        known;
    assign at    = place + 64'(8 * i);
    // A word is known at once after its answer; it belongs to the place at head only while that stays.
    assign known = known_q[i] && same_place;

    always_ff @(posedge clk_i or negedge rst_n) begin
      if (!rst_n) begin
        known_q[i] <= 1'b0;
      end else if (answer && write_q && (addr_q == at) && (be_q == BytesAll) && !in_i.mem_err) begin
        known_q[i] <= 1'b1;
      end else if ((grant && (out.mem_cmd == MemWrite) && (out.mem_addr == at)) ||
                   (answer && write_q && (addr_q == at))) begin
        known_q[i] <= 1'b0;
      end else begin
        known_q[i] <= known_q[i] && (same_place || (st.store_st == StoreIdle));
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
  assign moved = valid && was.active && st.active && (was.head != st.head);
  always_ff @(posedge clk_i) begin
    was_complete_q <= (right | last) == '1;
    busy_before_q  <= answer && write_q && (addr_q == st.lwpcb + 64'(LwpcbHeadTail)) && (be_q == BytesLow);
  end

  always_comb begin
    // Before it is granted: a block that lies in its own buffer loses the record by its own head.
    HeadRequested:   assert (!(st.store_st == StoreHead) || st.mem_wait || complete);
    // A head that is not written yet moves in the register alone.
    HeadMoved:       assert (!(moved && (was.store_st != StoreHead)) || was_complete_q);
    HeadAnswered:    assert (!(moved && (was.store_st == StoreHead)) || (busy_before_q && !was_in.mem_err));
    HeadIsNext:      assert (!(out.mem_req && (st.store_st == StoreHead)) ||
                             (out.mem_wdata == 64'((st.head + RecordBytes == st.size) ? 28'd0 : st.head + RecordBytes)));
  end

  // What makes it inductive.
  logic own, beat_known;
  assign own = st.mem_wait && !st.mem_drop;
  always_comb begin
    beat_known = 1'b1;
    for (int unsigned i = 0; i < 4; i++) begin
      if ((st.store_st == StoreWrite) && (2'(i) < st.store_beat) && !right[i]) beat_known = 1'b0;
    end
    MonitorWaits:    assert (busy_q == st.mem_wait);
    MonitorLatched:  assert (!busy_q || ((addr_q == st.mem_addr) && (be_q == st.mem_be) &&
                             (write_q == (st.mem_cmd == MemWrite)) && (!write_q || (data_q == st.mem_wdata))));
    BeatRequested:   assert (!(st.mem_req && (st.store_st == StoreWrite)) ||
                             ((st.mem_addr == place + {59'b0, st.store_beat, 3'b0}) && (st.mem_be == BytesAll) &&
                             (st.mem_cmd == MemWrite) && (st.mem_wdata == words[st.store_beat])));
    BeatAwaited:     assert (!(own && (st.store_st == StoreWrite)) ||
                             ((st.mem_addr == place + {59'b0, st.store_beat, 3'b0}) && (st.mem_be == BytesAll) &&
                             (st.mem_cmd == MemWrite) && (st.mem_wdata == words[st.store_beat])));
    ReadNotWritten:  assert (!((st.mem_req || own) && (st.store_st inside {StoreTail, StoreInterval})) ||
                             (st.mem_cmd == MemRead));
    DropFirst:       assert (!(st.mem_drop && (st.store_st == StoreWrite)) || (st.store_beat == '0));
    DropLeft:        assert (!st.mem_drop || !(st.store_st inside {StoreHead, StoreReport, StoreReset, StoreFullHead}) &&
                             !((st.store_st == StoreTail) && !cfg.write_on_full));
    HeadAwaited:     assert (!((st.mem_req || own) && (st.store_st == StoreHead)) || ((st.mem_cmd == MemWrite) &&
                             (st.mem_addr == st.lwpcb + 64'(LwpcbHeadTail)) && (st.mem_be == BytesLow)));
    BeatsInMemory:   assert (beat_known);
    TailAfterBeats:  assert (!((st.store_st == StoreTail) && !cfg.write_on_full) || complete);
  end

  always_comb begin
    CoverPublished:  cover (moved && (st.store_st == StoreReport));
    CoverDeferred:   cover (moved && (was.store_st != StoreHead));
    CoverSecond:     cover (moved && (st.records[1].event_id != EventNone));
  end

endmodule
