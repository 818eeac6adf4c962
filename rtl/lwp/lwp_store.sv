// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Store: the first record's way into the ring buffer.
//
// Four writes of 8 bytes into the slot at head, the tail read where it is needed, then the next head, which publishes
// the record; or, if the ring is full, a missed event. Report and reset follow, one cycle each. MissedEvents in memory
// is brought up to date between records. Straps say in what order, and what is left out.
//
// A store is given up in a cycle outside ring 3 unless memory may already hold its head or its MissedEvents.
//
// Specification: Lightweight Profiling Proposal, "Overview" step 3, "LWP Control Block", "LWPCB Access", "TLB and
// Cache misses during LWP logging". Contract: docs/src/lwp/store.md.

module lwp_store
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,

  // Straps.
  input  logic [7:0]           core_id_i,
  input  logic                 reread_i,
  input  logic                 skip_i,
  input  logic                 deferred_i,
  input  logic [1:0]           fault_policy_i,

  input  logic                 ring3_i,
  // No operation is beyond its wait, no page fault stands, a session runs: the store may start.
  input  logic                 ready_i,
  input  logic                 owed_i,
  input  logic                 undo_valid_i,

  input  record_t              record_i,
  input  event_t [NumEvents-1:0] events_i,
  input  logic [63:0]          lwpcb_i,
  input  logic [63:0]          base_i,

  // The ring: registers, then what is to happen to them.
  input  logic [27:0]          head_i,
  input  logic [27:0]          next_head_i,
  input  logic                 full_i,
  input  logic                 tail_needed_i,
  input  logic                 flush_head_i,
  output logic                 ask_o,
  output logic                 tail_we_o,
  output logic                 advance_o,
  output logic                 miss_o,
  output logic                 unmiss_o,
  output logic                 flushed_o,
  // The interval of this event is here.
  output logic [NumEvents-1:0] interval_we_o,

  // Port.
  output logic                 want_o,
  output access_t              access_o,
  output logic                 abandon_o,
  output logic                 writeback_o,
  input  logic                 granted_i,
  input  port_t                port_i,
  input  logic                 rsp_valid_i,
  input  logic                 rsp_err_i,

  // Page fault of an access, in ring 3, and what it does to the records and the instruction.
  output logic                 fault_o,
  output logic                 fault_write_o,
  output logic                 undo_o,
  output logic                 pend_o,
  output logic                 empty_o,
  // The record is past the point of no return.
  output logic                 safe_o,

  output store_st_e            store_st_o,
  output logic [1:0]           store_beat_o
);

  store_st_e  st_d, st_q;
  logic [1:0] beat_d, beat_q;

  // States that use the port, and whether theirs is a write.
  logic memory, write, missed;

  assign write  = st_q inside {StoreWrite, StoreHead, StoreFullHead, StoreMissWrite};
  assign memory = write || (st_q inside {StoreInterval, StoreTail, StoreMissRead});
  assign missed = st_q inside {StoreMissRead, StoreMissWrite};

  // What memory will hold must be what the unit believes: a granted head or MissedEvents write goes on to its end.
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

  // Of the port only what the two states above need.
  logic unused_port;
  assign unused_port = ^{port_i.req, port_i.drop, port_i.cmd, port_i.be, port_i.addr};

  logic unused_events;
  assign unused_events = ^{events_i[Ins].interval, events_i[Br].interval, events_i[Dc].interval,
                           events_i[Ins].counter, events_i[Br].counter, events_i[Dc].counter};

  ///////////////////
  // State machine //
  ///////////////////

  // A record's store begins, after its interval if that is read anew; it is published; it is missed.
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
      // Nobody waits for a head that is deferred.
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

  // A missed event has left the queue already, so its fault costs no record.
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
