// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Control: LLWPCB, SLWPCB, the MSR accesses, and the deferred initialisation.
//
// An operation is accepted when idle, waits until a store in flight has ended, then probes the new block (so that an
// LLWPCB that faults has changed nothing), flushes the old one, loads the new one and writes its Flags. A pointer
// loaded outside ring 3 is only noted; the same machine loads its block as soon as ring 3 is reached, and gives up
// whenever ring 3 is left.
//
// Specification: Lightweight Profiling Proposal, "LWPMSRs", "LWP Control Instructions", "LWP Control Block", "Notes
// on restoring LWP state". Contract: docs/src/lwp/control.md.

module lwp_control
  import lwp_pkg::*;
#(
  parameter int unsigned EventSlots = 8
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,

  input  logic                               present_i,
  input  logic                               avail_ire_i,
  input  logic                               avail_bre_i,
  input  logic                               avail_dme_i,
  input  logic                               avail_int_i,

  input  logic                               ring3_i,
  input  logic [1:0]                         cpl_i,
  input  logic [2:0]                         op_mode_i,

  input  logic                               ctl_valid_i,
  input  ctl_op_e                            ctl_op_i,
  input  logic [63:0]                        ctl_wdata_i,
  input  logic [63:0]                        ctl_ds_base_i,

  // Session and counters.
  input  logic [31:0]                        msr0_i,
  input  logic [63:0]                        lwpcb_i,
  input  logic                               active_i,
  input  logic                               init_pending_i,
  input  logic [31:0]                        flags_i,
  input  logic [27:0]                        size_i,
  input  logic [27:0]                        head_i,
  input  logic [NumEvents-1:0][4:0]          slot_i,
  input  logic [NumEvents-1:0][CounterW-1:0] counter_i,

  input  store_st_e                          store_st_i,
  input  logic                               pf_valid_i,

  // Port.
  output logic                               want_o,
  output access_t                            access_o,
  output logic                               abandon_o,
  input  logic                               mem_req_i,
  input  logic                               mem_wait_i,
  input  logic                               granted_i,
  input  logic                               rsp_valid_i,
  input  logic                               rsp_err_i,
  input  logic [63:0]                        first_byte_i,

  // What the session registers are to do at the end of this cycle.
  output logic                               msr0_we_o,
  output logic                               switch_o,
  output logic                               retire_o,
  output logic                               load_o,
  output logic                               commit_o,
  output logic                               good_o,

  // Page fault of the deferred initialisation, in ring 3.
  output logic                               fault_o,
  output logic                               fault_write_o,

  output ctl_st_e                            ctl_st_o,
  output ctl_op_e                            ctl_op_o,
  output logic                               ctl_init_o,
  output logic                               ctl_ring3_o,
  output logic [4:0]                         ctl_idx_o,
  output fault_e                             ctl_fault_o,
  output logic                               ctl_fault_write_o,
  output logic [63:0]                        ctl_arg_o,
  output logic [63:0]                        ctl_rdata_o,
  output logic [63:0]                        ctl_fault_addr_o
);

  // The last 8 bytes of a block, and the step of load that reads them.
  localparam logic [8:0] LastBeat = LwpcbThreshold + 9'(8 * EventSlots);
  localparam logic [4:0] LastLoad = 5'd3 + 5'(EventSlots);

  ctl_st_e     st_d, st_q;
  ctl_op_e     op_d, op_q;
  logic        init_d, init_q;
  logic        ring3_d, ring3_q;
  logic [4:0]  idx_d, idx_q;
  fault_e      fault_d, fault_q;
  logic        fault_write_d, fault_write_q;
  logic [63:0] arg_d, arg_q;
  logic [63:0] rdata_d, rdata_q;
  logic [63:0] fault_addr_d, fault_addr_q;

  logic [63:0] decode_arg, decode_rdata;
  fault_e      decode_fault;

  lwp_decode u_decode (
    .present_i,
    .avail_ire_i,
    .avail_bre_i,
    .avail_dme_i,
    .avail_int_i,
    .cpl_i,
    .op_mode_i,
    .op_i     (ctl_op_i),
    .wdata_i  (ctl_wdata_i),
    .ds_base_i(ctl_ds_base_i),
    .msr0_i,
    .lwpcb_i,
    .arg_o    (decode_arg),
    .rdata_o  (decode_rdata),
    .fault_o  (decode_fault)
  );

  ////////////
  // Access //
  ////////////

  logic memory;
  assign memory = (st_q == CtlProbe) || (st_q == CtlFlush) || (st_q == CtlLoad) || (st_q == CtlFlags);

  // Step 0 of a flush writes the head, step e the counter of event e: nothing if no slot selected it.
  logic [3:0] flushed;
  logic       skip;
  assign flushed = {flags_i[NumEvents:1], 1'b1};
  assign skip    = (st_q == CtlFlush) && !flushed[idx_q[1:0]];

  // Once the Flags of a deferred initialisation are on their way to memory, the session begins.
  logic committed;
  assign committed = (st_q == CtlFlags) && (granted_i || mem_wait_i);
  assign abandon_o = memory && init_q && !ring3_i && !committed;

  logic rsp, rsp_ok;
  assign rsp    = memory && rsp_valid_i && !abandon_o;
  assign rsp_ok = rsp && !rsp_err_i;

  // A session needs a buffer and an event.
  assign good_o = (size_i != '0) && (flags_i[NumEvents:1] != '0);

  logic [63:0]         block;
  logic [8:0]          offset;
  mem_cmd_e            cmd;
  logic [7:0]          be;
  logic [63:0]         wdata;
  logic [4:0]          flush_slot;
  logic [CounterW-1:0] flush_counter;

  assign flush_slot    = (idx_q[1:0] == 2'd1) ? slot_i[0] : (idx_q[1:0] == 2'd2) ? slot_i[1] : slot_i[2];
  assign flush_counter = (idx_q[1:0] == 2'd1) ? counter_i[0] : (idx_q[1:0] == 2'd2) ? counter_i[1] : counter_i[2];

  assign want_o = memory && !skip && !abandon_o;

  always_comb begin
    block  = arg_q;
    offset = LwpcbFlagsSize;
    cmd    = MemProbe;
    be     = BytesAll;
    wdata  = '0;
    unique case (st_q)
      CtlProbe: if (idx_q != 5'd0) offset = LastBeat;
      CtlFlush: begin
        block = lwpcb_i;
        cmd   = MemWrite;
        if (idx_q == 5'd0) begin
          offset = LwpcbHeadTail;
          be     = BytesLow;
          wdata  = 64'(head_i);
        end else begin
          offset = LwpcbEvents + {1'b0, flush_slot, 3'b0};
          be     = BytesHigh;
          wdata  = {32'(flush_counter), 32'b0};
        end
      end
      CtlLoad: begin
        cmd = MemRead;
        // MissedEvents stays in memory.
        unique case (idx_q)
          5'd0:    offset = LwpcbFlagsSize;
          5'd1:    offset = LwpcbBufferBase;
          5'd2:    offset = LwpcbHeadTail;
          5'd3:    offset = LwpcbThreshold;
          default: offset = LwpcbEvents + {1'b0, idx_q - 5'd4, 3'b0};
        endcase
      end
      CtlFlags: begin
        cmd   = MemWrite;
        be    = BytesLow;
        wdata = good_o ? (64'(flags_i) | 64'd1 << FlagsEnabled) : '0;
      end
      default: ;
    endcase
  end

  assign access_o = '{cmd: cmd, be: be, addr: block + 64'(offset), wdata: wdata};

  // A probe asks whether a write would fault, so its fault is one of a write.
  logic write;
  assign write = st_q != CtlLoad;

  ///////////////////
  // State machine //
  ///////////////////

  // The new block is loaded now; otherwise it is only noted.
  logic load_now;
  assign load_now = ring3_q && (arg_q != '0);

  always_comb begin
    st_d          = st_q;
    op_d          = op_q;
    init_d        = init_q;
    ring3_d       = ring3_q;
    idx_d         = idx_q;
    fault_d       = fault_q;
    fault_write_d = fault_write_q;
    arg_d         = arg_q;
    rdata_d       = rdata_q;
    fault_addr_d  = fault_addr_q;

    msr0_we_o = 1'b0;
    switch_o  = 1'b0;
    retire_o  = 1'b0;
    load_o    = 1'b0;
    commit_o  = 1'b0;

    unique case (st_q)
      CtlIdle: begin
        if (ctl_valid_i) begin
          st_d          = CtlWait;
          op_d          = ctl_op_i;
          init_d        = 1'b0;
          ring3_d       = ring3_i;
          idx_d         = '0;
          fault_d       = decode_fault;
          fault_write_d = 1'b0;
          fault_addr_d  = '0;
          arg_d         = decode_arg;
          rdata_d       = decode_rdata;
        end else if (init_pending_i && ring3_i && !pf_valid_i) begin
          st_d   = CtlProbe;
          init_d = 1'b1;
          idx_d  = '0;
          arg_d  = lwpcb_i;
        end
      end

      CtlWait: begin
        if (fault_q != FaultNone) begin
          st_d = CtlDone;
        end else if ((store_st_i == StoreIdle) && !mem_req_i && !mem_wait_i) begin
          st_d = CtlDone;
          unique case (op_q)
            OpWrMsr0: msr0_we_o = 1'b1;
            OpSlwpcb, OpRdMsr1: if (active_i) st_d = CtlFlush;
            OpLlwpcb, OpWrMsr1: begin
              if (load_now) st_d = CtlProbe;
              else if (active_i) st_d = CtlFlush;
              else switch_o = 1'b1;
            end
            default: ;
          endcase
        end
      end

      CtlProbe: begin
        if (rsp_ok) begin
          idx_d = 5'd1;
          if (idx_q != 5'd0) begin
            idx_d = '0;
            st_d  = (active_i && !init_q) ? CtlFlush : CtlLoad;
          end
        end
      end

      CtlFlush: begin
        if (rsp_ok || skip) begin
          idx_d = idx_q + 5'd1;
          if (idx_q == 5'(NumEvents)) begin
            idx_d = '0;
            st_d  = CtlDone;
            if ((op_q == OpLlwpcb) || (op_q == OpWrMsr1)) begin
              if (load_now) begin
                st_d     = CtlLoad;
                retire_o = 1'b1;
              end else begin
                switch_o = 1'b1;
              end
            end
          end
        end
      end

      CtlLoad: begin
        if (rsp_ok) begin
          load_o = 1'b1;
          idx_d  = idx_q + 5'd1;
          if (idx_q == LastLoad) begin
            idx_d = '0;
            st_d  = CtlFlags;
          end
        end
      end

      CtlFlags: begin
        if (rsp_ok) begin
          commit_o = 1'b1;
          st_d     = init_q ? CtlIdle : CtlDone;
        end
      end

      CtlDone: st_d = CtlIdle;
      default: st_d = CtlIdle;
    endcase

    if (rsp && rsp_err_i) begin
      if (init_q) begin
        st_d = CtlIdle;
      end else begin
        st_d          = CtlDone;
        fault_d       = FaultPf;
        fault_write_d = write;
        fault_addr_d  = first_byte_i;
      end
    end
    if (abandon_o) begin
      st_d = CtlIdle;
    end
  end

  assign fault_o       = rsp && rsp_err_i && init_q && ring3_i;
  assign fault_write_o = write;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      st_q          <= CtlIdle;
      op_q          <= OpLlwpcb;
      init_q        <= 1'b0;
      ring3_q       <= 1'b0;
      idx_q         <= '0;
      fault_q       <= FaultNone;
      fault_write_q <= 1'b0;
      arg_q         <= '0;
      rdata_q       <= '0;
      fault_addr_q  <= '0;
    end else begin
      st_q          <= st_d;
      op_q          <= op_d;
      init_q        <= init_d;
      ring3_q       <= ring3_d;
      idx_q         <= idx_d;
      fault_q       <= fault_d;
      fault_write_q <= fault_write_d;
      arg_q         <= arg_d;
      rdata_q       <= rdata_d;
      fault_addr_q  <= fault_addr_d;
    end
  end

  assign ctl_st_o          = st_q;
  assign ctl_op_o          = op_q;
  assign ctl_init_o        = init_q;
  assign ctl_ring3_o       = ring3_q;
  assign ctl_idx_o         = idx_q;
  assign ctl_fault_o       = fault_q;
  assign ctl_fault_write_o = fault_write_q;
  assign ctl_arg_o         = arg_q;
  assign ctl_rdata_o       = rdata_q;
  assign ctl_fault_addr_o  = fault_addr_q;

endmodule
