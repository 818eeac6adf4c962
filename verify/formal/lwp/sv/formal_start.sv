// SPDX-License-Identifier: MIT OR Apache-2.0
//
// A start for covers: the inputs until a session runs. The system writes LWPMSR0, LLWPCB is executed (in ring 3, or
// with the rich straps before it is entered), memory grants at once and answers in the next cycle with a small block: a
// ring of four records with the head at the last, tail and threshold anywhere in it, slot i with EventId i + 1,
// interval 3 and a counter up to that. Then what happens is free, and what it is about is not: addresses are constants, memory
// still holds that block, operands are one of a few; macros take away more. So the solver has less to choose.
//
// What is reached so is reached under the assumptions of the proofs, which leave every input free. Proofs do not use
// it.

module formal_start
  import lwp_pkg::*;
  import formal_pkg::*;
#(
  // The block of the session, and where its instructions are.
  parameter logic [63:0] Block = 64'h1000,
  parameter logic [63:0] Code  = 64'h40_0000,
  // With FORMAL_PASTS, the counters in that block.
  parameter logic [1:0]  Count = 2'd1
) (
  input  logic   clk_i,
  input  logic   rst_ni,
  input  in_t    in_i,
  input  out_t   out_i,
  output in_t    in_o
);

  localparam logic [63:0] Buffer = 64'h8000;
  localparam logic [63:0] Enable = 64'h8000_000F;

`ifdef FORMAL_RICH_STRAPS
  localparam logic [1:0] LoadCpl = 2'd0;
`else
  localparam logic [1:0] LoadCpl = 2'd3;
`endif

  typedef enum logic [2:0] {Write, Written, Enter, Load, Loading, Loaded, Free} step_e;
  step_e      step_q;
  logic       waiting_q, flags_q;

  // The session begins when memory has answered the write of the block's Flags.
  logic flags;
  assign flags = out_i.mem_req && (out_i.mem_cmd == MemWrite) && (out_i.mem_addr == Block);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      step_q    <= Write;
      waiting_q <= 1'b0;
      flags_q   <= 1'b0;
    end else begin
      waiting_q <= (out_i.mem_req && in_o.mem_gnt) || (waiting_q && !in_o.mem_rvalid);
      flags_q   <= flags;
      unique case (step_q)
        Write:   step_q <= Written;
        Written: if (out_i.rsp_valid) step_q <= Enter;
        Enter:   step_q <= Load;
        Load:    step_q <= Loading;
        Loading: if (out_i.rsp_valid) step_q <= (LoadCpl == 2'd3) ? Free : Loaded;
        Loaded:  if (flags_q) step_q <= Free;
        default: ;
      endcase
    end
  end

  // The block, 8 bytes at a time; what is free of it.
  logic [63:0] offset, word;
  logic [1:0]  tail, threshold, counter;
`ifdef FORMAL_PASTS
  // Of two threads: the blocks differ, and memory holds the same in both.
  assign offset    = {52'd0, out_i.mem_addr[11:0]};
  assign tail      = 2'd1;
  assign threshold = 2'd0;
  assign counter   = Count;
`else
  assign offset    = out_i.mem_addr - Block;
  assign tail      = in_i.mem_rdata[38:37];
  assign threshold = in_i.mem_rdata[6:5];
  assign counter   = in_i.mem_rdata[33:32];
`endif

  always_comb begin
    unique case (offset)
      64'd0:   word = {4'd0, 28'd128, 32'h8000_000F};
      64'd8:   word = Buffer;
      64'd16:  word = {25'd0, tail, 5'd0, 32'd96};
      64'd32:  word = {32'd0, 25'd0, threshold, 5'd0};
      64'd40:  word = {30'd0, counter, 6'd1, 26'd3};
      64'd48:  word = {30'd0, counter, 6'd2, 26'd3};
      64'd56:  word = {30'd0, counter, 6'd3, 26'd3};
      default: word = '0;
    endcase
  end

  // Free inputs, but for what they are about.
  in_t narrow;
  always_comb begin
    narrow = in_i;
    for (int unsigned l = 0; l < Lanes; l++) begin
      narrow.lanes[l].ip               = Code + 64'(l);
      narrow.lanes[l].branch_next      = 64'h40_1000;
      narrow.lanes[l].loads[0].addr    = 64'h60_0000;
      narrow.lanes[l].loads[0].latency = {24'd0, in_i.lanes[l].loads[0].latency[4], 6'd0};
      narrow.lanes[l].loads[1]         = '0;
    end
    narrow.op_mode      = Mode64;
    narrow.alloc_entry  = '0;
    narrow.fill_entry   = '0;
    narrow.fill_ip      = Code;
    narrow.fill_latency = 31'd32;
    narrow.entropy      = '0;
    narrow.ctl_ds_base  = '0;
    unique case (in_i.ctl_wdata[2:0])
      3'd0:    narrow.ctl_wdata = '0;
      3'd1:    narrow.ctl_wdata = Block;
      3'd2:    narrow.ctl_wdata = Enable;
      // Word 4 of the context: a record of a miss.
      3'd3:    narrow.ctl_wdata = 64'd3;
      // Word 1: a session whose head is the last record.
      default: narrow.ctl_wdata = {31'd0, 1'b1, 32'd96};
    endcase
    narrow.mem_gnt    = out_i.mem_req && in_i.mem_gnt;
    narrow.mem_rvalid = waiting_q && in_i.mem_rvalid;
    narrow.mem_rdata  = word;
    // What a story does not need.
`ifdef FORMAL_FAST_MEMORY
    narrow.mem_gnt    = out_i.mem_req;
    narrow.mem_rvalid = waiting_q;
`endif
`ifdef FORMAL_NO_OPERATION
    narrow.ctl_valid  = 1'b0;
`endif
`ifdef FORMAL_STAYS
    narrow.cpl        = 2'd3;
    narrow.smm        = 1'b0;
`endif
`ifdef FORMAL_PASTS
    // Instructions that do nothing else, and a memory without faults.
    for (int unsigned l = 0; l < Lanes; l++) begin
      narrow.lanes[l]        = '0;
      narrow.lanes[l].valid  = in_i.lanes[l].valid && !out_i.stall;
      narrow.lanes[l].counts = 1'b1;
      narrow.lanes[l].ip     = Code + 64'(l);
    end
    narrow.partial      = 1'b0;
    narrow.alloc_valid  = 1'b0;
    narrow.fill_valid   = 1'b0;
    narrow.replay_abort = 1'b0;
    narrow.mem_err      = 1'b0;
    narrow.pf_ack       = 1'b0;
    narrow.irq_ack      = 1'b0;
    narrow.cpl          = {2{in_i.cpl[0]}};
    narrow.smm          = 1'b0;
`endif
`ifdef FORMAL_NO_LANE
    for (int unsigned l = 0; l < Lanes; l++) narrow.lanes[l] = '0;
`endif
  end

  always_comb begin
    in_o = narrow;
    if (step_q != Free) begin
      in_o            = '0;
      in_o.mem_gnt    = out_i.mem_req;
      in_o.mem_rvalid = waiting_q;
      in_o.mem_rdata  = word;
      in_o.op_mode    = Mode64;
      in_o.cpl        = (step_q inside {Write, Written}) ? 2'd0 : (step_q == Loaded) ? 2'd3 : LoadCpl;
      in_o.ctl_valid  = step_q inside {Write, Load};
      in_o.ctl_op     = (step_q == Write) ? OpWrMsr0 : OpLlwpcb;
      in_o.ctl_wdata  = (step_q == Write) ? Enable : Block;
    end
  end

endmodule
