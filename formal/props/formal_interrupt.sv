// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Interrupt: the threshold interrupt is requested exactly on the crossing.
//
// The request rises if and only if the head has just moved so that the space used equals the threshold, and both enable
// bits are set; at once, or the strap's delay later. Between two crossings it does not rise.
//
// Rows: LWP-RPT-03, LWP-RPT-06, LWP-INT-02, LWP-INT-06.

module formal_interrupt
  import lwp_pkg::*;
  import formal_pkg::*;
(
  input logic clk_i,
  input in_t  in_i
);

  logic    rst_n, valid;
  config_t cfg;
  out_t    out;
  state_t  st;
  // The cycle before.
  in_t     was_in;
  out_t    was_out;
  state_t  was;

  formal_env  u_env (.clk_i, .in_i, .out_i(out), .st_i(st), .rst_no(rst_n), .cfg_o(cfg), .gnt_age_o(), .rsp_age_o());
  formal_unit u_unit (.clk_i, .rst_ni(rst_n), .cfg_i(cfg), .in_i, .out_o(out), .st_o(st));
  formal_past u_past (
    .clk_i, .rst_ni(rst_n), .in_i, .out_i(out), .st_i(st), .valid_o(valid), .in_o(was_in), .out_o(was_out), .st_o(was)
  );

  // The head has moved in the cycle before: by a store, not by an operation.
  logic moved;
  assign moved = valid && was.active && st.active && (was.head != st.head);

  logic        crossing, restored, due, moved_q;
  logic [27:0] used;
  assign used     = (was.head >= was.tail) ? was.head - was.tail : was.head - was.tail + was.size;
  assign crossing = valid && moved_q && was.active && (was.threshold != '0) && (32'(used) == was.threshold) &&
                    was.flags[FlagsInterrupt] && was.msr0[FlagsInterrupt];
  assign restored = valid && (was.ctl_st == CtlWait) && (st.ctl_st != CtlWait) && (was.ctl_op == OpRestore) &&
                    (was.ctl_fault == FaultNone) && (was.ctl_idx == 5'd8);

  always_ff @(posedge clk_i or negedge rst_n) begin
    if (!rst_n) begin
      moved_q <= 1'b0;
    end else begin
      moved_q <= moved;
    end
  end

  // A delay that ends.
  assign due = valid && (was.irq_count == 8'd1) && was.msr0[FlagsInterrupt];

  logic [7:0] count;
  always_comb begin
    count = (was.irq_count == '0) ? '0 : was.irq_count - 8'd1;
    if (crossing && (cfg.irq_delay != '0) && (was.irq_count == '0)) count = cfg.irq_delay;
  end

  always_comb begin
    ReportAfterMove: assert (!valid || ((st.store_st == StoreReport) == moved));
    RequestExact:    assert (!valid || restored ||
                             (out.irq == ((was_out.irq && !was_in.irq_ack) || due ||
                             (crossing && (cfg.irq_delay == '0)))));
    DelayExact:      assert (!valid || restored || (st.irq_count == count));
    RequestRestored: assert (!restored || (out.irq == ((was_out.irq && !was_in.irq_ack) || due ||
                             (crossing && (cfg.irq_delay == '0)) || was.ctl_arg[32])));
  end

  always_comb begin
    CoverCrossing:   cover (crossing && out.irq);
    CoverBelow:      cover (valid && moved_q && !crossing && (was.threshold != '0) && !out.irq);
    CoverAcked:      cover (valid && was_out.irq && !out.irq);
  end

endmodule
