// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Accesses of the control state machine in probe, flush, load and flags. Combinational.
//
// Specification: Lightweight Profiling Proposal, "LWP Control Instructions", "LWP Control Block". Contract:
// docs/src/lwp/control.md, "Probe, flush, load, flags".

module lwp_ctl_access
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  // Event slots of the LWPCB (CPUID LWPMaxEvents): 1 to 26.
  parameter int unsigned EventSlots = 8
) (
  // State of the control state machine.
  input  ctl_st_e                st_i,
  // Step within probe, flush or load.
  input  logic [4:0]             idx_i,
  // Argument of the operation: new LWPCB pointer, or value of a WRMSR or of a restore.
  input  logic [63:0]            arg_i,
  // Linear address of the LWPCB; 0 if there is none.
  input  logic [63:0]            lwpcb_i,
  // Going back: the old block is loaded again after a fault on the new one.
  input  logic                   back_i,
  // Bits 3:1: events that a slot selects; bit 31: LWPMSR0[31] when the block was loaded.
  input  logic [31:0]            flags_i,
  // BufferSize in bytes; 0 if the block is unusable.
  input  logic [27:0]            size_i,
  // Head: offset of the next record in bytes.
  input  logic [27:0]            head_i,
  // Number of increments that MissedEvents in memory lacks.
  input  logic [15:0]            missed_i,
  // Intervals are not written.
  // verilator lint_off UNUSEDSIGNAL
  // Per event: slot, interval and counter.
  input  event_t [NumEvents-1:0] events_i,
  // verilator lint_on UNUSEDSIGNAL
  // MissedEvents with the missed events added, to be written by the flush.
  input  logic [63:0]            mem_wdata_i,

  // This state accesses memory.
  output logic                   memory_o,
  // This step of the flush makes no access.
  output logic                   skip_o,
  // The access is a write or a write probe.
  output logic                   write_o,
  // Access that the state machine wants; valid with `want_o`.
  output access_t                access_o
);

  // Offset of the last 8 bytes of a block.
  localparam logic [8:0] LastBeat = LwpcbThreshold + 9'(8 * EventSlots);

  assign memory_o = st_i inside {CtlProbe, CtlFlush, CtlLoad, CtlFlags};

  // Per step of the flush: the step makes an access. Step 0 writes the head. Step e writes the counter of event e, if a
  // slot selects it. Steps 4 and 5 read and write MissedEvents, if an event was missed.
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
        // MissedEvents is not loaded.
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
