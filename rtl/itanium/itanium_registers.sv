// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Registers that requests alone write: PMC[8] to PMC[13], the IBRs and the DBRs.
//
// Contract: docs/src/itanium/state.md, "Registers as software sees them". Requirements ITA-07, ITA-29 to ITA-31.

module itanium_registers
  import itanium_pkg::*;
  import itanium_stage_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic                    clk_i,
  // Asynchronous reset, active low.
  input  logic                    rst_ni,

  // Registers that a request writes. Only those of this module matter.
  // verilator lint_off UNUSEDSIGNAL
  input  write_t                  write_i,
  // verilator lint_on UNUSEDSIGNAL
  // Value that is written.
  input  logic [63:0]             wdata_i,

  // PMC[8] and PMC[9].
  output matcher_t [Matchers-1:0] matcher_o,
  // PMC[10].
  output pmc10_t                  pmc10_o,
  // PMC[11].
  output pmc11_t                  pmc11_o,
  // PMC[12].
  output pmc12_t                  pmc12_o,
  // PMC[13].
  output pmc13_t                  pmc13_o,
  // Pairs of instruction breakpoint registers.
  output ibr_t [Pairs-1:0]        ibr_o,
  // Pairs of data breakpoint registers.
  output dbr_t [Pairs-1:0]        dbr_o
);

  matcher_t [Matchers-1:0] matcher_q;
  pmc10_t                  pmc10_q;
  pmc11_t                  pmc11_q;
  pmc12_t                  pmc12_q;
  pmc13_t                  pmc13_q;
  ibr_t [Pairs-1:0]        ibr_q;
  dbr_t [Pairs-1:0]        dbr_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      matcher_q <= {Matchers{ResetMatcher}};
      pmc10_q   <= '0;
      pmc11_q   <= ResetPmc11;
      pmc12_q   <= '0;
      pmc13_q   <= ResetPmc13;
    end else begin
      for (int j = 0; j < int'(Matchers); j++) begin
        if (write_i.matcher[j]) begin
          matcher_q[j].mask        <= wdata_i[29:3];
          matcher_q[j].match_value <= wdata_i[59:33];
          matcher_q[j].b           <= wdata_i[60];
          matcher_q[j].f           <= wdata_i[61];
          matcher_q[j].i           <= wdata_i[62];
          matcher_q[j].m           <= wdata_i[63];
        end
      end
      if (write_i.pmc10) begin
        pmc10_q.plm   <= wdata_i[3:0];
        pmc10_q.pm    <= wdata_i[6];
        pmc10_q.tlb   <= wdata_i[7];
        pmc10_q.umask <= wdata_i[19:16];
        pmc10_q.ism   <= wdata_i[25:24];
      end
      if (write_i.pmc11) begin
        pmc11_q.plm   <= wdata_i[3:0];
        pmc11_q.pm    <= wdata_i[6];
        pmc11_q.tlb   <= wdata_i[7];
        pmc11_q.umask <= wdata_i[19:16];
        pmc11_q.ism   <= wdata_i[25:24];
        pmc11_q.pt    <= wdata_i[28];
      end
      if (write_i.pmc12) begin
        pmc12_q.plm <= wdata_i[3:0];
        pmc12_q.pm  <= wdata_i[6];
        pmc12_q.tar <= wdata_i[7];
        pmc12_q.tm  <= wdata_i[9:8];
        pmc12_q.ptm <= wdata_i[11:10];
        pmc12_q.ppm <= wdata_i[13:12];
        pmc12_q.bpt <= wdata_i[14];
        pmc12_q.bac <= wdata_i[15];
      end
      if (write_i.pmc13) begin
        pmc13_q.ta   <= wdata_i[0];
        pmc13_q.rest <= wdata_i[63:1];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ibr_q <= '0;
      dbr_q <= '0;
    end else begin
      for (int k = 0; k < int'(Pairs); k++) begin
        if (write_i.ibr_even[k]) ibr_q[k].addr <= wdata_i;
        if (write_i.ibr_odd[k]) begin
          ibr_q[k].mask <= wdata_i[55:0];
          ibr_q[k].plm  <= wdata_i[59:56];
          ibr_q[k].x    <= wdata_i[63];
        end
        if (write_i.dbr_even[k]) dbr_q[k].addr <= wdata_i;
        if (write_i.dbr_odd[k]) begin
          dbr_q[k].mask <= wdata_i[55:0];
          dbr_q[k].plm  <= wdata_i[59:56];
          dbr_q[k].w    <= wdata_i[62];
          dbr_q[k].r    <= wdata_i[63];
        end
      end
    end
  end

  assign matcher_o = matcher_q;
  assign pmc10_o   = pmc10_q;
  assign pmc11_o   = pmc11_q;
  assign pmc12_o   = pmc12_q;
  assign pmc13_o   = pmc13_q;
  assign ibr_o     = ibr_q;
  assign dbr_o     = dbr_q;

endmodule
