// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Ports of the Lightweight Profiling unit: sizes, straps, lanes, operations, and the layouts that software sees.
//
// Specification: Lightweight Profiling Proposal (2007-07-20), "Events and Event Records", "LWPMSRs", "LWP Control
// Block". Fields are in the order of docs/src/lwp/ports.md.

package lwp_pkg;

  // Loads that one lane can present in one cycle.
  localparam int unsigned LoadPorts = 2;
  // Number of events in version 1. Arrays over events have the index EventId - 1; "per event" in a comment means this.
  localparam int unsigned NumEvents = 3;
  // Indices of the events: instructions retired, branches retired, DCache misses.
  localparam int unsigned Ins = 0;
  localparam int unsigned Br  = 1;
  localparam int unsigned Dc  = 2;
  // Entries of the miss address buffer.
  localparam int unsigned MabEntries = 8;
  // Entries of the record queue: each event has at most one record.
  localparam int unsigned RecordQueue = 3;
  // Width of counters and intervals.
  localparam int unsigned CounterW = 26;
  // Width of a latency on the ports; bits from the parameter LatencyBits on are ignored.
  localparam int unsigned LatencyW = 31;
  // Width of a lane number in the widest build.
  localparam int unsigned LaneW = 3;

  // EventId, byte 0 of an event record.
  typedef enum logic [1:0] {
    EventNone       = 2'd0,
    EventInsRetired = 2'd1,
    EventBrRetired  = 2'd2,
    EventDcMiss     = 2'd3
  } event_id_e;

  // Bits of LWPMSR0 and of Flags. In both, an event has the bit of its EventId.
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

  // Size of an event record in bytes. All offsets in the ring buffer are multiples of it.
  localparam logic [27:0] RecordBytes = 28'd32;

  // Byte enables of the aligned 8 bytes: all, bytes 0 to 3, bytes 4 to 7.
  localparam logic [7:0] BytesAll  = 8'hFF;
  localparam logic [7:0] BytesLow  = 8'h0F;
  localparam logic [7:0] BytesHigh = 8'hF0;

  // Bits of the filter word (LWPCB byte 36); MinLatency is in bits 7:0.
  localparam int unsigned FilterClf = 8;
  localparam int unsigned FilterNbc = 9;
  localparam int unsigned FilterRdc = 10;
  localparam int unsigned FilterRam = 11;
  localparam int unsigned FilterOth = 12;
  localparam int unsigned FilterNdb = 13;

  // Source of the data of a load, as in the record.
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

  // Kinds of branch that the unit distinguishes. Codes above BranchFarRet are never counted.
  localparam logic [3:0] BranchNone    = 4'd0;
  localparam logic [3:0] BranchJmpRel  = 4'd1;
  localparam logic [3:0] BranchCond    = 4'd2;
  localparam logic [3:0] BranchCallRel = 4'd4;
  localparam logic [3:0] BranchFarRet  = 4'd9;

  // Operating modes that the unit distinguishes. Codes 5 to 7 are not used and act as protected mode.
  localparam logic [2:0] ModeReal = 3'd0;
  localparam logic [2:0] ModeV86  = 3'd1;
  localparam logic [2:0] Mode64   = 3'd4;

  // Values of straps that are wider than one bit.
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

  // Straps, constant after reset. Each comment gives the meaning of 1, or all values.
  typedef struct packed {
    // LWP exists.
    logic        present;
    // Event 1, instructions retired, is implemented.
    logic        avail_ire;
    // Event 2, branches retired, is implemented.
    logic        avail_bre;
    // Event 3, DCache misses, is implemented.
    logic        avail_dme;
    // The threshold interrupt is implemented.
    logic        avail_int;
    // Loads can be filtered by latency (CPUID LWPCacheLatency).
    logic        latency_filter;
    // Loads can be filtered by the source of their data (CPUID LWPCacheLevels).
    logic        level_filter;
    // Records of DCache misses contain the source of the data.
    logic        data_source;
    // All: a record for each expired event; 0, one: a single record at a time.
    logic        gather_policy;
    // At most one record is gathered for one instruction.
    logic        one_per_instr;
    // Choice among events that expire in one lane: 0 lowest slot, 1 rotating, 2 random.
    logic [1:0]  gather_select;
    // Next: the occurrence after the one that brings the counter to zero is recorded; 0, same: that occurrence.
    logic        gather_target;
    // Sync: retirement stalls until the record is stored; 0: async.
    logic        store_timing;
    // Discard: of records that meet, one is stored; 0, delay: they are stored one after another.
    logic        collision;
    // A record not yet stored when ring 3 is left: 0 discard, 1 drain, 2 hold.
    logic [1:0]  leave_policy;
    // A page fault of a store: 0 trap, 1 fault, 2 trap_pending, 3 nonpaged.
    logic [1:0]  fault_policy;
    // Data address of a miss: 0 same load, 1 next load, 2 replay, 3 none.
    logic [1:0]  address_policy;
    // With the next load as data address: address tracking is off outside ring 3.
    logic        address_gate;
    // Buffer: the latency of a load is the number of a miss-address-buffer entry; 0, core: it is the latency.
    logic        latency_source;
    // The buffer reports latencies in steps of 16 cycles; 0: in cycles.
    logic        latency_step;
    // With step 16: periods follow a free-running counter; 0, exact: they start with the load.
    logic        latency_phase;
    // Predictions are known for: 0 some branches (`branch_pred_valid`), 1 all, 2 none.
    logic [1:0]  prediction;
    // Deferred: the head is written only at the threshold, when full, or by a flush; 0: for each record.
    logic        head_flush;
    // Lazy: the tail is read only while threshold or full appear reached; 0: for each record.
    logic        tail_reread;
    // With lazy: the tail is read for every n-th record while the threshold appears reached; 1 to 15.
    logic [3:0]  tail_nth;
    // Reread: the interval is read from the block for each record; 0: cached at LLWPCB.
    logic        interval_source;
    // Cached: MissedEvents in memory is updated by a flush, or when 65535 are owed; 0, memory: with each missed event.
    logic        missed_mode;
    // Skip: no record is written while the ring is full; 0, write_slot: it is written before full is known.
    logic        write_on_full;
    // Truncate: the low 4 bits of a block's address are ignored; 0: they cause #GP.
    logic        misaligned;
    // Skip: operations outside ring 3 do not flush; 0: sync.
    logic        flush_outside;
    // Virtual-8086 mode counts as protected mode.
    logic        v86;
    // Random bits come from the port `entropy`; 0: from the LFSR.
    logic        entropy;
    // Cycles from the crossing of the threshold to the interrupt request.
    logic [7:0]  irq_delay;
    // Byte 1 of every record.
    logic [7:0]  core_id;
    // State in which the LFSR starts; 0 is illegal and acts as 1.
    logic [31:0] lfsr_seed;
  } config_t;

  // A load of a lane. The contract calls `is_tagged` *tagged*, which is a reserved word of SystemVerilog.
  typedef struct packed {
    // The port carries a load that missed the DCache.
    logic                miss;
    // `addr` is known.
    logic                addr_valid;
    // The load is the replay of the tagged load; ignored unless `address_policy` = replay.
    logic                is_tagged;
    // Linear address of the lowest byte that missed.
    logic [63:0]         addr;
    // Latency in cycles; with `latency_source` = buffer bits 2:0 are the number of the entry.
    logic [LatencyW-1:0] latency;
    // Source of the data.
    source_e             source;
  } load_t;

  // An instruction that retires in a lane.
  typedef struct packed {
    // An instruction retires in this lane; in a `partial` cycle: lane 0 has loads.
    logic                  valid;
    // The instruction contributes to the counts.
    logic                  counts;
    // Linear address of the instruction.
    logic [63:0]           ip;
    // Kind of branch; 0 if the instruction is not a branch.
    logic [3:0]            branch_kind;
    // The branch was taken.
    logic                  branch_taken;
    // `branch_pred_ok` is valid.
    logic                  branch_pred_valid;
    // The branch was predicted correctly.
    logic                  branch_pred_ok;
    // Linear address of the instruction executed next.
    logic [63:0]           branch_next;
    // Loads that missed, in program order.
    load_t [LoadPorts-1:0] loads;
  } lane_t;

  // Operations. Codes above OpRestore are not operations and cause #UD.
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

  // Result of an operation: none, #UD, #GP(0), #PF.
  typedef enum logic [1:0] {
    FaultNone = 2'd0,
    FaultUd   = 2'd1,
    FaultGp   = 2'd2,
    FaultPf   = 2'd3
  } fault_e;

  // Commands of the memory port. MemProbe tests for write permission and writes nothing.
  typedef enum logic [1:0] {
    MemRead  = 2'd0,
    MemWrite = 2'd1,
    MemProbe = 2'd2
  } mem_cmd_e;

endpackage
