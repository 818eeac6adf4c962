// SPDX-License-Identifier: MIT OR Apache-2.0
//
// Few: inputs for covers that lie many accesses behind reset. The system writes the registers of both classes and of both logical
// processors; then come a few accesses, one after the other, to few lines. The solver chooses one of the first eight plans below,
// nothing else; with FORMAL_NARROW, where the L2 cache has one set, the plan is the ninth. The first transfer is not local, the others are; a write-back waits for one cycle.
//
// What is reached so is reached under the assumptions of the proofs, which leave every input free. Proofs do not use it.

module formal_few
  import retire_pkg::*;
  import rdt_pkg::*;
  import formal_pkg::*;
(
  input  logic    clk_i,
  input  logic    rst_ni,
  input  config_t cfg_i,
  input  out_t    out_i,
  output in_t     in_o
);

  // Accesses of a run, and bits of the number of a line: two sets, four lines each.
  localparam int unsigned Accesses = 6;
  localparam int unsigned FewW     = 3;

  // An access.
  typedef struct packed {
    logic            valid;
    logic            lp;
    logic            write;
    logic            code;
    logic [FewW-1:0] line;
  } access_t;

  // Of index 0: the class, or the logical processor, 0.
  typedef struct packed {
    logic [1:0][1:0] l3_mask;
    logic [1:0][1:0] l2_mask;
    logic            cdp;
    logic [1:0]      rmid;
    logic [1:0]      cos;
    // In this cycle the logical processor 0 gets the other RMID.
    logic [6:0]      rebind;
    // From this cycle on so many ways shall have power.
    logic [6:0]      power;
    logic [1:0]      l3_power;
    logic [1:0]      l2_power;
    // The first is at the right.
    access_t [Accesses-1:0] accesses;
  } plan_t;

  localparam logic [6:0] Never = '1;
  localparam access_t None = '0;
  // Reads of the logical processors 0 and 1, a fetch, writes.
  localparam access_t Read0  = 7'b1_000_000;
  localparam access_t Fetch0 = 7'b1_001_000;
  localparam access_t Write0 = 7'b1_010_000;
  localparam access_t Read1  = 7'b1_100_000;
  localparam access_t Write1 = 7'b1_110_000;

  // The plans.
  function automatic plan_t plan_of(logic [3:0] index);
    plan_t plan;
    // Two classes with a way of each cache, and an RMID for each logical processor.
    plan = '{l3_mask: {2'd2, 2'd1}, l2_mask: {2'd2, 2'd1}, cdp: 1'b0, rmid: 2'b10, cos: 2'b10, rebind: Never, power: Never,
             l3_power: 2'd2, l2_power: 2'd2, accesses: '0};
    unique case (index)
      // Code and data go different ways; the RMID changes while memory is asked.
      4'd0: begin
        plan.cdp      = 1'b1;
        plan.l2_mask  = {2'd1, 2'd2};
        plan.rebind   = 7'd14;
        plan.accesses = {None, None, None, None, Read0 | access_t'(1), Fetch0};
      end
      // One way has power, and the mask names the other.
      4'd1: begin
        plan.l3_mask  = {2'd2, 2'd2};
        plan.power    = 7'd9;
        plan.l3_power = 2'd1;
        plan.accesses = {None, None, None, None, None, Read0};
      end
      // No way of the L3 cache has power.
      4'd2: begin
        plan.power    = 7'd9;
        plan.l3_power = 2'd0;
        plan.l2_power = 2'd0;
        plan.accesses = {None, None, None, None, None, Write0};
      end
      // Without the L2 cache: a hit in the other's way, then a fill beside it.
      4'd3: begin
        plan.power    = 7'd9;
        plan.l2_power = 2'd0;
        plan.accesses = {None, None, None, Read0 | access_t'(2), Read0, Read1};
      end
      // A line that the other wrote makes room in the L2 cache.
      4'd4: begin
        plan.l2_mask  = {2'd1, 2'd1};
        plan.accesses = {None, None, None, None, Read0 | access_t'(3), Write1 | access_t'(1)};
      end
      // All ways for all: the oldest line, which the other wrote, is written back. For that the other waits.
      4'd5: begin
        plan.l3_mask  = {2'd3, 2'd3};
        plan.accesses = {None, None, Read1 | access_t'(1), Read0 | access_t'(4), Read0 | access_t'(2), Write1};
      end
      // One way of the L3 cache for both: a line leaves the L2 cache in a way of the other.
      4'd6: begin
        plan.l3_mask  = {2'd1, 2'd1};
        plan.rmid     = 2'b01;
        plan.accesses = {None, None, None, Read0 | access_t'(2), Read0 | access_t'(1), Read1};
      end
      // Both lines were written when the caches lose their power.
      4'd7: begin
        plan.power    = 7'd60;
        plan.l3_power = 2'd0;
        plan.accesses = {None, None, None, None, Write0 | access_t'(1), Write0};
      end
      // Each class has lines of its own, 0 to 3 and 4 to 7. Beside the other's line a hit in the L3 cache alone, one in the L2 cache, and a
      // line that makes room.
      4'd8: plan.accesses = {Read0 | access_t'(2), Read0, Read0, Read0 | access_t'(1), Read0, Read1 | access_t'(4)};
      default: ;
    endcase
    return plan;
  endfunction

  logic [3:0] index;
  plan_t      plan;
`ifdef FORMAL_NARROW
  assign index = 4'd8;
`else
  formal_const #(.WIDTH(3)) u_index (.Y(index[2:0]));
  assign index[3] = 1'b0;
`endif
  assign plan = plan_of(index);

  // Cycles since reset, and accesses that were accepted.
  logic [6:0] cycle_q;
  logic [2:0] next_q;
  // A transfer was granted; the write-back that is shown has waited.
  logic       granted_q, waited_q;

  access_t access;
  assign access = plan.accesses[(next_q < 3'(Accesses)) ? next_q : 3'd0];

  logic starts;
  assign starts = (cycle_q > 7'd10) && (next_q < 3'(Accesses)) && access.valid;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      cycle_q   <= '0;
      next_q    <= '0;
      granted_q <= 1'b0;
      waited_q  <= 1'b0;
    end else begin
      if (cycle_q != '1) cycle_q <= cycle_q + 7'd1;
      if (out_i.mem.mem_req && in_o.mem.mem_gnt) granted_q <= 1'b1;
      waited_q <= out_i.mem.mem_req && out_i.mem.mem_write && !waited_q;
      if (starts && out_i.lp[access.lp].req_ready) next_q <= next_q + 3'd1;
    end
  end

  // WRMSR of the cycle.
  logic        writes;
  logic [2:0]  lp;
  logic [31:0] number;
  logic [63:0] value;
  always_comb begin
    writes = 1'b1;
    lp     = '0;
    number = MsrAssoc;
    value  = '0;
    unique case (cycle_q)
      7'd1: {number, value} = {MsrL3Mask, 62'd0, plan.l3_mask[0]};
      7'd2: {number, value} = {MsrL3Mask + 32'd1, 62'd0, plan.l3_mask[1]};
      7'd3: {number, value} = {MsrL2Mask, 62'd0, plan.l2_mask[0]};
      7'd4: {number, value} = {MsrL2Mask + 32'd1, 62'd0, plan.l2_mask[1]};
      7'd5: {number, value} = {MsrL3QosCfg, 63'd0, plan.cdp};
      7'd6: {number, value} = {MsrL2QosCfg, 63'd0, plan.cdp};
      7'd7: value = {31'd0, plan.cos[0], 31'd0, plan.rmid[0]};
      7'd8: {lp, value} = {3'd1, 31'd0, plan.cos[1], 31'd0, plan.rmid[1]};
      default: begin
        writes = (cycle_q == plan.rebind) && (cycle_q > 7'd8);
        value  = {31'd0, plan.cos[0], 31'd0, !plan.rmid[0]};
      end
    endcase
  end

  always_comb begin
    in_o = '0;
    for (int unsigned i = 0; i < Processors; i++) begin
      in_o.lp[i].req_valid = starts && (32'(access.lp) == i);
      in_o.lp[i].req_write = access.write;
      in_o.lp[i].req_code  = access.code;
      in_o.lp[i].req_addr  = AddressW'(access.line) << cfg_i.line;
    end
    in_o.mem.mem_gnt     = !out_i.mem.mem_write || waited_q;
    in_o.mem.mem_local   = granted_q;
    in_o.mem.mem_rvalid  = 1'b1;
    in_o.power.l3_power  = (cycle_q < plan.power) ? '1 : 5'(plan.l3_power);
    in_o.power.l2_power  = (cycle_q < plan.power) ? '1 : 4'(plan.l2_power);
    in_o.mode.op_mode    = Mode64;
    in_o.request.reg_valid  = writes;
    in_o.request.reg_op     = RegWrmsr;
    in_o.request.reg_lp     = lp;
    in_o.request.reg_number = number;
    in_o.request.reg_wdata  = value;
  end

endmodule
