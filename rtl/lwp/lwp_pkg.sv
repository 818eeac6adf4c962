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

  // What a load must bring to be counted.
  typedef struct packed {
    logic        any_latency;
    logic        any_level;
    logic [27:0] min_steps;   // in steps of 16 cycles
    logic [7:0]  level_ok;    // by source
  } criteria_t;

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

  // What a state machine wants from the memory port.
  typedef struct packed {
    mem_cmd_e    cmd;
    logic [7:0]  be;
    logic [63:0] addr;
    logic [63:0] wdata;
  } access_t;

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

  // Registers, in groups that travel together. Which session runs, if any.
  typedef struct packed {
    logic [31:0] msr0;
    logic [63:0] lwpcb;
    logic        active;
    logic        init_pending;
    logic        reload;
  } session_t;

  // What the block said.
  typedef struct packed {
    logic [31:0] flags;
    logic [63:0] base;
    logic [27:0] size;
    logic [3:0]  random;
    logic [31:0] threshold;
    logic [13:0] filter;
    logic [2:0]  allow;
  } block_t;

  // Where the ring buffer stands.
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

  // `event` of the contract is a reserved word here.
  typedef struct packed {
    event_id_e           event_id;
    logic [3:0]          flags;
    logic [LatencyW-1:0] data;
    logic [63:0]         ip;
    logic [63:0]         addr;
  } record_t;

  typedef struct packed {
    logic        req;
    logic        waiting;
    logic        drop;
    mem_cmd_e    cmd;
    logic [7:0]  be;
    logic [63:0] addr;
    logic [63:0] wdata;
  } port_t;

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

  typedef struct packed {
    logic        valid;
    logic        write;
    logic        aborts;
    logic [63:0] addr;
  } pf_t;

  typedef struct packed {
    logic                counting;
    logic [LatencyW-1:0] latency;
  } mab_t;

  // What the control machine does to the session at the end of this cycle.
  typedef struct packed {
    logic wrmsr0;
    logic forget;    // the records
    logic drop;      // the session
    logic switch_to; // another pointer
    logic unload;    // the session went back to its block
    logic load;      // a word of the new block is here
    logic commit;
    logic back;      // the session that was flushed is here again
    logic flushed;   // MissedEvents in memory is up to date
  } ctl_act_t;

  // A word of the context that is written at the end of this cycle.
  typedef struct packed {
    logic clear;     // what another thread left
    logic pointer;   // word 0
    logic ring;      // word 1
    logic counters;  // word 2
    logic counter;   // word 3
    logic rec_first; // word 4
    logic rec_ip;    // word 5
    logic rec_addr;  // word 6
    logic msr0;      // word 8
    logic lfsr;      // word 9
  } restore_t;

  // A slot of the block that selects an event; a reload keeps the counter.
  typedef struct packed {
    logic [NumEvents-1:0] selects;
    logic                 keep;
    logic [4:0]           slot;
    logic [CounterW-1:0]  interval;
    logic [CounterW-1:0]  counter;
  } slot_load_t;

  // An event starts over: the interval's bits under keep, and these.
  typedef struct packed {
    logic [NumEvents-1:0] valid;
    logic [CounterW-1:0]  keep;
    logic [CounterW-1:0]  bits;
  } reload_t;

  // Every register of the unit.
  typedef struct packed {
    // Session.
    logic [31:0]                        msr0;
    logic [63:0]                        lwpcb;
    logic                               active;
    logic                               init_pending;
    logic                               reload;
    logic [31:0]                        flags;
    logic [63:0]                        base;
    logic [27:0]                        size;
    logic [3:0]                         random;
    logic [27:0]                        head;
    logic [27:0]                        tail;
    logic [31:0]                        threshold;
    logic [13:0]                        filter;
    logic [15:0]                        missed;
    logic [3:0]                         tail_skip;
    event_t [NumEvents-1:0]             events;
    logic [31:0]                        lfsr;
    logic [1:0]                         rotate;
    // Candidate.
    logic                               cand_valid;
    logic                               cand_addr_valid;
    source_e                            cand_source;
    logic [LatencyW-1:0]                cand_latency;
    logic [63:0]                        cand_addr;
    // Tag.
    logic                               tag_valid;
    source_e                            tag_source;
    logic [LatencyW-1:0]                tag_latency;
    logic [63:0]                        tag_ip;
    // Undo.
    logic                               split;
    logic                               undo_valid;
    logic [NumEvents-1:0][CounterW-1:0] undo;
    // Records.
    record_t [RecordQueue-1:0]          records;
    logic                               pending;
    // Store.
    store_st_e                          store_st;
    logic [1:0]                         store_beat;
    // Port.
    logic                               mem_req;
    logic                               mem_wait;
    logic                               mem_drop;
    mem_cmd_e                           mem_cmd;
    logic [7:0]                         mem_be;
    logic [63:0]                        mem_addr;
    logic [63:0]                        mem_wdata;
    // Control.
    ctl_st_e                            ctl_st;
    ctl_op_e                            ctl_op;
    logic                               ctl_init;
    logic                               ctl_ring3;
    logic [4:0]                         ctl_idx;
    logic [2:0]                         ctl_allow;
    logic                               ctl_old;
    fault_e                             ctl_fault;
    logic                               ctl_fault_write;
    logic [63:0]                        ctl_arg;
    logic [63:0]                        ctl_rdata;
    logic [63:0]                        ctl_fault_addr;
    // Requests.
    logic                               pf_valid;
    logic                               pf_write;
    logic                               pf_abort;
    logic [63:0]                        pf_addr;
    logic                               irq;
    logic [7:0]                         irq_count;
    // Retire.
    logic                               was_ring3;
    logic                               flush_req;
    logic                               cut_valid;
    logic [LaneW-1:0]                   cut_lane;
    // Buffer.
    logic [3:0]                         mab_phase;
    mab_t [MabEntries-1:0]              mab;
  } state_t;

  // Outside 64-bit mode addresses are 32 bits wide.
  function automatic logic [63:0] mode_addr(logic mode64, logic [63:0] addr);
    return {addr[63:32] & {32{mode64}}, addr[31:0]};
  endfunction

  // A load counts if it passes both filters.
  function automatic logic eligible(criteria_t criteria, logic [27:0] steps, source_e source);
    return (criteria.any_latency || (steps >= criteria.min_steps)) &&
           (criteria.any_level || criteria.level_ok[source]);
  endfunction

  // Bytes between two offsets of the ring.
  function automatic logic [27:0] ring_used(logic [27:0] head, logic [27:0] tail, logic [27:0] size);
    return (head - tail) + ((head < tail) ? size : 28'd0);
  endfunction

  function automatic logic is_event(event_id_e id, int unsigned e);
    return 32'(id) == (e + 1);
  endfunction

  // A 1 in the lowest place that has one.
  function automatic logic [7:0] lowest(logic [7:0] bits);
    return bits & (~bits + 8'd1);
  endfunction

endpackage
