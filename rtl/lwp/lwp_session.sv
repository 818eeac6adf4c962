// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Session: LWPMSR0, the LWPCB pointer, and whether a session runs or is still to begin.
//
// Specification: Lightweight Profiling Proposal, "LWPMSRs", "Notes on restoring LWP state". Contract:
// docs/src/lwp/control.md, docs/src/lwp/context.md.

module lwp_session
  import lwp_pkg::*;
  import lwp_stage_pkg::*;
  import lwp_state_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,

  input  logic        avail_ire_i,
  input  logic        avail_bre_i,
  input  logic        avail_dme_i,
  input  logic        avail_int_i,

  // What happens to records and block is for others.
  // verilator lint_off UNUSEDSIGNAL
  input  ctl_act_t    act_i,
  input  restore_t    restore_i,
  // verilator lint_on UNUSEDSIGNAL
  input  logic        good_i,
  input  logic [63:0] arg_i,

  // The session is dropped, or another takes its place.
  output logic        gone_o,
  output session_t    session_o
);

  session_t session_d, session_q;

  logic        msr0_we;
  logic [31:0] writable;
  logic [63:0] pointer;

  // A write of a bit that is not writable was refused; a restore ignores it.
  assign msr0_we  = act_i.wrmsr0 || restore_i.msr0;
  assign writable = {avail_int_i, 27'b0, avail_dme_i, avail_bre_i, avail_ire_i, 1'b1};
  assign pointer  = session_q.msr0[Msr0Enabled] ? {arg_i[63:4], 4'b0} : '0;

  // A block that comes back may have been broken by software in the meantime.
  assign gone_o = act_i.switch_to || (act_i.back && !good_i) || act_i.drop || (msr0_we && !arg_i[Msr0Enabled]) ||
                  restore_i.clear || (restore_i.pointer && (pointer == '0));

  always_comb begin
    session_d = session_q;
    if (msr0_we) begin
      session_d.msr0 = arg_i[31:0] & writable;
    end
    if (act_i.unload) begin
      // The old session is now in its block and nowhere else: should the load fault, it comes back from there.
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
