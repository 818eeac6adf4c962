// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Publish: a record is complete before the index that publishes it. Word by word it is written at its place with the value
// of the table, and the index is requested only when memory has answered each of them without a fault.
//
// Rows: BTS-08 to BTS-10, BTS-14, BTS-16, BTS-18, BTS-20 to BTS-23, DCTL-23, DCTL-24.

module formal_publish
  import retire_pkg::*;
  import trace_pkg::*;
  import formal_pkg::*;
  import formal_store_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input in_t     in_i,
  input out_t    out_i,
  input state_t  st_i,
  input seen_t   seen_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input out_t    was_out_i,
  input state_t  was_i
);

  logic        pebs, wide, writes_now, begins;
  logic [4:0]  number, word;
  logic [63:0] size;
  assign pebs       = stores_pebs(st_i);
  assign wide       = stores_wide(st_i);
  assign number     = fields(cfg_i, pebs, wide);
  assign size       = bytes(cfg_i, pebs, wide);
  assign word       = seen_i.words;
  assign writes_now = out_i.mem.mem_req && (out_i.mem.mem_cmd == MemWrite);
  // The request is new in this cycle.
  assign begins     = writes_now && valid_i && !was_out_i.mem.mem_req;

  // Place of the word; the first byte that is written, and its value.
  logic [63:0] target, first, value;
  assign target = place(seen_i, size) + (wide ? {56'd0, word, 3'd0} : {57'd0, word, 2'd0});
  assign first  = out_i.mem.mem_addr + (out_i.mem.mem_be[0] ? 64'd0 : 64'd4);
  assign value  = wide ? out_i.mem.mem_wdata :
                  {32'd0, out_i.mem.mem_be[0] ? out_i.mem.mem_wdata[31:0] : out_i.mem.mem_wdata[63:32]};

  // "Value of field k".
  record_t     head;
  logic [63:0] meant;
  logic [63:0] mask;
  assign head = st_i.waiting.record[0];
  assign mask = {{32{wide}}, 32'hFFFF_FFFF};
  always_comb begin
    if (pebs) meant = (word == 5'd18) ? 64'd1 << st_i.store.counter : was_in_i.pebs.state_value;
    else if (word == 5'd0) meant = head.from;
    else if (word == 5'd1) meant = head.to;
    else meant = head.predicted ? 64'h10 : '0;
  end

  // Memory answers the write of the index.
  logic    published, published_q, pmi_q, fault_q;
  reload_t reload_q;
  assign published = seen_i.granted && in_i.mem.mem_rvalid && !in_i.mem.mem_err &&
                     (seen_i.access.mem_cmd == MemWrite) && (word == number);

  // "due: not `circular`, `index` < `threshold`, and next >= `threshold`".
  logic [63:0] at;
  logic        due;
  assign at  = place(seen_i, size);
  assign due = !stores_circular(st_i) && (at < seen_i.threshold) && (at + size >= seen_i.threshold);

  // Memory answers the read of a reset value.
  logic reset_read;
  assign reset_read = seen_i.granted && in_i.mem.mem_rvalid && !in_i.mem.mem_err && (st_i.store.step == StepReset);

  // Behind them: whether the record before was published, at its threshold, or had a fault; and the counter that is set.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      published_q <= 1'b0;
      pmi_q       <= 1'b0;
      fault_q     <= 1'b0;
      reload_q    <= '0;
    end else begin
      published_q <= published;
      pmi_q       <= published && due;
      fault_q     <= seen_i.granted && in_i.mem.mem_rvalid && in_i.mem.mem_err;
      reload_q    <= reset_read ? {1'b1, st_i.store.counter, in_i.mem.mem_rdata} : '0;
    end
  end

  always_comb begin
    // BTS-08, BTS-14: the index is requested only when every word of the record has been answered.
    IndexLast:     assert (!(writes_now && (first == st_i.control.ds_area + offset_index(pebs, wide)) &&
                             (first != target)) || (word == number));
    // BTS-20, BTS-14: word by word, from the place on.
    WordPlace:     assert (!(writes_now && (word != number)) || (first == target));
    // BTS-21, BTS-22, BTS-23, BTS-09
    WordValue:     assert (!(begins && (word != number)) || (value == (meant & mask)));
    // BTS-09: the core was asked for the register of this word.
    WordAsked:     assert (!(begins && pebs && (word < number)) || (was_out_i.state_index == word));
    // Bytes that are not written have the value 0.
    HalfZero:      assert (!(writes_now && !wide) ||
                           ((out_i.mem.mem_be[0] ? out_i.mem.mem_wdata[63:32] : out_i.mem.mem_wdata[31:0]) == '0));
    // A request stays as it is until it is granted.
    RequestStays:  assert (!(valid_i && was_out_i.mem.mem_req && !was_in_i.mem.mem_gnt) || (out_i.mem == was_out_i.mem));
    // A fault ends the record: the index stays as it was.
    FaultEnds:     assert (!fault_q || ((st_i.store.step == StepIdle) && !out_i.mem.mem_req));
    // BTS-14: what is reported as stored has its index in memory, and nothing else is.
    StoredShown:   assert (out_i.notice.stored == published_q);
    // BTS-16, DCTL-23, DCTL-24: the interrupt comes with the record that reaches the threshold, exactly.
    PmiExact:      assert (out_i.notice.ds_pmi == pmi_q);
    // BTS-10, BTS-18: the counter of the record gets the reset value that memory has answered, once, and nothing else is set.
    ReloadExact:   assert (out_i.reload == reload_q);
    // The record that is written is the oldest one, and stays it.
    HeadStays:     assert (!(valid_i && (was_i.waiting.count != '0) && (st_i.store.step != StepIdle)) || pebs ||
                           (head == was_i.waiting.record[0]));
  end
  always_comb begin
    CoverBranch:   cover (published && !pebs && head.predicted && (head.from != '0));
    CoverPebs:     cover (begins && pebs && (word == 5'd2));
    CoverReload:   cover (out_i.reload.reload_valid && (out_i.reload.reload_value != '0));
    CoverPmi:      cover (out_i.notice.ds_pmi);
    CoverFault:    cover (valid_i && (word == '0) && out_i.notice.lost && (was_i.store.step == StepRecord));
  end

endmodule
