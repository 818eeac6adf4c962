// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Observer of the memory port: what memory has answered of the management area for the record that is stored, and how
// many words of the record memory has answered. It sees the port, IA32_DS_AREA, the notices, and which record is the
// oldest, but nothing of the stage that stores it.
//
// The assertions tie it to the registers of that stage, line by line of the table "Steps" (docs/src/trace/store.md).

module formal_memory
  import retire_pkg::*;
  import trace_pkg::*;
  import formal_pkg::*;
  import formal_store_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  input  config_t     cfg_i,
  input  mem_answer_t answer_i,
  input  out_t        out_i,
  input  state_t      st_i,
  output seen_t       seen_o
);

  seen_t seen_d, seen_q;
  assign seen_o = seen_q;

  logic        pebs, wide, answered, ended;
  logic [63:0] area;
  assign pebs     = stores_pebs(st_i);
  assign wide     = stores_wide(st_i);
  assign area     = st_i.control.ds_area;
  assign answered = seen_q.granted && answer_i.mem_rvalid;
  // A record has ended, or it found no room.
  assign ended    = out_i.notice.stored || out_i.notice.lost;

  logic [63:0] low, high;
  assign low  = wide ? answer_i.mem_rdata : {32'd0, answer_i.mem_rdata[31:0]};
  assign high = {32'd0, answer_i.mem_rdata[63:32]};

  always_comb begin
    seen_d = seen_q;
    if (out_i.mem.mem_req && answer_i.mem_gnt) begin
      seen_d.granted = 1'b1;
      seen_d.access  = out_i.mem;
    end
    if (answered) seen_d.granted = 1'b0;
    if (ended || (answered && answer_i.mem_err)) begin
      {seen_d.has_base, seen_d.has_index, seen_d.has_maximum, seen_d.has_threshold} = '0;
      seen_d.words = '0;
    end else if (answered && (seen_q.access.mem_cmd == MemWrite)) begin
      seen_d.words = seen_q.words + 5'd1;
    end else if (answered && (seen_q.access.mem_addr == area + offset_base(pebs, wide))) begin
      {seen_d.has_base, seen_d.base} = {1'b1, low};
      if (!wide) {seen_d.has_index, seen_d.index} = {1'b1, high};
    end else if (answered && (seen_q.access.mem_addr == area + offset_maximum(pebs, wide))) begin
      {seen_d.has_maximum, seen_d.maximum} = {1'b1, low};
      if (!wide) {seen_d.has_threshold, seen_d.threshold} = {1'b1, high};
    end else if (answered && wide && (seen_q.access.mem_addr == area + offset_index(pebs, wide))) begin
      {seen_d.has_index, seen_d.index} = {1'b1, low};
    end else if (answered && wide && (seen_q.access.mem_addr == area + offset_threshold(pebs, wide))) begin
      {seen_d.has_threshold, seen_d.threshold} = {1'b1, low};
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) seen_q <= '0;
    else seen_q <= seen_d;
  end

  //////////////////////////
  // The registers agree //
  //////////////////////////

  store_t      store;
  logic [63:0] size;
  logic [4:0]  number;
  logic        writes_now;
  assign store      = st_i.store;
  assign size       = bytes(cfg_i, pebs, wide);
  assign number     = fields(cfg_i, pebs, wide);
  assign writes_now = store.step inside {StepRecord, StepPublish};

  // Address of a read of the step, and whether its response is the reset value of a counter.
  logic [63:0] read_addr;
  logic        resets;
  always_comb begin
    case (store.step)
      StepBase:      read_addr = area + offset_base(pebs, wide);
      StepIndex:     read_addr = area + offset_index(pebs, wide);
      StepMaximum:   read_addr = area + offset_maximum(pebs, wide);
      StepThreshold: read_addr = area + offset_threshold(pebs, wide);
      default:       read_addr = area + (wide ? 64'h40 + {59'd0, store.counter, 3'd0} : 64'h20);
    endcase
  end
  assign resets = store.step == StepReset;

  logic [3:0] has, expected;
  assign has = {seen_q.has_base, seen_q.has_index, seen_q.has_maximum, seen_q.has_threshold};
  always_comb begin
    case (store.step)
      StepIndex:     expected = 4'b1000;
      StepMaximum:   expected = 4'b1100;
      StepThreshold: expected = 4'b1110;
      StepPlace, StepRecord, StepPublish: expected = 4'b1111;
      default:       expected = 4'b0000;
    endcase
  end

  GrantKnown:   assert property (@(posedge clk_i) seen_q.granted == st_i.port.mem_wait);
  ReadKnown:    assert property (@(posedge clk_i)
      !out_i.mem.mem_req || writes_now || ((out_i.mem.mem_cmd == MemRead) && (out_i.mem.mem_addr == read_addr)));
  AccessKnown:  assert property (@(posedge clk_i)
      !seen_q.granted || (writes_now ? (seen_q.access.mem_cmd == MemWrite) :
                          ((seen_q.access.mem_cmd == MemRead) && (seen_q.access.mem_addr == read_addr))));
  // With the notice the store is idle again, or a PEBS record goes on with the reset of its counter.
  EndKnown:     assert property (@(posedge clk_i) !ended || (store.step == StepIdle) || resets);
  // What has been read since the record before ended is what the table says.
  FieldsKnown:  assert property (@(posedge clk_i)
      (has == expected) || (((store.step == StepIdle) || resets) && ended));
  BaseKnown:    assert property (@(posedge clk_i) !expected[3] || (seen_q.base == store.base));
  IndexKnown:   assert property (@(posedge clk_i)
      !expected[2] || (store.index == (writes_now ? place(seen_q, size) : seen_q.index)));
  MaximumKnown: assert property (@(posedge clk_i) !expected[1] || (seen_q.maximum == store.maximum));
  LimitKnown:   assert property (@(posedge clk_i) !expected[0] || (seen_q.threshold == store.threshold));
  // A record is written only to a place that it has.
  PlaceKnown:   assert property (@(posedge clk_i) !writes_now || has_place(seen_q, wide, stores_circular(st_i), size));
  WordsKnown:   assert property (@(posedge clk_i)
      (seen_q.words == ((store.step == StepRecord) ? store.field : (store.step == StepPublish) ? number : '0)) ||
      (((store.step == StepIdle) || resets) && ended));

endmodule
