// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Ports of the Lightweight Profiling unit: sizes, straps, lanes, operations, and the layouts that software sees.
//
// Specification: Lightweight Profiling Proposal (2007-07-20), "Events and Event Records", "LWPMSRs", "LWP Control
// Block". Fields are in the order of docs/src/lwp/ports.md.

package lwp_pkg;

  // Loads that one lane can present in one cycle.
  localparam int unsigned LoadPorts = 2;
  // Events of version 1. Arrays over events are indexed by EventId - 1.
  localparam int unsigned NumEvents = 3;
  localparam int unsigned Ins = 0;
  localparam int unsigned Br  = 1;
  localparam int unsigned Dc  = 2;
  // Entries of the miss address buffer.
  localparam int unsigned MabEntries = 8;
  // Records at a time: an event has one at most.
  localparam int unsigned RecordQueue = 3;
  // Width of counters and intervals.
  localparam int unsigned CounterW = 26;
  // Latencies travel in this width; bits at and above the parameter LatencyBits are ignored.
  localparam int unsigned LatencyW = 31;
  // Number of a lane in its widest build.
  localparam int unsigned LaneW = 3;

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

  // Values of the straps that have names.
  localparam logic [1:0] SelectRotating    = 2'd1;
  localparam logic [1:0] SelectRandom      = 2'd2;
  localparam logic [1:0] LeaveDrain        = 2'd1;
  localparam logic [1:0] LeaveHold         = 2'd2;
  localparam logic [1:0] PolicyFault       = 2'd1;
  localparam logic [1:0] PolicyTrapPending = 2'd2;
  localparam logic [1:0] AddressNext       = 2'd1;
  localparam logic [1:0] AddressReplay     = 2'd2;
  localparam logic [1:0] AddressNone       = 2'd3;
  localparam logic [1:0] PredictAll        = 2'd1;
  localparam logic [1:0] PredictNone       = 2'd2;

  // The straps. A field of one bit names its 1 in the comment.
  typedef struct packed {
    logic        present;
    logic        avail_ire;
    logic        avail_bre;
    logic        avail_dme;
    logic        avail_int;
    logic        latency_filter;
    logic        level_filter;
    logic        data_source;
    logic        gather_policy;    // all
    logic        one_per_instr;
    logic [1:0]  gather_select;
    logic        gather_target;    // next
    logic        store_timing;     // sync
    logic        collision;        // discard
    logic [1:0]  leave_policy;
    logic [1:0]  fault_policy;
    logic [1:0]  address_policy;
    logic        address_gate;
    logic        latency_source;   // buffer
    logic        latency_step;     // 16
    logic        latency_phase;    // free-running
    logic [1:0]  prediction;
    logic        head_flush;       // deferred
    logic        tail_reread;      // lazy
    logic [3:0]  tail_nth;
    logic        interval_source;  // reread
    logic        missed_mode;      // cached
    logic        write_on_full;    // skip
    logic        misaligned;       // truncate
    logic        flush_outside;    // skip
    logic        v86;
    logic        entropy;          // port
    logic [7:0]  irq_delay;
    logic [7:0]  core_id;
    logic [31:0] lfsr_seed;
  } config_t;

  // One load. `tagged` of the contract is a reserved word here.
  typedef struct packed {
    logic                miss;
    logic                addr_valid;
    logic                is_tagged;
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

  // Codes above OpRestore are no operations.
  typedef enum logic [3:0] {
    OpLlwpcb  = 4'd0,
    OpSlwpcb  = 4'd1,
    OpRdMsr0  = 4'd2,
    OpWrMsr0  = 4'd3,
    OpRdMsr1  = 4'd4,
    OpWrMsr1  = 4'd5,
    OpSave    = 4'd6,
    OpRestore = 4'd7
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

endpackage
