// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Session: LWPMSR0, the LWPCB pointer, and what LLWPCB took from the block.
//
// lwp_control says when; lwp_store moves head and tail. A field that must be a multiple of 32 loses its low 5 bits as
// it comes in, so nothing later has to think of them.
//
// Specification: Lightweight Profiling Proposal, "LWPMSRs", "LWP Control Block". Contract: docs/src/lwp/control.md,
// docs/src/lwp/state.md.

module lwp_session
  import lwp_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic                 avail_ire_i,
  input  logic                 avail_bre_i,
  input  logic                 avail_dme_i,

  // From lwp_control.
  input  logic                 msr0_we_i,
  input  logic                 switch_i,
  input  logic                 retire_i,
  input  logic                 load_i,
  input  logic                 commit_i,
  input  logic                 good_i,
  input  logic [63:0]          ctl_arg_i,
  input  logic [4:0]           ctl_idx_i,
  input  logic [63:0]          mem_rdata_i,

  // From lwp_store.
  input  logic                 head_we_i,
  input  logic [27:0]          head_i,
  input  logic                 tail_we_i,
  input  logic [27:0]          tail_i,

  // The slot being read selects this event.
  output logic [NumEvents-1:0] event_load_o,
  output logic [4:0]           event_slot_o,
  output logic [CounterW-1:0]  event_interval_o,
  output logic [CounterW-1:0]  event_counter_o,

  output logic [31:0]          msr0_o,
  output logic [63:0]          lwpcb_o,
  output logic                 active_o,
  output logic                 init_pending_o,
  output logic [31:0]          flags_o,
  output logic [63:0]          base_o,
  output logic [27:0]          size_o,
  output logic [3:0]           random_o,
  output logic [27:0]          head_o,
  output logic [27:0]          tail_o,
  output logic [31:0]          threshold_o,
  output logic [13:0]          filter_o
);

  logic [31:0] msr0_d, msr0_q;
  logic [63:0] lwpcb_d, lwpcb_q;
  logic        active_d, active_q;
  logic        init_pending_d, init_pending_q;
  logic [31:0] flags_d, flags_q;
  logic [63:0] base_d, base_q;
  logic [27:0] size_d, size_q;
  logic [3:0]  random_d, random_q;
  logic [27:0] head_d, head_q;
  logic [27:0] tail_d, tail_q;
  logic [31:0] threshold_d, threshold_q;
  logic [13:0] filter_d, filter_q;

  ///////////////////////////
  // Which session, if any //
  ///////////////////////////

  always_comb begin
    msr0_d         = msr0_q;
    lwpcb_d        = lwpcb_q;
    active_d       = active_q;
    init_pending_d = init_pending_q;
    if (msr0_we_i) begin
      // The other bits were found to be 0 when the write was accepted.
      msr0_d = {ctl_arg_i[31], 27'b0, ctl_arg_i[3:0]};
      if (!ctl_arg_i[Msr0Enabled]) begin
        lwpcb_d        = '0;
        active_d       = 1'b0;
        init_pending_d = 1'b0;
      end
    end
    if (switch_i) begin
      lwpcb_d        = ctl_arg_i;
      active_d       = 1'b0;
      init_pending_d = ctl_arg_i != '0;
    end
    if (retire_i) begin
      // The old session is now in its block and nowhere else: should the load fault, it comes back from there.
      active_d       = 1'b0;
      init_pending_d = 1'b1;
    end
    if (commit_i) begin
      lwpcb_d        = good_i ? ctl_arg_i : '0;
      active_d       = good_i;
      init_pending_d = 1'b0;
    end
  end

  ///////////////
  // The block //
  ///////////////

  logic [31:0] read_head, read_tail;
  logic [3:1]  avail;
  logic        is_slot;

  assign read_head = {mem_rdata_i[31:5], 5'b0};
  assign read_tail = {mem_rdata_i[63:37], 5'b0};
  assign avail     = {avail_dme_i, avail_bre_i, avail_ire_i};
  assign is_slot   = load_i && (ctl_idx_i >= 5'd4);

  assign event_slot_o     = ctl_idx_i - 5'd4;
  assign event_interval_o = mem_rdata_i[25:0];
  assign event_counter_o  = mem_rdata_i[57:32];

  always_comb begin
    event_load_o = '0;
    for (int unsigned e = 1; e <= NumEvents; e++) begin
      // Of several slots for one event the earliest counts.
      event_load_o[e-1] = is_slot && (mem_rdata_i[31:26] == 6'(e)) && avail[e] && msr0_q[e] && !flags_q[e];
    end
  end

  always_comb begin
    flags_d     = flags_q;
    base_d      = base_q;
    size_d      = size_q;
    random_d    = random_q;
    head_d      = head_q;
    tail_d      = tail_q;
    threshold_d = threshold_q;
    filter_d    = filter_q;
    if (head_we_i) begin
      head_d = head_i;
    end
    if (tail_we_i) begin
      tail_d = tail_i;
    end
    if (load_i) begin
      unique case (ctl_idx_i)
        5'd0: begin
          size_d   = {mem_rdata_i[59:37], 5'b0};
          random_d = mem_rdata_i[63:60];
          flags_d  = {msr0_q[FlagsInterrupt], 31'b0};
        end
        5'd1: base_d = {mem_rdata_i[63:5], 5'b0};
        5'd2: begin
          head_d = read_head[27:0];
          tail_d = read_tail[27:0];
          // A ring of one record has no room, and an offset outside the buffer would store outside it.
          if ((size_q < 28'd2 * RecordBytes) || (read_head >= 32'(size_q)) || (read_tail >= 32'(size_q))) begin
            size_d = '0;
          end
        end
        5'd3: begin
          threshold_d = {mem_rdata_i[31:5], 5'b0};
          filter_d    = mem_rdata_i[45:32];
        end
        default: flags_d[NumEvents:1] = flags_q[NumEvents:1] | event_load_o;
      endcase
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      msr0_q         <= '0;
      lwpcb_q        <= '0;
      active_q       <= 1'b0;
      init_pending_q <= 1'b0;
      flags_q        <= '0;
      base_q         <= '0;
      size_q         <= '0;
      random_q       <= '0;
      head_q         <= '0;
      tail_q         <= '0;
      threshold_q    <= '0;
      filter_q       <= '0;
    end else begin
      msr0_q         <= msr0_d;
      lwpcb_q        <= lwpcb_d;
      active_q       <= active_d;
      init_pending_q <= init_pending_d;
      flags_q        <= flags_d;
      base_q         <= base_d;
      size_q         <= size_d;
      random_q       <= random_d;
      head_q         <= head_d;
      tail_q         <= tail_d;
      threshold_q    <= threshold_d;
      filter_q       <= filter_d;
    end
  end

  assign msr0_o         = msr0_q;
  assign lwpcb_o        = lwpcb_q;
  assign active_o       = active_q;
  assign init_pending_o = init_pending_q;
  assign flags_o        = flags_q;
  assign base_o         = base_q;
  assign size_o         = size_q;
  assign random_o       = random_q;
  assign head_o         = head_q;
  assign tail_o         = tail_q;
  assign threshold_o    = threshold_q;
  assign filter_o       = filter_q;

endmodule
