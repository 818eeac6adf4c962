// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Status: PSR.up, PSR.sp, PSR.pp and DCR.pp change as the table of the contract says. PSR.pp, PSR.sp and DCR.pp change only by a
// request at level 0, or PSR.pp and PSR.sp by an interruption; sum, rum and mov psr.um act only while PSR.sp is 0.
//
// Rows: ITA-42, ITA-48 to ITA-50.

module formal_status
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

  status_t     was, now, expected;
  logic [63:0] w;
  assign was = was_i.status;
  assign now = st_i.status;
  assign w   = was_in_i.request.reg_wdata;

  // The table, row by row. An interruption and a request that is done exclude each other.
  always_comb begin
    expected = was;
    if (was_in_i.int_valid) begin
      expected.pp = was.dcr_pp;
      expected.sp = 1'b0;
      if (cfg_i.up_on_interruption) expected.up = 1'b0;
    end
    if (does(was_in_i, 4'd9) && !was.sp && w[2]) expected.up = 1'b1;
    if (does(was_in_i, 4'd10) && !was.sp && w[2]) expected.up = 1'b0;
    if (does(was_in_i, 4'd11) && !was.sp) expected.up = w[2];
    if (does(was_in_i, 4'd12)) begin
      if (w[2]) expected.up = 1'b1;
      if (w[20]) expected.sp = 1'b1;
      if (w[21]) expected.pp = 1'b1;
    end
    if (does(was_in_i, 4'd13)) begin
      if (w[2]) expected.up = 1'b0;
      if (w[20]) expected.sp = 1'b0;
      if (w[21]) expected.pp = 1'b0;
    end
    if (does(was_in_i, 4'd14) || does(was_in_i, 4'd15)) begin
      expected.up = w[2];
      expected.sp = w[20];
      expected.pp = w[21];
    end
    if (writes(was_in_i, Cr, 0)) expected.dcr_pp = w[0];
  end

  // A request at level 0, or at another one.
  logic system, user;
  assign system = made(was_in_i) && (was_in_i.cpl == 2'd0);
  assign user   = made(was_in_i) && (was_in_i.cpl != 2'd0);

  always_comb begin
    // ITA-42
    Exact:       assert (!valid_i || (now == expected));
    // ITA-49
    PpLevel0:    assert (!valid_i || (now.pp == was.pp) || system || was_in_i.int_valid);
    SpLevel0:    assert (!valid_i || (now.sp == was.sp) || system || was_in_i.int_valid);
    DcrLevel0:   assert (!valid_i || (now.dcr_pp == was.dcr_pp) || system);
    // ITA-49: no instruction of a user process reaches them.
    UserKeeps:   assert (!(valid_i && user) || ({now.pp, now.sp, now.dcr_pp} == {was.pp, was.sp, was.dcr_pp}));
    // ITA-50
    Copied:      assert (!(valid_i && was_in_i.int_valid) || (now.pp == was.dcr_pp));
    // ITA-48
    SumSets:     assert (!(valid_i && made(was_in_i) && (was_in_i.request.reg_op == 4'd9) && w[2] && !was.sp) || now.up);
    // ITA-48
    RumClears:   assert (!(valid_i && made(was_in_i) && (was_in_i.request.reg_op == 4'd10) && w[2] && !was.sp) || !now.up);
    Secured:     assert (!(valid_i && was.sp && user) || (now.up == was.up));
    UpAtInt:     assert (!(valid_i && was_in_i.int_valid) || (now.up == (was.up && !cfg_i.up_on_interruption)));
  end
  always_comb begin
    CoverSum:     cover (valid_i && user && !was.up && now.up);
    CoverRum:     cover (valid_i && user && was.up && !now.up);
    CoverSecured: cover (valid_i && user && was.sp && (was_in_i.request.reg_op == 4'd10) && w[2] && now.up && out_i.reg_done &&
                         (out_i.reg_result == '0));
    CoverInt:     cover (valid_i && was_in_i.int_valid && was.pp && !now.pp && was.up && !now.up);
    CoverRefused: cover (valid_i && user && (was_in_i.request.reg_op == 4'd12) && w[21] && !now.pp && (out_i.reg_result == 3'd6));
    CoverRfi:     cover (valid_i && system && (was_in_i.request.reg_op == 4'd15) && (now == 4'b1111) && (was.pp == 1'b0));
  end

endmodule
