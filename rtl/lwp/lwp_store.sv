// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Store: the record's way into the ring buffer.
//
// Four writes of 8 bytes into the slot at head, then a read of the tail that software moves. If the next head would
// equal it, the buffer is full and MissedEvents is incremented in memory; otherwise the next head is written and
// becomes the head. Report and reset follow, one cycle each. Starts in the cycle after lwp_gather, runs beside
// retirement.
//
// A store is discarded in a cycle outside ring 3 unless memory may already hold its head or its MissedEvents.
//
// Specification: Lightweight Profiling Proposal, "Overview" step 3, "LWP Control Block", "LWPCB Access", "TLB and
// Cache misses during LWP logging". Contract: docs/src/lwp/store.md.

module lwp_store
  import lwp_pkg::*;
#(
  parameter int unsigned LatencyBits = 31
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic [7:0]             core_id_i,
  input  logic                   ring3_i,

  // Record.
  input  logic                   gather_i,
  input  event_id_e              rec_event_i,
  input  logic [3:0]             rec_flags_i,
  input  logic [LatencyBits-1:0] rec_data_i,
  input  logic [63:0]            rec_ip_i,
  input  logic [63:0]            rec_addr_i,

  // Session.
  input  logic [63:0]            lwpcb_i,
  input  logic [63:0]            base_i,
  input  logic [27:0]            size_i,
  input  logic [27:0]            head_i,
  input  logic [27:0]            tail_i,
  output logic                   head_we_o,
  output logic [27:0]            head_o,
  output logic                   tail_we_o,
  output logic [27:0]            tail_o,

  // Port.
  output logic                   want_o,
  output access_t                access_o,
  output logic                   abandon_o,
  output logic                   increment_o,
  input  logic                   granted_i,
  input  logic                   mem_wait_i,
  input  logic                   rsp_valid_i,
  input  logic                   rsp_err_i,
  input  logic [63:32]           rsp_tail_i,
  input  logic [63:0]            mem_wdata_i,

  // Page fault of an access, in ring 3.
  output logic                   fault_o,
  output logic                   fault_write_o,

  output store_st_e              store_st_o,
  output logic [1:0]             store_beat_o
);

  store_st_e  st_d, st_q;
  logic [1:0] beat_d, beat_q;

  // States that use the port, and whether theirs is a write.
  logic memory, write;

  always_comb begin
    memory = 1'b0;
    write  = 1'b0;
    unique case (st_q)
      StoreWrite, StoreHead, StoreMissWrite: begin
        memory = 1'b1;
        write  = 1'b1;
      end
      StoreTail, StoreMissRead: memory = 1'b1;
      StoreIdle, StoreReport, StoreReset: ;
      default: ;
    endcase
  end

  // What memory will hold must be what the unit believes: a granted head or MissedEvents write goes on to its end.
  logic committed;
  assign committed = (st_q == StoreHead || st_q == StoreMissWrite) && (granted_i || mem_wait_i);
  assign abandon_o = memory && !ring3_i && !committed;

  logic rsp, rsp_ok;
  assign rsp    = memory && rsp_valid_i && !abandon_o;
  assign rsp_ok = rsp && !rsp_err_i;

  assign fault_o       = rsp && rsp_err_i && ring3_i;
  assign fault_write_o = write;

  ///////////////////
  // Head and tail //
  ///////////////////

  logic [27:0] next_head;
  logic [31:0] read_tail;

  always_comb begin
    next_head = head_i + RecordBytes;
    if (next_head == size_i) begin
      next_head = '0;
    end
    // Software owns the tail in memory: only a value inside the buffer replaces the last good one.
    read_tail = {rsp_tail_i[63:37], 5'b0};
    tail_o    = tail_i;
    if (read_tail < 32'(size_i)) begin
      tail_o = read_tail[27:0];
    end
  end

  assign head_o      = next_head;
  assign tail_we_o   = (st_q == StoreTail) && rsp_ok;
  assign head_we_o   = (st_q == StoreHead) && rsp_ok;
  assign increment_o = (st_q == StoreMissRead) && rsp_ok;

  logic unused_tail;
  assign unused_tail = ^rsp_tail_i[36:32];

  ////////////
  // Access //
  ////////////

  logic [63:0] record;

  always_comb begin
    unique case (beat_q)
      2'd0:    record = {32'(rec_data_i), rec_flags_i, 12'b0, core_id_i, 8'(rec_event_i)};
      2'd1:    record = rec_ip_i;
      2'd2:    record = rec_addr_i;
      default: record = '0;
    endcase
  end

  assign want_o = memory && !abandon_o;

  logic [7:0]  be;
  logic [63:0] addr, wdata;

  always_comb begin
    be    = BytesAll;
    addr  = lwpcb_i + 64'(LwpcbHeadTail);
    wdata = '0;
    unique case (st_q)
      StoreWrite: begin
        addr  = base_i + 64'(head_i) + {59'b0, beat_q, 3'b0};
        wdata = record;
      end
      StoreTail: be = BytesHigh;
      StoreHead: begin
        be    = BytesLow;
        wdata = 64'(next_head);
      end
      StoreMissRead: addr = lwpcb_i + 64'(LwpcbMissedEvents);
      StoreMissWrite: begin
        addr  = lwpcb_i + 64'(LwpcbMissedEvents);
        wdata = mem_wdata_i;
      end
      default: ;
    endcase
  end

  assign access_o = '{cmd: write ? MemWrite : MemRead, be: be, addr: addr, wdata: wdata};

  ///////////////////
  // State machine //
  ///////////////////

  always_comb begin
    st_d   = st_q;
    beat_d = beat_q;
    unique case (st_q)
      StoreIdle: begin
        if (gather_i) begin
          st_d   = StoreWrite;
          beat_d = '0;
        end
      end
      StoreWrite: begin
        if (rsp_ok) begin
          beat_d = beat_q + 2'd1;
          if (beat_q == 2'd3) begin
            st_d = StoreTail;
          end
        end
      end
      StoreTail:      if (rsp_ok) st_d = (next_head == tail_o) ? StoreMissRead : StoreHead;
      StoreHead:      if (rsp_ok) st_d = StoreReport;
      StoreMissRead:  if (rsp_ok) st_d = StoreMissWrite;
      StoreMissWrite: if (rsp_ok) st_d = StoreReset;
      StoreReport:    st_d = StoreReset;
      StoreReset:     st_d = StoreIdle;
      default:        st_d = StoreIdle;
    endcase
    // The record is dropped; the counter is still zero, so the next occurrence is gathered.
    if (abandon_o || (rsp && rsp_err_i)) begin
      st_d = StoreIdle;
    end
  end

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
