// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Registers of the Lightweight Profiling unit.
//
// Contract: docs/src/lwp/state.md, whose order the fields have.

package lwp_state_pkg;

  import lwp_pkg::*;

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

  typedef enum logic [2:0] {
    CtlIdle  = 3'd0,
    CtlWait  = 3'd1,
    CtlProbe = 3'd2,
    CtlFlush = 3'd3,
    CtlLoad  = 3'd4,
    CtlFlags = 3'd5,
    CtlDone  = 3'd6
  } ctl_st_e;

  // The session: LWPMSR0, the LWPCB pointer, whether a session is active.
  typedef struct packed {
    logic [31:0] msr0;
    logic [63:0] lwpcb;
    logic        active;
    logic        init_pending;
    logic        reload;
  } session_t;

  // The fields of the LWPCB that were read when the session began.
  typedef struct packed {
    logic [31:0] flags;
    logic [63:0] base;
    logic [27:0] size;
    logic [3:0]  random;
    logic [31:0] threshold;
    logic [13:0] filter;
    logic [2:0]  allow;
  } block_t;

  // The position in the ring buffer.
  typedef struct packed {
    logic [27:0] head;
    logic [27:0] tail;
    logic [15:0] missed;
    logic [3:0]  tail_skip;
  } ring_t;

  // One event.
  typedef struct packed {
    logic [4:0]          slot;
    logic [CounterW-1:0] interval;
    logic [CounterW-1:0] counter;
  } event_t;

  // The load that a split instruction will report.
  typedef struct packed {
    logic                valid;
    logic                addr_valid;
    source_e             source;
    logic [LatencyW-1:0] latency;
    logic [63:0]         addr;
  } cand_t;

  // The load being replayed.
  typedef struct packed {
    logic                valid;
    source_e             source;
    logic [LatencyW-1:0] latency;
    logic [63:0]         ip;
  } tag_t;

  // What undoing an instruction takes: `split` is asserted while the instruction in lane 0 has begun with partial cycles.
  typedef struct packed {
    logic                               split;
    logic                               valid;
    logic [NumEvents-1:0][CounterW-1:0] counters;
  } undo_t;

  // An event record. `event` of the contract is a reserved word here.
  typedef struct packed {
    event_id_e           event_id;
    logic [3:0]          flags;
    logic [LatencyW-1:0] data;
    logic [63:0]         ip;
    logic [63:0]         addr;
  } record_t;

  // The store machine: the step of the first record, and which 8 bytes of the record are being written.
  typedef struct packed {
    store_st_e  st;
    logic [1:0] beat;
  } store_t;

  // The memory port.
  typedef struct packed {
    logic        req;
    logic        waiting;
    logic        drop;
    mem_cmd_e    cmd;
    logic [7:0]  be;
    logic [63:0] addr;
    logic [63:0] wdata;
  } port_t;

  // The control machine.
  typedef struct packed {
    ctl_st_e     st;
    ctl_op_e     op;
    logic        init;
    logic        ring3;
    logic [4:0]  idx;
    logic        old;
    fault_e      fault;
    logic        fault_write;
    logic [63:0] arg;
    logic [63:0] rdata;
    logic [63:0] fault_addr;
  } ctl_t;

  // The page-fault request.
  typedef struct packed {
    logic        valid;
    logic        write;
    logic        aborts;
    logic [63:0] addr;
  } pf_t;

  // The threshold interrupt: requested, and the cycles until a delayed request, 0 if there is none.
  typedef struct packed {
    logic       valid;
    logic [7:0] count;
  } irq_t;

  // The last cycle: in ring 3, a load was tagged, the group was cut behind lane cut_lane.
  typedef struct packed {
    logic             was_ring3;
    logic             flush_req;
    logic             cut_valid;
    logic [LaneW-1:0] cut_lane;
  } retire_t;

  // A load that waits for its data.
  typedef struct packed {
    logic                counting;
    logic [LatencyW-1:0] latency;
  } mab_entry_t;

  // The miss address buffer: free-running cycle counter, entries.
  typedef struct packed {
    logic [3:0]                  phase;
    mab_entry_t [MabEntries-1:0] entries;
  } mab_t;

  // Every register of the unit, in the order of the contract.
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
