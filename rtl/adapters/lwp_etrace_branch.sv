// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Kind of branch that ends a block of the E-Trace ingress port, in the unit's codes. Combinational.
//
// With an itype of three bits the port does not report direct jumps as branches, and an indirect jump may be a call or
// a return.

module lwp_etrace_branch
  import lwp_pkg::*;
(
  // How the block ends (itype of the ingress port).
  input  logic [3:0] itype_i,
  // Kind of branch, in the unit's codes.
  output logic [3:0] kind_o,
  // The branch was taken.
  output logic       taken_o,
  // The address executed next is that of the next block.
  output logic       jumps_o
);

  localparam logic [3:0] JmpIndirect  = 4'd3;
  localparam logic [3:0] CallIndirect = 4'd5;
  localparam logic [3:0] Ret          = 4'd6;
  localparam logic [3:0] System       = 4'd10;

  always_comb begin
    unique case (itype_i)
      4'd3:               kind_o = System;        // return from an exception or interrupt
      4'd4, 4'd5:         kind_o = BranchCond;    // not taken, taken
      4'd6, 4'd10, 4'd14: kind_o = JmpIndirect;
      4'd8, 4'd12:        kind_o = CallIndirect;  // call, swap of co-routines
      4'd9:               kind_o = BranchCallRel;
      4'd11, 4'd15:       kind_o = BranchJmpRel;
      4'd13:              kind_o = Ret;
      default:            kind_o = BranchNone;    // none, exception, interrupt, reserved
    endcase
  end

  assign taken_o = (kind_o != BranchNone) && (itype_i != 4'd4);
  assign jumps_o = taken_o;

endmodule
