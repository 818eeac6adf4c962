// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Answer: every request is answered exactly one cycle later, with the result of the table. A read that is done gets the register as
// it was in the cycle of the request. Levels other than 0 read 0 of a system-level monitor, and with PSR.sp of every counter.
//
// Rows: ITA-06, ITA-15, ITA-20, ITA-29 to ITA-31, ITA-41 to ITA-43, ITA-45.

module formal_answer
  import itanium_pkg::*;
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

  logic       asked, reads;
  logic [2:0] file;
  logic [7:0] index;
  assign asked = valid_i && made(was_in_i);
  assign reads = valid_i && does(was_in_i, 4'd7);
  assign file  = file_of(was_in_i);
  assign index = index_of(was_in_i);

  // What PMC[index] holds, by the table of docs/src/itanium/state.md and the layouts of docs/src/registers/itanium.md.
  function automatic logic [63:0] pmc(state_t st, logic [7:0] number);
    logic [63:0] value;
    value = '0;
    case (number)
      8'd0: begin
        value[0]   = st.freeze.fr;
        value[7:4] = st.freeze.overflow;
      end
      8'd4, 8'd5, 8'd6, 8'd7: begin
        value[3:0]   = st.counter[number - 8'd4].plm;
        value[4]     = st.counter[number - 8'd4].ev;
        value[5]     = st.counter[number - 8'd4].oi;
        value[6]     = st.counter[number - 8'd4].pm;
        value[14:8]  = st.counter[number - 8'd4].es;
        value[19:16] = st.counter[number - 8'd4].umask;
        value[22:20] = st.counter[number - 8'd4].threshold;
        value[25:24] = st.counter[number - 8'd4].ism;
        if (number >= 8'd6) value[22] = 1'b0;
      end
      8'd8, 8'd9: begin
        value[29:3]  = st.matcher[number - 8'd8].mask;
        value[59:33] = st.matcher[number - 8'd8].match_value;
        value[60]    = st.matcher[number - 8'd8].b;
        value[61]    = st.matcher[number - 8'd8].f;
        value[62]    = st.matcher[number - 8'd8].i;
        value[63]    = st.matcher[number - 8'd8].m;
      end
      8'd10: begin
        value[3:0]   = st.pmc10.plm;
        value[6]     = st.pmc10.pm;
        value[7]     = st.pmc10.tlb;
        value[19:16] = st.pmc10.umask;
        value[25:24] = st.pmc10.ism;
      end
      8'd11: begin
        value[3:0]   = st.pmc11.plm;
        value[6]     = st.pmc11.pm;
        value[7]     = st.pmc11.tlb;
        value[19:16] = st.pmc11.umask;
        value[25:24] = st.pmc11.ism;
        value[28]    = st.pmc11.pt;
      end
      8'd12: begin
        value[3:0]   = st.pmc12.plm;
        value[6]     = st.pmc12.pm;
        value[7]     = st.pmc12.tar;
        value[9:8]   = st.pmc12.tm;
        value[11:10] = st.pmc12.ptm;
        value[13:12] = st.pmc12.ppm;
        value[14]    = st.pmc12.bpt;
        value[15]    = st.pmc12.bac;
      end
      8'd13: begin
        value[0]    = st.pmc13.ta;
        value[63:1] = st.pmc13.rest;
      end
      default: value = '0;
    endcase
    return value;
  endfunction

  // What ibr[index] or dbr[index] holds.
  function automatic logic [63:0] breakpoint(state_t st, logic data, logic [2:0] number);
    logic [63:0] value;
    if (!number[0]) return data ? st.dbr[number[2:1]].addr : st.ibr[number[2:1]].addr;
    value = '0;
    value[55:0]  = data ? st.dbr[number[2:1]].mask : st.ibr[number[2:1]].mask;
    value[59:56] = data ? st.dbr[number[2:1]].plm : st.ibr[number[2:1]].plm;
    value[63]    = data ? st.dbr[number[2:1]].r : st.ibr[number[2:1]].x;
    value[62]    = data && st.dbr[number[2:1]].w;
    return value;
  endfunction

  logic     is_counter, hidden;
  counter_t counter;
  assign counter    = was_i.counter[index[1:0]];
  assign is_counter = (file == Pmd) && (index inside {8'd4, 8'd5, 8'd6, 8'd7});
  assign hidden     = (was_in_i.cpl != 2'd0) && (was_i.status.sp || counter.pm);

  logic [63:0] value;
  always_comb begin
    value = '0;
    case (file)
      Pmc:      value = pmc(was_i, index);
      Pmd:      if (is_counter && !hidden) value = 64'(signed'(counter.count));
      Ibr, Dbr: value = breakpoint(was_i, file == Dbr, index[2:0]);
      Cr:       value[0] = was_i.status.dcr_pp;
      default:  value = '0;
    endcase
  end

  always_comb begin
    OneLater:  assert (!valid_i || (out_i.reg_done == asked));
    AsListed:  assert (!valid_i || (out_i.reg_result == (asked ? result(was_in_i) : 3'd0)));
    // ITA-06
    // ITA-15
    // ITA-20
    // ITA-29
    // ITA-30
    // ITA-31
    // ITA-41
    // ITA-42
    // ITA-43
    // ITA-45
    ValueThen: assert (!reads || (out_i.reg_rdata == value));
    NoValue:   assert (!valid_i || reads || (out_i.reg_rdata == '0));
    // ITN-21: a system-level monitor reads 0 at levels other than 0, and so does every register with PSR.sp.
    Hidden:    assert (!(reads && is_counter && (was_in_i.cpl != 2'd0) && counter.pm) || (out_i.reg_rdata == '0));
    Secured:   assert (!(reads && (was_in_i.cpl != 2'd0) && was_i.status.sp) || (out_i.reg_rdata == '0));
    // Levels other than 0 read counters alone.
    UserReads: assert (!(valid_i && (was_in_i.cpl != 2'd0)) || (out_i.reg_rdata == '0) || (reads && is_counter));
    TwoBits:   assert (!st_i.counter[2].threshold[2] && !st_i.counter[3].threshold[2]);
  end
  always_comb begin
    CoverNotMine:    cover (asked && (out_i.reg_result == 3'd4) && (was_in_i.request.reg_op == 4'd8));
    CoverPrivileged: cover (asked && (out_i.reg_result == 3'd6) && (file == Ibr) && (index == 8'd9));
    CoverReserved:   cover (asked && (out_i.reg_result == 3'd7));
    CoverNegative:   cover (reads && (file == Pmd) && out_i.reg_rdata[63] && (was_in_i.cpl == 2'd3));
    CoverHidden:     cover (reads && is_counter && hidden && (counter.count == '1) && counter.pm && !was_i.status.sp);
    CoverSecured:    cover (reads && is_counter && hidden && (counter.count == '1) && !counter.pm);
    CoverPmc:        cover (reads && (file == Pmc) && (index == 8'd5) && (out_i.reg_rdata == 64'h0000_0000_037F_7F7F));
    CoverDbr:        cover (reads && (file == Dbr) && (index == 8'd7) && (out_i.reg_rdata == 64'hCFFF_FFFF_FFFF_FFFF));
    CoverIgnored:    cover (asked && was_in_i.request.reg_valid && (was_in_i.cpl == 2'd3) && (was_in_i.request.reg_op == 4'd9) &&
                            (out_i.reg_result == 3'd0));
  end

endmodule
