// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Control: executes LLWPCB, SLWPCB, the MSR accesses, save and restore, the deferred initialisation, and the reload.
//
//   LLWPCB, WRMSR LWPMSR1
//     from ring 3, pointer not 0   idle -> wait -> probe -> [flush] -> load -> flags -> (commit) -> done
//     otherwise                    idle -> wait -> [flush] -> (switch) -> done
//   SLWPCB, RDMSR LWPMSR1          idle -> wait -> [flush] -> done
//   other operations               idle -> wait -> done
//   deferred initialisation        idle -> probe -> load -> flags -> (commit) -> idle
//   reload                         idle -> load -> (commit) -> idle
//
// *Flush* is left out if no session is active, or if it is skipped. *Commit* and *switch* are actions. The new block is
// probed first, so that an LLWPCB that faults there changes nothing; after a fault in load or flags the state machine
// goes back and loads the old block again. A pointer loaded outside ring 3 is initialised in ring 3. An initialisation
// or reload is abandoned whenever ring 3 is left, unless the write of Flags is granted.
//
// Specification: Lightweight Profiling Proposal, "LWPMSRs", "LWP Control Instructions", "LWP Control Block", "Notes
// on restoring LWP state". Contract: docs/src/lwp/control.md.

module lwp_control
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
#(
  // Event slots of the LWPCB (CPUID LWPMaxEvents): 1 to 26.
  parameter int unsigned EventSlots = 8
) (
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // Strap `present`: LWP exists.
  input  logic        present_i,
  // Strap `avail_ire`: event 1, instructions retired, is implemented.
  input  logic        avail_ire_i,
  // Strap `avail_bre`: event 2, branches retired, is implemented.
  input  logic        avail_bre_i,
  // Strap `avail_dme`: event 3, DCache misses, is implemented.
  input  logic        avail_dme_i,
  // Strap `avail_int`: the threshold interrupt is implemented.
  input  logic        avail_int_i,
  // Strap `misaligned` = truncate: the low 4 bits of a block's address are ignored; otherwise they cause #GP.
  input  logic        misaligned_i,
  // Strap `v86`: virtual-8086 mode counts as protected mode.
  input  logic        v86_i,
  // Strap `flush_outside` = skip: operations outside ring 3 do not flush.
  input  logic        skip_flush_i,

  // The core is in ring 3 and not in System Management Mode.
  input  logic        ring3_i,
  // Current privilege level, 0 to 3.
  input  logic [1:0]  cpl_i,
  // Operating mode: 0 real, 1 virtual-8086, 2 protected, 3 compatibility, 4 64-bit; 5 to 7 act as 2.
  input  logic [2:0]  op_mode_i,

  // An operation is requested; it is accepted in a cycle without a stall.
  input  logic        ctl_valid_i,
  // Requested operation; valid with `ctl_valid_i`.
  input  ctl_op_e     ctl_op_i,
  // Number of the context word of a save or restore; valid with `ctl_valid_i`.
  input  logic [3:0]  ctl_word_i,
  // rAX of LLWPCB, or value of a WRMSR or of a restore; valid with `ctl_valid_i`.
  input  logic [63:0] ctl_wdata_i,
  // Linear base address of DS; valid with `ctl_valid_i`.
  input  logic [63:0] ctl_ds_base_i,

  // The core is not stalled: lanes and operations of this cycle are accepted.
  input  logic        accept_i,
  // The unit is settled: store and port are idle, and no store starts.
  input  logic        settled_i,
  // A page-fault trap is pending.
  input  logic        pf_valid_i,

  // LWPMSR0, the LWPCB pointer, and the state of the session.
  input  session_t    session_i,
  // BufferSize is not 0: the block is usable.
  input  logic        room_i,
  // A slot of the block selects an event.
  input  logic        selected_i,
  // Context word that a save returns.
  input  logic [63:0] save_word_i,

  // This state accesses memory.
  input  logic        memory_i,
  // This step of the flush makes no access.
  input  logic        skip_i,
  // The access is a write or a write probe.
  input  logic        write_i,

  // The state machine wants an access.
  output logic        want_o,
  // The state machine abandons its access in this cycle.
  output logic        abandon_o,
  // MissedEvents has been read and is to be written back with the missed events added.
  output logic        writeback_o,
  // An access has been granted, and its response is outstanding.
  input  logic        mem_wait_i,
  // The pending request is granted in this cycle.
  input  logic        granted_i,
  // A response to an access that has not been abandoned is valid in this cycle.
  input  logic        rsp_valid_i,
  // The access failed with a page fault; valid with `rsp_valid_i`.
  input  logic        rsp_err_i,
  // Linear address of the first byte accessed.
  input  logic [63:0] first_byte_i,

  // Changes of the session by the control state machine at the end of this cycle.
  output ctl_act_t    act_o,
  // The context word of the operation is restored at the end of this cycle.
  output logic        restore_o,
  // The session of the loaded block is good: BufferSize is not 0, and a slot selects an event.
  output logic        good_o,
  // A restored session is being reloaded.
  output logic        reload_o,
  // Reload or going back: take events and interrupt bit from the Flags just read, not from LWPMSR0.
  output logic        again_o,
  // Going back: the old block is loaded again after a fault on the new one.
  output logic        back_o,

  // An access of an initialisation or a reload failed with a page fault in ring 3.
  output logic        fault_o,
  // The access that failed was a write or a write probe; valid with `fault_o`.
  output logic        fault_write_o,

  // Registers of the control state machine.
  output ctl_t        ctl_o
);

  // Last step of load, which reads the last slot, and last step of flush, which writes MissedEvents.
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

  // The write of Flags has been granted: the deferred initialisation is not abandoned any more.
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

  // The operation loads the new block; the old session is flushed; it is LLWPCB or a WRMSR to LWPMSR1.
  logic load_now, flush, is_llwpcb;
  assign load_now  = ctl_q.ring3 && (ctl_q.arg != '0);
  assign flush     = session_i.active && !(skip_flush_i && !ctl_q.ring3);
  assign is_llwpcb = ctl_q.op inside {OpLlwpcb, OpWrMsr1};
  assign reload_o  = ctl_q.init && session_i.reload;
  assign back_o    = (ctl_q.st == CtlLoad) && !ctl_q.init && (ctl_q.fault != FaultNone);
  assign again_o   = session_i.reload || back_o;

  // A session is good if it has a ring buffer and an event.
  assign good_o = room_i && selected_i;

  // Next state, and changes of the session.
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
          ctl_d.st = CtlDone;
          unique case (ctl_q.op)
            OpWrMsr0: act_o.wrmsr0 = 1'b1;
            OpSlwpcb, OpRdMsr1: begin
              if (flush) ctl_d.st = CtlFlush;
              // A restored session that is not reloaded yet keeps its record.
              else act_o.forget = !session_i.reload;
            end
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
              ctl_d.st     = CtlLoad;
              act_o.forget = !ctl_q.init;
              // A restored session that was not reloaded when ring 3 was entered is dropped.
              act_o.drop   = session_i.reload && !ctl_q.init;
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
                act_o.forget = 1'b1;
                ctl_d.old    = 1'b1;
              end else begin
                act_o.switch_to = 1'b1;
              end
            end else begin
              act_o.forget = 1'b1;
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
          // The state machine goes back: it loads the old block before it responds.
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
