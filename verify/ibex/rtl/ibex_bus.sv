// SPDX-License-Identifier: MIT OR Apache-2.0
//
// The bus of the machine: two managers, each with one access at a time, and three subordinates.
//
// The managers take turns if both want memory; the accesses of one go on while the other waits for a response. With `every_i` = n the bus grants a manager in one cycle of n, so n = 64 is a
// bus that others keep busy. An address that no subordinate has is answered with an error.

module ibex_bus (
  // Clock: all registers change at its rising edge.
  input  logic              clk_i,
  // Asynchronous reset, active low.
  input  logic              rst_ni,
  // Per manager: the bus grants in one cycle of so many; 0 acts as 1.
  input  logic [1:0][15:0]  every_i,

  // Managers: 0 is the core, 1 is the unit. A request is pending until `gnt_o`.
  input  logic [1:0]        req_i,
  // The request is a write; valid with `req_i`.
  input  logic [1:0]        we_i,
  // Bytes of the word; valid with `req_i`.
  input  logic [1:0][3:0]   be_i,
  // Address of the word; valid with `req_i`.
  input  logic [1:0][31:0]  addr_i,
  // Data to write; valid with `req_i`.
  input  logic [1:0][31:0]  wdata_i,
  // The request is taken in this cycle.
  output logic [1:0]        gnt_o,
  // The response is valid in this cycle.
  output logic [1:0]        rvalid_o,
  // The access failed; valid with `rvalid_o`.
  output logic [1:0]        err_o,
  // Data that was read; valid with `rvalid_o`.
  output logic [1:0][31:0]  rdata_o,

  // Memory, which both managers reach. Control and device take the signals of the core.
  // The request is a write; valid with `sub_req_o[0]`.
  output logic              mem_we_o,
  // Bytes of the word; valid with `sub_req_o[0]`.
  output logic [3:0]        mem_be_o,
  // Address of the word; valid with `sub_req_o[0]`.
  output logic [31:0]       mem_addr_o,
  // Data to write; valid with `sub_req_o[0]`.
  output logic [31:0]       mem_wdata_o,
  // Subordinates: 0 is memory, 1 the control port of the unit, 2 the device of the test bench.
  output logic [2:0]        sub_req_o,
  // The subordinate takes the request in this cycle.
  input  logic [2:0]        sub_gnt_i,
  // The response of the subordinate is valid in this cycle.
  input  logic [2:0]        sub_rvalid_i,
  // The access failed; valid with `sub_rvalid_i`.
  input  logic [2:0]        sub_err_i,
  // Data that was read; valid with `sub_rvalid_i`.
  input  logic [2:0][31:0]  sub_rdata_i
);

  localparam logic [1:0] Memory  = 2'd0;
  localparam logic [1:0] Control = 2'd1;
  localparam logic [1:0] Device  = 2'd2;
  localparam logic [1:0] Nowhere = 2'd3;

  // Where an address leads; 3: nowhere. The word within is the subordinate's affair.
  // verilator lint_off UNUSEDSIGNAL
  function automatic logic [1:0] target(logic [31:0] addr);
    unique case (addr[31:28])
      4'h0:    return ((addr[27:20] == 8'h01) || (addr[27:20] == 8'h02)) ? Memory : Nowhere;
      4'h4:    return Control;
      4'h5:    return Device;
      default: return Nowhere;
    endcase
  endfunction
  // verilator lint_on UNUSEDSIGNAL

  // Per manager: an access waits for its response, and for whose.
  logic [1:0]       busy_d, busy_q, free, done;
  logic [1:0][1:0]  wanted, target_d, target_q;
  // The manager that memory serves, and the one that comes first when both ask.
  logic             chosen, owner_d, owner_q, turn_d, turn_q;
  // Per manager: the bus grants in this cycle; cycles until it does.
  logic [1:0]       slot;
  logic [1:0][15:0] count_d, count_q;
  logic [3:0]      rvalid, err;

  assign rvalid = {1'b1, sub_rvalid_i};
  assign err    = {1'b1, sub_err_i};

  for (genvar m = 0; m < 2; m++) begin : gen_managers
    assign slot[m]     = count_q[m] == '0;
    assign count_d[m]  = !slot[m] ? count_q[m] - 16'd1 : (every_i[m] == '0) ? '0 : every_i[m] - 16'd1;
    // Control and device are the core's alone.
    assign wanted[m]   = ((m == 1) && (target(addr_i[m]) != Memory)) ? Nowhere : target(addr_i[m]);
    assign done[m]     = busy_q[m] && rvalid[target_q[m]] && ((target_q[m] != Memory) || (owner_q == 1'(m)));
    assign free[m]     = slot[m] && req_i[m] && (!busy_q[m] || done[m]);
    assign busy_d[m]   = gnt_o[m] || (busy_q[m] && !done[m]);
    assign target_d[m] = gnt_o[m] ? wanted[m] : target_q[m];
    assign rvalid_o[m] = done[m];
    assign err_o[m]    = err[target_q[m]];
    assign rdata_o[m]  = (target_q[m] == Nowhere) ? '0 : sub_rdata_i[target_q[m]];
  end

  // Who gets memory.
  assign chosen = (free[turn_q] && (wanted[turn_q] == Memory)) ? turn_q : !turn_q;

  always_comb begin
    sub_req_o            = '0;
    sub_req_o[Memory]    = free[chosen] && (wanted[chosen] == Memory);
    sub_req_o[Control]   = free[0] && (wanted[0] == Control);
    sub_req_o[Device]    = free[0] && (wanted[0] == Device);
  end

  for (genvar m = 0; m < 2; m++) begin : gen_grants
    assign gnt_o[m] = free[m] && ((wanted[m] == Nowhere) ||
                                  (sub_gnt_i[wanted[m]] && ((wanted[m] != Memory) || (chosen == 1'(m)))));
  end

  assign mem_we_o    = we_i[chosen];
  assign mem_be_o    = be_i[chosen];
  assign mem_addr_o  = addr_i[chosen];
  assign mem_wdata_o = wdata_i[chosen];

  assign owner_d = (sub_req_o[Memory] && sub_gnt_i[Memory]) ? chosen : owner_q;
  assign turn_d  = (sub_req_o[Memory] && sub_gnt_i[Memory]) ? !chosen : turn_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q   <= '0;
      owner_q  <= 1'b0;
      turn_q   <= 1'b0;
      target_q <= '0;
      count_q  <= '0;
    end else begin
      busy_q   <= busy_d;
      owner_q  <= owner_d;
      turn_q   <= turn_d;
      target_q <= target_d;
      count_q  <= count_d;
    end
  end

endmodule
