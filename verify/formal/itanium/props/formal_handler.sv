// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Handler: from an interruption until an instruction of level 0 sets the PSR, a system-level monitor is off if DCR.pp was 0 when
// the interruption was delivered, and counts if it was 1.
//
// Rows: ITA-50, ITA-51.

module formal_handler
  import itanium_pkg::*;
  import formal_pkg::*;
  import formal_qualify_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input out_t    out_i,
  input state_t  st_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input state_t  was_i,
  // This cycle.
  input in_t     in_i
);

  // A handler runs, with the DCR.pp of its interruption; as of this cycle and the one before.
  logic handler_q, dcr_q, was_handler_q, was_dcr_q, sets;
  assign sets = does(in_i, 4'd12) || does(in_i, 4'd13) || does(in_i, 4'd14) || does(in_i, 4'd15);
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      handler_q     <= 1'b0;
      dcr_q         <= 1'b0;
      was_handler_q <= 1'b0;
      was_dcr_q     <= 1'b0;
    end else begin
      handler_q     <= in_i.int_valid || (handler_q && !sets);
      dcr_q         <= in_i.int_valid ? st_i.status.dcr_pp : dcr_q;
      was_handler_q <= handler_q;
      was_dcr_q     <= dcr_q;
    end
  end

  always_comb begin
    // ITA-50
    Kept: assert (!handler_q || (st_i.status.pp == dcr_q));
  end

  for (genvar c = 0; c < int'(Counters); c++) begin : gen_counters
    counter_t now, counter;
    logic     runs, written;
    assign now     = st_i.counter[c];
    assign counter = was_i.counter[c];
    assign runs    = valid_i && was_handler_q && counter.pm;
    assign written = writes(was_in_i, Pmd, 4 + c);
    always_comb begin
      // ITA-51
      Excluded: assert (!(runs && !was_dcr_q) || written || (now.count == counter.count));
      // ITA-51: each period of the clock.
      Included: assert (!(runs && was_dcr_q && !was_i.freeze.fr && counter.plm[was_in_i.cpl] && (counter.ism == 2'b00) &&
                          (counter.es == 7'h12) && (counter.threshold == '0) && was_in_i.core_clock) || written ||
                        (now.count == counter.count + 32'd1));
    end
    always_comb begin
      CoverExcluded: cover (runs && !was_dcr_q && !was_i.freeze.fr && counter.plm[was_in_i.cpl] && (counter.es == 7'h12) &&
                            was_in_i.core_clock);
      CoverIncluded: cover (runs && was_dcr_q && (now.count == counter.count + 32'd1) && !was_in_i.int_valid);
    end
  end

endmodule
