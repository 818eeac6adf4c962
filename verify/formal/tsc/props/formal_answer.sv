// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Answer: each request is answered exactly one cycle later, with what the table of the contract says, and with values
// that are all of the cycle of the request. A request that is refused is answered with 0.
//
// Rows: TSC-11, TSC-12, TSC-14, TSC-15.

module formal_answer
  import retire_pkg::*;
  import tsc_pkg::*;
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

  logic        asked, done;
  reg_request_t request;
  reg_result_e expected;
  assign asked    = valid_i && was_in_i.request.reg_valid;
  assign request  = was_in_i.request;
  assign expected = result(cfg_i, was_in_i);
  assign done     = asked && (expected == ResultDone);

  lp_t asker;
  always_comb begin
    asker = '0;
    for (int unsigned i = 0; i < Processors; i++) begin
      if (asks(was_in_i, i)) asker = was_i.processors[i];
    end
  end

  logic [63:0] value;
  logic [31:0] signature;
  always_comb begin
    value     = '0;
    signature = '0;
    if (done) begin
      case (request.reg_op)
        RegRdtsc: value = asker.counter;
        RegRdtscp: begin
          value     = asker.counter;
          signature = asker.aux;
        end
        RegRdmsr: begin
          case (request.reg_number)
            32'h0000_0010: value = asker.counter;
            32'h0000_003B: value = asker.adjust;
            default:       value = {32'd0, asker.aux};
          endcase
        end
        default: ;
      endcase
    end
  end

  always_comb begin
    OneLater:  assert (out_i.reg_done == asked);
    // TSC-11, TSC-12, TSC-14
    AsListed:  assert (out_i.reg_result == (asked ? expected : ResultDone));
    // TSC-12, TSC-15
    ValueThen: assert (out_i.reg_rdata == value);
    // TSC-15
    SignedBy:  assert (out_i.reg_aux == signature);
  end
  always_comb begin
    CoverTime:    cover (out_i.reg_done && (request.reg_op == RegRdtscp) && (out_i.reg_rdata != '0) && (out_i.reg_aux != '0));
    CoverUd:      cover (asked && (out_i.reg_result == ResultUd));
    CoverV86:     cover (asked && (out_i.reg_result == ResultGp) && (was_in_i.op_mode == ModeV86) && (was_in_i.cpl == 2'd0));
    CoverReal:    cover (done && was_in_i.tsd && (was_in_i.cpl == 2'd3));
    CoverNotMine: cover (asked && (out_i.reg_result == ResultNotMine));
  end

endmodule
