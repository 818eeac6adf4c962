// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Request: finds the result of this cycle's register request and what it does to the registers, and holds the answer.
//
// Specification: section 6.1.3.2, "PSR.pp can be controlled at privilege level 0 only". Contract:
// docs/src/itanium/cycle.md, "10. Request". Requirements ITA-41, ITA-42, ITA-45, ITA-48, ITA-49.

module itanium_request
  import itanium_pkg::*;
  import itanium_stage_pkg::*;
(
  // Clock: all registers change at its rising edge.
  input  logic                    clk_i,
  // Asynchronous reset, active low.
  input  logic                    rst_ni,

  // Register request. Its value goes to the registers.
  // verilator lint_off UNUSEDSIGNAL
  input  reg_request_t            reg_i,
  // verilator lint_on UNUSEDSIGNAL
  // An interruption is delivered: no request is made.
  input  logic                    int_valid_i,
  // Privilege level of the request.
  input  logic [1:0]              cpl_i,

  // PSR.sp: counters are hidden from levels other than 0.
  input  logic                    sp_i,
  // DCR.pp.
  input  logic                    dcr_pp_i,
  // PMC[0].fr.
  input  logic                    fr_i,
  // PMC[0][7:4].
  input  logic [Counters-1:0]     overflow_i,
  // PMC[4] and PMD[4] to PMC[7] and PMD[7]. A pin cannot be read.
  // verilator lint_off UNUSEDSIGNAL
  input  counter_t [Counters-1:0] counter_i,
  // verilator lint_on UNUSEDSIGNAL
  // PMC[8] and PMC[9].
  input  matcher_t [Matchers-1:0] matcher_i,
  // PMC[10].
  input  pmc10_t                  pmc10_i,
  // PMC[11].
  input  pmc11_t                  pmc11_i,
  // PMC[12].
  input  pmc12_t                  pmc12_i,
  // PMC[13].
  input  pmc13_t                  pmc13_i,
  // Pairs of instruction breakpoint registers.
  input  ibr_t [Pairs-1:0]        ibr_i,
  // Pairs of data breakpoint registers.
  input  dbr_t [Pairs-1:0]        dbr_i,

  // What the request does to the registers; all 0 unless it is done.
  output write_t                  write_o,
  // Answer to the last cycle's request.
  output answer_t                 answer_o
);

  // One logical processor; the number has eleven bits.
  logic unused_reg;
  assign unused_reg = ^{reg_i.reg_lp, reg_i.reg_number[31:11]};

  logic       made;
  logic [3:0] op;
  logic [2:0] file;
  logic [7:0] index;
  assign made  = reg_i.reg_valid && !int_valid_i;
  assign op    = reg_i.reg_op;
  assign file  = reg_i.reg_number[10:8];
  assign index = reg_i.reg_number[7:0];

  ////////////
  // Result //
  ////////////

  logic moves, level0, mine, anyone, absent;
  assign moves  = (op == OpRead) || (op == OpWrite);
  assign level0 = cpl_i == 2'd0;
  assign mine   = (op >= OpRead) && !(moves && ((file > FileCr) || ((file == FileCr) && (index != '0))));
  assign anyone = (op == OpSum) || (op == OpRum) || (op == OpUm) || ((op == OpRead) && (file == FilePmd));
  assign absent = moves && ((file == FileIbr) || (file == FileDbr)) && (index > 8'd7);

  logic [2:0] result;
  always_comb begin
    if (!mine) result = ResultNotMine;
    else if (!level0 && !anyone) result = ResultPrivileged;
    else if (absent) result = ResultReserved;
    else result = ResultDone;
  end

  ///////////
  // Write //
  ///////////

  logic done, writes;
  assign done   = made && (result == ResultDone);
  assign writes = done && (op == OpWrite);

  logic pmc, pmd, ibr, dbr;
  assign pmc = writes && (file == FilePmc);
  assign pmd = writes && (file == FilePmd);
  assign ibr = writes && (file == FileIbr);
  assign dbr = writes && (file == FileDbr);

  always_comb begin
    write_o       = '0;
    write_o.pmc0  = pmc && (index == 8'd0);
    write_o.pmc10 = pmc && (index == 8'd10);
    write_o.pmc11 = pmc && (index == 8'd11);
    write_o.pmc12 = pmc && (index == 8'd12);
    write_o.pmc13 = pmc && (index == 8'd13);
    for (int c = 0; c < int'(Counters); c++) begin
      write_o.pmc[c] = pmc && (index == 8'd4 + 8'(c));
      write_o.pmd[c] = pmd && (index == 8'd4 + 8'(c));
    end
    for (int j = 0; j < int'(Matchers); j++) write_o.matcher[j] = pmc && (index == 8'd8 + 8'(j));
    for (int k = 0; k < int'(Pairs); k++) begin
      write_o.ibr_even[k] = ibr && (index == 8'(2 * k));
      write_o.ibr_odd[k]  = ibr && (index == 8'(2 * k + 1));
      write_o.dbr_even[k] = dbr && (index == 8'(2 * k));
      write_o.dbr_odd[k]  = dbr && (index == 8'(2 * k + 1));
    end
    write_o.dcr = writes && (file == FileCr);
    write_o.sum = done && (op == OpSum);
    write_o.rum = done && (op == OpRum);
    write_o.um  = done && (op == OpUm);
    write_o.ssm = done && (op == OpSsm);
    write_o.rsm = done && (op == OpRsm);
    write_o.psr = done && ((op == OpPsr) || (op == OpRfi));
  end

  //////////
  // Read //
  //////////

  // The counter and the pair that the index names.
  // verilator lint_off UNUSEDSIGNAL
  counter_t counter;
  // verilator lint_on UNUSEDSIGNAL
  matcher_t matcher;
  ibr_t     ibr_pair;
  dbr_t     dbr_pair;
  logic     is_counter;
  assign counter    = counter_i[index[1:0]];
  assign matcher    = matcher_i[index[0]];
  assign ibr_pair   = ibr_i[index[2:1]];
  assign dbr_pair   = dbr_i[index[2:1]];
  assign is_counter = index[7:2] == 6'd1;

  logic [63:0] pmc_value;
  always_comb begin
    pmc_value = '0;
    unique case (index)
      8'd0: pmc_value = {56'd0, overflow_i, 3'd0, fr_i};
      8'd4, 8'd5, 8'd6, 8'd7: begin
        pmc_value = {38'd0, counter.ism, 1'b0, counter.threshold, counter.umask, 1'b0, counter.es, 1'b0, counter.pm,
                     counter.oi, counter.ev, counter.plm};
      end
      8'd8, 8'd9: begin
        pmc_value = {matcher.m, matcher.i, matcher.f, matcher.b, matcher.match_value, 3'd0, matcher.mask, 3'd0};
      end
      8'd10: begin
        pmc_value = {38'd0, pmc10_i.ism, 4'd0, pmc10_i.umask, 8'd0, pmc10_i.tlb, pmc10_i.pm, 2'd0, pmc10_i.plm};
      end
      8'd11: begin
        pmc_value = {35'd0, pmc11_i.pt, 2'd0, pmc11_i.ism, 4'd0, pmc11_i.umask, 8'd0, pmc11_i.tlb, pmc11_i.pm, 2'd0,
                     pmc11_i.plm};
      end
      8'd12: begin
        pmc_value = {48'd0, pmc12_i.bac, pmc12_i.bpt, pmc12_i.ppm, pmc12_i.ptm, pmc12_i.tm, pmc12_i.tar, pmc12_i.pm,
                     2'd0, pmc12_i.plm};
      end
      8'd13:   pmc_value = {pmc13_i.rest, pmc13_i.ta};
      default: pmc_value = '0;
    endcase
  end

  // A counter is hidden by PSR.sp, and if it is a system-level monitor.
  logic shown;
  assign shown = is_counter && (level0 || !(sp_i || counter.pm));

  logic [63:0] value;
  always_comb begin
    unique case (file)
      FilePmc: value = pmc_value;
      FilePmd: value = {{32{counter.count[31]}}, counter.count} & {64{shown}};
      FileIbr: value = index[0] ? {ibr_pair.x, 3'd0, ibr_pair.plm, ibr_pair.mask} : ibr_pair.addr;
      FileDbr: value = index[0] ? {dbr_pair.r, dbr_pair.w, 2'd0, dbr_pair.plm, dbr_pair.mask} : dbr_pair.addr;
      FileCr:  value = {63'd0, dcr_pp_i};
      default: value = '0;
    endcase
  end

  ////////////
  // Answer //
  ////////////

  answer_t answer_d, answer_q;

  always_comb begin
    answer_d = '0;
    if (made) begin
      answer_d.reg_done   = 1'b1;
      answer_d.reg_result = result;
      if (done && (op == OpRead)) answer_d.reg_rdata = value;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      answer_q <= '0;
    end else begin
      answer_q <= answer_d;
    end
  end

  assign answer_o = answer_q;

endmodule
