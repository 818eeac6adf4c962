// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Gather: the one record register, filled at the end of the cycle in which the instruction retires.
//
// The oldest lane with an expired event wins; of several events in that lane the one of the earliest slot. The others
// stay at zero and wait for a later instruction.
//
// Specification: Lightweight Profiling Proposal, "Overview" step 2, "Events and Event Records", "Multiple
// simultaneous events". Contract: docs/src/lwp/count-gather.md.

module lwp_gather
  import lwp_pkg::*;
#(
  parameter int unsigned RetireLanes = 4,
  parameter int unsigned LatencyBits = 31
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,

  input  logic                                  data_address_i,

  // Lanes retire, and the record register is free.
  input  logic                                  enable_i,
  input  logic                                  mode64_i,
  // Filtering is done in lwp_count; latency bits from LatencyBits on mean nothing.
  // verilator lint_off UNUSEDSIGNAL
  input  lane_t [RetireLanes-1:0]               lanes_i,
  // verilator lint_on UNUSEDSIGNAL

  input  logic [NumEvents-1:0][RetireLanes-1:0] expire_i,
  input  logic [RetireLanes-1:0]                second_i,
  input  logic [NumEvents-1:0][4:0]             slot_i,
  input  logic                                  cand_valid_i,
  // A load like any other; that it missed goes without saying.
  // verilator lint_off UNUSEDSIGNAL
  input  load_t                                 cand_i,
  // verilator lint_on UNUSEDSIGNAL

  // A record is gathered at the end of this cycle.
  output logic                                  gather_o,

  output event_id_e                             rec_event_o,
  output logic [3:0]                            rec_flags_o,
  output logic [LatencyBits-1:0]                rec_data_o,
  output logic [63:0]                           rec_ip_o,
  output logic [63:0]                           rec_addr_o
);

  ////////////
  // Winner //
  ////////////

  logic [RetireLanes-1:0] any_expire, first;
  logic [NumEvents-1:0]   here, win;

  assign any_expire = expire_i[0] | expire_i[1] | expire_i[2];
  // One-hot: the lowest bit set.
  assign first      = any_expire & (~any_expire + RetireLanes'(1));
  assign gather_o   = enable_i && (any_expire != '0);

  always_comb begin
    for (int unsigned e = 0; e < NumEvents; e++) begin
      here[e] = (expire_i[e] & first) != '0;
    end
    for (int unsigned e = 0; e < NumEvents; e++) begin
      win[e] = here[e];
      for (int unsigned o = 0; o < NumEvents; o++) begin
        // Slots of live events differ, so "not later" is "earlier" for all but the event itself.
        if ((o != e) && here[o] && (slot_i[o] < slot_i[e])) begin
          win[e] = 1'b0;
        end
      end
    end
  end

  ////////////
  // Record //
  ////////////

  event_id_e              rec_event_d, rec_event_q;
  logic [3:0]             rec_flags_d, rec_flags_q;
  logic [LatencyBits-1:0] rec_data_d, rec_data_q;
  logic [63:0]            rec_ip_d, rec_ip_q;
  logic [63:0]            rec_addr_d, rec_addr_q;

  // What each lane would put into a record. Its load is the one that brought the DCache-miss counter to zero.
  logic [RetireLanes-1:0][63:0] ip, next, addr;
  logic [LatencyBits-1:0]       latency [RetireLanes];
  logic [RetireLanes-1:0]       addr_valid;
  logic [RetireLanes-1:0][2:0]  source;
  logic [RetireLanes-1:0][3:0]  kind;
  logic [RetireLanes-1:0]       taken, pred_valid, pred_ok;

  for (genvar l = 0; l < int'(RetireLanes); l++) begin : gen_lanes
    assign addr[l]       = second_i[l] ? lanes_i[l].loads[1].addr : lanes_i[l].loads[0].addr;
    assign latency[l]    = second_i[l] ? lanes_i[l].loads[1].latency[LatencyBits-1:0] :
                                         lanes_i[l].loads[0].latency[LatencyBits-1:0];
    assign addr_valid[l] = second_i[l] ? lanes_i[l].loads[1].addr_valid : lanes_i[l].loads[0].addr_valid;
    assign source[l]     = second_i[l] ? lanes_i[l].loads[1].source : lanes_i[l].loads[0].source;
    assign ip[l]         = lanes_i[l].ip;
    assign next[l]       = lanes_i[l].branch_next;
    assign kind[l]       = lanes_i[l].branch_kind;
    assign taken[l]      = lanes_i[l].branch_taken;
    assign pred_valid[l] = lanes_i[l].branch_pred_valid;
    assign pred_ok[l]    = lanes_i[l].branch_pred_ok;
  end
  // The chosen lane's, by one-hot selection; meaningful only if a record is gathered.
  logic [63:0]            win_ip, win_next, win_addr;
  logic [LatencyBits-1:0] win_latency;
  logic [2:0]             win_source;
  logic [3:0]             win_kind;
  logic                   win_taken, win_pred_valid, win_pred_ok, win_addr_valid;

  always_comb begin
    win_ip         = '0;
    win_next       = '0;
    win_addr       = '0;
    win_latency    = '0;
    win_source     = '0;
    win_kind       = '0;
    win_taken      = 1'b0;
    win_pred_valid = 1'b0;
    win_pred_ok    = 1'b0;
    win_addr_valid = 1'b0;
    rec_event_d    = rec_event_q;
    rec_flags_d    = rec_flags_q;
    rec_data_d     = rec_data_q;
    rec_ip_d       = rec_ip_q;
    rec_addr_d     = rec_addr_q;
    if (gather_o) begin
      for (int unsigned l = 0; l < RetireLanes; l++) begin
        if (first[l]) begin
          win_ip         = ip[l];
          win_next       = next[l];
          win_addr       = addr[l];
          win_latency    = latency[l];
          win_source     = source[l];
          win_kind       = kind[l];
          win_taken      = taken[l];
          win_pred_valid = pred_valid[l];
          win_pred_ok    = pred_ok[l];
          win_addr_valid = addr_valid[l];
        end
      end
      // The load may have come before its instruction retires, which is then in lane 0.
      if (first[0] && cand_valid_i) begin
        win_addr       = cand_i.addr;
        win_latency    = cand_i.latency[LatencyBits-1:0];
        win_source     = cand_i.source;
        win_addr_valid = cand_i.addr_valid;
      end
      if (!data_address_i) begin
        win_addr_valid = 1'b0;
      end

      rec_flags_d = '0;
      rec_data_d  = '0;
      rec_ip_d    = mode_addr(mode64_i, win_ip);
      rec_addr_d  = '0;
      unique case (1'b1)
        win[0]: rec_event_d = EventInsRetired;
        win[1]: begin
          rec_event_d    = EventBrRetired;
          rec_flags_d[1] = win_pred_valid;
          // Nothing is predicted about an unconditional direct branch that could be wrong.
          rec_flags_d[2] = win_pred_valid &&
                           (win_pred_ok || (win_kind == BranchJmpRel) || (win_kind == BranchCallRel));
          rec_flags_d[3] = win_taken || (win_kind != BranchCond);
          rec_addr_d     = mode_addr(mode64_i, win_next);
        end
        win[2]: begin
          rec_event_d    = EventDcMiss;
          rec_flags_d[0] = win_addr_valid;
          // Codes 4 to 6 are reserved in the record.
          if ((win_source < SourceReserved4) || (win_source == SourceOther)) begin
            rec_flags_d[3:1] = win_source;
          end
          rec_data_d = win_latency;
          rec_addr_d = win_addr_valid ? mode_addr(mode64_i, win_addr) : '0;
        end
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rec_event_q <= EventNone;
      rec_flags_q <= '0;
      rec_data_q  <= '0;
      rec_ip_q    <= '0;
      rec_addr_q  <= '0;
    end else begin
      rec_event_q <= rec_event_d;
      rec_flags_q <= rec_flags_d;
      rec_data_q  <= rec_data_d;
      rec_ip_q    <= rec_ip_d;
      rec_addr_q  <= rec_addr_d;
    end
  end

  assign rec_event_o = rec_event_q;
  assign rec_flags_o = rec_flags_q;
  assign rec_data_o  = rec_data_q;
  assign rec_ip_o    = rec_ip_q;
  assign rec_addr_o  = rec_addr_q;

endmodule
