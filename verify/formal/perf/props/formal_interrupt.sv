// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Interrupt: one is requested only after an overflow with INT set (or a request of the debug store), while the local APIC's entry
// was not masked and had a mode that interrupts; and then it is. It stays as it is until it is taken.
//
// Rows: P6-23, P6-24, P6-43, P6-46, APM-28, APM-38, DCTL-12.

module formal_interrupt
  import retire_pkg::*;
  import perf_pkg::*;
  import formal_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input out_t    out_i,
  input state_t  st_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input state_t  was_i
);

  logic takes, controlled;
  assign takes      = valid_i && takes_effect(cfg_i, was_in_i);
  assign controlled = cfg_i.personality >= 2'd2;

  for (genvar i = 0; i < int'(Processors); i++) begin : gen_processors
    // An overflow in the cycle before, of a counter that interrupts.
    logic [General-1:0]      general;
    logic [FixedEntries-1:0] fixed;
    for (genvar c = 0; c < int'(General); c++) begin : gen_general
      assign general[c] = out_i.general[i][c].overflow && was_i.general[i][c].select[20];
    end
    for (genvar k = 0; k < int'(FixedEntries); k++) begin : gen_fixed
      assign fixed[k] = out_i.fixed[i][k].overflow && was_i.fixed[i][k].control[3];
    end

    lp_t  earlier, now;
    logic asked, lets_through, waits, mine, to_entry, in_memory;
    assign earlier = was_i.lp[i];
    assign now     = st_i.lp[i];
    assign asked   = valid_i && ((|general) || (|fixed) || was_in_i.lp[i].ds_pmi);
    always_comb begin
      case (earlier.lvt_mode)
        3'd0:       lets_through = !earlier.lvt_mask && (earlier.lvt_vector >= 8'd16);
        3'd2, 3'd4: lets_through = !earlier.lvt_mask;
        default:    lets_through = 1'b0;
      endcase
    end
    assign waits     = earlier.irq && !was_in_i.lp[i].irq_ack;
    assign mine      = takes && asks(was_in_i, i);
    assign to_entry  = mine && (was_in_i.request.reg_number == 32'h834);
    assign in_memory = valid_i && !cfg_i.x2apic && was_in_i.apic.apic_write &&
                       ((32'(was_in_i.apic.apic_lp) % Processors) == i);

    logic [31:0] value;
    logic        delivered;
    assign value     = to_entry ? was_in_i.request.reg_wdata[31:0] : was_in_i.apic.apic_wdata;
    assign delivered = asked && lets_through;

    always_comb begin
      // P6-23, P6-43, APM-28
      Asked:      assert (out_i.lp[i].pmi == asked);
      // P6-24, P6-46
      OnlyAfter:  assert (!out_i.lp[i].irq || (valid_i && waits) || delivered);
      Requested:  assert (!delivered || out_i.lp[i].irq);
      // P6-24
      Stays:      assert (!(valid_i && waits) || (out_i.lp[i].irq && (out_i.lp[i].irq_mode == earlier.irq_mode) &&
                                                  (out_i.lp[i].irq_vector == earlier.irq_vector)));
      // P6-46
      As:         assert (!delivered || waits || ((out_i.lp[i].irq_mode == earlier.lvt_mode) &&
                          (out_i.lp[i].irq_vector == ((earlier.lvt_mode == 3'd0) ? earlier.lvt_vector : 8'd0))));
      // P6-46
      Entry:      assert (!valid_i || ({now.lvt_mode, now.lvt_vector} ==
                          ((to_entry || in_memory) ? value[10:0] : {earlier.lvt_mode, earlier.lvt_vector})));
      MaskedThen: assert (!valid_i || (now.lvt_mask == ((delivered && cfg_i.mask_on_delivery) ||
                                                       ((to_entry || in_memory) ? value[16] : earlier.lvt_mask))));
      MaskFirst:  assert (valid_i || (now.lvt_mask && !now.irq));
      // APM-38
      DsNotice:   assert (!(valid_i && controlled && was_in_i.lp[i].ds_pmi) || now.ds_status);
    end
    for (genvar c = 0; c < int'(General); c++) begin : gen_notice
      always_comb begin
        // APM-38: the notice is set by an overflow alone, and cleared by a write alone.
        Notice:     assert (!(controlled && out_i.general[i][c].overflow) || st_i.general[i][c].status);
        NoticeOnly: assert (!valid_i || !st_i.general[i][c].status || was_i.general[i][c].status ||
                            out_i.general[i][c].overflow);
        NoticeKept: assert (!(valid_i && was_i.general[i][c].status) || st_i.general[i][c].status ||
                            (mine && (was_in_i.request.reg_number == 32'h390) && was_in_i.request.reg_wdata[c]));
      end
    end
    always_comb begin
      CoverVector: cover (delivered && !waits && (|general) && (out_i.lp[i].irq_vector == 8'd16));
      CoverNmi:    cover (delivered && !waits && (|general) && (out_i.lp[i].irq_mode == 3'd4));
      CoverMasked: cover (valid_i && (|general) && !out_i.lp[i].irq);
      CoverJoins:  cover (delivered && waits && (earlier.irq_vector != earlier.lvt_vector));
      CoverItself: cover (delivered && cfg_i.mask_on_delivery && to_entry && now.lvt_mask && !value[16]);
    end
  end

endmodule
