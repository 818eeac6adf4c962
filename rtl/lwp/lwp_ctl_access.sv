// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The accesses of the control machine: probe, flush, load, flags. Combinational.
//
// Specification: Lightweight Profiling Proposal, "LWP Control Instructions", "LWP Control Block". Contract:
// docs/src/lwp/control.md, "Probe, flush, load, flags".

module lwp_ctl_access
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  parameter int unsigned EventSlots = 8
) (
  input  ctl_st_e                st_i,
  input  logic [4:0]             idx_i,
  input  logic [63:0]            arg_i,
  input  logic [63:0]            lwpcb_i,
  // The block is that of the session which was flushed, not the new one.
  input  logic                   back_i,
  input  logic [31:0]            flags_i,
  input  logic [27:0]            size_i,
  input  logic [27:0]            head_i,
  input  logic [15:0]            missed_i,
  // Intervals are never written.
  // verilator lint_off UNUSEDSIGNAL
  input  event_t [NumEvents-1:0] events_i,
  // verilator lint_on UNUSEDSIGNAL
  // MissedEvents as it is to be written.
  input  logic [63:0]            mem_wdata_i,

  // The state has accesses; this step has none.
  output logic                   memory_o,
  output logic                   skip_o,
  // A fault of this access is one of a write: so is that of a probe, which asks for one.
  output logic                   write_o,
  output access_t                access_o
);

  // The last 8 bytes of a block.
  localparam logic [8:0] LastBeat = LwpcbThreshold + 9'(8 * EventSlots);

  assign memory_o = st_i inside {CtlProbe, CtlFlush, CtlLoad, CtlFlags};

  // Step 0 of a flush writes the head, step e the counter of event e, steps 4 and 5 MissedEvents: nothing if no slot
  // selected the event, and if nothing was missed.
  logic [7:0] steps;
  assign steps  = {2'b00, {2{missed_i != '0}}, flags_i[NumEvents:1], 1'b1};
  assign skip_o = (st_i == CtlFlush) && !steps[idx_i[2:0]];

  logic [4:0]          slot;
  logic [CounterW-1:0] counter;

  assign slot    = (idx_i[1:0] == 2'd1) ? events_i[Ins].slot :
                   (idx_i[1:0] == 2'd2) ? events_i[Br].slot : events_i[Dc].slot;
  assign counter = (idx_i[1:0] == 2'd1) ? events_i[Ins].counter :
                   (idx_i[1:0] == 2'd2) ? events_i[Br].counter : events_i[Dc].counter;

  logic good;
  assign good = (size_i != '0) && (flags_i[NumEvents:1] != '0);

  logic [63:0] block;
  logic [8:0]  offset;
  mem_cmd_e    cmd;
  logic [7:0]  be;
  logic [63:0] wdata;

  always_comb begin
    block  = back_i ? lwpcb_i : arg_i;
    offset = LwpcbFlagsSize;
    cmd    = MemProbe;
    be     = BytesAll;
    wdata  = '0;
    unique case (st_i)
      CtlProbe: if (idx_i != 5'd0) offset = LastBeat;
      CtlFlush: begin
        block = lwpcb_i;
        cmd   = MemWrite;
        unique case (idx_i)
          5'd0: begin
            offset = LwpcbHeadTail;
            be     = BytesLow;
            wdata  = 64'(head_i);
          end
          5'd4: begin
            offset = LwpcbMissedEvents;
            cmd    = MemRead;
          end
          5'd5: begin
            offset = LwpcbMissedEvents;
            wdata  = mem_wdata_i;
          end
          default: begin
            offset = LwpcbEvents + {1'b0, slot, 3'b0};
            be     = BytesHigh;
            wdata  = {32'(counter), 32'b0};
          end
        endcase
      end
      CtlLoad: begin
        cmd = MemRead;
        // MissedEvents stays in memory.
        unique case (idx_i)
          5'd0:    offset = LwpcbFlagsSize;
          5'd1:    offset = LwpcbBufferBase;
          5'd2:    offset = LwpcbHeadTail;
          5'd3:    offset = LwpcbThreshold;
          default: offset = LwpcbEvents + {1'b0, idx_i - 5'd4, 3'b0};
        endcase
      end
      CtlFlags: begin
        cmd   = MemWrite;
        be    = BytesLow;
        wdata = good ? (64'(flags_i) | 64'd1 << FlagsEnabled) : '0;
      end
      default: ;
    endcase
  end

  assign write_o  = cmd != MemRead;
  assign access_o = '{cmd: cmd, be: be, addr: block + 64'(offset), wdata: wdata};

endmodule
