// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Registers of the Lightweight Profiling unit, one struct for each stage. All reset to 0.
//
// Contract: docs/src/lwp/state.md, whose order the fields have.

package lwp_state_pkg;

  import lwp_pkg::*;

  // States of lwp_store.
  typedef enum logic [3:0] {
    StoreIdle      = 4'd0,
    StoreInterval  = 4'd1,
    StoreWrite     = 4'd2,
    StoreTail      = 4'd3,
    StoreHead      = 4'd4,
    StoreFullHead  = 4'd5,
    StoreReport    = 4'd6,
    StoreReset     = 4'd7,
    StoreMissRead  = 4'd8,
    StoreMissWrite = 4'd9
  } store_st_e;

  // States of lwp_control.
  typedef enum logic [2:0] {
    CtlIdle  = 3'd0,
    CtlWait  = 3'd1,
    CtlProbe = 3'd2,
    CtlFlush = 3'd3,
    CtlLoad  = 3'd4,
    CtlFlags = 3'd5,
    CtlDone  = 3'd6
  } ctl_st_e;

  // Session: LWPMSR0, the LWPCB pointer, and the state of the session.
  typedef struct packed {
    // LWPMSR0; bits 30:4 are always 0.
    logic [31:0] msr0;
    // Linear address of the LWPCB; 0 if there is none.
    logic [63:0] lwpcb;
    // A session is active: the registers contain it.
    logic        active;
    // The session of `lwpcb` is to be loaded from its block in ring 3.
    logic        init_pending;
    // With `init_pending`: head, counters, `missed` and the record are restored; the rest is to be loaded.
    logic        reload;
  } session_t;

  // Fields of the LWPCB that were read when the session was loaded.
  typedef struct packed {
    // Bits 3:1: events that a slot selects; bit 31: LWPMSR0[31] when the block was loaded.
    logic [31:0] flags;
    // BufferBase, linear address; low 5 bits 0.
    logic [63:0] base;
    // BufferSize in bytes, low 5 bits 0; 0 if the block is unusable.
    logic [27:0] size;
    // Random: number of low counter bits that are randomised.
    logic [3:0]  random;
    // Threshold in bytes, low 5 bits 0; 0 if there is none.
    logic [31:0] threshold;
    // Filter word: MinLatency 7:0, CLF 8, NBC 9, RDC 10, RAM 11, OTH 12, NDB 13.
    logic [13:0] filter;
    // Per event: a slot of the block being loaded may select the event.
    logic [2:0]  allow;
  } block_t;

  // Position in the ring buffer.
  typedef struct packed {
    // BufferHeadOffset in bytes.
    logic [27:0] head;
    // Last valid BufferTailOffset in bytes.
    logic [27:0] tail;
    // Number of increments that MissedEvents in memory lacks.
    logic [15:0] missed;
    // Records until the tail is read again.
    logic [3:0]  tail_skip;
  } ring_t;

  // An event.
  typedef struct packed {
    // Number of the slot that selects the event.
    logic [4:0]          slot;
    // EventInterval of that slot.
    logic [CounterW-1:0] interval;
    // Occurrences until the event expires.
    logic [CounterW-1:0] counter;
  } event_t;

  // Candidate: the load of a `partial` cycle that is recorded when its instruction retires.
  typedef struct packed {
    // An earlier `partial` cycle presented the load to be recorded.
    logic                valid;
    // `addr` is known.
    logic                addr_valid;
    // Source of the data of the load.
    source_e             source;
    // Latency of the load in cycles.
    logic [LatencyW-1:0] latency;
    // Linear address of the data.
    logic [63:0]         addr;
  } cand_t;

  // Tag: the load that is being replayed for its address.
  typedef struct packed {
    // A load is tagged and being replayed.
    logic                valid;
    // Source of the data, from the first execution.
    source_e             source;
    // Latency in cycles, from the first execution.
    logic [LatencyW-1:0] latency;
    // Linear address of the instruction.
    logic [63:0]         ip;
  } tag_t;

  // Counters to restore when an instruction is undone; used with `fault_policy` = fault.
  typedef struct packed {
    // The instruction in lane 0 has begun with `partial` cycles.
    logic                               split;
    // The instruction that gathered the record can still be undone.
    logic                               valid;
    // Per event: the counter before that instruction.
    logic [NumEvents-1:0][CounterW-1:0] counters;
  } undo_t;

  // Event record. The contract calls `event_id` *event*, which is a reserved word of SystemVerilog.
  typedef struct packed {
    // EventId; EventNone if the entry is empty.
    event_id_e           event_id;
    // Bits 31:28 of the first word.
    logic [3:0]          flags;
    // Bytes 4 to 7: the latency of a DCache miss.
    logic [LatencyW-1:0] data;
    // Bytes 8 to 15: linear address of the instruction.
    logic [63:0]         ip;
    // Bytes 16 to 23: target of a branch, or data address of a DCache miss.
    logic [63:0]         addr;
  } record_t;

  // Store state machine.
  typedef struct packed {
    // State.
    store_st_e  st;
    // Which 8 bytes of the record are being written.
    logic [1:0] beat;
  } store_t;

  // Memory port. The contract calls `waiting` *wait*, which is a reserved word of SystemVerilog.
  typedef struct packed {
    // A request is pending.
    logic        req;
    // The access was granted, and its response is outstanding.
    logic        waiting;
    // The outstanding response will be discarded.
    logic        drop;
    // Command of the request.
    mem_cmd_e    cmd;
    // Bytes of the aligned 8 that are accessed.
    logic [7:0]  be;
    // Linear address, low 3 bits 0.
    logic [63:0] addr;
    // Data to write.
    logic [63:0] wdata;
  } port_t;

  // Control state machine.
  typedef struct packed {
    // State.
    ctl_st_e     st;
    // Operation.
    ctl_op_e     op;
    // The state machine runs a deferred initialisation or a reload, not an operation.
    logic        init;
    // The operation was issued in ring 3.
    logic        ring3;
    // Step within probe, flush, load; number of the context word.
    logic [4:0]  idx;
    // The operation has flushed a session: only its block in memory contains the session now.
    logic        old;
    // Fault of the operation; becomes `rsp_fault_o`.
    fault_e      fault;
    // Becomes `rsp_fault_write_o`.
    logic        fault_write;
    // New LWPCB pointer, or value of a WRMSR or of a restore.
    logic [63:0] arg;
    // Becomes `rsp_rdata_o`.
    logic [63:0] rdata;
    // Becomes `rsp_fault_addr_o`.
    logic [63:0] fault_addr;
  } ctl_t;

  // Page-fault request. The contract calls `aborts` *abort*.
  typedef struct packed {
    // A #PF trap is requested.
    logic        valid;
    // A write failed.
    logic        write;
    // A fault, not a trap: the instruction was undone.
    logic        aborts;
    // Linear address of the first failing byte.
    logic [63:0] addr;
  } pf_t;

  // Threshold interrupt.
  typedef struct packed {
    // The threshold interrupt is requested.
    logic       valid;
    // Cycles until the delayed interrupt is requested; 0 if none is delayed.
    logic [7:0] count;
  } irq_t;

  // Retirement in the last cycle.
  typedef struct packed {
    // The last cycle was in ring 3.
    logic             was_ring3;
    // A load was tagged in the last cycle.
    logic             flush_req;
    // The group of the last cycle was cut.
    logic             cut_valid;
    // Last accepted lane of that group.
    logic [LaneW-1:0] cut_lane;
  } retire_t;

  // Entry of the miss address buffer.
  typedef struct packed {
    // The load of this entry waits for its data.
    logic                counting;
    // Latency of the load so far, in cycles.
    logic [LatencyW-1:0] latency;
  } mab_entry_t;

  // Miss address buffer.
  typedef struct packed {
    // Free-running cycle counter.
    logic [3:0]                  phase;
    mab_entry_t [MabEntries-1:0] entries;
  } mab_t;

  // All registers of the unit, in the order of the contract.
  typedef struct packed {
    session_t                  session;
    block_t                    block;
    ring_t                     ring;
    event_t [NumEvents-1:0]    events;
    logic [31:0]               lfsr;
    logic [1:0]                rotate;
    cand_t                     cand;
    tag_t                      tag;
    undo_t                     undo;
    record_t [RecordQueue-1:0] records;
    logic                      pending;
    store_t                    store;
    port_t                     port;
    ctl_t                      ctl;
    pf_t                       pf;
    irq_t                      irq;
    retire_t                   retire;
    mab_t                      mab;
  } state_t;

endpackage
