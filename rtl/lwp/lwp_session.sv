// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Session: holds LWPMSR0, the LWPCB pointer, and whether a session is active, or still to be loaded.
//
// Specification: Lightweight Profiling Proposal, "LWPMSRs", "Notes on restoring LWP state". Contract:
// docs/src/lwp/control.md, docs/src/lwp/context.md.

module lwp_session
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic        clk_i,
  // Asynchronous reset, active low.
  input  logic        rst_ni,

  // Strap `avail_ire`: event 1, instructions retired, is implemented.
  input  logic        avail_ire_i,
  // Strap `avail_bre`: event 2, branches retired, is implemented.
  input  logic        avail_bre_i,
  // Strap `avail_dme`: event 3, DCache misses, is implemented.
  input  logic        avail_dme_i,
  // Strap `avail_int`: the threshold interrupt is implemented.
  input  logic        avail_int_i,

  // Other modules use the fields for records and block.
  // verilator lint_off UNUSEDSIGNAL
  // Changes of the session by the control state machine at the end of this cycle.
  input  ctl_act_t    act_i,
  // Context word that is restored at the end of this cycle, one-hot, and whether the old thread's state is cleared.
  input  restore_t    restore_i,
  // verilator lint_on UNUSEDSIGNAL
  // The session of the loaded block is good: BufferSize is not 0, and a slot selects an event.
  input  logic        good_i,
  // Argument of the operation: new LWPCB pointer, or value of a WRMSR or of a restore.
  input  logic [63:0] arg_i,

  // The session is dropped or replaced.
  output logic        gone_o,
  // LWPMSR0, the LWPCB pointer, and the state of the session.
  output session_t    session_o
);

  session_t session_d, session_q;

  logic        msr0_we;
  logic [31:0] writable;
  logic [63:0] pointer;

  // A WRMSR that sets a bit that is not writable has caused #GP; a restore ignores such bits.
  assign msr0_we  = act_i.wrmsr0 || restore_i.msr0;
  assign writable = {avail_int_i, 27'b0, avail_dme_i, avail_bre_i, avail_ire_i, 1'b1};
  assign pointer  = session_q.msr0[Msr0Enabled] ? {arg_i[63:4], 4'b0} : '0;

  // Going back drops the session if software has changed its block so that it is not good any more.
  assign gone_o = act_i.switch_to || (act_i.back && !good_i) || act_i.drop || (msr0_we && !arg_i[Msr0Enabled]) ||
                  restore_i.clear || (restore_i.pointer && (pointer == '0));

  always_comb begin
    session_d = session_q;
    if (msr0_we) begin
      session_d.msr0 = arg_i[31:0] & writable;
    end
    if (act_i.unload) begin
      // Only its block in memory contains the old session now. If the load faults, the session is loaded from there.
      session_d.active       = 1'b0;
      session_d.init_pending = 1'b1;
    end
    if (act_i.back) begin
      session_d.active       = 1'b1;
      session_d.init_pending = 1'b0;
    end
    if (act_i.commit) begin
      session_d.lwpcb        = good_i ? arg_i : '0;
      session_d.active       = good_i;
      session_d.init_pending = 1'b0;
      session_d.reload       = 1'b0;
    end
    if (gone_o) begin
      session_d.lwpcb        = act_i.switch_to ? arg_i : '0;
      session_d.active       = 1'b0;
      session_d.init_pending = act_i.switch_to && (arg_i != '0);
      session_d.reload       = 1'b0;
    end
    if (restore_i.pointer) begin
      session_d.lwpcb        = pointer;
      session_d.init_pending = session_d.init_pending || (pointer != '0);
    end
    if (restore_i.ring) begin
      session_d.reload = arg_i[32];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      session_q <= '0;
    end else begin
      session_q <= session_d;
    end
  end

  assign session_o = session_q;

endmodule
