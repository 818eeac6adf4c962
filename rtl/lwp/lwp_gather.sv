// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Gather: forms the record of each event that is gathered, from the lane chosen for it. Combinational.
//
// Specification: Lightweight Profiling Proposal, "Overview" step 2, "Events and Event Records". Contract:
// docs/src/lwp/count-gather.md, "Gather".

module lwp_gather
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  // Instructions that may retire in one cycle: 1, 2, 4 or 8.
  parameter int unsigned RetireLanes = 4,
  // Width of a reported latency (CPUID LWPCacheMax): 10 to 31.
  parameter int unsigned LatencyBits = 31
) (
  // Strap `data_source`: records of DCache misses contain the source of the data.
  input  logic                                    data_source_i,
  // Strap `address_policy` is not none: records of DCache misses contain the address of the data.
  input  logic                                    data_address_i,
  // Strap `address_policy` = replay: a load is replayed for its address.
  input  logic                                    replay_i,
  // Strap `prediction`: predictions are known for 0 some branches, 1 all, 2 none; 3 acts as 0.
  input  logic [1:0]                              prediction_i,

  // The core is in 64-bit mode; otherwise addresses are truncated to 32 bits.
  input  logic                                    mode64_i,
  // Loads come from lwp_count.
  // verilator lint_off UNUSEDSIGNAL
  // Instructions that retire in this cycle; lane 0 is the oldest.
  input  lane_t [RetireLanes-1:0]                 lanes_i,
  // verilator lint_on UNUSEDSIGNAL

  // Per event: a record is gathered in this cycle.
  input  logic [NumEvents-1:0]                    gather_i,
  // Per event: one-hot, the lane that is recorded; 0 if the event is not gathered.
  input  logic [NumEvents-1:0][RetireLanes-1:0]   lane_i,

  // Per lane: the address of the load to be recorded is known.
  input  logic [RetireLanes-1:0]                  load_addr_valid_i,
  // Per lane: source of the data of the load to be recorded.
  input  logic [RetireLanes-1:0][2:0]             load_source_i,
  // Per lane: latency in cycles of the load to be recorded.
  input  logic [RetireLanes-1:0][LatencyBits-1:0] load_latency_i,
  // Per lane: linear address of the data of the load to be recorded.
  input  logic [RetireLanes-1:0][63:0]            load_addr_i,
  // Candidate: the load of a `partial` cycle that is recorded when its instruction retires.
  input  cand_t                                   cand_i,
  // Linear address of the instruction of the tagged load.
  input  logic [63:0]                             tag_ip_i,

  // Per event: record of the event; valid if the event is gathered.
  output record_t [NumEvents-1:0]                 record_o
);

  logic [RetireLanes-1:0][63:0] ip, next;
  logic [RetireLanes-1:0][3:0]  kind;
  logic [RetireLanes-1:0]       taken, pred_valid, pred_ok;

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lanes
    assign ip[l]         = lanes_i[l].ip;
    assign next[l]       = lanes_i[l].branch_next;
    assign kind[l]       = lanes_i[l].branch_kind;
    assign taken[l]      = lanes_i[l].branch_taken;
    assign pred_valid[l] = lanes_i[l].branch_pred_valid;
    assign pred_ok[l]    = lanes_i[l].branch_pred_ok;
  end

  // Per event: `ip` of the chosen lane, by one-hot selection.
  logic [NumEvents-1:0][63:0] win_ip;

  always_comb begin
    win_ip = '0;
    for (int unsigned e = 0; e < NumEvents; e++) begin
      if (gather_i[e]) begin
        for (int unsigned l = 0; l < RetireLanes; l++) begin
          if (lane_i[e][l]) begin
            win_ip[e] = mode_addr(mode64_i, ip[l]);
          end
        end
      end
    end
    if (replay_i) begin
      win_ip[Dc] = mode_addr(mode64_i, tag_ip_i);
    end
  end

  //////////////
  // Branches //
  //////////////

  logic [63:0] win_next;
  logic [3:0]  win_kind;
  logic        win_taken, win_pred_valid, win_pred_ok;

  always_comb begin
    win_next       = '0;
    win_kind       = '0;
    win_taken      = 1'b0;
    win_pred_valid = 1'b0;
    win_pred_ok    = 1'b0;
    if (gather_i[Br]) begin
      for (int unsigned l = 0; l < RetireLanes; l++) begin
        if (lane_i[Br][l]) begin
          win_next       = mode_addr(mode64_i, next[l]);
          win_kind       = kind[l];
          win_taken      = taken[l];
          win_pred_valid = pred_valid[l];
          win_pred_ok    = pred_ok[l];
        end
      end
    end
    // With `prediction` = all or none the strap fixes the valid bit; `branch_pred_valid` is ignored.
    if (prediction_i == PredictAll) begin
      win_pred_valid = 1'b1;
    end else if (prediction_i == PredictNone) begin
      win_pred_valid = 1'b0;
    end
  end

  ///////////
  // Loads //
  ///////////

  logic [63:0]            win_addr;
  logic [LatencyBits-1:0] win_latency;
  logic [2:0]             win_source;
  logic                   win_addr_valid;

  always_comb begin
    win_addr       = '0;
    win_latency    = '0;
    win_source     = '0;
    win_addr_valid = 1'b0;
    if (gather_i[Dc]) begin
      for (int unsigned l = 0; l < RetireLanes; l++) begin
        if (lane_i[Dc][l]) begin
          win_addr       = load_addr_i[l];
          win_latency    = load_latency_i[l];
          win_source     = load_source_i[l];
          win_addr_valid = load_addr_valid_i[l];
        end
      end
      // The candidate is the load to be recorded, if its instruction is the one in lane 0.
      if (lane_i[Dc][0] && cand_i.valid) begin
        win_addr       = cand_i.addr;
        win_latency    = cand_i.latency[LatencyBits-1:0];
        win_source     = cand_i.source;
        win_addr_valid = cand_i.addr_valid;
      end
      // Codes 4 to 6 are reserved in the record.
      if (!data_source_i || (win_source inside {SourceReserved4, SourceReserved5, SourceReserved6})) begin
        win_source = SourceNone;
      end
      if (!data_address_i) begin
        win_addr_valid = 1'b0;
      end
      win_addr = win_addr_valid ? mode_addr(mode64_i, win_addr) : '0;
    end
  end

  if (LatencyBits < LatencyW) begin : gen_narrow
    logic unused_latency;
    assign unused_latency = ^cand_i.latency[LatencyW-1:LatencyBits];
  end

  /////////////
  // Records //
  /////////////

  assign record_o[Ins] = '{event_id: EventInsRetired, flags: '0, data: '0, ip: win_ip[Ins], addr: '0};

  assign record_o[Br] = '{
    event_id: EventBrRetired,
    flags:    {
      win_taken || (win_kind != BranchCond),
      // An unconditional direct branch cannot be mispredicted.
      win_pred_valid && (win_pred_ok || (win_kind == BranchJmpRel) || (win_kind == BranchCallRel)),
      win_pred_valid,
      1'b0
    },
    data:     '0,
    ip:       win_ip[Br],
    addr:     win_next
  };

  assign record_o[Dc] = '{
    event_id: EventDcMiss,
    flags:    {win_source, win_addr_valid},
    data:     LatencyW'(win_latency),
    ip:       win_ip[Dc],
    addr:     win_addr
  };

endmodule
