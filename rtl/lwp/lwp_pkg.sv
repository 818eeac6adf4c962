// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Types and constants of the Lightweight Profiling unit.
//
// Specification: Lightweight Profiling Proposal (2007-07-20), "Events and Event Records", "LWPMSRs", "LWP Control
// Block". Ports and registers stand in the order of docs/src/lwp/ports.md and docs/src/lwp/state.md.

package lwp_pkg;

  // Loads that one lane can present in one cycle.
  localparam int unsigned LoadPorts = 2;
  // Events of version 1. Arrays over events are indexed by EventId - 1.
  localparam int unsigned NumEvents = 3;
  // Width of counters and intervals.
  localparam int unsigned CounterW = 26;
  // Latencies travel in this width; bits at and above the parameter LatencyBits are ignored.
  localparam int unsigned LatencyW = 31;

  // EventId, byte 0 of an event record.
  typedef enum logic [1:0] {
    EventNone       = 2'd0,
    EventInsRetired = 2'd1,
    EventBrRetired  = 2'd2,
    EventDcMiss     = 2'd3
  } event_id_e;

  // LWPMSR0 and LWPCB.Flags share their bit numbers: an event has the bit of its EventId.
  localparam int unsigned Msr0Enabled = 0;
  localparam int unsigned FlagsEnabled = 0;
  localparam int unsigned FlagsInterrupt = 31;

  // Byte offsets in the LWPCB of the aligned 8 bytes that the unit accesses.
  localparam logic [8:0] LwpcbFlagsSize    = 9'd0;   // Flags 31:0, BufferSize 59:32, Random 63:60
  localparam logic [8:0] LwpcbBufferBase   = 9'd8;
  localparam logic [8:0] LwpcbHeadTail     = 9'd16;  // BufferHeadOffset 31:0, BufferTailOffset 63:32
  localparam logic [8:0] LwpcbMissedEvents = 9'd24;
  localparam logic [8:0] LwpcbThreshold    = 9'd32;  // Threshold 31:0, filters 63:32
  localparam logic [8:0] LwpcbEvents       = 9'd40;  // EventInterval 25:0, EventId 31:26, EventCounter 57:32

  // Size of an event record, and so the grain of every offset in the buffer.
  localparam logic [27:0] RecordBytes = 28'd32;

  // Bytes of the aligned 8 that an access means.
  localparam logic [7:0] BytesAll  = 8'hFF;
  localparam logic [7:0] BytesLow  = 8'h0F;
  localparam logic [7:0] BytesHigh = 8'hF0;

  // Bits of the filter word (LWPCB byte 36).
  localparam int unsigned FilterClf = 8;
  localparam int unsigned FilterNbc = 9;
  localparam int unsigned FilterRdc = 10;
  localparam int unsigned FilterRam = 11;
  localparam int unsigned FilterOth = 12;
  localparam int unsigned FilterNdb = 13;

  // Where the data of a load came from, as in the record.
  typedef enum logic [2:0] {
    SourceNone      = 3'd0,
    SourceLocalL3   = 3'd1,
    SourceRemote    = 3'd2,
    SourceDram      = 3'd3,
    SourceReserved4 = 3'd4,
    SourceReserved5 = 3'd5,
    SourceReserved6 = 3'd6,
    SourceOther     = 3'd7
  } source_e;

  // Kinds of branch, as the core classifies them. Codes above BranchFarRet are never counted.
  localparam logic [3:0] BranchNone    = 4'd0;
  localparam logic [3:0] BranchJmpRel  = 4'd1;
  localparam logic [3:0] BranchCond    = 4'd2;
  localparam logic [3:0] BranchCallRel = 4'd4;
  localparam logic [3:0] BranchFarRet  = 4'd9;

  // Operating modes. Codes 5 to 7 do not occur and are treated as not 64-bit.
  localparam logic [2:0] ModeReal = 3'd0;
  localparam logic [2:0] ModeV86  = 3'd1;
  localparam logic [2:0] Mode64   = 3'd4;

  // The straps.
  typedef struct packed {
    logic        present;
    logic        avail_ire;
    logic        avail_bre;
    logic        avail_dme;
    logic        avail_int;
    logic        latency_filter;
    logic        level_filter;
    logic        data_address;
    logic [7:0]  core_id;
    logic [31:0] lfsr_seed;
  } config_t;

  // One load that missed the DCache.
  typedef struct packed {
    logic                miss;
    logic                addr_valid;
    logic [63:0]         addr;
    logic [LatencyW-1:0] latency;
    source_e             source;
  } load_t;

  // One retiring instruction.
  typedef struct packed {
    logic                  valid;
    logic                  counts;
    logic [63:0]           ip;
    logic [3:0]            branch_kind;
    logic                  branch_taken;
    logic                  branch_pred_valid;
    logic                  branch_pred_ok;
    logic [63:0]           branch_next;
    load_t [LoadPorts-1:0] loads;
  } lane_t;

  typedef enum logic [2:0] {
    OpLlwpcb    = 3'd0,
    OpSlwpcb    = 3'd1,
    OpRdMsr0    = 3'd2,
    OpWrMsr0    = 3'd3,
    OpRdMsr1    = 3'd4,
    OpWrMsr1    = 3'd5,
    OpReserved6 = 3'd6,
    OpReserved7 = 3'd7
  } ctl_op_e;

  typedef enum logic [1:0] {
    FaultNone = 2'd0,
    FaultUd   = 2'd1,
    FaultGp   = 2'd2,
    FaultPf   = 2'd3
  } fault_e;

  typedef enum logic [1:0] {
    MemRead  = 2'd0,
    MemWrite = 2'd1,
    MemProbe = 2'd2
  } mem_cmd_e;

  // What a state machine wants from the memory port.
  typedef struct packed {
    mem_cmd_e    cmd;
    logic [7:0]  be;
    logic [63:0] addr;
    logic [63:0] wdata;
  } access_t;

  typedef enum logic [2:0] {
    StoreIdle      = 3'd0,
    StoreWrite     = 3'd1,
    StoreTail      = 3'd2,
    StoreHead      = 3'd3,
    StoreMissRead  = 3'd4,
    StoreMissWrite = 3'd5,
    StoreReport    = 3'd6,
    StoreReset     = 3'd7
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

  // Registers of one event.
  typedef struct packed {
    logic [4:0]          slot;
    logic [CounterW-1:0] interval;
    logic [CounterW-1:0] counter;
  } event_t;

  // Every register of the unit.
  typedef struct packed {
    // Session.
    logic [31:0]            msr0;
    logic [63:0]            lwpcb;
    logic                   active;
    logic                   init_pending;
    logic [31:0]            flags;
    logic [63:0]            base;
    logic [27:0]            size;
    logic [3:0]             random;
    logic [27:0]            head;
    logic [27:0]            tail;
    logic [31:0]            threshold;
    logic [13:0]            filter;
    event_t [NumEvents-1:0] events;
    logic [31:0]            lfsr;
    // Candidate.
    logic                   cand_valid;
    logic                   cand_addr_valid;
    source_e                cand_source;
    logic [LatencyW-1:0]    cand_latency;
    logic [63:0]            cand_addr;
    // Record.
    event_id_e              rec_event;
    logic [3:0]             rec_flags;
    logic [LatencyW-1:0]    rec_data;
    logic [63:0]            rec_ip;
    logic [63:0]            rec_addr;
    // Store.
    store_st_e              store_st;
    logic [1:0]             store_beat;
    // Port.
    logic                   mem_req;
    logic                   mem_wait;
    logic                   mem_drop;
    mem_cmd_e               mem_cmd;
    logic [7:0]             mem_be;
    logic [63:0]            mem_addr;
    logic [63:0]            mem_wdata;
    // Control.
    ctl_st_e                ctl_st;
    ctl_op_e                ctl_op;
    logic                   ctl_init;
    logic                   ctl_ring3;
    logic [4:0]             ctl_idx;
    fault_e                 ctl_fault;
    logic                   ctl_fault_write;
    logic [63:0]            ctl_arg;
    logic [63:0]            ctl_rdata;
    logic [63:0]            ctl_fault_addr;
    // Requests.
    logic                   pf_valid;
    logic                   pf_write;
    logic [63:0]            pf_addr;
    logic                   irq;
  } state_t;

  // Outside 64-bit mode addresses are 32 bits wide.
  function automatic logic [63:0] mode_addr(logic mode64, logic [63:0] addr);
    return {addr[63:32] & {32{mode64}}, addr[31:0]};
  endfunction

endpackage
