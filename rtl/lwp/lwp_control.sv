// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Control: LLWPCB, SLWPCB, the MSR accesses, save and restore, the deferred initialisation.
//
// An operation is accepted when idle, waits until the unit has settled, then probes the new block (so that an LLWPCB
// that faults has changed nothing), flushes the old one, loads the new one and writes its Flags. A pointer loaded
// outside ring 3 is only noted; the same machine loads its block as soon as ring 3 is reached, and gives up whenever
// ring 3 is left. A restored session is loaded likewise, but keeps what it brought along.
//
// Specification: Lightweight Profiling Proposal, "LWPMSRs", "LWP Control Instructions", "LWP Control Block", "Notes
// on restoring LWP state". Contract: docs/src/lwp/control.md.

module lwp_control
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  parameter int unsigned EventSlots = 8
) (
  input  logic        clk_i,
  input  logic        rst_ni,

  // Straps.
  input  logic        present_i,
  input  logic        avail_ire_i,
  input  logic        avail_bre_i,
  input  logic        avail_dme_i,
  input  logic        avail_int_i,
  input  logic        misaligned_i,
  input  logic        v86_i,
  input  logic        skip_flush_i,

  input  logic        ring3_i,
  input  logic [1:0]  cpl_i,
  input  logic [2:0]  op_mode_i,

  input  logic        ctl_valid_i,
  input  ctl_op_e     ctl_op_i,
  input  logic [3:0]  ctl_word_i,
  input  logic [63:0] ctl_wdata_i,
  input  logic [63:0] ctl_ds_base_i,

  // Operations are accepted; the store machine has nothing to do and will have nothing; a page fault stands.
  input  logic        accept_i,
  input  logic        settled_i,
  input  logic        pf_valid_i,

  input  session_t    session_i,
  // The block has room; events are selected, with the slot that is read in this cycle.
  input  logic        room_i,
  input  logic        selected_i,
  input  logic [63:0] save_word_i,

  // From lwp_ctl_access.
  input  logic        memory_i,
  input  logic        skip_i,
  input  logic        write_i,

  // Port.
  output logic        want_o,
  output logic        abandon_o,
  output logic        writeback_o,
  input  logic        mem_wait_i,
  input  logic        granted_i,
  input  logic        rsp_valid_i,
  input  logic        rsp_err_i,
  input  logic [63:0] first_byte_i,

  // What is to happen to the session at the end of this cycle.
  output ctl_act_t    act_o,
  output logic        restore_o,
  output logic        good_o,
  // The session being loaded was restored.
  output logic        reload_o,
  // The block being loaded is that of a session that ran before: its Flags say which events it has.
  output logic        again_o,
  // It is that of the session which the operation had flushed before it faulted.
  output logic        back_o,

  // Page fault of the deferred initialisation, in ring 3.
  output logic        fault_o,
  output logic        fault_write_o,

  output ctl_t        ctl_o
);

  // The step of load that reads the last slot, and that of flush that writes MissedEvents.
  localparam logic [4:0] LastLoad  = 5'd3 + 5'(EventSlots);
  localparam logic [4:0] LastFlush = 5'd5;

  ctl_t ctl_d, ctl_q;

  logic [63:0] decode_arg, decode_rdata;
  fault_e      decode_fault;

  lwp_decode u_decode (
    .present_i,
    .avail_ire_i,
    .avail_bre_i,
    .avail_dme_i,
    .avail_int_i,
    .misaligned_i,
    .v86_i,
    .cpl_i,
    .op_mode_i,
    .op_i       (ctl_op_i),
    .core_word_i(ctl_word_i[3]),
    .wdata_i    (ctl_wdata_i),
    .ds_base_i  (ctl_ds_base_i),
    .msr0_i     (session_i.msr0),
    .lwpcb_i    (session_i.lwpcb),
    .arg_o      (decode_arg),
    .rdata_o    (decode_rdata),
    .fault_o    (decode_fault)
  );

  //////////////
  // Response //
  //////////////

  // Once the Flags of a deferred initialisation are on their way to memory, the session begins.
  logic committed;
  assign committed = (ctl_q.st == CtlFlags) && (granted_i || mem_wait_i);
  assign abandon_o = memory_i && ctl_q.init && !ring3_i && !committed;
  assign want_o    = memory_i && !skip_i && !abandon_o;

  logic rsp, rsp_ok, rsp_failed;
  assign rsp        = memory_i && rsp_valid_i && !abandon_o;
  assign rsp_ok     = rsp && !rsp_err_i;
  assign rsp_failed = rsp && rsp_err_i;

  ///////////////////
  // State machine //
  ///////////////////

  // The new block is loaded now; otherwise it is only noted.
  logic load_now, flush, is_slwpcb, is_llwpcb;
  assign load_now  = ctl_q.ring3 && (ctl_q.arg != '0);
  assign flush     = session_i.active && !(skip_flush_i && !ctl_q.ring3);
  assign is_slwpcb = ctl_q.op inside {OpSlwpcb, OpRdMsr1};
  assign is_llwpcb = ctl_q.op inside {OpLlwpcb, OpWrMsr1};
  assign reload_o  = ctl_q.init && session_i.reload;
  assign back_o    = (ctl_q.st == CtlLoad) && !ctl_q.init && (ctl_q.fault != FaultNone);
  assign again_o   = session_i.reload || back_o;

  // A session needs a buffer and an event.
  assign good_o = room_i && selected_i;

  // The next state, and what becomes of the session.
  always_comb begin
    ctl_d       = ctl_q;
    act_o       = '0;
    restore_o   = 1'b0;
    writeback_o = 1'b0;

    unique case (ctl_q.st)
      CtlIdle: begin
        if (ctl_valid_i && accept_i) begin
          ctl_d.st          = CtlWait;
          ctl_d.op          = ctl_op_i;
          ctl_d.init        = 1'b0;
          ctl_d.ring3       = ring3_i;
          ctl_d.idx         = (ctl_op_i inside {OpSave, OpRestore}) ? {1'b0, ctl_word_i} : '0;
          ctl_d.old         = 1'b0;
          ctl_d.fault       = decode_fault;
          ctl_d.fault_write = 1'b0;
          ctl_d.fault_addr  = '0;
          ctl_d.arg         = decode_arg;
          ctl_d.rdata       = decode_rdata;
        end else if (session_i.init_pending && ring3_i && !pf_valid_i) begin
          ctl_d.st   = session_i.reload ? CtlLoad : CtlProbe;
          ctl_d.init = 1'b1;
          ctl_d.idx  = '0;
          ctl_d.arg  = session_i.lwpcb;
        end
      end

      CtlWait: begin
        if (ctl_q.fault != FaultNone) begin
          ctl_d.st = CtlDone;
        end else if (settled_i) begin
          ctl_d.st     = CtlDone;
          // A record that came with a restored session waits for that session.
          act_o.forget = (is_slwpcb || is_llwpcb) && !session_i.reload;
          unique case (ctl_q.op)
            OpWrMsr0: act_o.wrmsr0 = 1'b1;
            OpSlwpcb, OpRdMsr1: if (flush) ctl_d.st = CtlFlush;
            OpLlwpcb, OpWrMsr1: begin
              if (load_now) ctl_d.st = CtlProbe;
              else if (flush) ctl_d.st = CtlFlush;
              else act_o.switch_to = 1'b1;
            end
            OpSave: ctl_d.rdata = save_word_i;
            OpRestore: restore_o = 1'b1;
            default: ;
          endcase
        end
      end

      CtlProbe: begin
        if (rsp_ok) begin
          ctl_d.idx = 5'd1;
          if (ctl_q.idx != 5'd0) begin
            ctl_d.idx = '0;
            if (session_i.active && !ctl_q.init) begin
              ctl_d.st = CtlFlush;
            end else begin
              ctl_d.st   = CtlLoad;
              // The core should have let it be reloaded.
              act_o.drop = session_i.reload && !ctl_q.init;
            end
          end
        end
      end

      CtlFlush: begin
        writeback_o   = rsp_ok && (ctl_q.idx == LastFlush - 5'd1);
        act_o.flushed = rsp_ok && (ctl_q.idx == LastFlush);
        if (rsp_ok || skip_i) begin
          ctl_d.idx = ctl_q.idx + 5'd1;
          if (ctl_q.idx == LastFlush) begin
            ctl_d.idx = '0;
            ctl_d.st  = CtlDone;
            if (is_llwpcb) begin
              if (load_now) begin
                ctl_d.st     = CtlLoad;
                act_o.unload = 1'b1;
                ctl_d.old    = 1'b1;
              end else begin
                act_o.switch_to = 1'b1;
              end
            end
          end
        end
      end

      CtlLoad: begin
        if (rsp_ok) begin
          act_o.load = 1'b1;
          ctl_d.idx  = ctl_q.idx + 5'd1;
          if (ctl_q.idx == LastLoad) begin
            ctl_d.idx    = '0;
            ctl_d.st     = reload_o ? CtlIdle : back_o ? CtlDone : CtlFlags;
            act_o.commit = reload_o;
            act_o.back   = back_o;
          end
        end
      end

      CtlFlags: begin
        if (rsp_ok) begin
          act_o.commit = 1'b1;
          ctl_d.st     = ctl_q.init ? CtlIdle : CtlDone;
        end
      end

      CtlDone: ctl_d.st = CtlIdle;
      default: ctl_d.st = CtlIdle;
    endcase

    if (rsp_failed) begin
      if (ctl_q.init) begin
        ctl_d.st = CtlIdle;
      end else begin
        ctl_d.st  = CtlDone;
        ctl_d.old = 1'b0;
        if (!back_o) begin
          ctl_d.fault       = FaultPf;
          ctl_d.fault_write = write_i;
          ctl_d.fault_addr  = first_byte_i;
          // The session that was flushed comes back from its block before the answer.
          if (ctl_q.old) begin
            ctl_d.st  = CtlLoad;
            ctl_d.idx = '0;
          end
        end
      end
    end
    if (abandon_o) begin
      ctl_d.st = CtlIdle;
    end
  end

  assign fault_o       = rsp_failed && ctl_q.init && ring3_i;
  assign fault_write_o = write_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ctl_q <= '0;
    end else begin
      ctl_q <= ctl_d;
    end
  end

  assign ctl_o = ctl_q;

endmodule
