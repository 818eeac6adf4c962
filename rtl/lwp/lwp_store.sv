// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Store: writes records[0] into the ring buffer and publishes it, or counts a missed event if the ring is full.
//
// States in their order; straps or conditions leave out those in brackets:
//
//   write_slot   idle -> [interval] -> write -> [tail] -+- not full -> [head] -> report -> reset -> idle
//                                                       +- full -----> [full_head] ------> reset -> idle
//
//   skip         idle -> [interval] -> [tail] -+- not full -> write -> [head] -> report -> reset -> idle
//                                              +- full -----> [full_head] ---------------> reset -> idle
//
//   owed         idle -> miss_read -> miss_write -> idle
//
// *Write* makes four accesses of 8 bytes to the slot at head. *Head* publishes the record. *Miss_read* and *miss_write*
// update MissedEvents in memory. A page fault leads to idle from every state. So does a cycle outside ring 3, except
// from report and reset, and from head and miss_write once their access is granted.
//
// Specification: Lightweight Profiling Proposal, "Overview" step 3, "LWP Control Block", "LWPCB Access", "TLB and
// Cache misses during LWP logging". Contract: docs/src/lwp/store.md.

module lwp_store
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic                 clk_i,
  // Asynchronous reset, active low.
  input  logic                 rst_ni,

  // Strap `core_id`: byte 1 of every record.
  input  logic [7:0]           core_id_i,
  // Strap `interval_source` = reread: the interval is read from the block for each record.
  input  logic                 reread_i,
  // Strap `write_on_full` = skip: no record is written while the ring is full.
  input  logic                 skip_i,
  // Strap `head_flush` = deferred: the head is written only at the threshold, when full, or by a flush.
  input  logic                 deferred_i,
  // Strap `fault_policy`: 0 trap, 1 fault, 2 trap_pending, 3 nonpaged.
  input  logic [1:0]           fault_policy_i,

  // The core is in ring 3 and not in System Management Mode.
  input  logic                 ring3_i,
  // A store can start: a session is active, no page fault is pending, and no operation is past its wait.
  input  logic                 ready_i,
  // MissedEvents in memory must be updated before the next record is stored.
  input  logic                 owed_i,
  // The instruction that gathered the record can still be undone.
  input  logic                 undo_valid_i,

  // records[0].
  input  record_t              record_i,
  // Per event: slot, interval and counter.
  input  event_t [NumEvents-1:0] events_i,
  // Linear address of the LWPCB; 0 if there is none.
  input  logic [63:0]          lwpcb_i,
  // BufferBase: linear address of the ring buffer.
  input  logic [63:0]          base_i,

  // Head: offset of the next record in bytes.
  input  logic [27:0]          head_i,
  // Next head in bytes: the head after records[0] has been published.
  input  logic [27:0]          next_head_i,
  // The ring is full, by the tail as it is at the end of this cycle.
  input  logic                 full_i,
  // The tail must be read for records[0]; valid in the cycle of the decision.
  input  logic                 tail_needed_i,
  // The next head must be written to memory; otherwise it advances without an access.
  input  logic                 flush_head_i,
  // Whether the tail is read for records[0] is decided in this cycle.
  output logic                 ask_o,
  // BufferTailOffset has been read: the response is valid in this cycle.
  output logic                 tail_we_o,
  // The head advances past records[0].
  output logic                 advance_o,
  // The event of records[0] is missed, because the ring is full.
  output logic                 miss_o,
  // The increment of MissedEvents by the undone instruction is taken back.
  output logic                 unmiss_o,
  // MissedEvents in memory is up to date: `missed` becomes 0.
  output logic                 flushed_o,
  // Per event: the interval was read from the block again.
  output logic [NumEvents-1:0] interval_we_o,

  // The state machine wants an access.
  output logic                 want_o,
  // Access that the state machine wants; valid with `want_o`.
  output access_t              access_o,
  // The state machine abandons its access in this cycle.
  output logic                 abandon_o,
  // MissedEvents has been read and is to be written back with the missed events added.
  output logic                 writeback_o,
  // The pending request is granted in this cycle.
  input  logic                 granted_i,
  // Registers of the memory port.
  input  port_t                port_i,
  // A response to an access that has not been abandoned is valid in this cycle.
  input  logic                 rsp_valid_i,
  // The access failed with a page fault; valid with `rsp_valid_i`.
  input  logic                 rsp_err_i,

  // An access of the store failed with a page fault in ring 3.
  output logic                 fault_o,
  // The access that failed was a write; valid with `fault_o`.
  output logic                 fault_write_o,
  // The instruction that gathered the record is undone.
  output logic                 undo_o,
  // The store of records[0] faulted and is to be repeated.
  output logic                 pend_o,
  // A page fault of the store drops all records.
  output logic                 empty_o,
  // The store reaches or stays in head, report or reset: records[0] is kept when ring 3 is left.
  output logic                 safe_o,

  // State of the store state machine.
  output store_st_e            store_st_o,
  // Which 8 bytes of the record are being written, 0 to 3.
  output logic [1:0]           store_beat_o
);

  store_st_e  st_d, st_q;
  logic [1:0] beat_d, beat_q;

  // The state accesses memory; it writes; it updates MissedEvents.
  logic memory, write, missed;

  assign write  = st_q inside {StoreWrite, StoreHead, StoreFullHead, StoreMissWrite};
  assign memory = write || (st_q inside {StoreInterval, StoreTail, StoreMissRead});
  assign missed = st_q inside {StoreMissRead, StoreMissWrite};

  // A write of head or MissedEvents that has been granted is not abandoned, so that memory and the unit agree.
  logic committed;
  assign committed = (st_q inside {StoreHead, StoreMissWrite}) && (granted_i || port_i.waiting);
  assign abandon_o = memory && !ring3_i && !committed;

  logic rsp, rsp_ok;
  assign rsp    = memory && rsp_valid_i && !abandon_o;
  assign rsp_ok = rsp && !rsp_err_i;

  ////////////
  // Access //
  ////////////

  logic [63:0] record;

  always_comb begin
    unique case (beat_q)
      2'd0:    record = {32'(record_i.data), record_i.flags, 12'b0, core_id_i, 8'(record_i.event_id)};
      2'd1:    record = record_i.ip;
      2'd2:    record = record_i.addr;
      default: record = '0;
    endcase
  end

  logic [4:0] slot;
  assign slot = is_event(record_i.event_id, Ins) ? events_i[Ins].slot :
                is_event(record_i.event_id, Br) ? events_i[Br].slot : events_i[Dc].slot;

  assign want_o = memory && !abandon_o;

  logic [7:0]  be;
  logic [63:0] addr, wdata;

  always_comb begin
    be    = BytesAll;
    addr  = lwpcb_i + 64'(LwpcbHeadTail);
    wdata = '0;
    unique case (st_q)
      StoreInterval: begin
        be   = BytesLow;
        addr = lwpcb_i + 64'(LwpcbEvents) + {56'b0, slot, 3'b0};
      end
      StoreWrite: begin
        addr  = base_i + 64'(head_i) + {59'b0, beat_q, 3'b0};
        wdata = record;
      end
      StoreTail: be = BytesHigh;
      StoreHead: begin
        be    = BytesLow;
        wdata = 64'(next_head_i);
      end
      StoreFullHead: begin
        be    = BytesLow;
        wdata = 64'(head_i);
      end
      StoreMissRead: addr = lwpcb_i + 64'(LwpcbMissedEvents);
      StoreMissWrite: begin
        addr  = lwpcb_i + 64'(LwpcbMissedEvents);
        wdata = port_i.wdata;
      end
      default: ;
    endcase
  end

  assign access_o = '{cmd: write ? MemWrite : MemRead, be: be, addr: addr, wdata: wdata};

  // Only `waiting` and `wdata` of the port are used.
  logic unused_port;
  assign unused_port = ^{port_i.req, port_i.drop, port_i.cmd, port_i.be, port_i.addr};

  logic unused_events;
  assign unused_events = ^{events_i[Ins].interval, events_i[Br].interval, events_i[Dc].interval,
                           events_i[Ins].counter, events_i[Br].counter, events_i[Dc].counter};

  ///////////////////
  // State machine //
  ///////////////////

  // Actions *enter* and *publish* of the contract.
  logic enter, publish;

  always_comb begin
    st_d        = st_q;
    beat_d      = beat_q;
    enter       = 1'b0;
    publish     = 1'b0;
    ask_o       = 1'b0;
    advance_o   = 1'b0;
    miss_o      = 1'b0;
    flushed_o   = 1'b0;
    writeback_o = 1'b0;
    unique case (st_q)
      StoreIdle: begin
        if (ring3_i && ready_i) begin
          if (owed_i) begin
            st_d = StoreMissRead;
          end else if (record_i.event_id != EventNone) begin
            beat_d = '0;
            if (reread_i) st_d = StoreInterval;
            else enter = 1'b1;
          end
        end
      end
      StoreInterval: enter = rsp_ok;
      StoreWrite: begin
        if (rsp_ok) begin
          beat_d = beat_q + 2'd1;
          if (beat_q == 2'd3) begin
            ask_o = !skip_i;
            if (!skip_i && tail_needed_i) st_d = StoreTail;
            else publish = 1'b1;
          end
        end
      end
      StoreTail: begin
        if (rsp_ok) begin
          if (full_i) begin
            if (deferred_i) st_d = StoreFullHead;
            else miss_o = 1'b1;
          end else begin
            if (skip_i) st_d = StoreWrite;
            else publish = 1'b1;
          end
        end
      end
      StoreHead: begin
        if (rsp_ok) begin
          advance_o = 1'b1;
          st_d      = StoreReport;
        end
      end
      StoreFullHead: miss_o = rsp_ok;
      StoreMissRead: begin
        if (rsp_ok) begin
          writeback_o = 1'b1;
          st_d        = StoreMissWrite;
        end
      end
      StoreMissWrite: begin
        if (rsp_ok) begin
          flushed_o = 1'b1;
          st_d      = StoreIdle;
        end
      end
      StoreReport: st_d = StoreReset;
      StoreReset:  st_d = StoreIdle;
      default:     st_d = StoreIdle;
    endcase

    if (enter) begin
      ask_o = skip_i;
      st_d  = (skip_i && tail_needed_i) ? StoreTail : StoreWrite;
    end
    if (publish) begin
      // A head that is deferred advances without an access.
      advance_o = !flush_head_i;
      st_d      = flush_head_i ? StoreHead : StoreReport;
    end
    if (miss_o) begin
      st_d = StoreReset;
    end
    if (abandon_o || (rsp && rsp_err_i)) begin
      st_d = StoreIdle;
    end
  end

  for (genvar e = 0; e < int'(NumEvents); e++) begin : gen_interval
    assign interval_we_o[e] = (st_q == StoreInterval) && rsp_ok && is_event(record_i.event_id, e);
  end

  assign tail_we_o = (st_q == StoreTail) && rsp_ok;

  // In miss_read and miss_write records[0] is not the missed event: a page fault drops no record, unless it undoes.
  assign fault_o       = rsp && rsp_err_i && ring3_i;
  assign fault_write_o = write;
  assign undo_o        = fault_o && (fault_policy_i == PolicyFault) && undo_valid_i;
  assign unmiss_o      = undo_o && missed;
  assign pend_o        = fault_o && (fault_policy_i == PolicyTrapPending) && !missed;
  assign empty_o       = undo_o || (fault_o && !missed && !pend_o);
  assign safe_o        = st_d inside {StoreHead, StoreReport, StoreReset};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      st_q   <= StoreIdle;
      beat_q <= '0;
    end else begin
      st_q   <= st_d;
      beat_q <= beat_d;
    end
  end

  assign store_st_o   = st_q;
  assign store_beat_o = beat_q;

endmodule
