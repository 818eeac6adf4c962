// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Request: each register request is answered in the next cycle, by the tables of "Register requests"; registers change by a WRMSR
// that is done and by nothing else. IA32_QM_CTR never gives data with Error or Unavailable.
//
// Rows: RDTM-08, RDTM-15, RDTM-19, RDTM-25 to RDTM-27, RDTM-30, RDTM-31, RDTM-33, RDTA-09, RDTA-11, RDTA-12, RDTA-14, RDTA-18,
// RDTA-20, RDTA-24, RDTA-27.

module formal_request
  import retire_pkg::*;
  import rdt_pkg::*;
  import formal_pkg::*;
  import formal_request_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t cfg_i,
  input in_t     in_i,
  input out_t    out_i,
  input state_t  st_i,
  input tags_t   tags_i,
  // The cycle before, if there was one.
  input logic    valid_i,
  input in_t     was_in_i,
  input out_t    was_out_i,
  input state_t  was_i,
  input tags_t   was_tags_i
);

  reg_request_t asked;
  reg_result_e  verdict;
  logic         reads;
  assign asked   = was_in_i.request;
  assign verdict = result(cfg_i, was_in_i, was_i);
  assign reads   = valid_i && asked.reg_valid && (asked.reg_op == RegRdmsr) && (verdict == ResultDone);

  // "In the first cycle of clear, masks get their reset value"; "a write that is done wins".
  logic first;
  assign first = valid_i && (was_i.job.step == StepClear) && (was_i.job.set_index == '0);

  always_comb begin
    // RDTM-31 (RDT-18: an RMID above the highest in IA32_PQR_ASSOC alone), RDTA-09, RDTA-14, RDTA-20: the answer.
    Answered:   assert (!valid_i || (out_i.answer == (asked.reg_valid ?
                        {1'b1, verdict, reads ? shows(cfg_i, was_in_i, was_i) : 64'd0} : '0)));
    // RDTM-25, RDTM-26, RDTM-27: Error or Unavailable come alone.
    DataAlone:  assert (!(reads && (asked.reg_number == 32'hC8E) && (out_i.answer.reg_rdata[63:62] != '0)) ||
                        ((out_i.answer.reg_rdata[61:0] == '0) && (out_i.answer.reg_rdata[63:62] != 2'd3)));
    // RDTM-33, RDTA-24: nothing but WRMSR.
    CdpL3:      assert (!valid_i || (st_i.cdp.l3 == (writes(was_in_i, verdict, 32'hC81) ? asked.reg_wdata[0] : was_i.cdp.l3)));
    CdpL2:      assert (!valid_i || (st_i.cdp.l2 == (writes(was_in_i, verdict, 32'hC82) ? asked.reg_wdata[0] : was_i.cdp.l2)));
    // RDTA-11
    CdpExists:  assert ((cfg_i.l3_cdp || !st_i.cdp.l3) && (cfg_i.l2_cdp || !st_i.cdp.l2));
  end

  for (genvar i = 0; i < int'(Processors); i++) begin : gen_processors
    lp_t  now, old;
    logic associates, selects;
    assign now        = st_i.lp[i];
    assign old        = was_i.lp[i];
    assign associates = valid_i && writes(was_in_i, verdict, 32'hC8F) && (asks(was_in_i) == i);
    assign selects    = valid_i && writes(was_in_i, verdict, 32'hC8D) && (pair(cfg_i, was_in_i) == i);
    always_comb begin
      // RDTM-08, RDTM-30, RDTM-33, RDTA-24
      Associated: assert (!valid_i || ({now.rmid, now.cos} ==
                          (associates ? {asked.reg_wdata[4:0], asked.reg_wdata[35:32]} : {old.rmid, old.cos})));
      Selected:   assert (!valid_i || ({now.event_id, now.event_rmid} ==
                          (selects ? {asked.reg_wdata[7:0], asked.reg_wdata[43:32]} : {old.event_id, old.event_rmid})));
      Settles:    assert (!valid_i || (now.settle == (selects ? cfg_i.settle : ((old.settle == '0) ?
          8'd0 : (old.settle - 8'd1)))));
      RmidKnown:  assert (now.rmid <= cfg_i.max_rmid);
    end
  end

  for (genvar n = 0; n < int'(Classes); n++) begin : gen_classes
    class_t      now, old;
    logic [15:0] l3_full;
    logic [7:0]  l2_full;
    assign now     = st_i.classes[n];
    assign old     = was_i.classes[n];
    assign l3_full = (first && (5'(n) < masks(cfg_i.l3_cat, cfg_i.l3_cos))) ? ways_below(cfg_i.l3_ways) : old.l3_mask;
    assign l2_full = (first && (5'(n) < masks(cfg_i.l2_cat, cfg_i.l2_cos))) ? 8'(ways_below(5'(cfg_i.l2_ways))) : old.l2_mask;
    always_comb begin
      // RDTA-18: switching CDP moves no mask.
      L3Mask: assert (!valid_i || (now.l3_mask == (writes(was_in_i, verdict, 32'hC90 + 32'(n)) ?
          asked.reg_wdata[15:0] : l3_full)));
      L2Mask: assert (!valid_i || (now.l2_mask == (writes(was_in_i, verdict, 32'hD10 + 32'(n)) ?
          asked.reg_wdata[7:0] : l2_full)));
      Delay:  assert (!valid_i || (now.delay == (writes(was_in_i, verdict, 32'hD50 + 32'(n)) ?
          asked.reg_wdata[11:0] : old.delay)));
    end
  end

  always_comb begin
    CoverGp:     cover (out_i.answer.reg_done && (out_i.answer.reg_result == ResultGp) && level0(was_in_i) &&
        (asked.reg_number == 32'hC90));
    CoverError:  cover (reads && (out_i.answer.reg_rdata == {2'b10, 62'd0}) && (was_i.lp[0].event_id == 8'd2));
    CoverWaits:  cover (reads && (out_i.answer.reg_rdata == {2'b01, 62'd0}) && !was_in_i.qm_unavailable &&
        (was_i.lp[0].settle == 8'd1));
    CoverData:   cover (reads && (asked.reg_number == 32'hC8E) && (out_i.answer.reg_rdata == 64'h1234) &&
        (cfg_i.scale == 4'd2));
    CoverHalf:   cover (out_i.answer.reg_done && (out_i.answer.reg_result == ResultGp) && level0(was_in_i) && was_i.cdp.l3 &&
                        (asked.reg_number == 32'hC8F) && (asked.reg_wdata == 64'h1_0000_0000) && (asked.reg_op == RegWrmsr) &&
                        (cfg_i.l3_cos == 4'd1));
    CoverPair:   cover (reads && (asked.reg_number == 32'hC8D) && (asks(was_in_i) == 1) && cfg_i.select &&
        (out_i.answer.reg_rdata == 64'h1_0000_0003));
  end

endmodule
