// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Interrupt: the threshold interrupt is requested exactly on the crossing.
//
// The request rises if and only if the head has just moved so that the space used equals the threshold, and both
// enable bits are set; at once, or the strap's delay later. Between two crossings it does not rise.
//
// Rows: LWP-RPT-03, LWP-RPT-06, LWP-INT-02, LWP-INT-06.

module formal_interrupt
  import lwp_pkg::*;
  import lwp_state_pkg::*;
  import formal_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input in_t     in_i,
  input out_t    out_i,
  input state_t  st_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input out_t    was_out_i,
  input state_t  was_i
);

  // The head has moved in the cycle before: by a store, not by an operation.
  logic moved;
  assign moved = valid_i && was_i.session.active && st_i.session.active && (was_i.ring.head != st_i.ring.head);

  logic        crossing, restored, due, moved_q;
  logic [27:0] used;
  assign used     = (was_i.ring.head >= was_i.ring.tail) ? was_i.ring.head - was_i.ring.tail : was_i.ring.head - was_i.ring.tail + was_i.block.size;
  assign crossing = valid_i && moved_q && was_i.session.active && (was_i.block.threshold != '0) && (32'(used) == was_i.block.threshold) &&
                    was_i.block.flags[FlagsInterrupt] && was_i.session.msr0[FlagsInterrupt];
  assign restored = valid_i && (was_i.ctl.st == CtlWait) && (st_i.ctl.st != CtlWait) && (was_i.ctl.op == OpRestore) &&
                    (was_i.ctl.fault == FaultNone) && (was_i.ctl.idx == 5'd8);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      moved_q <= 1'b0;
    end else begin
      moved_q <= moved;
    end
  end

  // A delay that ends.
  assign due = valid_i && (was_i.irq.count == 8'd1) && was_i.session.msr0[FlagsInterrupt];

  logic [7:0] count;
  always_comb begin
    count = (was_i.irq.count == '0) ? '0 : was_i.irq.count - 8'd1;
    if (crossing && (cfg_i.irq_delay != '0) && (was_i.irq.count == '0)) count = cfg_i.irq_delay;
  end

  always_comb begin
    ReportAfterMove: assert (!valid_i || ((st_i.store.st == StoreReport) == moved));
    RequestExact:    assert (!valid_i || restored ||
                             (out_i.irq == ((was_out_i.irq && !was_in_i.irq_ack) || due ||
                             (crossing && (cfg_i.irq_delay == '0)))));
    DelayExact:      assert (!valid_i || restored || (st_i.irq.count == count));
    RequestRestored: assert (!restored || (out_i.irq == ((was_out_i.irq && !was_in_i.irq_ack) || due ||
                             (crossing && (cfg_i.irq_delay == '0)) || was_i.ctl.arg[32])));
  end

  always_comb begin
    CoverCrossing:   cover (crossing && out_i.irq);
    CoverBelow:      cover (valid_i && moved_q && !crossing && (was_i.block.threshold != '0) && !out_i.irq);
    CoverAcked:      cover (valid_i && was_out_i.irq && !out_i.irq);
  end

endmodule
