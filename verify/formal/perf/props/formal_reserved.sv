// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Reserved: what must be 0 is 0 in every cycle, in the registers and in what RDMSR and RDPMC show of them. A counter that does not
// exist keeps its reset values.
//
// Rows: P6-01, P6-24, P6-25, P6-27, APM-11, APM-13, APM-37, APM-38, APM-39.

module formal_reserved
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

  logic p6, controlled;
  assign p6         = cfg_i.personality == 2'd0;
  assign controlled = cfg_i.personality >= 2'd2;

  for (genvar i = 0; i < int'(Processors); i++) begin : gen_processors
    for (genvar c = 0; c < int'(General); c++) begin : gen_general
      general_t r, reset;
      assign r = st_i.general[i][c];
      always_comb begin
        reset    = '0;
        reset.on = 1'b1;
        // P6-01, APM-13
        Width:      assert (64'(r.counter) < (64'd1 << cfg_i.width));
        // APM-11
        Absent:     assert ((c < 32'(cfg_i.counters)) || (r == reset));
        // P6-27, APM-37
        SelectBits: assert ((cfg_i.any_thread && !p6) || !r.select[21]);
        // P6-25
        SecondEn:   assert (!(p6 && (c == 1)) || !r.select[22]);
        // APM-39
        NoControl:  assert (controlled || (r.on && !r.status));
      end
    end
    for (genvar k = 0; k < int'(Fixed); k++) begin : gen_fixed
      fixed_t f;
      assign f = st_i.fixed[i][k];
      always_comb begin
        FixedWidth:  assert (64'(f.counter) < (64'd1 << cfg_i.fixed_width));
        FixedAbsent: assert ((k < 32'(cfg_i.fixed)) || (f == '0));
        // APM-37
        FixedBits:   assert (cfg_i.any_thread || !f.control[2]);
      end
    end
    lp_t l;
    assign l = st_i.lp[i];
    always_comb begin
      // APM-38
      NoStatus:  assert (controlled || (!l.ds_status && !l.smm_frozen));
      // P6-24
      NoRequest: assert (l.irq || ((l.irq_mode == 3'd0) && (l.irq_vector == 8'd0)));
      ModeKnown: assert (l.irq_mode inside {3'd0, 3'd2, 3'd4});
      Vector:    assert ((l.irq_vector == 8'd0) || ((l.irq_vector >= 8'd16) && (l.irq_mode == 3'd0)));
    end
  end

  // What a read shows: bits that may be 1.
  logic        reads, done;
  logic [31:0] number;
  logic [63:0] allowed;
  assign done   = out_i.reg_done && (out_i.reg_result == ResultDone);
  assign reads  = valid_i && done && (was_in_i.request.reg_op == RegRdmsr);
  assign number = was_in_i.request.reg_number;
  always_comb begin
    allowed = '0;
    case (number)
      32'h345: allowed = 64'(cfg_i.capabilities);
      32'h38D: for (int unsigned k = 0; k < Fixed; k++)
        if (k < 32'(cfg_i.fixed)) allowed[4*k +: 4] = {1'b1, cfg_i.any_thread, 2'b11};
      32'h38E, 32'h38F: begin
        for (int unsigned c = 0; c < General; c++) allowed[c] = c < 32'(cfg_i.counters);
        for (int unsigned k = 0; k < Fixed; k++) allowed[32 + k] = k < 32'(cfg_i.fixed);
        allowed[62] = number == 32'h38E;
      end
      // A write-only register reads as 0.
      32'h390: allowed = '0;
      32'h834: allowed = 64'h0000_0000_0001_17FF;
      default: begin
        for (int unsigned c = 0; c < General; c++) begin
          if (number == 32'h186 + c) allowed = {32'd0, 9'h1FF, !(p6 && (c == 1)), cfg_i.any_thread, 21'h1F_FFFF};
          if ((number == 32'h0C1 + c) || (number == 32'h4C1 + c)) allowed = (64'd1 << cfg_i.width) - 64'd1;
        end
        for (int unsigned k = 0; k < Fixed; k++)
          if (number == 32'h309 + k) allowed = (64'd1 << cfg_i.fixed_width) - 64'd1;
      end
    endcase
  end

  always_comb begin
    ReadsReserved: assert (!reads || ((out_i.reg_rdata & ~allowed) == '0));
    ReadsShort:    assert (!(valid_i && done && (was_in_i.request.reg_op == RegRdpmc) && number[31]) ||
                           (out_i.reg_rdata[63:32] == '0));
    // P6-07
    ReadsNothing:  assert (done || (out_i.reg_rdata == '0));
  end
  always_comb begin
    CoverCounter: cover (reads && (number == 32'h0C1) && (out_i.reg_rdata == (64'd1 << cfg_i.width) - 64'd1));
    CoverSelect:  cover (reads && (number == 32'h186) && (out_i.reg_rdata == allowed) && cfg_i.any_thread);
    CoverEntry:   cover (reads && (number == 32'h834) && (out_i.reg_rdata == allowed));
    CoverStatus:  cover (reads && (number == 32'h38E) && (out_i.reg_rdata == allowed));
  end

endmodule
