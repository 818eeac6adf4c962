// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Ring: head and tail stay in the ring, in steps of a record; head never reaches the tail, neither the one that the unit
// knows nor the one that the consumer has in memory; every write goes into the ring or to a field of the block that
// belongs to the hardware.
//
// Rows: LWP-STO-02, LWP-STO-04, LWP-STO-07, LWP-STO-08, LWP-OVR-10, LWP-LCB-09, LWP-LCB-15.

module formal_ring
  import lwp_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  in_i,
  // When the consumer comes to rest.
  input logic rest_i
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

  logic [27:0] used;
  assign used = ring_used(st.head, st.tail, st.size);

  // Outside a session head and tail are whatever a restore or half a block left.
  always_comb begin
    HeadInRing:    assert (!st.active || (st.head < st.size));
    TailInRing:    assert (!st.active || (st.tail < st.size));
    Aligned:       assert ((st.head[4:0] == '0) && (st.tail[4:0] == '0) && (st.size[4:0] == '0) &&
                           (st.base[4:0] == '0));
    OneStaysFree:  assert (!st.active || (used <= st.size - RecordBytes));
  end

  // The head moves by one record, and not onto the tail.
  logic in_run, moved;
  logic [27:0] next_head;
  assign in_run    = valid && was.active && st.active;
  assign moved     = in_run && (st.head != was.head);
  assign next_head = (was.head + RecordBytes == was.size) ? 28'd0 : was.head + RecordBytes;

  always_comb begin
    HeadByRecord:  assert (!moved || (st.head == next_head));
    HeadNotTail:   assert (!moved || (st.head != st.tail));
  end

  ////////////
  // Writes //
  ////////////

  // Where the request that stands would write.
  logic        writes, whole;
  logic [63:0] in_ring, in_block, in_new;
  logic [4:0]  slot;
  logic        to_ring, to_head, to_missed, to_counter, to_flags;
  assign writes     = out.mem_req && (out.mem_cmd == MemWrite);
  assign whole      = out.mem_be == BytesAll;
  assign in_ring    = out.mem_addr - st.base;
  assign in_block   = out.mem_addr - st.lwpcb;
  assign in_new     = out.mem_addr - st.ctl_arg;
  assign slot       = 5'((in_block - 64'(LwpcbEvents)) >> 3);
  assign to_ring    = st.active && whole && (in_ring < 64'(st.size)) && (in_ring[2:0] == '0);
  assign to_head    = st.active && (in_block == 64'(LwpcbHeadTail)) && (out.mem_be == BytesLow);
  assign to_missed  = st.active && (in_block == 64'(LwpcbMissedEvents)) && whole;
  assign to_counter = st.active && (in_block >= 64'(LwpcbEvents)) && (in_block[2:0] == '0) &&
                      (in_block < 64'(LwpcbEvents) + 64'(8 * Slots)) && (out.mem_be == BytesHigh) &&
                      (st.ctl_st == CtlFlush);
  // Of the block that is being loaded.
  assign to_flags   = !st.active && (in_new == '0) && (out.mem_be == BytesLow) && (st.ctl_st == CtlFlags);

  always_comb begin
    WritesKnown:   assert (!writes || to_ring || to_head || to_missed || to_counter || to_flags);
    // Of the ring, only the place at head, which no reader may look at.
    WritesAtHead:  assert (!(writes && (st.store_st == StoreWrite)) || (to_ring &&
                           (in_ring - 64'(st.head) < 64'(RecordBytes))));
    // A counter is written into a slot that selects its event.
    CounterInSlot: assert (!(writes && to_counter) || ((st.flags[1] && (st.events[0].slot == slot)) ||
                           (st.flags[2] && (st.events[1].slot == slot)) ||
                           (st.flags[3] && (st.events[2].slot == slot))));
  end

  // The rest is asserted of requests; they stand as the state that asked made them.
  logic [63:0] at_head;
  assign at_head = st.base + 64'(st.head) + {59'b0, st.store_beat, 3'b0};
  always_comb begin
    BeatAtHead:    assert (!(out.mem_req && (st.store_st == StoreWrite)) || ((out.mem_addr == at_head) && whole));
    FlushInBlock:  assert (!(writes && (st.ctl_st == CtlFlush)) || to_head || to_missed || to_counter);
  end

  //////////////
  // Consumer //
  //////////////

  // The tail that software has in memory. Software moves it forward over what has been published, never beyond: it
  // stays between the tail that the unit knows and the head.
  logic [27:0] true_tail;
  formal_const #(.WIDTH(28)) u_tail (.Y(true_tail));

  logic reads_tail, kept_q;
  assign reads_tail = (st.store_st == StoreTail) && st.mem_wait && !st.mem_drop && in_i.mem_rvalid && !in_i.mem_err;

  // From some cycle on the consumer stands still at true_tail, which lies in what was published then.
  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      kept_q <= 1'b0;
    end else begin
      kept_q <= st.active && (kept_q || (rest_i && (true_tail < st.size) && (true_tail[4:0] == '0) &&
                (ring_used(true_tail, st.tail, st.size) <= used))) &&
                (!reads_tail || (in_i.mem_rdata[63:32] == 32'(true_tail)));
    end
  end

  // However far the unit goes on, it never comes up to that tail, and so never writes over a record that is unread.
  always_comb begin
    UnreadBetween: assert (!(kept_q && st.active) ||
                           ((true_tail < st.size) && (true_tail[4:0] == '0) && (ring_used(true_tail, st.tail, st.size) <= used)));
    UnreadKept:    assert (!(kept_q && moved) || (st.head != true_tail));
  end

  ////////////
  // Covers //
  ////////////

  always_comb begin
    CoverWrapped:  cover (moved && (st.head == '0));
    CoverFull:     cover (st.active && (used == st.size - RecordBytes));
    CoverMissed:   cover (valid && (was.store_st == StoreTail) && (st.store_st == StoreReset));
    CoverUnread:   cover (kept_q && moved && (true_tail != st.tail));
  end

endmodule
