// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Ring: head and tail stay in the ring, in steps of a record; head never reaches the tail, neither the one that the
// unit knows nor the one that the consumer has in memory; every write goes into the ring or to a field of the block
// that belongs to the hardware.
//
// Rows: LWP-STO-02, LWP-STO-04, LWP-STO-07, LWP-STO-08, LWP-OVR-10, LWP-LCB-09, LWP-LCB-15.

module formal_ring
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
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
  input state_t  was_i,
  // When the consumer comes to rest.
  input logic    rest_i
);

  logic [27:0] used;
  assign used = ring_used(st_i.ring.head, st_i.ring.tail, st_i.block.size);

  // Outside a session head and tail are whatever a restore or half a block left. As they are aligned and inside, what is
  // used leaves one record free.
  always_comb begin
    HeadInRing:    assert (!st_i.session.active || (st_i.ring.head < st_i.block.size));
    TailInRing:    assert (!st_i.session.active || (st_i.ring.tail < st_i.block.size));
    Aligned:       assert ((st_i.ring.head[4:0] == '0) && (st_i.ring.tail[4:0] == '0) && (st_i.block.size[4:0] == '0) &&
                           (st_i.block.base[4:0] == '0));
  end

  // The head moves by one record, and not onto the tail.
  logic in_run, moved;
  logic [27:0] next_head;
  assign in_run    = valid_i && was_i.session.active && st_i.session.active;
  assign moved     = in_run && (st_i.ring.head != was_i.ring.head);
  assign next_head = (was_i.ring.head + RecordBytes == was_i.block.size) ? 28'd0 : was_i.ring.head + RecordBytes;

  always_comb begin
    HeadByRecord:  assert (!moved || (st_i.ring.head == next_head));
    HeadNotTail:   assert (!moved || (st_i.ring.head != st_i.ring.tail));
  end

  ////////////
  // Writes //
  ////////////

  // Where the request that stands would write.
  logic        writes, whole;
  logic [63:0] in_ring, in_block, in_new;
  logic [4:0]  slot;
  logic        to_ring, to_head, to_missed, to_counter, to_flags;
  assign writes     = out_i.mem_req && (out_i.mem_cmd == MemWrite);
  assign whole      = out_i.mem_be == BytesAll;
  assign in_ring    = out_i.mem_addr - st_i.block.base;
  assign in_block   = out_i.mem_addr - st_i.session.lwpcb;
  assign in_new     = out_i.mem_addr - st_i.ctl.arg;
  assign slot       = 5'((in_block - 64'(LwpcbEvents)) >> 3);
  assign to_ring    = st_i.session.active && whole && (in_ring < 64'(st_i.block.size)) && (in_ring[2:0] == '0);
  assign to_head    = st_i.session.active && (in_block == 64'(LwpcbHeadTail)) && (out_i.mem_be == BytesLow);
  assign to_missed  = st_i.session.active && (in_block == 64'(LwpcbMissedEvents)) && whole;
  assign to_counter = st_i.session.active && (in_block >= 64'(LwpcbEvents)) && (in_block[2:0] == '0) &&
                      (in_block < 64'(LwpcbEvents) + 64'(8 * Slots)) && (out_i.mem_be == BytesHigh) &&
                      (st_i.ctl.st == CtlFlush);
  // Of the block that is being loaded.
  assign to_flags   = !st_i.session.active && (in_new == '0) && (out_i.mem_be == BytesLow) && (st_i.ctl.st == CtlFlags);

  always_comb begin
    WritesKnown:   assert (!writes || to_ring || to_head || to_missed || to_counter || to_flags);
    // A counter is written into a slot that selects its event.
    CounterInSlot: assert (!(writes && to_counter) || ((st_i.block.flags[1] && (st_i.events[0].slot == slot)) ||
                           (st_i.block.flags[2] && (st_i.events[1].slot == slot)) ||
                           (st_i.block.flags[3] && (st_i.events[2].slot == slot))));
  end

  // The rest is asserted of requests; they stand as the state that asked made them. Of the ring, only the place at head is
  // written, which no reader may look at.
  logic [63:0] at_head;
  assign at_head = st_i.block.base + 64'(st_i.ring.head) + {59'b0, st_i.store.beat, 3'b0};
  always_comb begin
    BeatAtHead:    assert (!(out_i.mem_req && (st_i.store.st == StoreWrite)) || ((out_i.mem_addr == at_head) && whole));
    FlushInBlock:  assert (!(writes && (st_i.ctl.st == CtlFlush)) || to_head || to_missed || to_counter);
  end

  //////////////
  // Consumer //
  //////////////

  // The tail that software has in memory. Software moves it forward over what has been published, never beyond: it
  // stays between the tail that the unit knows and the head.
  logic [27:0] true_tail;
  formal_const #(.WIDTH(28)) u_tail (.Y(true_tail));

  logic reads_tail, kept_q;
  assign reads_tail = (st_i.store.st == StoreTail) && st_i.port.waiting && !st_i.port.drop && in_i.mem_rvalid &&
                      !in_i.mem_err;

  // From some cycle on the consumer stands still at true_tail, which lies in what was published then.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      kept_q <= 1'b0;
    end else begin
      kept_q <= st_i.session.active && (kept_q || (rest_i && (true_tail < st_i.block.size) && (true_tail[4:0] == '0) &&
                (ring_used(true_tail, st_i.ring.tail, st_i.block.size) <= used))) &&
                (!reads_tail || (in_i.mem_rdata[63:32] == 32'(true_tail)));
    end
  end

  // However far the unit goes on, it never comes up to that tail, and so never writes over a record that is unread.
  always_comb begin
    UnreadBetween: assert (!(kept_q && st_i.session.active) ||
                           ((true_tail < st_i.block.size) && (true_tail[4:0] == '0) && (ring_used(true_tail, st_i.ring.tail,
                           st_i.block.size) <= used)));
    UnreadKept:    assert (!(kept_q && moved) || (st_i.ring.head != true_tail));
  end

  ////////////
  // Covers //
  ////////////

  always_comb begin
    CoverWrapped:  cover (moved && (st_i.ring.head == '0));
    CoverFull:     cover (st_i.session.active && (used == st_i.block.size - RecordBytes));
    CoverMissed:   cover (valid_i && (was_i.store.st == StoreTail) && (st_i.store.st == StoreReset));
    CoverUnread:   cover (kept_q && moved && (true_tail != st_i.ring.tail));
  end

endmodule
