// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A start for covers: the inputs until a session runs. The system writes LWPMSR0, ring 3 executes LLWPCB, memory grants
// at once and answers in the next cycle with a small block: a ring of four records with the head at the last, tail and
// threshold anywhere in it, slot i with EventId i + 1, counter 1 and interval 3. Then the inputs are free again, but for
// grant and response.
//
// What is reached so is reached under the assumptions of the proofs, which leave every input free. Proofs do not use it.

module formal_start
  import lwp_pkg::*;
  import formal_pkg::*;
(
  input  logic clk_i,
  input  logic rst_ni,
  input  in_t  in_i,
  input  out_t out_i,
  output in_t  in_o
);

  localparam logic [63:0] Block  = 64'h1000;
  localparam logic [63:0] Buffer = 64'h8000;

  typedef enum logic [2:0] {Enable, Enabled, Enter, Load, Loaded, Free} step_e;
  step_e step_q;
  logic  waiting_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q    <= Enable;
      waiting_q <= 1'b0;
    end else begin
      waiting_q <= out_i.mem_req;
      unique case (step_q)
        Enable:  step_q <= Enabled;
        Enabled: if (out_i.rsp_valid) step_q <= Enter;
        Enter:   step_q <= Load;
        Load:    step_q <= Loaded;
        Loaded:  if (out_i.rsp_valid) step_q <= Free;
        default: ;
      endcase
    end
  end

  // The block, 8 bytes at a time.
  logic [63:0] offset, word;
  assign offset = out_i.mem_addr - Block;

  always_comb begin
    unique case (offset)
      64'd0:   word = {4'd0, 28'd128, 32'd0};
      64'd8:   word = Buffer;
      64'd16:  word = {25'd0, in_i.mem_rdata[38:37], 5'd0, 32'd96};
      64'd32:  word = {32'd0, 25'd0, in_i.mem_rdata[6:5], 5'd0};
      64'd40:  word = {32'd1, 6'd1, 26'd3};
      64'd48:  word = {32'd1, 6'd2, 26'd3};
      64'd56:  word = {32'd1, 6'd3, 26'd3};
      default: word = '0;
    endcase
  end

  always_comb begin
    in_o            = in_i;
    in_o.mem_gnt    = out_i.mem_req;
    in_o.mem_rvalid = waiting_q;
    if (step_q != Free) begin
      in_o           = '0;
      in_o.mem_gnt   = out_i.mem_req;
      in_o.mem_rvalid = waiting_q;
      in_o.mem_rdata = word;
      in_o.op_mode   = Mode64;
      in_o.cpl       = (step_q inside {Enable, Enabled}) ? 2'd0 : 2'd3;
      in_o.ctl_valid = step_q inside {Enable, Load};
      in_o.ctl_op    = (step_q == Enable) ? OpWrMsr0 : OpLlwpcb;
      in_o.ctl_wdata = (step_q == Enable) ? 64'h8000_000F : Block;
    end
  end

endmodule
