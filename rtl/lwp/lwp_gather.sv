// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Gather: the record that each event would get, from the lane chosen for it.
//
// Combinational. An event has its own record: of the three only those that are gathered have a meaning.
//
// Specification: Lightweight Profiling Proposal, "Overview" step 2, "Events and Event Records". Contract:
// docs/src/lwp/count-gather.md, "Gather".

module lwp_gather
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  parameter int unsigned RetireLanes = 4,
  parameter int unsigned LatencyBits = 31
) (
  // Straps.
  input  logic                                    data_source_i,
  input  logic                                    data_address_i,
  input  logic                                    replay_i,
  input  logic [1:0]                              prediction_i,

  input  logic                                    mode64_i,
  // Loads are taken as lwp_count found them.
  // verilator lint_off UNUSEDSIGNAL
  input  lane_t [RetireLanes-1:0]                 lanes_i,
  // verilator lint_on UNUSEDSIGNAL

  input  logic [NumEvents-1:0]                    gather_i,
  input  logic [NumEvents-1:0][RetireLanes-1:0]   lane_i,

  input  logic [RetireLanes-1:0]                  load_addr_valid_i,
  input  logic [RetireLanes-1:0][2:0]             load_source_i,
  input  logic [RetireLanes-1:0][LatencyBits-1:0] load_latency_i,
  input  logic [RetireLanes-1:0][63:0]            load_addr_i,
  input  cand_t                                   cand_i,
  input  logic [63:0]                             tag_ip_i,

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

  // The chosen lanes', by one-hot selection.
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
    // What the core is known to say of all branches, or of none, needs no wire from it.
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
      // The load may have come before its instruction retires, which is then in lane 0.
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
      // Nothing is predicted about an unconditional direct branch that could be wrong.
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
